"""The launcher: how `./lectern` makes `.venv`, from which locks, and from which index."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from .conftest import ROOT

pytestmark = pytest.mark.extra  # an environment is made for each
LOCKS = [path.name for path in ROOT.glob("requirements*.lock")]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with empty locks and an app that says where it runs: set-up without downloads."""
    folder = tmp_path / "a checkout"
    (folder / "app").mkdir(parents=True)
    shutil.copy(ROOT / "lectern", folder)
    for lock in LOCKS:
        (folder / lock).write_text("# nothing\n")
    (folder / "app" / "__init__.py").touch()
    (folder / "app" / "__main__.py").write_text("import os, sys\nprint(sys.prefix, os.getcwd(), sys.argv[1:])\n")
    return folder


def launch(checkout: Path, cwd: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """With this Python, unless a test says where to look for one."""
    if "PATH" not in environment:
        environment = {"LECTERN_PYTHON": sys.executable} | environment
    # pip as it is without this machine's settings: only the indexes that a test names
    theirs = ("PIP_", "TORCH_INDEX", "LECTERN_PYTHON")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(theirs)}
    return subprocess.Popen(
        [checkout / "lectern", *(arguments or ("one", "two"))],
        cwd=cwd,
        env=plain | {"PIP_CONFIG_FILE": os.devnull} | environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def set_up(checkout: Path, *arguments: str, **environment: str) -> str:
    """What a launch that succeeds says on the way."""
    process = launch(checkout, checkout.parent, *arguments, **environment)
    _, err = process.communicate()
    assert process.returncode == 0, err
    return err


def build(folder: Path, name: str, version: str = "1.0", *needs: str) -> Path:
    """A wheel whose module says which build it is."""
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    about = f"{name.replace('-', '_')}-{version}.dist-info"
    metadata = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {need}" for need in needs)]
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr(f"{name.replace('-', '_')}.py", f"build = {version!r}\n")
        packed.writestr(f"{about}/METADATA", "\n".join(["Metadata-Version: 2.1", *metadata, ""]))
        packed.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        packed.writestr(f"{about}/RECORD", "")
    return wheel


def index(*wheels: Path) -> str:
    """The address of an index that offers these, as a folder."""
    folder = wheels[0].parent / "simple"
    for wheel in wheels:
        page = folder / wheel.name.partition("-")[0].replace("_", "-") / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        with page.open("a") as listing:
            listing.write(f'<a href="{wheel.as_uri()}#sha256={digest}">{wheel.name}</a>\n')
    return folder.as_uri()


def locked(wheel: Path) -> str:
    """A lock's line for exactly this file."""
    name, version = wheel.name.split("-")[:2]
    return f"{name}=={version.partition('+')[0]} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def builds(checkout: Path) -> dict[str, str]:
    """What `.venv` holds, by name."""
    modules = (checkout / ".venv").glob("lib/python3*/site-packages/*.py")
    return {module.stem: module.read_text().partition("= ")[2].strip().strip("'") for module in modules}


def test_the_launcher_sets_up_once_and_notices_a_changed_lock(checkout: Path, tmp_path: Path) -> None:
    # called from a folder that has an app of its own, which must not be taken for ours
    (tmp_path / "app.py").write_text("print('the wrong app')\n")
    out, err = launch(checkout, tmp_path).communicate()
    assert out.strip() == f"{checkout / '.venv'} {tmp_path} ['one', 'two']", err
    assert "creating .venv" in err
    out, err = launch(checkout, tmp_path).communicate()
    assert (out.strip()[-14:], err) == ("['one', 'two']", "")
    (checkout / "requirements-torch.lock").write_text("# nothing, otherwise\n")
    assert "changed" in set_up(checkout)
    assert set_up(checkout) == ""


def test_what_is_installed_is_compiled(checkout: Path) -> None:
    """The judge's boxes write no bytecode: what is not compiled by now, each of them would compile again."""
    wheel = build(checkout, "tiny")
    (checkout / "requirements.lock").write_text(locked(wheel))
    err = set_up(checkout, PIP_INDEX_URL=index(wheel))
    (installed,) = (checkout / ".venv").glob("lib/python3*/site-packages/tiny.py")
    assert list(installed.parent.glob("__pycache__/tiny.*.pyc")), err


def test_two_launches_that_race_set_up_once(checkout: Path, tmp_path: Path) -> None:
    both = [launch(checkout, tmp_path) for _ in range(2)]
    outputs = [process.communicate() for process in both]
    assert all(out.strip().endswith("['one', 'two']") for out, _ in outputs), outputs
    assert sum("creating .venv" in err for _, err in outputs) == 1, outputs


def test_a_set_up_that_failed_says_so_and_is_taken_up_again(checkout: Path, tmp_path: Path) -> None:
    (checkout / "requirements.lock").write_text("not-a-package-at-all===0\n")
    failed = launch(checkout, tmp_path)
    _, err = failed.communicate()
    assert failed.returncode == 2
    assert "Could not install" in err
    (checkout / "requirements.lock").write_text("# mended\n")
    assert launch(checkout, tmp_path).communicate()[0].strip().endswith("['one', 'two']")


# ------------------------------------------------------------------ which Python it is made from


def stand_in(folder: Path, body: str) -> Path:
    """A python3.11 whose first answer, how fast it is, is made up; for everything else it is this one."""
    folder.mkdir()
    python = folder / "python3.11"
    python.write_text(f'#!/bin/sh\nif [ "$1" = -I ]; then {body}; fi\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return python


def test_of_several_pythons_a_clearly_faster_one_is_taken(checkout: Path, tmp_path: Path) -> None:
    quick = stand_in(tmp_path / "quick", "echo 3.11 0.0000001; exit")
    stand_in(tmp_path / "newer", "echo 3.12 0.00000001; exit")
    stand_in(tmp_path / "broken", "echo no module named ssl; exit 1")
    path = os.pathsep.join([str(tmp_path / name) for name in ("broken", "newer", "quick")] + [os.environ["PATH"]])
    assert f"Using {quick}" in set_up(checkout, PATH=path)


def test_a_python_that_is_hardly_faster_or_slower_is_not_taken(checkout: Path, tmp_path: Path) -> None:
    slow = stand_in(tmp_path / "slow", "echo 3.11 1000; exit")
    python = os.path.realpath(sys.executable)
    assert "Using" not in set_up(checkout, PATH=f"{slow.parent}{os.pathsep}{only(tmp_path / 'only', python)}")


def only(folder: Path, python: str) -> Path:
    """A folder with this one as `python3`, which is what the launcher is started with."""
    folder.mkdir()
    (folder / "python3").symlink_to(python)
    return folder


def test_the_python_that_you_name_is_taken(checkout: Path, tmp_path: Path) -> None:
    slow = stand_in(tmp_path / "slow", "echo 3.11 1000; exit")
    quick = stand_in(tmp_path / "quick", "echo 3.11 0.0000001; exit")
    path = f"{quick.parent}{os.pathsep}{os.environ['PATH']}"
    assert "Using" not in set_up(checkout, PATH=path, LECTERN_PYTHON=str(slow))


@pytest.mark.parametrize("named", ["/nowhere/python3.11", "/bin/true"])
def test_a_python_that_cannot_make_it_is_refused_by_its_name(checkout: Path, tmp_path: Path, named: str) -> None:
    refused = launch(checkout, tmp_path, LECTERN_PYTHON=named)
    _, err = refused.communicate()
    assert refused.returncode == 2
    assert f"LECTERN_PYTHON={named}" in err
    assert "unset" in err
    assert not (checkout / ".venv").exists()


# ------------------------------------------------------------------ what tests need


def test_only_the_tests_install_what_the_tests_need(checkout: Path) -> None:
    server, tests = build(checkout, "server-part"), build(checkout, "test-part")
    (checkout / "requirements.lock").write_text(locked(server))
    (checkout / "requirements-test.lock").write_text(locked(tests))
    offered = index(server, tests)
    for command in (("serve",), ("setup",), ("grade", "test")):
        set_up(checkout, *command, PIP_INDEX_URL=offered)
        assert builds(checkout) == {"server_part": "1.0"}, command
    assert "requirements-test.lock" in set_up(checkout, "test", "code", PIP_INDEX_URL=offered)
    assert builds(checkout) == {"server_part": "1.0", "test_part": "1.0"}
    for command in (("serve",), ("test",), ("setup", "--test")):
        assert set_up(checkout, *command) == "", "there is nothing left to do"
    # What tests need is no business of the server's start.
    (checkout / "requirements-test.lock").write_text(locked(tests) + "# otherwise\n")
    assert set_up(checkout, "serve") == ""
    assert "requirements-test.lock" in set_up(checkout, "setup", "--test", PIP_INDEX_URL=offered)


def test_a_test_lock_that_cannot_be_had_leaves_the_server_as_it_was(checkout: Path, tmp_path: Path) -> None:
    set_up(checkout)
    (checkout / "requirements-test.lock").write_text("not-a-package-at-all===0\n")
    failed = launch(checkout, tmp_path, "test")
    assert "Could not install requirements-test.lock" in failed.communicate()[1]
    assert set_up(checkout, "serve") == ""


def test_set_up_says_what_it_does_not_know(checkout: Path, tmp_path: Path) -> None:
    refused = launch(checkout, tmp_path, "setup", "--tests")
    _, err = refused.communicate()
    assert refused.returncode == 2
    assert "--test`" in err
    assert not (checkout / ".venv").exists()


def test_without_the_tests_packages_the_test_command_says_how_to_get_them() -> None:
    without = "import sys; sys.modules['pytest'] = None; from app.__main__ import cli; cli(['test'])"
    process = subprocess.run([sys.executable, "-c", without], cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 2
    assert "./lectern setup --test" in process.stderr


# ------------------------------------------------------------------ who may put what into .venv


def test_a_file_that_the_lock_does_not_name_is_not_installed_whichever_index_offers_it(
    checkout: Path, tmp_path: Path
) -> None:
    ours, theirs = build(tmp_path / "ours", "tiny"), build(tmp_path / "theirs", "tiny", "1.0+theirs")
    both = {"PIP_INDEX_URL": index(ours), "PIP_EXTRA_INDEX_URL": index(theirs)}
    # `==1.0` alone means the newer build of 1.0 that anybody offers
    (checkout / "requirements-torch.lock").write_text("tiny==1.0\n")
    set_up(checkout, **both)
    assert builds(checkout) == {"tiny": "1.0+theirs"}, "there is nothing to be kept out"

    shutil.rmtree(checkout / ".venv")
    (checkout / "requirements-torch.lock").write_text("# nothing\n")
    (checkout / "requirements.lock").write_text(locked(ours))
    set_up(checkout, **both)
    assert builds(checkout) == {"tiny": "1.0"}

    shutil.rmtree(checkout / ".venv")
    refused = launch(checkout, tmp_path, PIP_INDEX_URL=both["PIP_EXTRA_INDEX_URL"])
    _, err = refused.communicate()
    assert refused.returncode == 2
    assert "Could not install requirements.lock" in err
    assert builds(checkout) == {}


def test_a_lock_with_a_line_without_a_hash_is_refused(checkout: Path, tmp_path: Path) -> None:
    wheel = build(checkout, "tiny")
    for lock, command in (("requirements.lock", "serve"), ("requirements-test.lock", "test")):
        (checkout / lock).write_text("tiny==1.0\n")
        refused = launch(checkout, tmp_path, command, PIP_INDEX_URL=index(wheel))
        _, err = refused.communicate()
        assert refused.returncode == 2
        assert f"Could not install {lock}" in err
        (checkout / lock).write_text("# nothing\n")


def test_torch_alone_comes_from_its_own_index_and_brings_nothing_along(checkout: Path, tmp_path: Path) -> None:
    tiny, torch = build(tmp_path / "first", "tiny"), build(tmp_path / "first", "torch")
    cpu = [build(tmp_path / "cpu", "torch", "1.0+cpu", "tiny", "other"), build(tmp_path / "cpu", "other")]
    cpu.append(build(tmp_path / "cpu", "tiny", "1.0+theirs"))
    third = build(tmp_path / "third", "torch", "1.0+third")
    (checkout / "requirements.lock").write_text(locked(tiny))
    (checkout / "requirements-torch.lock").write_text("torch==1.0\n")
    set_up(checkout, PIP_INDEX_URL=index(tiny, torch), PIP_EXTRA_INDEX_URL=index(third), TORCH_INDEX=index(*cpu))
    assert builds(checkout) == {"tiny": "1.0", "torch": "1.0+cpu"}


def test_only_a_torch_that_was_built_for_cuda_brings_cuda(checkout: Path, tmp_path: Path) -> None:
    cuda = build(tmp_path / "all", "nvidia-part")
    (checkout / "requirements-torch.lock").write_text("torch==1.0\n")
    (checkout / "requirements-cuda.lock").write_text(locked(cuda))
    for needs, brought in (("jinja2", set()), ("nvidia-part==1.0; platform_system == 'Linux'", {"nvidia_part"})):
        shutil.rmtree(tmp_path / "all" / "simple", ignore_errors=True)
        shutil.rmtree(checkout / ".venv", ignore_errors=True)
        torch = build(tmp_path / "all", "torch", "1.0", needs)
        err = set_up(checkout, PIP_INDEX_URL=index(torch, cuda))
        assert set(builds(checkout)) == {"torch", *brought}
        assert ("TORCH_INDEX" in err) == bool(brought)
