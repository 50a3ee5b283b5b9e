"""Makes the locks from pyproject.toml. Needs uv (`pip install uv`), which Lectern itself does not.

    python3 .ci/lock.py            # keep every pin, take up what pyproject.toml asks for besides
    python3 .ci/lock.py numpy jax  # let these move to their newest releases
    python3 .ci/lock.py --all      # let all of them move

Hashes are of the wheels for Linux with glibc, x86-64 and aarch64, CPython 3.11 and later: each package has one for
each of these. A source archive has none on purpose: to install one is to run it.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MADE_BY = "# Made by .ci/lock.py from pyproject.toml."
HEADS = {
    "requirements.lock": """\
# What Lectern runs on, exactly, but for torch (requirements-torch.lock). `./lectern` installs this into .venv with
# --require-hashes, and notices when it changes: whatever an index offers by these names, only these files come in.""",
    "requirements-torch.lock": """\
# torch alone has no hash. Its release is one number and many builds: the CPU's on PyTorch's own index, another for
# each CUDA, one for each machine; which is right is the machine's owner's to say (README, "Installing without CUDA").
# So it is installed by a call of its own, --no-deps, from TORCH_INDEX alone where that is set. What it needs besides
# has hashes: in requirements.lock, and for a build with CUDA in requirements-cuda.lock.""",
    "requirements-cuda.lock": """\
# What a torch that was built for CUDA needs to be imported: several gigabytes, which Lectern does not use. Installed
# where such a build of torch was (PyPI's is one), and nowhere else.""",
    "requirements-test.lock": """\
# What `./lectern test` needs besides requirements.lock. No other command installs it.""",
}


def main(moving: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = {} if "--all" in moving else {name: pin for name, pin in pinned() if name not in map(plain, moving)}
    # torch stays at its number: it is not this file that may choose another
    running = resolve([*project["dependencies"], f"torch=={dict(pinned())['torch']}"], pins)
    testing = resolve(project["optional-dependencies"]["test"], pins | {n: p["version"] for n, p in running.items()})
    cuda = {name for name in running if name.startswith(("cuda-", "nvidia-", "triton"))}
    write("requirements.lock", {name: running[name] for name in running.keys() - cuda - {"torch"}})
    write("requirements-cuda.lock", {name: running[name] for name in cuda})
    write("requirements-test.lock", {name: testing[name] for name in testing.keys() - running.keys()})
    torch = f"torch=={running['torch']['version']}\n"
    (ROOT / "requirements-torch.lock").write_text(f"{MADE_BY}\n{HEADS['requirements-torch.lock']}\n{torch}")


def pinned() -> Iterator[tuple[str, str]]:
    """Names and versions of the locks as they are."""
    for path in ROOT.glob("requirements*.lock"):
        for name, version in re.findall(r"^([\w.-]+)==([\w.]+)", path.read_text(), re.MULTILINE):
            yield plain(name), version


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def resolve(wanted: list[str], pins: dict[str, str]) -> dict[str, Any]:
    """What `wanted` brings on any machine, by name, as pylock.toml has it: versions, and files with their hashes."""
    with tempfile.TemporaryDirectory() as place:
        lock, constraints = Path(place, "pylock.toml"), Path(place, "constraints.txt")
        constraints.write_text("".join(f"{name}=={version}\n" for name, version in pins.items()))
        command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
        command += ["--constraint", str(constraints), "--format", "pylock.toml", "--output-file", str(lock), "-"]
        subprocess.run(command, input="\n".join(wanted), text=True, check=True)
        packages = tomllib.loads(lock.read_text())["packages"]
    return {plain(package["name"]): package for package in packages if on_linux(package.get("marker", ""))}


def on_linux(marker: str) -> bool:
    return "win32" not in marker


def write(name: str, packages: dict[str, Any]) -> None:
    lines = [MADE_BY, HEADS[name]]
    for package in sorted(packages):
        hashes = sorted(wheel["hashes"]["sha256"] for wheel in packages[package]["wheels"] if is_ours(wheel))
        entry = [f"{package}=={packages[package]['version']}", *(f"    --hash=sha256:{digest}" for digest in hashes)]
        lines.append(" \\\n".join(entry))
    (ROOT / name).write_text("\n".join(lines) + "\n")


def is_ours(wheel: dict[str, Any]) -> bool:
    tags = wheel["url"].rpartition("/")[2].removesuffix(".whl").split("-")
    python, abi, platform = tags[-3:]
    runs = "py3" in python or abi == "abi3" or re.fullmatch(r"cp31[1-4]", abi)
    return bool(runs) and (platform == "any" or bool(re.search(r"manylinux\w*_(x86_64|aarch64)", platform)))


if __name__ == "__main__":
    main(sys.argv[1:])
