"""The compose file with an engine: Debian's own docker, in a machine without a network.

The base image is the machine's own root without its engine, by `docker import`. The wheels that the image's build would
download lie in the machine, which serves them to the build; a pip.conf in the base image says where. So all of the
Dockerfile runs as it is, the hashes included.

Almost all of this test's time is the image's build, emulated. So no byte goes into a layer that need not: what is
imported and what is built is packed and hashed. BuildKit, which today's `docker compose build` uses too, does that once
for each layer; the older builder does it twice.
"""

import json
import shlex

import pytest
import yaml

from .image import DOCKER, ROOT
from .machine import Machine

KIND = DOCKER
# Each judge proves every exercise at its start. Emulated, and by three workers, that would be most of the time.
SMALL = "cp -rL tests/catalog small && rm -r exercises lessons && mv small/* ."
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
    --exclude='./var/log/*' --exclude='./var/lib/postgresql/*' --exclude='./tmp/*' . |
    docker import --change 'ENV PATH=/usr/sbin:/usr/bin:/sbin:/bin' - base
"""
BUILD = (
    "DOCKER_BUILDKIT=1 COMPOSE_DOCKER_CLI_BUILD=1 BUILDKIT_PROGRESS=plain docker-compose build --build-arg BASE=base"
)
# Nothing is fetched in there. So under the names of the images that the compose file asks for lie Debian's packages of
# the same programs. Each does at its start what the script of the published image does with the same environment.
STAND_INS = {
    "postgres": """
        data=/var/lib/postgresql/data bin=$(echo /usr/lib/postgresql/*/bin)
        install -d -o postgres -m 700 "$data"
        if [ ! -e "$data/PG_VERSION" ]; then
            install -o postgres -m 600 "$POSTGRES_PASSWORD_FILE" /tmp/password
            setpriv --reuid=postgres --regid=postgres --init-groups \
                "$bin/initdb" -D "$data" -U "$POSTGRES_USER" -A scram-sha-256 --pwfile=/tmp/password -E UTF8
            echo "host all all all scram-sha-256" >> "$data/pg_hba.conf"
            echo "create database $POSTGRES_DB" |
                setpriv --reuid=postgres --regid=postgres --init-groups "$bin/postgres" --single -D "$data" postgres
        fi
        chown postgres /run/postgresql
        exec setpriv --reuid=postgres --regid=postgres --init-groups "$bin/postgres" -D "$data" -c listen_addresses="*"
    """,
    # Debian's is older than `sync_interval`, which is for losing nothing when the whole host loses its power.
    "nats": "sed /sync_interval/d /run/secrets/nats.conf | nats-server --config /dev/stdin",
    "proxy": """
        export XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config
        exec caddy run --config /etc/caddy/Caddyfile --adapter caddyfile
    """,
}
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
WORKERS = 3
STUDENTS = 12
SECRETS = "docker run --rm --user root --volume $PWD/secrets:/secrets lectern ./lectern cluster /secrets"
# Under emulation an answer of the engine takes minutes.
CLUSTER = "COMPOSE_HTTP_TIMEOUT=3600 docker-compose -f docker-compose.yml -f patience.json --profile cluster"
# And a look at a service's health takes longer than its 3 seconds.
PATIENCE = {"timeout": "120s", "interval": "30s", "start_period": "1800s"}
UP = f"{CLUSTER} up --detach --no-build --scale worker={WORKERS} proxy worker"
ASK = """
import json, ssl, sys, threading, time, urllib.request

unproved = ssl.create_default_context()  # the proxy's certificate is one of its own making
unproved.check_hostname, unproved.verify_mode = False, ssl.CERT_NONE

def ask(path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ORIGIN + path, data, {"Content-Type": "application/json", **headers})
    with urllib.request.urlopen(request, timeout=300, context=unproved) as answer:
        return json.load(answer)

def wait_until_ready(seconds):
    deadline = time.monotonic() + seconds
    while True:
        try:
            return ask("/readyz")
        except (OSError, ValueError):
            if time.monotonic() > deadline:
                raise
            time.sleep(2)

def submit(source):
    token = {"Authorization": "Bearer " + ask("/api/v1/sessions", {})["token"]}
    submissions = "/api/v1/exercises/softmax-rows/submissions?wait=30"
    submission = ask(submissions, {"source": source, "framework": "numpy"}, **token)
    while submission["state"] != "finished":
        time.sleep(1)
        submission = ask(f"/api/v1/submissions/{submission['id']}", **token)
    return submission

source = open("exercises/softmax-rows/solutions/numpy.py").read()
wait_until_ready(1800)
"""
SUBMIT = f"""ORIGIN = "http://127.0.0.1:8000"
{ASK}
print(json.dumps(submit(source)))
"""
# Prints which workers hold a submission, several times a second. Under emulation each command of the engine takes
# seconds: who asks only when it matters gets the answer when all is over.
HOLDERS = """
import time
import psycopg
with psycopg.connect(open("/run/secrets/database_url").read().strip().replace("+psycopg", ""), autocommit=True) as rows:
    while True:
        owners = rows.execute("select distinct owner from grading where state = 'running'").fetchall()
        print(*(owner for owner, in owners), flush=True)
        time.sleep(0.2)
"""
# A worker is killed that holds a submission: each student's program takes a while of its own, and what a paused one
# holds it holds until it is killed.
CLASS = f"""ORIGIN = "https://localhost"
{ASK}
import re, subprocess
web, *workers = sys.argv[1:]
verdicts, holders = [], []

def output(*command):
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode(errors="replace")

def watch():
    global watching
    command = ["docker", "exec", web, "/srv/lectern/.venv/bin/python", "-c", {HOLDERS!r}]
    watching = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in watching.stdout:
        holders.append(line.decode().split())

def is_held(name):
    \"""As a look says that begins from now on.\"""
    looks = len(holders)
    while len(holders) < looks + 2:
        time.sleep(0.05)
    return name in holders[-1]

def kill_one_that_holds_a_submission():
    while len(verdicts) < {STUDENTS}:
        for name in holders[-1]:
            output("docker", "pause", names[name])
            if is_held(name):
                output("docker", "kill", names[name])
                return names[name]
            output("docker", "unpause", names[name])
        time.sleep(0.05)

def student(number):
    verdicts.append(submit(f"import time\\ntime.sleep(3)\\n# {{number}}\\n{{source}}")["verdict"])

names = {{}}
while len(names) < len(workers):
    found = [(re.search("worker=(\\\\S+)", output("docker", "logs", worker)), worker) for worker in workers]
    names = {{name[1]: worker for name, worker in found if name}}
threading.Thread(target=watch, daemon=True).start()
while not holders:
    time.sleep(0.1)
students = [threading.Thread(target=student, args=(number,)) for number in range({STUDENTS})]
for thread in students:
    thread.start()
killed = kill_one_that_holds_a_submission()
for thread in students:
    thread.join()
watching.kill()
print(json.dumps([killed, verdicts]))
"""
ROWS = """
import json
from sqlalchemy import create_engine, text
rows = text("select submission_id, state, verdict, attempt from grading")
with create_engine(open("/run/secrets/database_url").read().strip()).connect() as connection:
    print(json.dumps([list(row) for row in connection.execute(rows)]))
"""


@pytest.fixture(scope="module")
def composed(machine: Machine) -> Machine:
    """The machine with the image built and the service up."""
    for script in (SMALL, BASE, BUILD, "docker-compose up -d"):
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


@pytest.fixture(scope="module")
def clustered(composed: Machine) -> Machine:
    """The machine with the cluster up: two webs, three workers, PostgreSQL, the broker and the proxy."""
    for name, script in STAND_INS.items():
        dockerfile = f"FROM base\nENV PGPORT=5432\nENTRYPOINT {json.dumps(['/bin/sh', '-euc', script])}\n"
        build = f"printf %s {shlex.quote(dockerfile)} | docker build --quiet --tag {SERVICES[name]['image']} -"
        done = composed.plainly("sh", "-euc", build)
        assert done.code == 0, done.output
    emulated = {
        name: service["healthcheck"] | PATIENCE for name, service in SERVICES.items() if "healthcheck" in service
    }
    checks = emulated if composed.accelerator == "tcg" else {}
    patience = json.dumps({"services": {name: {"healthcheck": check} for name, check in checks.items()}})
    write = f"printf %s {shlex.quote(patience)} > patience.json"
    for script in ("docker-compose down", SECRETS, write, UP):
        done = composed.plainly("sh", "-euc", script)
        assert done.code == 0, done.output[-5000:] + logs(composed)
    return composed


def logs(machine: Machine) -> str:
    return machine.plainly("sh", "-c", f"{CLUSTER} ps; {CLUSTER} logs --tail=40").output[-12_000:]


def ids(machine: Machine, service: str) -> list[str]:
    return machine.plainly("sh", "-c", f"{CLUSTER} ps --quiet {service}").output.split()


def test_a_killed_worker_of_the_cluster_loses_nothing(clustered: Machine, note: list[str]) -> None:
    assert len(ids(clustered, "web")) == SERVICES["web"]["scale"]
    assert len(ids(clustered, "worker")) == WORKERS
    done = clustered.plainly("python3", "-c", CLASS, ids(clustered, "web")[0], *ids(clustered, "worker"))
    assert done.code == 0, done.output + logs(clustered)
    killed, verdicts = json.loads(done.output.splitlines()[-1])
    assert verdicts == ["accepted"] * STUDENTS, logs(clustered)
    assert killed, "no worker held one when it was looked at"
    assert clustered.plainly("docker", "inspect", "--format={{.State.ExitCode}}", killed).output.strip() == "137"
    web = ids(clustered, "web")[0]
    listed = clustered.plainly("docker", "exec", web, "/srv/lectern/.venv/bin/python", "-c", ROWS)
    assert listed.code == 0, listed.output
    rows = json.loads(listed.output.splitlines()[-1])
    assert len({submission for submission, *_ in rows}) == len(rows) == STUDENTS, rows
    assert {(state, verdict) for _, state, verdict, _ in rows} == {("finished", "accepted")}, rows
    assert max(attempt for *_, attempt in rows) > 1, "it was another's"
    note.append(f"{STUDENTS} accepted by {WORKERS} workers, one killed; attempts {sorted(row[3] for row in rows)}")


def test_each_service_with_a_health_check_is_healthy(clustered: Machine) -> None:
    for name in (name for name, service in SERVICES.items() if "healthcheck" in service and "profiles" in service):
        for container in ids(clustered, name):
            health = f"docker inspect --format={{{{.State.Health.Status}}}} {container}"
            done = clustered.plainly("sh", "-c", f"until [ $({health}) = healthy ]; do sleep 2; done", seconds=300)
            checks = clustered.plainly("docker", "inspect", "--format={{json .State.Health}}", container).output
            assert done.code == 0, f"{name}: {checks[-1000:]}"


def test_the_proxy_speaks_http_2(clustered: Machine) -> None:
    asked = "curl --silent --insecure --output /dev/null --write-out '%{http_version} %{http_code}' https://localhost/"
    assert clustered.plainly("sh", "-c", asked).output == "2 200", logs(clustered)


def test_the_cluster_goes_down_and_keeps_its_volumes(clustered: Machine) -> None:
    done = clustered.plainly("sh", "-c", f"{CLUSTER} down")
    assert done.code == 0, done.output
    assert clustered.plainly("docker", "ps", "-aq").output == ""
    kept = clustered.plainly("docker", "volume", "ls", "-q").output
    assert all(f"_{name}" in kept for name in ("postgres", "nats", "certificates")), kept
