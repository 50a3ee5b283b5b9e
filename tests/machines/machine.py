"""A machine of our own: Debian under qemu, this tree and its packages inside, no network, one command at a time.

Its disk is built once (image.py); what it writes goes to a copy that ends with it. The tree as it lies here, committed
or not, is handed to it as a tar on a second disk when it starts, and guest.py of that tree answers to us inside.
"""

import json
import os
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from .image import PLACE, ROOT, Kind, cache, image, niced

MEMORY_MB = 6144
BOOT_SECONDS = {"kvm": 120, "tcg": 1800}


@dataclass(frozen=True)
class Done:
    code: int
    output: str


class Machine:
    """One that runs."""

    def __init__(self, kind: Kind, accelerator: str, line: socket.socket) -> None:
        self.kind, self.accelerator, self._line = kind, accelerator, line.makefile("rwb")
        self.kernel = ""

    def greets(self) -> bool:
        """Whether it has started, which it says by its kernel's name."""
        try:
            self.kernel = self._reply().output
        except OSError:
            return False
        return True

    def run(self, *command: str, user: str = "root", seconds: float = 7200, **environment: str) -> Done:
        """In a service of its own whose control groups are delegated, as a server's should be."""
        service = ["systemd-run", "--pipe", "--wait", "--collect", "--quiet", f"--working-directory={PLACE}"]
        service += ["-p", "Delegate=yes", "-p", f"User={user}", "-p", "TasksMax=infinity"]
        home = "/root" if user == "root" else f"/home/{user}"
        given = {
            "HOME": home,
            "LANG": "C.UTF-8",
            "LECTERN_DATA": f"{home}/var",
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        }
        service += [f"--setenv={name}={value}" for name, value in (given | environment).items()]
        return self.plainly(*service, *command, seconds=seconds)

    def python(self, *arguments: str, user: str = "root", seconds: float = 7200, **environment: str) -> Done:
        return self.run(f"{PLACE}/.venv/bin/python", *arguments, user=user, seconds=seconds, **environment)

    def plainly(self, *command: str, seconds: float = 7200) -> Done:
        """As root, and as a child of the guest's own program."""
        self._line.write(json.dumps({"command": command, "seconds": seconds}).encode() + b"\n")
        self._line.flush()
        return self._reply()

    def _reply(self) -> Done:
        line = self._line.readline()
        if not line:
            raise ConnectionError("the machine is gone")
        return Done(**json.loads(line))


@contextmanager
def running(kind: Kind) -> Iterator[Machine]:
    """Boot it, with KVM where that works; power it off at the end."""
    disk = image(kind)
    with tempfile.TemporaryDirectory(prefix="lectern-machine-", dir=cache()) as name:
        place = Path(name)
        pack_tree(place / "tree.tar")
        for accelerator in accelerators(kind):
            command = emulator(kind, accelerator, disk, place)
            with subprocess.Popen(command, env={**os.environ, "TMPDIR": name}) as process:
                try:
                    with connected(place / "line", process, BOOT_SECONDS[accelerator]) as line:
                        machine = Machine(kind, accelerator, line)
                        if machine.greets():
                            line.settimeout(None)
                            yield machine
                            return
                    said = (place / "console").read_text(errors="replace")
                    print(f"no answer under {accelerator}; its console ends: {said[-2000:]}", file=sys.stderr)
                finally:
                    process.kill()
        raise RuntimeError("the machine did not start")


def accelerators(kind: Kind) -> list[str]:
    here = kind.processor == os.uname().machine and os.access("/dev/kvm", os.R_OK | os.W_OK)
    return ["kvm", "tcg"] if here and os.environ.get("LECTERN_TEST_KVM") != "off" else ["tcg"]


def emulator(kind: Kind, accelerator: str, disk: Path, place: Path) -> list[str]:
    kernel = f"root=/dev/nvme0n1 rw console={kind.console} panic=-1"
    if accelerator == "tcg":
        # What guards against a real processor's faults is slow to emulate. So are clocks other than the processor's own
        # counter, which Linux does not trust there: each look at one stops both processors.
        kernel += " mitigations=off no5lvl tsc=reliable"
    return [
        *niced(f"qemu-system-{kind.processor}"), "-accel", accelerator, *kind.board, "-smp", "2", "-m", str(MEMORY_MB),
        "-nodefaults", "-display", "none", "-nic", "none", "-no-reboot", "-serial", f"file:{place / 'console'}",
        "-kernel", str(disk.with_name("vmlinuz")), "-append", kernel,
        "-drive", f"file={disk},format=raw,if=none,id=root,snapshot=on,cache=unsafe",
        "-device", "nvme,drive=root,serial=root",
        "-drive", f"file={place / 'tree.tar'},format=raw,if=none,id=tree,readonly=on",
        "-device", "nvme,drive=tree,serial=tree",
        "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=line,name=lectern",
        "-chardev", f"socket,id=line,path={place / 'line'},server=on,wait=off",
    ]  # fmt: skip


def connected(path: Path, process: subprocess.Popen[bytes], seconds: float) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(seconds)
    while process.poll() is None:
        with suppress(FileNotFoundError, ConnectionRefusedError):
            line.connect(str(path))
            break
        time.sleep(0.05)
    return line


def pack_tree(path: Path) -> None:
    """What git knows of and what is new, as it lies here."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    with tarfile.open(path, "w") as tree:
        for name in sorted(set(listed.stdout.decode().split("\0")) - {""}):
            if (ROOT / name).is_file():
                tree.add(ROOT / name, name, filter=_of_root)


def _of_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry
