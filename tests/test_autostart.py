"""Capture by configuration: programs are captured as they are, and see nothing of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import headwater
from headwater.pipeline.corpus import Corpus, build
from headwater.runtime.java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
HOOK = SOURCE / "headwater_autostart" / "path"
PROGRAM = Path(__file__).parent / "versions" / "unchanged_program.py"
OWN = ("HEADWATER_", "PYTHONPATH", "SPARK_", "PYSPARK_", "PYTHON_WORKER_")


class Ended(NamedTuple):
    """How a process ended."""

    code: int
    out: str
    err: str

    @property
    def traceback(self) -> str:
        return self.err[self.err.find("Traceback") :] if "Traceback" in self.err else ""


def ran(*words: str | Path, path: list[Path], cwd: Path, python: str = sys.executable, **variables: str) -> Ended:
    """Run Python with an environment of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
    environment |= {"PYTHONPATH": os.pathsep.join(map(str, path)), "PYSPARK_PYTHON": sys.executable, **variables}
    command = [python, *map(str, words)]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)


# With PySpark and headwater stood in for: what the hook does, in milliseconds

STAND_INS = {
    "pyspark/__init__.py": "",
    "pyspark/sql/__init__.py": "from pyspark.sql.session import SparkSession",
    "pyspark/sql/session.py": """
from pyspark.sql.other import nothing
def _monkey_patch_RDD(session): "Notes."
class SparkSession:
    _instantiatedSession = None
    def __init__(self, context):
        if context is None: raise ValueError("no context")
        self._sc = context
        _monkey_patch_RDD(self)
    def stop(self): self._sc._jsc = None
class Context: _jsc = 1
""",
    "pyspark/sql/other.py": "nothing = None",
    "pyspark/daemon.py": "from pyspark.sql.session import *; SparkSession(Context()); import sys; print(len(sys.modules) > 0)",
    "pyspark/sql/connect/__init__.py": "",
    "pyspark/sql/connect/session.py": """
class SparkSession:
    _default_session = None
    def __init__(self): self.client = type("Client", (), {"is_closed": False})()
    @classmethod
    def _set_default_and_active_session(cls, session): cls._default_session = session
""",
    "headwater/__init__.py": "",
    "headwater/spark/__init__.py": "",
    "headwater/spark/capturing.py": """
import sys
class Capture:
    def stop(self): sys.stderr.write("stopped\\n")
def capture(session, sink):
    sys.stderr.write(f"capture {type(session).__module__} {sink}\\n")
    return Capture()
""",
}
MAKES_SESSIONS = """
import sys
from pyspark.sql import SparkSession
from pyspark.sql.session import Context
context = Context()
one, two = SparkSession(context), SparkSession(context)
one.stop()
SparkSession(Context())
print([str(type(each)) for each in sys.meta_path if 'headwater' not in str(each)])
print(sys.argv, __name__, sys.path, vars(sys.modules["pyspark.sql.session"].__loader__).keys())
"""
DRIVER = "capture pyspark.sql.session /lineage\n"


@pytest.fixture
def stand_ins(tmp_path: Path) -> Path:
    for name, text in STAND_INS.items():
        file = tmp_path / "packages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "program.py").write_text(MAKES_SESSIONS)
    return tmp_path / "packages"


def both(folder: Path, stand_ins: Path, *words: str | Path, **variables: str) -> tuple[Ended, Ended]:
    """How a program ends without capture, and with it."""
    path = [HOOK, stand_ins]
    variables = {"HEADWATER_CAPTURE": "/lineage", **variables}
    return ran(*words, path=[stand_ins], cwd=folder), ran(*words, path=path, cwd=folder, **variables)


@pytest.mark.parametrize("words", [("program.py", "-x", "--sink"), ("-m", "program", "a"), ("-c", MAKES_SESSIONS, "b")])
def test_each_application_is_captured_once(tmp_path: Path, stand_ins: Path, words: tuple[str, ...]) -> None:
    without, captured = both(tmp_path, stand_ins, *words)
    assert captured.err == f"{DRIVER}stopped\n{DRIVER}"
    assert (captured.code, captured.out) == (0, without.out)


def test_pyspark_in_an_archive(tmp_path: Path, stand_ins: Path) -> None:
    with zipfile.ZipFile(tmp_path / "pyspark.zip", "w") as file:
        for name in STAND_INS:
            if name.startswith("pyspark/"):
                file.write(stand_ins / name, name)
    shutil.rmtree(stand_ins / "pyspark")
    path = [HOOK, tmp_path / "pyspark.zip", stand_ins]
    captured = ran("program.py", path=path, cwd=tmp_path, HEADWATER_CAPTURE="/lineage")
    assert (captured.code, captured.err) == (0, f"{DRIVER}stopped\n{DRIVER}")


def test_spark_connect(tmp_path: Path, stand_ins: Path) -> None:
    code = """
from pyspark.sql.connect.session import SparkSession
session = SparkSession()
SparkSession._set_default_and_active_session(session)
print(SparkSession._default_session is session)
"""
    _, captured = both(tmp_path, stand_ins, "-c", code)
    assert captured == (0, "True\n", "capture pyspark.sql.connect.session /lineage\n")


@pytest.mark.parametrize("text", ["1/0", "raise SystemExit(4)", "from pyspark.sql.other import absent"])
def test_a_pyspark_that_cannot_be_imported(tmp_path: Path, stand_ins: Path, text: str) -> None:
    (stand_ins / "pyspark/sql/session.py").write_text(text)
    without, captured = both(tmp_path, stand_ins, "program.py")
    assert captured == without
    assert without.code != 0


def test_a_session_that_cannot_be_made(tmp_path: Path, stand_ins: Path) -> None:
    without, captured = both(tmp_path, stand_ins, "-c", "from pyspark.sql import SparkSession\nSparkSession(None)")
    assert "ValueError: no context" in without.err
    assert captured == without


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        (("-m", "pyspark.daemon"), {}),
        (("program.py",), {"PYTHON_WORKER_FACTORY_SECRET": "x"}),
        (("program.py",), {"HEADWATER_LINEAGE": "off"}),
        (("program.py",), {"HEADWATER_CAPTURE": ""}),
        (("-c", "import sys; print(list(sys.modules), sys.meta_path)"), {"HEADWATER_CAPTURE": ""}),
    ],
)
def test_nothing_is_started(tmp_path: Path, stand_ins: Path, words: tuple[str, ...], variables: dict[str, str]) -> None:
    without, captured = both(tmp_path, stand_ins, *words, **variables)
    if "list(sys.modules)" not in words[-1]:
        assert captured == without
    assert (captured.err, captured.code) == ("", 0)


def test_a_python_without_headwater_is_told_once(tmp_path: Path, stand_ins: Path) -> None:
    shutil.rmtree(stand_ins / "headwater")
    code = (
        "import sys; sys.path = [p for p in sys.path if 'src' not in p]; sys.argv = []; exec(open('program.py').read())"
    )
    without, captured = both(tmp_path, stand_ins, "-S", "-c", code)
    assert captured == without  # -S: no site, no sitecustomize
    (stand_ins / "headwater.py").write_text("raise ImportError('no headwater here')")
    _, captured = both(tmp_path, stand_ins, "program.py")
    said = "jobs are not captured: the program's Python cannot import headwater (no headwater here)\n"
    assert (captured.code, captured.err) == (0, said)


def test_a_sitecustomize_of_the_machine_is_run(tmp_path: Path, stand_ins: Path) -> None:
    (stand_ins / "sitecustomize.py").write_text("import sys; sys.told = __file__")
    without, captured = both(
        tmp_path, stand_ins, "-c", "import sys, sitecustomize; print(sys.told, sitecustomize.__file__)"
    )
    assert captured == without
    assert without.out.split() == [str(stand_ins / "sitecustomize.py")] * 2
    (stand_ins / "sitecustomize.py").write_text("import absent")
    without, captured = both(tmp_path, stand_ins, "-c", "print(1)")
    assert captured == without
    assert "absent" in without.err


def test_a_relative_folder_is_the_one_in_which_the_program_started(tmp_path: Path, stand_ins: Path) -> None:
    _, captured = both(tmp_path, stand_ins, "-c", f"import os; os.chdir('/'){MAKES_SESSIONS}", HEADWATER_CAPTURE="here")
    assert f"capture pyspark.sql.session {tmp_path}/here\n" in captured.err
    _, captured = both(tmp_path, stand_ins, "program.py", HEADWATER_CAPTURE="s3://lake/x")
    assert "capture pyspark.sql.session s3://lake/x\n" in captured.err


def test_the_handlers_of_a_program_are_its_own(tmp_path: Path, stand_ins: Path) -> None:
    code = f"""
import os, signal, sys
{{before}}
{MAKES_SESSIONS.strip()}
child = os.fork()
if child == 0:
    os._exit(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
os.kill(os.getpid(), signal.SIGTERM)
"""
    mine = "signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))"
    for before, code_of_child, ended in (("", "1", -15), (mine, "0", 9)):
        without, captured = both(tmp_path, stand_ins, "-c", code.replace("{before}", before))
        assert (without.code, captured.code) == (ended, ended)
        assert captured.out.splitlines()[-1] == without.out.splitlines()[-1] == code_of_child
        assert captured.err.endswith("stopped\n" if not before else DRIVER)


def test_a_child_that_makes_a_session_is_captured(tmp_path: Path, stand_ins: Path) -> None:
    """Some schedulers run each task in a fork of their own."""
    code = f"""
import os
child = os.fork()
if child == 0:
    from pyspark.sql import SparkSession
    from pyspark.sql.session import Context
    SparkSession(Context())
    os._exit(0)
os.waitpid(child, 0)
{MAKES_SESSIONS}
"""
    _, captured = both(tmp_path, stand_ins, "-c", code)
    assert captured.err == f"{DRIVER}{DRIVER}stopped\n{DRIVER}"


def test_a_sink_that_is_none_is_told(tmp_path: Path, stand_ins: Path) -> None:
    text = "def capture(session, sink): raise ValueError('captured jobs cannot be written there: pip install …')"
    (stand_ins / "headwater" / "spark" / "capturing.py").write_text(text)
    without, captured = both(tmp_path, stand_ins, "program.py")
    said = "jobs are not captured: captured jobs cannot be written there: pip install …\n"
    assert (captured.code, captured.out, captured.err) == (0, without.out, said)


# The command


def command(*words: str | Path, cwd: Path, path: list[Path] | None = None, **variables: str) -> Ended:
    return ran("-m", "headwater", "capture", *words, path=[*(path or []), SOURCE], cwd=cwd, **variables)


@pytest.mark.parametrize(("words", "code"), [(("-c", "import sys; sys.exit(7)"), 7), (("sh", "-c", "exit 6"), 6)])
def test_the_command_ends_as_the_program_does(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    assert command("--", *words, cwd=tmp_path) == (code, "", "")


def test_the_command_sets_what_the_program_needs(tmp_path: Path) -> None:
    code = "import os, sys; print(os.environ['HEADWATER_CAPTURE'], sys.argv[1:], 'headwater_autostart' in sys.modules)"
    assert (
        command("--", "-c", code, "--sink", "x", cwd=tmp_path).out
        == f"{tmp_path}/lineage_captured ['--sink', 'x'] True\n"
    )
    assert command("--sink", "s3://b/x", "--", "-c", code, cwd=tmp_path).out == "s3://b/x [] True\n"
    said = command("--", "-c", code, cwd=tmp_path, HEADWATER_CAPTURE="/y", HEADWATER_LINEAGE="off")
    assert said == (0, "/y [] True\n", "")


def test_the_command_says_what_it_cannot_do(tmp_path: Path) -> None:
    said = command("--", "no-such-program", cwd=tmp_path)
    assert (said.code, said.err) == (2, "Error: no-such-program cannot be run: No such file or directory\n")
    said = command("--", "true", "--deploy-mode", "cluster", cwd=tmp_path, HEADWATER_CAPTURE="s3://b/x")
    assert "add --conf spark.yarn.appMasterEnv.HEADWATER_CAPTURE=s3://b/x" in said.err


# Real programs, real Spark


@pytest.fixture
def java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(java_home()))


Roots = Callable[[Path], set[str]]


@pytest.fixture
def roots(spark: SparkSession, tmp_path: Path) -> Roots:
    """What the last file of the program is made of, in a store of what was captured."""

    def found(captured: Path) -> set[str]:
        built = build(Corpus((str(captured),)), tmp_path / "lineage")
        assert built.summary.failed == {}
        return {str(each) for each in headwater.open(tmp_path / "lineage").roots(f"{tmp_path}/three.a")}

    return found


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
def test_a_program_that_fails_is_captured_and_sees_nothing_of_it(tmp_path: Path, java: None, roots: Roots) -> None:
    without = ran(PROGRAM, tmp_path, "fails", path=[SOURCE], cwd=tmp_path)
    captured = command("--", PROGRAM, tmp_path, "fails", cwd=tmp_path)
    facts, seen = (json.loads(each.out.splitlines()[0]) for each in (without, captured))
    assert {name: seen[name] for name in facts if seen[name] != facts[name]} == {}
    assert (seen["workers"], seen["child"]) == ("", [7, 5])
    assert (captured.code, captured.out) == (1, without.out)
    assert captured.traceback == without.traceback
    assert "TABLE_OR_VIEW_NOT_FOUND" in captured.traceback
    assert len(list((tmp_path / "lineage_captured").iterdir())) == 2  # one for each Spark of the program
    assert roots(tmp_path / "lineage_captured") == {f"{tmp_path}/one.a"}


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
def test_spark_submit(tmp_path: Path, java: None, roots: Roots) -> None:
    import pyspark

    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    variables = {"HEADWATER_CAPTURE": f"{tmp_path}/jobs"}
    ended = ran(PROGRAM, tmp_path, "exits", path=[HOOK, SOURCE], cwd=tmp_path, python=str(submit), **variables)
    assert ended.code == 3, ended.err[-3000:]
    assert roots(tmp_path / "jobs") == {f"{tmp_path}/one.a"}
