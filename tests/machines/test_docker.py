"""The compose file with an engine: Debian's own docker, in a machine without a network.

The base image is the machine's own root, by `docker import`; the wheels that the image's build would download lie in
it, with a pip.conf that says so. So all of the Dockerfile runs as it is, the hashes included.
"""

import json

import pytest

from .image import DOCKER
from .machine import Machine

KIND = DOCKER
BASE = """
cat > /etc/pip.conf <<END
[global]
no-index = true
find-links = /srv/wheels
END
systemctl start docker
tar -C / -c --one-file-system --exclude=./srv/lectern --exclude=./var/lib/docker --exclude=./boot \
    --exclude=./usr/lib/modules --exclude='./tmp/*' . |
    docker import --change 'ENV PATH=/usr/sbin:/usr/bin:/sbin:/bin' - base
rm -rf /srv/wheels
"""
SUBMIT = """
import json, sys, time, urllib.error, urllib.request

def ask(path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request("http://127.0.0.1:8000" + path, data, headers)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)

deadline = time.monotonic() + 1800
while True:
    try:
        ask("/readyz")
        break
    except (OSError, ValueError):
        if time.monotonic() > deadline:
            raise
        time.sleep(2)
token = {"Authorization": "Bearer " + ask("/api/v1/sessions", {})["token"]}
source = open("exercises/softmax-rows/solutions/numpy.py").read()
submissions = "/api/v1/exercises/softmax-rows/submissions?wait=30"
submission = ask(submissions, {"source": source, "framework": "numpy"}, **token)
while submission["state"] != "finished":
    time.sleep(1)
    submission = ask(f"/api/v1/submissions/{submission['id']}", **token)
print(json.dumps(submission))
"""


@pytest.fixture(scope="module")
def composed(machine: Machine) -> Machine:
    """The machine with the image built and the service up."""
    for script in (BASE, "docker-compose build --build-arg BASE=base", "docker-compose up -d"):
        done = machine.plainly("sh", "-euc", script)
        assert done.code == 0, done.output[-5000:]
    return machine


def test_a_submission_is_judged_behind_the_walls_of_a_container(composed: Machine, note: list[str]) -> None:
    done = composed.plainly("python3", "-c", SUBMIT)
    logs = composed.plainly("docker-compose", "logs", "--tail=200").output
    assert done.code == 0, done.output + logs
    submission = json.loads(done.output.splitlines()[-1])
    assert submission["verdict"] == "accepted", submission
    doctor = composed.plainly("docker-compose", "exec", "-T", "lectern", "./lectern", "doctor")
    assert doctor.code == 0, doctor.output
    note.append(f"accepted; down: {[line.split()[1] for line in doctor.output.splitlines() if 'DOWN' in line]}")


def test_the_image_holds_no_test_packages(composed: Machine) -> None:
    listed = composed.plainly(
        "docker-compose", "exec", "-T", "lectern", "sh", "-c", "ls -d .venv/lib/python3*/site-packages/*"
    )
    held = {path.rpartition("/")[2] for path in listed.output.split()}
    assert {"torch", "jax", "fastapi"} <= held, listed.output
    assert not held & {"pytest", "playwright", "hypothesis", "mypy"}


def test_the_service_goes_down_and_keeps_its_volume(composed: Machine) -> None:
    done = composed.plainly("docker-compose", "down")
    assert done.code == 0, done.output
    assert composed.plainly("docker", "ps", "-aq").output == ""
    assert "_data" in composed.plainly("docker", "volume", "ls", "-q").output
