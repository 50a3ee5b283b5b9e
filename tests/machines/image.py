"""The disk of a machine: Debian by `debootstrap`, its own kernel, an ordinary user, and `.venv` around Debian's Python.

It is built once, into a folder of the cache, and again when the locks or this file change. What tests change in a
machine goes to a copy that ends with it, and the tree comes on a second disk: neither is of this file.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASE = "bookworm"
PLACE = "/srv/lectern"
USER = "student"
DISK_GB = 24  # of which the file takes what is used
BINFMT = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")  # programs of arm64 run here
# The second disk is a tar of the tree, and the guest's program is in it.
SERVICE = f"""\
[Service]
ExecStart=/bin/sh -c 'tar -xf /dev/nvme1n1 -C {PLACE} && exec python3 {PLACE}/tests/machines/guest.py'
KillMode=process
"""


@dataclass(frozen=True)
class Kind:
    """A machine to build: its processor by the names of Debian and of qemu, and what Debian's packages it has."""

    debian: str
    processor: str
    board: tuple[str, ...]
    console: str
    packages: tuple[str, ...] = ()


_PACKAGES = ("systemd", "systemd-sysv", "dbus", "udev", "kmod", "python3", "libseccomp2", "procps", "iproute2")
AMD64 = Kind("amd64", "x86_64", ("-cpu", "max"), "ttyS0")
# impdef: qemu's quick way to sign pointers, beside which the architected one takes most of the time
ARM64 = Kind("arm64", "aarch64", ("-M", "virt", "-cpu", "max,pauth-impdef=on"), "ttyAMA0")
_ENGINE = ("docker.io", "docker-compose", "apparmor", "python3-pip")
SERVICES = (
    "postgresql",
    "nats-server",
    "caddy",
)  # for the images that the compose file names: they start in those alone
DOCKER = Kind("amd64", "x86_64", ("-cpu", "max"), "ttyS0", (*_ENGINE, *SERVICES, "wget", "curl"))


def cache() -> Path:
    given = os.environ.get("LECTERN_TEST_CACHE")
    folder = Path(given) if given else Path.home() / ".cache" / "lectern"
    (folder / "machines").mkdir(parents=True, exist_ok=True)
    return folder / "machines"


def lacks(kind: Kind) -> str:
    """What this machine lacks to run such a one; empty: nothing."""
    for program in (f"qemu-system-{kind.processor}", "debootstrap", "mke2fs"):
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            return f"{program} is not installed"
    if os.geteuid() != 0:
        return "debootstrap needs root"
    if os.uname().machine != kind.processor and not BINFMT.exists():
        return f"{kind.processor} programs do not run here: install qemu-user-static"
    return ""


def image(kind: Kind) -> Path:
    """The disk of such a machine, built if it is not there."""
    locks = sorted(ROOT.glob("requirements*.lock"))
    recipe = [Path(__file__), *locks]
    parts = [repr(kind).encode(), *(path.read_bytes() for path in recipe)]
    key = hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]
    folder = cache() / f"{kind.debian}{'-docker' if kind.packages else ''}"
    disk = folder / key / "root.ext4"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if disk.exists():
            return disk
        for older in folder.iterdir():
            if older.is_dir():
                shutil.rmtree(older)
        disk.parent.mkdir()
        with tempfile.TemporaryDirectory(prefix="building-", dir=folder) as name:
            root = Path(name, "root")
            debian(kind, root)
            lectern(kind, root)
            shutil.copy(next(root.glob("boot/vmlinuz-*")), disk.parent / "vmlinuz")
            unfinished = Path(name, "root.ext4")
            with unfinished.open("wb") as file:
                file.truncate(DISK_GB << 30)
            step("mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-d", str(root), str(unfinished))
            unfinished.rename(disk)
    return disk


def debian(kind: Kind, root: Path) -> None:
    """Debian with a kernel that starts without an initrd, and an ordinary user."""
    wanted = ",".join((*_PACKAGES, *kind.packages))
    # in a mount namespace: what it mounts in there is gone with it, whatever becomes of it
    step(
        "unshare",
        "--mount",
        "debootstrap",
        "--variant=minbase",
        f"--arch={kind.debian}",
        f"--include={wanted}",
        RELEASE,
        str(root),
    )
    # Unpacked, not installed: to install it is to make an initrd for ten minutes, when the processor is emulated.
    inside(
        root,
        f"""
        useradd --create-home --shell /bin/bash {USER}
        cd /tmp
        apt-get update
        apt-get download "$(apt-cache depends linux-image-cloud-{kind.debian} | grep -o 'linux-image-[0-9].*')"
        dpkg-deb -x linux-image-*.deb kernel
        cp -a kernel/boot/. /boot/
        cp -a kernel/lib/modules /lib/
        depmod "$(ls /lib/modules)"
        rm -rf kernel ./*.deb
        apt-get clean
        systemctl mask apt-daily.timer apt-daily-upgrade.timer {" ".join(f"{name}.service" for name in SERVICES)}
    """,
    )
    service = root / "etc/systemd/system/lectern-guest.service"
    service.write_text(SERVICE)
    (starts := root / "etc/systemd/system/multi-user.target.wants").mkdir(exist_ok=True)
    (starts / service.name).symlink_to(f"/etc/systemd/system/{service.name}")


def lectern(kind: Kind, root: Path) -> None:
    """`.venv` around Debian's own Python: the packages of ours, or the same releases for another processor."""
    venv = root / PLACE[1:] / ".venv"
    packages = venv / "lib/python3.11/site-packages"
    venv.parent.mkdir()
    if kind.packages:
        wheels(root / "srv/wheels")
        return
    (venv / "bin").mkdir(parents=True)
    (venv / "bin/python").symlink_to("/usr/bin/python3.11")
    (venv / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11\n")
    if kind.processor == os.uname().machine:
        shutil.copytree(sysconfig.get_path("purelib"), packages, symlinks=True)
    else:
        packages.mkdir(parents=True)
        pip("install", "--target", str(packages), "--no-compile", *_for(kind), *_hashed("", "-test"))
        # Not imported there (test_arm64.py), but the judge asks for its release as for every framework's.
        pip("install", "--target", str(packages), "--no-compile", *_for(kind), "--no-deps", *_torch())
        subprocess.run([sys.executable, "-m", "compileall", "-qq", "-j0", packages], stdout=subprocess.DEVNULL)
    (packages / "lectern.pth").write_text(f"{PLACE}\n")


def wheels(folder: Path) -> None:
    """What the set-up in a container downloads, so that it need not."""
    folder.mkdir()
    pip("download", "-d", str(folder), "--only-binary", ":all:", *_hashed(""))
    pip("download", "-d", str(folder), "--no-deps", *_torch())


def _hashed(*locks: str) -> list[str]:
    return ["--require-hashes", *(word for lock in locks for word in ("-r", str(ROOT / f"requirements{lock}.lock")))]


def _torch() -> list[str]:
    return ["-r", str(ROOT / "requirements-torch.lock")]


def _for(kind: Kind) -> list[str]:
    """Debian 12's glibc is 2.36: wheels for it and for each older one."""
    tags = [f"manylinux_2_{minor}_{kind.processor}" for minor in range(36, 16, -1)] + [
        f"manylinux2014_{kind.processor}"
    ]
    return [
        "--only-binary",
        ":all:",
        "--python-version",
        "3.11",
        *(word for tag in tags for word in ("--platform", tag)),
    ]


def pip(*arguments: str) -> None:
    step(shutil.which("python3.11") or "python3", "-m", "pip", arguments[0], "--quiet", *arguments[1:])


def inside(root: Path, script: str) -> None:
    step("chroot", str(root), "/bin/sh", "-euc", script)


def step(*command: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    environment["PATH"] += ":/usr/sbin:/sbin"
    done = subprocess.run(niced(*command), env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)[:200]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")


def niced(*command: str) -> list[str]:
    """At low priority, and not at a lower one yet where this already runs so."""
    return ["nice", "-n", str(max(0, 10 - os.nice(0))), *command]
