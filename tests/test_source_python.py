"""SQL literals in Python programs: found by who takes them, kept where they stand."""

from __future__ import annotations

from textwrap import dedent

import pytest

from headwater import analyze
from headwater.source import scripts_of
from source_positions import moved_words, one_script, place, statements_of


def sql_in(program: str) -> list[str]:
    return statements_of(one_script("job.py", dedent(program)))


@pytest.mark.parametrize(
    "call",
    [
        "spark.sql({})",
        "self.session.sql({})",
        "cursor.execute({}, (1, 2))",
        "cursor.executemany({}, rows)",
        "pd.read_sql({}, con)",
        "read_sql_query({}, con)",
        "pd.read_sql(con=con, sql={})",
        "conn.execute(text({}))",
        "conn.execute(sa.text({}).bindparams(x=1)) if 0 else spark.sql({})",
        "spark.sql(dedent({}).strip())",
    ],
)
def test_calls_that_take_sql(call: str) -> None:
    program = call.replace("{}", '"SELECT a FROM t"') + "\n"
    script = one_script("job.py", program)
    assert statements_of(script)[-1] == "SELECT a FROM t"
    assert moved_words(script.text, program) == []


def test_every_line_and_column_stays() -> None:
    program = dedent('''
        """Not SQL: SELECT docs FROM nowhere."""
        import os

        def load(spark):
            größe = "é"; spark.sql("SELECT ä, b FROM t1")
            spark.sql("""
                INSERT INTO out
                SELECT x,
                       y
                FROM t2
            """)
    ''')
    script = one_script("job.py", program)
    assert moved_words(script.text, program) == []
    assert statements_of(script) == ["SELECT ä, b FROM t1", "INSERT INTO out SELECT x, y FROM t2"]
    assert place(script.text, "t2") == place(program, "t2") == (11, 14)


def test_windows_line_ends() -> None:
    program = 'spark.sql("""\r\n  SELECT a\r\n  FROM t""")\r\nspark.sql("SELECT b FROM u")\r\n'
    script = one_script("job.py", program)
    assert moved_words(script.text, program) == []
    assert statements_of(script) == ["SELECT a FROM t", "SELECT b FROM u"]


def test_strings_that_follow_each_other() -> None:
    program = dedent("""
        spark.sql(
            "SELECT a, "  # the first
            'b FROM t '
            r"WHERE c" + " > 1"
        )
    """)
    script = one_script("job.py", program)
    assert statements_of(script) == ["SELECT a, b FROM t WHERE c > 1"]
    assert moved_words(script.text, program) == []


def test_a_word_in_two_strings_is_one_word() -> None:
    assert sql_in('spark.sql("SELECT a FROM sch" + "ema.t" " WHERE b")') == ["SELECT a FROM schema.t WHERE b"]
    assert sql_in('spark.sql("SELECT a FROM long_"\n          "name")') == ["SELECT a FROM long_name"]


def test_escapes_are_as_wide_as_written() -> None:
    program = r"""spark.sql("SELECT \"a b\", c\nFROM t\tWHERE d = '\u00e9' AND e RLIKE '\\d'")"""
    script = one_script("job.py", program)
    assert statements_of(script) == ["SELECT \"a b\" , c FROM t WHERE d = ' é' AND e RLIKE ' \\d'"]
    assert [place(script.text, w) for w in ("FROM", "WHERE", "RLIKE")] == [
        place(program, w) for w in ("FROM", "WHERE", "RLIKE")
    ]


def test_a_comment_ends_where_its_escape_says() -> None:
    assert sql_in(r'spark.sql("SELECT a -- first\nFROM t -- last"); spark.sql("SELECT b FROM u")') == [
        "SELECT a FROM t",
        "SELECT b FROM u",
    ]
    assert sql_in(r"""spark.sql("SELECT '--', a\nFROM t")""") == ["SELECT '--', a FROM t"]


def test_a_line_that_goes_on() -> None:
    assert sql_in('spark.sql("SELECT a \\\n  FROM t")') == ["SELECT a FROM t"]


def test_fields_become_placeholders() -> None:
    program = "spark.sql(f\"SELECT a FROM {cfg.db}.t WHERE d = {day} AND e = '{e!r}' AND f > {x['k']:>5}\")"
    assert sql_in(program) == ["SELECT a FROM ${cfg.db}.t WHERE d=${day} AND e = '{e} ' AND f >${x[k]}"]


def test_a_field_takes_a_blank_that_nobody_needs() -> None:
    program = 'spark.sql(f"{prefix} SELECT a, {b}, c FROM t WHERE d = {e}")'
    script = one_script("job.py", program)
    assert moved_words(script.text, program) == []
    assert statements_of(script) == ["${prefix} SELECT a,${b}, c FROM t WHERE d =${e}"]


def test_where_there_is_no_room_only_its_own_line_moves() -> None:
    program = 'spark.sql(f"""\nSELECT a FROM {t} WHERE b\n  = 1, c""")'
    script = one_script("job.py", program)
    assert moved_words(script.text, program) == ["t", "WHERE", "b"]
    assert statements_of(script) == ["SELECT a FROM ${t} WHERE b = 1, c"]


def test_a_field_with_quotes_and_braces_inside() -> None:
    assert sql_in("""spark.sql(f'SELECT {{}} FROM {d["a}b"]} x')""") == ["SELECT { } FROM ${d[ab]} x"]


def test_what_an_f_string_computes_is_a_placeholder() -> None:
    assert sql_in("spark.sql(f\"SELECT {', '.join(columns)} FROM {get('x')}.t\")") == [
        "SELECT ${,.join(columns)} FROM ${get(x)}.t"
    ]
    assert sql_in("spark.sql(f'SELECT a FROM {u if v == 1 else w}')") == ["SELECT a FROM ${uifv==1elsew}"]


def test_a_name_goes_on_behind_a_field_that_is_narrower() -> None:
    assert sql_in("spark.sql(f\"SELECT a FROM {cfg['db']}.{kind[ 'k' ]}_new x\")") == [
        "SELECT a FROM ${cfg[db]}.${kind[k]}_new x"
    ]


def test_a_field_over_several_lines_keeps_the_lines() -> None:
    program = 'spark.sql(f"""\nSELECT a FROM {get(\n  x,\n  y)}\nWHERE b = 1""")'
    script = one_script("job.py", program)
    assert place(script.text, "WHERE") == place(program, "WHERE") == (5, 1)
    assert statements_of(script) == ["SELECT a FROM ${get(x,y)} WHERE b = 1"]


def test_a_name_goes_on_behind_a_field_over_several_lines() -> None:
    program = 'spark.sql(f"""SELECT a FROM {get(\n  x)}_new y JOIN u""")'
    script = one_script("job.py", program)
    assert statements_of(script) == ["SELECT a FROM ${get(x)}_new y JOIN u"]
    assert place(script.text, "JOIN") == place(program, "JOIN")


def test_format_and_percent() -> None:
    assert sql_in('spark.sql("SELECT {a}, {} FROM {b}.t".format(n, a=2, b=3))') == ["SELECT ${a},${n} FROM ${b}.t"]
    assert sql_in('spark.sql("SELECT {1} FROM {0} " "JOIN {1}".format(make(t), u))') == [
        "SELECT ${u} FROM ${make(t)} JOIN ${u}"
    ]
    assert sql_in('cur.execute("SELECT a FROM t WHERE b = %s AND c = %(c)s", x)') == [
        "SELECT a FROM t WHERE b = %s AND c = %(c)s"
    ]
    assert sql_in("cur.execute(\"SELECT a FROM %s.t%d WHERE b LIKE 'x%%'\" % (db, number))") == [
        "SELECT a FROM ${db}.t${number} WHERE b LIKE 'x% '"
    ]


def test_an_argument_that_is_a_literal_is_not_shown() -> None:
    (sql,) = sql_in('cur.execute("ALTER USER u PASSWORD {}".format("hunter2"))')
    assert sql == "ALTER USER u PASSWORD ${value}"


def test_what_is_added_to_a_string() -> None:
    program = 'spark.sql("SELECT a FROM " + schema + ".t_" + suffix(day) + " WHERE b = 1")'
    script = one_script("job.py", program)
    assert statements_of(script) == ["SELECT a FROM ${schema}.t_${suffix(day)} WHERE b = 1"]
    assert sql_in('spark.sql("SELECT a FROM " + table)') == ["SELECT a FROM ${table}"]
    assert sql_in('spark.sql(head + " SELECT a FROM t")') == ["${head} SELECT a FROM t"]


def test_what_is_added_to_a_name() -> None:
    program = dedent("""
        q = "SELECT a FROM t "
        if late:
            q += "WHERE b > 1 "
        q += order()
        spark.sql(q)
    """)
    script = one_script("job.py", program)
    assert statements_of(script) == ["SELECT a FROM t WHERE b > 1 ${order()}"]
    assert (place(script.text, "WHERE"), script.skipped) == (place(program, "WHERE"), 0)


def test_additions_that_exclude_each_other() -> None:
    """The first is read; that there is another one is said."""
    program = dedent("""
        q = "SELECT a FROM t "
        if late:
            q += "WHERE b > 1"
        else:
            q += "WHERE c > 1"
        spark.sql(q)
    """)
    script = one_script("job.py", program)
    assert statements_of(script) == ["SELECT a FROM t WHERE b > 1", "${sql(q)}"]


def test_either_of_two_literals() -> None:
    assert sql_in('spark.sql("SELECT a FROM t" if x else "SELECT b FROM u")') == ["SELECT a FROM t", "SELECT b FROM u"]


@pytest.mark.parametrize(
    "call",
    [
        "client.query({})",
        "duckdb.query({})",
        "con.sql({})",
        "con.exec_driver_sql({})",
        "pd.read_sql_query({}, con)",
        "run(text({}))",
    ],
)
def test_calls_that_take_what_looks_like_sql(call: str) -> None:
    assert sql_in(call.replace("{}", '"SELECT a FROM t"')) == ["SELECT a FROM t"]


@pytest.mark.parametrize(
    "program",
    [
        'df.query("update > 1")',
        'df.query("a > 1 and b == c")',
        "session.query(User)",
        "client.query(q)",
        'ax.text("the best of all")',
        "self.execute(context)",
        "executor.execute(task)",
    ],
)
def test_calls_that_take_something_else(program: str) -> None:
    assert scripts_of("job.py", program.encode()) == []


def test_a_name_that_only_ever_is_a_literal() -> None:
    program = dedent('''
        QUERY = """SELECT a FROM t"""
        OTHER: str = "SELECT {x} FROM u"

        def run(spark):
            spark.sql(QUERY)
            spark.sql(QUERY)
            spark.sql(OTHER.format(x=1))
            q = "SELECT b FROM v"
            spark.sql(q)
            q = "SELECT c FROM w"
            spark.sql(q)
    ''')
    script = one_script("job.py", program)
    assert statements_of(script) == ["SELECT a FROM t", "SELECT ${x} FROM u", "SELECT b FROM v", "SELECT c FROM w"]
    assert script.skipped == 0


@pytest.mark.parametrize(
    "program",
    [
        "def f(q):\n    spark.sql(q)\n",
        "q = 'SELECT 1 FROM t'\nq = build()\nspark.sql(q)\n",
        "for q in queries:\n    spark.sql(q)\n",
        "q = 'SELECT 1 FROM t'\ndef f():\n    global q\n    q = 'x y'\nspark.sql(q)\n",
        "spark.sql(q)\nq = 'SELECT 1 FROM t'\n",
        "class A:\n    q = 'SELECT 1 FROM t'\n    def f(self):\n        spark.sql(q)\n",
        "spark.sql(head + table)\n",
        "spark.sql(f'{query}')\n",
        "cursor.execute(open('x.sql').read())\n",
    ],
)
def test_what_is_no_literal_is_a_text_that_is_not_known(program: str) -> None:
    script = one_script("job.py", program)
    name = "execute" if "execute" in program else "sql"
    line, column = place(program, f"{name}(")
    (diagnostic,) = analyze(script.text).diagnostics
    assert (diagnostic.code, script.skipped) == ("dynamic-sql", 1)
    assert place(script.text, "${") == (line, column)


def test_what_takes_no_sql_is_nothing() -> None:
    program = "node.sql(dialect='spark')\npool.execute(lambda: 1)\npd.read_sql('sales', con)\nx = 'SELECT 1 FROM t'\n"
    assert scripts_of("job.py", program.encode()) == []


def test_sql_between_the_parts_of_other_sql_is_counted() -> None:
    script = one_script("job.py", "spark.sql('SELECT {} '.format(spark.sql('SELECT b FROM u')) + 'FROM t')")
    assert script.skipped == 1
    assert statements_of(script) == ["SELECT ${value} FROM t", "${sql(…)}"]


@pytest.mark.parametrize(
    "program",
    [
        "print 'old'\n",
        "spark.sql('SELECT 1",
        "x = " + "(" * 5000,
        "x = " + "-" * 200_000 + "1",
        "a\0b",
        "\ud800".encode("utf-8", "surrogatepass").decode("latin-1") + "(",
    ],
)
def test_what_is_not_python_is_a_problem(program: str) -> None:
    script = one_script("job.py", program)
    assert script.text == ""
    assert "Python" in script.problem


def test_a_long_sum_of_strings() -> None:
    program = "spark.sql('SELECT 1'" + " + ', a'" * 300 + ")"
    assert len(sql_in(program)[0].split(",")) == 301


def test_a_large_program() -> None:
    program = "# nothing of interest here, again and again....\n" * 110_000 + "spark.sql('SELECT a FROM t')\n"
    script = one_script("job.py", program)
    assert len(program) > 5_000_000
    assert place(script.text, "SELECT") == (110_001, 12)
