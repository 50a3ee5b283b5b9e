"""What is claimed of every machine, as one who types the commands there would try it."""

import json
import re

from .machine import Machine

# A copy of an exercise to judge one solution by. What takes a moment on a processor takes many on an emulated one: this
# is not about limits of time. And of the frameworks only those that it needs, for a machine may lack another.
COPY = """
import pathlib, re, shutil, sys
exercise, place, framework = sys.argv[1:]
left_out = shutil.ignore_patterns("mistakes", "solutions", "starters")
path = pathlib.Path(shutil.copytree(exercise, place, ignore=left_out), "exercise.toml")
frameworks = dict.fromkeys(["numpy", framework])
text = re.sub(r"(?m)^frameworks.*$", f"frameworks = {list(frameworks)}", path.read_text())
text = re.sub(r"(?m)^wall_seconds.*$", "wall_seconds = 120\\ncpu_seconds = 120\\ntotal_seconds = 600", text)
path.write_text(text)
"""
GRANTED = ("LECTERN_MAX_WALL_SECONDS=120", "LECTERN_MAX_CPU_SECONDS=120", "LECTERN_MAX_TOTAL_SECONDS=600")


def every_wall_is_up(machine: Machine, user: str) -> str:
    done = machine.python("-P", "-m", "app", "doctor", user=user)
    assert done.code == 0, done.output
    assert "DOWN" not in done.output, done.output
    assert re.search(r"^\s*up\s+cgroup\b", done.output, re.M | re.I), done.output
    return "every wall is up, the control group too"


def tests_pass(machine: Machine, user: str, *chosen: str, without: str) -> str:
    """`without`: a framework that this machine lacks."""
    chosen += ("-k", f"not {without}") if without else ()
    done = machine.python("-m", "pytest", "-q", "--durations=3", *chosen, user=user, LECTERN_TEST_REQUIRE="sandbox")
    assert done.code == 0, done.output
    return next(line for line in reversed(done.output.splitlines()) if " passed" in line)


def a_solution_is_accepted(machine: Machine, user: str, exercise: str, solution: str, framework: str) -> str:
    place = f"/tmp/{user}-{framework}"  # one for each: another user may not write there
    made = machine.python("-c", COPY, f"exercises/{exercise}", f"{place}/{exercise}", framework, user=user)
    assert made.code == 0, made.output
    said = f"{place}/verdict.json"
    command = f'exec "$0" -P -m app grade {place}/{exercise} {solution} --framework {framework} --json >{said}'
    done = machine.run("env", *GRANTED, "sh", "-c", command, "/srv/lectern/.venv/bin/python", user=user)
    verdict = machine.plainly("cat", said).output
    assert done.code == 0, done.output + verdict
    graded = json.loads(verdict)
    assert graded["verdict"] == "accepted", verdict
    return f"{exercise} in {framework}: accepted, {len(graded['cases'])} cases"
