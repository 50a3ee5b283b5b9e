"""`login`, `get` and `submit`, as a student types them: without `.venv`, against a real server and its judge."""

import json
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server_process import DOUBLED, REFERENCE, guest, serving
from tests.waiting import LIMIT_SECONDS, until

from .conftest import ROOT, Said

Student = Callable[..., Said]
Answers = dict[str, tuple[int, dict[str, str], Any]]  # by path: status, headers, JSON
Seen = list[tuple[str, str | None]]  # path and Authorization


ACCOUNT = """class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("too little")
        self.balance += amount
        return self.balance
"""
FROM_FILES = """
from provided.bank import fee
def fees(amounts):
    return sum(map(fee, amounts)) + int(open("data/more/base.txt").read())
"""
FILES_FILES = {
    "exercise.toml": 'title = "Fees"\nentry = "fees"\nframeworks = ["python"]\n[signature]\namounts = "list[int]"\n'
    'returns = "int"\n',
    "statement.md": "Add the fees.\n",
    "starter.py": "def fees(amounts):\n    pass\n",
    "reference.py": FROM_FILES,
    "provided/bank.py": "def fee(amount):\n    return 1 + amount // 100\n",
    "data/more/base.txt": "7\n",
    "cases.py": """
def sample_cases(rng):
    yield "two", {"amounts": [100, 250]}

def hidden_cases(rng):
    yield "one", {"amounts": [int(rng.integers(1, 1000))]}
""",
}
ACCOUNT_FILES = {
    "exercise.toml": 'title = "Account"\nentry = ["Account"]\nframeworks = ["python"]\nraises = ["ValueError"]\n',
    "statement.md": "Write it.\n",
    "starter.py": "class Account:\n    pass\n",
    "reference.py": ACCOUNT,
    "cases.py": """
def sample_cases(rng):
    yield "deposits add up", script("a = Account()\\na.deposit(5)\\na.balance\\na.deposit(0)")

def hidden_cases(rng):
    yield "one", script(f"Account().deposit({int(rng.integers(1, 1000))})")
""",
}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("server")
    for slug, files in (("account", ACCOUNT_FILES), ("fees", FILES_FILES)):
        for name, text in files.items():
            file = data / "exercises" / slug / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    with serving(data, LECTERN_RATE_LIMITS="off") as (_, url):
        with httpx.Client(base_url=url, timeout=LIMIT_SECONDS, verify=False) as client:
            for slug in (DOUBLED, "account", "fees"):
                samples = f"/api/v1/exercises/{slug}/samples"
                until(lambda samples=samples: client.get(samples).status_code != 503, look_seconds=0.1)  # type: ignore[misc]
        yield url


@pytest.mark.extra
@pytest.mark.usefixtures("walls")
def test_what_an_exercise_brings_comes_too(student: Student, url: str, tmp_path: Path) -> None:
    assert student("get", "fees", "--server", url).code == 0
    file = tmp_path / "fees" / "solution.py"
    assert run_pytest(file.parent).returncode == 1, "the starter"
    file.write_text(FROM_FILES)
    assert run_pytest(file.parent).returncode == 0
    assert (file.parent / "data" / "more" / "base.txt").read_bytes() == b"7\n"


def test_what_it_brings_stays_in_its_folder(student: Student, tmp_path: Path) -> None:
    """attack: a file of the exercise is called `../../.bashrc`, or lies in a folder that is a link."""
    samples = {
        "entries": ["f"], "cases": [], "left_out": [],
        "provided": {"provided/../../out.py": "x", "out.py": "x", "provided/a-b.py": "x", "provided/ok.py": "x = 1"},
        "data": {"data/../../out": "eA==", "/out": "eA==", "data/.hidden": "eA==", "data/bad": "?", "data/ok": "eA=="},
    }  # fmt: skip
    answers: Answers = {
        "/api/v1/exercises/ok": (200, {}, exercise()),
        "/api/v1/exercises/ok/samples": (200, {}, samples),
    }
    with hostile(answers) as (url, _):
        assert student("get", "ok", "--server", url).code == 0
        brought = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.parent.parent != tmp_path}
        assert brought - {"ok"} == {"ok/provided/ok.py", "ok/data/ok"}
        (tmp_path / "elsewhere").mkdir()
        shutil.rmtree(tmp_path / "ok" / "data")
        (tmp_path / "ok" / "data").symlink_to(tmp_path / "elsewhere")
        assert student("get", "ok", "--server", url).code == 2
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.usefixtures("walls")
def test_a_class_is_tested_by_the_scripts_of_its_samples(student: Student, url: str, tmp_path: Path) -> None:
    fetched = student("get", "account", "--server", url)
    assert (fetched.code, fetched.err) == (0, "")
    assert student("login", "--server", url, "--guest").code == 0
    file = tmp_path / "account" / "solution.py"
    for source, tested, sent in (
        (ACCOUNT, 0, 0),
        (ACCOUNT.replace("+= amount", "+= 1"), 1, 1),
        (ACCOUNT.replace("<= 0", "< 0"), 1, 1),
    ):
        file.write_text(source)
        assert run_pytest(file.parent).returncode == tested
        done = student("submit", file)
        assert done.code == sent, done.out + done.err


@pytest.fixture
def student(tmp_path: Path) -> Student:
    """`./lectern …` in an empty folder, with an empty configuration, under a Python that has no package of ours."""

    def run(*arguments: str | Path, stdin: str = "", **environment: str) -> Said:
        variables = {"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(tmp_path / "config"), **environment}
        command = [sys.executable, "-S", "-E", str(ROOT / "lectern"), *map(str, arguments)]
        done = subprocess.run(
            command, input=stdin, capture_output=True, text=True, env=variables, cwd=tmp_path, timeout=LIMIT_SECONDS
        )
        return Said(done.returncode, done.stdout, done.stderr)

    return run


def run_pytest(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT_SECONDS)


# ------------------------------------------------------------------------------------------- with a server


@pytest.mark.usefixtures("walls")
def test_an_exercise_is_fetched_tested_and_submitted(student: Student, url: str, tmp_path: Path) -> None:
    fetched = student("get", DOUBLED, "--server", url)
    assert fetched.code == 0, fetched.err
    folder = tmp_path / DOUBLED
    names = ["lectern.json", "samples.json", "solution.py", "statement.md", "test_samples.py"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert "Double it." in (folder / "statement.md").read_text()
    assert run_pytest(folder).returncode == 1  # the starter

    refused = student("submit", folder / "solution.py")
    assert (refused.code, refused.out) == (2, "")
    assert f"login --server {url}" in refused.err
    assert student("login", "--server", url, "--guest").code == 0

    wrong = student("submit", folder / "solution.py")
    assert wrong.code == 1, wrong.err
    assert "returned nothing (None)" in wrong.out
    assert "Wrong answer" in wrong.out

    (folder / "solution.py").write_text(REFERENCE)
    done = run_pytest(folder)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
    right = student("submit", folder / "solution.py")
    assert right.code == 0, right.err
    assert "three (sample)" in right.out
    assert "Accepted  (submission " in right.out
    assert student("submit", folder / "solution.py", "--run").code == 0

    patient = f"import time\n{REFERENCE.replace('return', 'time.sleep(0.4); return')}"
    (folder / "solution.py").write_text(patient)
    slow = student("submit", folder / "solution.py")
    assert slow.code == 0, slow.err
    lines = slow.out.splitlines()
    first = next(line for line in lines if line.startswith(("Waiting", "Judging")))
    assert lines.index(first) < next(n for n, line in enumerate(lines) if "three (sample)" in line)
    assert len([line for line in lines if line.startswith("  Accepted")]) == 5  # each case once, the fresh ones too

    assert student("get", DOUBLED, "--server", url).code == 0
    assert (folder / "solution.py").read_text() == patient  # the student's, which stays


@pytest.mark.extra
@pytest.mark.usefixtures("walls")
def test_what_the_judge_rejects_the_samples_reject(student: Student, url: str, tmp_path: Path) -> None:
    assert student("get", DOUBLED, "--server", url).code == 0
    assert student("login", "--server", url, "--guest").code == 0
    file = tmp_path / DOUBLED / "solution.py"
    for body, words in {
        "2.001 * x": "wrong",
        "(2 * x).astype('float64')": "float64",
        "(2 * x)[None]": "(1, 3)",
        "[2.0, 4.0, 6.0]": "should be an array",
        "2 * x / 0 * 0": "nan",
    }.items():
        file.write_text(f"def doubled(x):\n    return {body}\n")
        done = run_pytest(file.parent)
        assert done.returncode == 1, body
        assert words in done.stdout
    told = student("submit", file)
    assert told.code == 1
    file.write_text("def doubled(x):\n    print('\\x1b[2Jhello')\n    return 1 / 0\n")
    told = student("submit", file)
    assert told.code == 1
    assert "ZeroDivisionError on line 3" in told.out
    assert "hello" in told.out
    assert "\x1b" not in told.out


def test_an_account_signs_in_and_out(student: Student, url: str, tmp_path: Path) -> None:
    with guest(url) as client:
        sent = client.post("/api/v1/users", json={"email": "ada@example.org", "password": "a long enough one"})
        assert sent.status_code == 201, sent.text
    signed_in = student("login", "--server", f"{url}/", "--email", "ada@example.org", "--password-stdin",
                        stdin="a long enough one\n")  # fmt: skip
    assert signed_in.code == 0, signed_in.err
    kept = tmp_path / "config" / "lectern" / "tokens.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    bearer = {"Authorization": f"Bearer {json.loads(kept.read_text())[url]['token']}"}
    address = f"{url}/api/v1/me/progress"
    assert httpx.get(address, headers=bearer, timeout=LIMIT_SECONDS).status_code == 200
    assert student("logout").code == 0
    assert json.loads(kept.read_text()) == {}
    assert httpx.get(address, headers=bearer, timeout=LIMIT_SECONDS).status_code == 401
    wrong = student("login", "--server", url, "--email", "ada@example.org", "--password-stdin", stdin="wrong\n")
    assert wrong.code == 2
    assert "password is wrong" in wrong.err


def test_what_cannot_be_is_said_with_a_remedy(student: Student, url: str, tmp_path: Path) -> None:
    (tmp_path / "answer.py").write_bytes(b"x = 1\n# \xff\n")
    for arguments, words in {
        ("get", "no-such-exercise", "--server", url): "no such exercise",
        ("get", "../outside", "--server", url): "not the name of an exercise",
        ("get", DOUBLED, "--server", "ftp://example.org"): "https://lectern.example.org",
        ("get", DOUBLED, "--server", f"{url}@evil.example"): "not the address",
        ("get", DOUBLED, "--server", url, "--framework", "torch"): "--framework with one of numpy",
        ("get", DOUBLED): "--server",
        ("submit", "missing.py"): "Cannot read missing.py",
        ("submit", "answer.py"): "answer.py:2 is not UTF-8",
        ("login", "--server", "http://127.0.0.1:1", "--guest"): "does not answer",
    }.items():
        done = student(*arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert words in done.err, arguments


# ------------------------------------------------------------------------------------------- with a hostile one


class Hostile(BaseHTTPRequestHandler):
    """Answers by its path; notes what it was sent."""

    answers: Answers
    seen: Seen

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers.get("Authorization")))
        status, headers, body = self.answers.get(self.path.partition("?")[0], (404, {}, {}))
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def hostile(answers: Answers) -> Iterator[tuple[str, Seen]]:
    seen: Seen = []
    handler = type("Handler", (Hostile,), {"answers": answers, "seen": seen})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", seen
        finally:
            server.shutdown()
            thread.join()


SESSION = {"token": "t" * 32, "user": {"id": 1, "role": "guest"}}
ESCAPE = "\x1b]0;owned\x07\x9b2J\u202e"


def exercise(**changes: Any) -> dict[str, Any]:
    return {
        "slug": "../../outside", "title": f"{ESCAPE}Title", "entry": "f", "frameworks": ["numpy"],
        "statement": f"{ESCAPE}Text", "starter": {"numpy": "def f(x):\n    return x\n"},
        "signature": {"text": "f(x: float32[N]) -> float32[N]"}, "tolerance": {"rtol": 0, "atol": 0}, **changes,
    }  # fmt: skip


def test_nothing_is_written_outside_the_folder_and_no_escape_is_kept(student: Student, tmp_path: Path) -> None:
    case = {"name": '"""\nimport os; os._exit(3)', "arguments": [1], "expected": {"value": 1}, "file": "../../outside"}
    answers: Answers = {
        "/api/v1/exercises/ok": (200, {}, exercise()),
        "/api/v1/exercises/ok/samples": (200, {}, {"entries": ["f"], "cases": [case], "left_out": [f"{ESCAPE}large"]}),
    }
    with hostile(answers) as (url, _):
        done = student("get", "ok", "--server", url)
    assert done.code == 0, done.err
    assert {path.name for path in tmp_path.iterdir()} == {"ok"}
    assert not set("\x1b\x07\x9b\u202e") & set(done.out + done.err + (tmp_path / "ok" / "statement.md").read_text())
    tested = run_pytest(tmp_path / "ok")
    assert tested.returncode == 0, tested.stdout  # its names are data


@pytest.mark.parametrize("framework", ["../../outside", "os", 7])
def test_a_framework_that_we_do_not_know_is_refused(student: Student, tmp_path: Path, framework: object) -> None:
    answers: Answers = {"/api/v1/exercises/ok": (200, {}, exercise(frameworks=[framework]))}
    with hostile(answers) as (url, _):
        done = student("get", "ok", "--server", url)
    assert done.code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_the_folder_is_replaced_and_never_followed(student: Student, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "ok").mkdir()
    (tmp_path / "ok" / "statement.md").symlink_to(victim)
    (tmp_path / "linked").symlink_to(tmp_path / "ok")
    answers: Answers = {f"/api/v1/exercises/{name}": (200, {}, exercise()) for name in ("ok", "linked")}
    with hostile(answers) as (url, _):
        assert student("get", "ok", "--server", url).code == 2  # the samples' answer is not Lectern's
        answers["/api/v1/exercises/ok/samples"] = (200, {}, {"cases": [], "left_out": []})
        answers["/api/v1/exercises/linked/samples"] = (200, {}, {"cases": [], "left_out": []})
        assert student("get", "ok", "--server", url).code == 0
        assert student("get", "linked", "--server", url).code == 2
    assert victim.read_text() == "mine"
    assert not (tmp_path / "ok" / "statement.md").is_symlink()


def test_a_token_goes_to_the_server_that_it_came_from_and_nowhere_else(student: Student, tmp_path: Path) -> None:
    with hostile({}) as (thief, stolen), hostile({"/api/v1/sessions": (201, {}, SESSION)}) as (url, seen):
        assert student("login", "--server", url, "--guest").code == 0
        (tmp_path / "solution.py").write_text("x = 1\n")
        origin = {"server": thief, "exercise": "ok", "framework": "numpy"}
        (tmp_path / "lectern.json").write_text(json.dumps(origin))  # a folder from somebody else
        done = student("submit", "solution.py")
        assert done.code == 2
        assert "not signed in" in done.err
        assert stolen == []

        (tmp_path / "lectern.json").write_text(json.dumps({**origin, "server": url}))
        path = "/api/v1/exercises/ok/submissions"
        for status in (301, 302, 307, 308):
            with hostile({path: (status, {"Location": f"{thief}{path}"}, {})}) as (redirecting, asked):
                tokens = tmp_path / "config" / "lectern" / "tokens.json"
                tokens.write_text(json.dumps({redirecting: {"token": "secret", "who": "guest"}}))
                done = student("submit", "solution.py", "--server", redirecting)
            assert done.code == 2
            assert "redirects" in done.err
            assert asked == [(f"{path}?wait=0.3", "Bearer secret")]
            assert stolen == []
        assert [authorization for _, authorization in seen] == [None]


def test_a_token_that_is_no_token_is_not_kept(student: Student, tmp_path: Path) -> None:
    for token in ("a\r\nX-Header: b", "", None, "x" * 1000, 7):
        with hostile({"/api/v1/sessions": (201, {}, {**SESSION, "token": token})}) as (url, _):
            assert student("login", "--server", url, "--guest").code == 2
    assert not (tmp_path / "config").exists()


def test_a_verdict_carries_no_escape_to_the_terminal(student: Student, tmp_path: Path) -> None:
    case = {"name": ESCAPE, "sample": True, "verdict": "wrong_answer", "wall_ms": 1.0, "diagnosis": ESCAPE,
            "stdout": ESCAPE, "error": {"type": ESCAPE, "message": ESCAPE, "line": 1},
            "mismatch": {"step": "type", "text": ESCAPE, "expected": ESCAPE, "actual": ESCAPE}}  # fmt: skip
    finished = {"id": 1, "state": "finished", "verdict": "wrong_answer", "cases": [case], "framework": ESCAPE,
                "summary": ESCAPE, "diagnosis": ESCAPE, "score": 0.5}  # fmt: skip
    (tmp_path / "solution.py").write_text("x = 1\n")
    answers: Answers = {
        "/api/v1/sessions": (201, {}, SESSION),
        "/api/v1/exercises/ok/submissions": (200, {}, finished),
    }
    with hostile(answers) as (url, _):
        assert student("login", "--server", url, "--guest").code == 0
        done = student("submit", "solution.py", "--exercise", "ok")
    assert done.code == 1
    assert "Wrong answer  (submission 1 in ]0;owned2J, score 50%)" in done.out
    assert not set("\x1b\x07\x9b\u202e") & set(done.out)


SENT = {"id": 1, "state": "queued", "queue_position": 3, "verdict": None, "cases": [], "framework": "numpy"}
CASE = {"name": "three", "sample": True, "verdict": "accepted", "wall_ms": 1.0}
RUNNING = {**SENT, "state": "running", "queue_position": None, "cases": [CASE]}
FINISHED = {**RUNNING, "state": "finished", "verdict": "accepted", "score": 1.0, "summary": "All right."}


def stream(*submissions: dict[str, Any]) -> bytes:
    return b": ping\n\n" + b"".join(b"data: %b\n\n" % json.dumps(one).encode() for one in submissions)


@pytest.mark.parametrize(
    ("events", "judging"),
    [
        ((200, {}, stream(RUNNING, FINISHED)), ["Judging …"]),
        ((200, {}, stream(RUNNING)), ["Judging …"]),  # it ends too early
        ((200, {"Content-Length": "100000"}, stream(RUNNING)), ["Judging …"]),  # or breaks
        ((502, {}, b"Bad gateway"), []),
    ],
)
def test_a_verdict_comes_live_and_a_broken_stream_loses_nothing(
    student: Student, tmp_path: Path, events: tuple[int, dict[str, str], bytes], judging: list[str]
) -> None:
    (tmp_path / "solution.py").write_text("x = 1\n")
    answers: Answers = {
        "/api/v1/sessions": (201, {}, SESSION),
        "/api/v1/exercises/ok/submissions": (202, {}, SENT),
        "/api/v1/submissions/1/events": events,
        "/api/v1/submissions/1": (200, {}, FINISHED),
    }
    with hostile(answers) as (url, _):
        assert student("login", "--server", url, "--guest").code == 0
        done = student("submit", "solution.py", "--exercise", "ok")
    assert done.code == 0, done.err
    assert [line for line in done.out.splitlines() if line] == [
        "Waiting, number 3 in the queue …",
        *judging,
        "  Accepted          three (sample)  1 ms",
        "Accepted  (submission 1 in numpy)",
        "All right.",
    ]


# ------------------------------------------------------------------------------------------- the package


def test_the_package_installs_and_runs_by_itself(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "cli", tmp_path / "cli")
    sources = sorted(path.name for path in (tmp_path / "cli" / "lectern_cli").glob("*.py"))
    assert "test_samples.py" in sources
    done = subprocess.run(
        [sys.executable, "-S", "-m", "lectern_cli", "--help"], cwd=tmp_path / "cli", env={}, capture_output=True,
        text=True, timeout=LIMIT_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "submit" in done.stdout
