"""The compose file with an engine: Debian's own docker, in a machine without a network.

The base image is the machine's own root without its engine, by `docker import`. The wheels that the image's build would
download lie in the machine, which serves them to the build; a pip.conf in the base image says where. So all of the
Dockerfile runs as it is, the hashes included.

Almost all of this test's time is the image's build, emulated. So no byte goes into a layer that need not: what is
imported and what is built is packed and hashed. BuildKit, which today's `docker compose build` uses too, does that once
for each layer; the older builder does it twice.
"""

import json

import pytest

from .image import DOCKER
from .machine import Machine

KIND = DOCKER
BASE = """
systemctl start docker
gateway=$(ip -4 -oneline address show docker0 | grep -Eo '[0-9.]{7,}' | head -1)
systemd-run --quiet python3 -m http.server --directory /srv/wheels --bind "$gateway" 8001
cat > /etc/pip.conf <<END
[global]
no-index = true
find-links = http://$gateway:8001/
trusted-host = $gateway
END
tar -C / -c --one-file-system --exclude=./srv --exclude=./var/lib/docker --exclude=./boot --exclude=./usr/lib/modules \
    --exclude='./usr/*bin/docker*' --exclude='./usr/bin/containerd*' --exclude=./usr/bin/ctr --exclude=./usr/bin/dnet \
    --exclude=./usr/sbin/ovrouter --exclude=./usr/share/doc --exclude='./var/cache/*' --exclude='./var/lib/apt/*' \
    --exclude='./var/log/*' --exclude='./tmp/*' . |
    docker import --change 'ENV PATH=/usr/sbin:/usr/bin:/sbin:/bin' - base
"""
BUILD = (
    "DOCKER_BUILDKIT=1 COMPOSE_DOCKER_CLI_BUILD=1 BUILDKIT_PROGRESS=plain docker-compose build --build-arg BASE=base"
)
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
    for script in (BASE, BUILD, "docker-compose up -d"):
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
