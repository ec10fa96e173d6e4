"""SQL literals in Python programs: found by who takes them, kept where they stand."""

from __future__ import annotations

from textwrap import dedent

import pytest

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


def test_an_f_string_that_computes_is_skipped() -> None:
    script = one_script("job.py", "spark.sql(f\"SELECT {', '.join(columns)} FROM t\")")
    assert (script.text, script.skipped) == ("", 1)


def test_format_and_percent() -> None:
    assert sql_in('spark.sql("SELECT {a}, {} FROM {b}.t".format(1, a=2, b=3))') == ["SELECT ${a},{} FROM ${b}.t"]
    assert sql_in('cur.execute("SELECT a FROM t WHERE b = %s AND c = %(c)s" % x)') == [
        "SELECT a FROM t WHERE b = %s AND c = %(c)s"
    ]


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
        "q = 'SELECT 1 FROM t'\nq += cond\nspark.sql(q)\n",
        "q = 'SELECT 1 FROM t'\nq = build()\nspark.sql(q)\n",
        "for q in queries:\n    spark.sql(q)\n",
        "q = 'SELECT 1 FROM t'\ndef f():\n    global q\n    q = 'x y'\nspark.sql(q)\n",
        "spark.sql(q)\nq = 'SELECT 1 FROM t'\n",
        "class A:\n    q = 'SELECT 1 FROM t'\n    def f(self):\n        spark.sql(q)\n",
        "spark.sql('SELECT a FROM ' + table)\n",
        "spark.sql(f'{query}')\n",
        "cursor.execute(open('x.sql').read())\n",
    ],
)
def test_what_is_no_literal_is_counted(program: str) -> None:
    script = one_script("job.py", program)
    assert (script.text.strip(), script.skipped) == ("", 1)


def test_what_takes_no_sql_is_nothing() -> None:
    program = "node.sql(dialect='spark')\npool.execute(lambda: 1)\npd.read_sql('sales', con)\nx = 'SELECT 1 FROM t'\n"
    assert scripts_of("job.py", program.encode()) == []


def test_sql_between_the_parts_of_other_sql_is_counted() -> None:
    script = one_script("job.py", "spark.sql('SELECT {} '.format(spark.sql('SELECT b FROM u')) + 'FROM t')")
    assert script.skipped == 1
    assert statements_of(script) == ["SELECT {} FROM t"]


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
