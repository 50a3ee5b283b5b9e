"""Runs inside the machine, as root: one command a line from the host, its exit code and what it said in return.

Standard library only. The line is the virtio port `lectern`; commands and replies are JSON, a line each.
"""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

PORT = Path("/dev/virtio-ports/lectern")
PLACE = Path("/srv/lectern")


def main() -> None:
    for module in ("virtio_pci", "virtio_console"):
        subprocess.run(["modprobe", module], check=False)
    while not PORT.exists():
        time.sleep(0.1)
    with PORT.open("r+b", buffering=0) as port:
        say(port, {"code": 0, "output": os.uname().release})
        for line in iter(lambda: port_line(port), b""):
            say(port, run(**json.loads(line)))


def port_line(port: Any) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        character = port.read(1)
        line += character
        if not character:
            time.sleep(0.1)  # the host is away: that is no end
    return line


def run(command: list[str], seconds: float) -> dict[str, Any]:
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=PLACE
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            code = -9
    return {"code": code, "output": output.decode(errors="replace")}


def say(port: Any, reply: dict[str, Any]) -> None:
    left = json.dumps(reply).encode() + b"\n"
    while left:
        left = left[port.write(left) :]


if __name__ == "__main__":
    main()
