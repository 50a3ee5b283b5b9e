"""The manifests for Kubernetes, without a cluster: what each must have, what docs and compose file have alike."""

import ipaddress
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from app.queue.workshop import ALIVE, DRAIN_SECONDS, READY
from app.settings import CONNECTIONS
from app.web import allowances

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "deploy" / "kubernetes"
SITE_FOLDER = ROOT / "deploy" / "kubernetes-site"
SITE = yaml.safe_load((SITE_FOLDER / "kustomization.yaml").read_text())
BASE = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
DOCS = (ROOT / "docs" / "operating.md").read_text()
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())

MANIFESTS: list[dict[str, Any]] = [
    manifest for name in BASE["resources"] for manifest in yaml.safe_load_all((FOLDER / name).read_text())
]
WORKLOADS = {m["metadata"]["name"]: m["spec"] for m in MANIFESTS if m["kind"] in ("Deployment", "StatefulSet")}
PODS = {name: workload["template"]["spec"] for name, workload in WORKLOADS.items()}
CONTAINERS = {name: pod["containers"][0] for name, pod in PODS.items()}
# name of the secret → name of a file in it → which of `secrets/` that is: as the docs' commands make them
SECRETS = {
    name: {key or source: source for key, source in re.findall(r"--from-file=(?:([\w.]+)=)?secrets/([\w.]+)", files)}
    for name, files in re.findall(r"create secret generic (\S+)((?:[ \\\n]+--from-file=\S+)+)", DOCS)
}
NOT_ITS_OWN = ("kustomize.config.k8s.io", "keda.sh")
# What a pod needs besides a container of the compose file.
BESIDES = {"web": {"LECTERN_DOMAIN", "LECTERN_HOSTS", "POD_IP"}, "postgres": {"PGDATA"}}


def of_kind(kind: str) -> list[dict[str, Any]]:
    return [manifest for manifest in MANIFESTS if manifest["kind"] == kind]


def scalars(node: object) -> Iterator[str]:
    """Every value of a manifest, at whatever depth, as text."""
    if isinstance(node, dict):
        for value in node.values():
            yield from scalars(value)
    elif isinstance(node, list):
        for value in node:
            yield from scalars(value)
    else:
        yield str(node)


def selected(labels: dict[str, str]) -> list[str]:
    """The workloads whose pods have all of these labels."""
    return [
        name
        for name, workload in WORKLOADS.items()
        if labels.items() <= workload["template"]["metadata"]["labels"].items()
    ]


def is_kept_out(path: str) -> bool:
    """Of the image: whether a pattern of .dockerignore matches the path, or a folder that it is in."""
    lines = [line.strip() for line in (ROOT / ".dockerignore").read_text().splitlines()]
    patterns = [line.strip("/") for line in lines if line and not line.startswith("#")]
    assert not [pattern for pattern in patterns if pattern.startswith("!")]
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    for pattern in patterns:
        written = re.sub(r"\*\*/|\*\*|\*|\?|[^*?]+", lambda found: parts.get(found[0], re.escape(found[0])), pattern)
        if re.fullmatch(f"{written}(?:/.*)?", path):
            return True
    return False


def test_no_image_holds_secrets_or_data() -> None:
    """attack: the image that workers run, or that a registry hands out, has the passwords in a layer."""
    secrets = [Path(secret["file"]).as_posix() for secret in COMPOSE["secrets"].values()]
    (written,) = re.findall(r"`\./lectern cluster (\S+)` once", (ROOT / "docker-compose.yml").read_text())
    assert {Path(path).parts[0] for path in secrets} == {written}
    dumps = re.findall(r"pg_dump .*> ([\w.]+)", DOCS)
    copies = re.findall(r"cp --recursive deploy/kubernetes-site (\S+)", DOCS)
    assert dumps
    assert copies
    overrides = re.findall(r"`(compose\.override\.yaml)`", DOCS)
    beside = [f"{written}/nats.conf", f"{written}/web_password", "var/lectern.sqlite3", "lectern.sqlite3", ".env"]
    for path in [*secrets, *beside, *dumps, *copies, f"{copies[0]}/kustomization.yaml", *overrides]:
        assert is_kept_out(path), path
    for path in ("lectern", "app/main.py", "requirements.lock", "exercises", "docs/operating.md", "deploy/Caddyfile"):
        assert not is_kept_out(path), path


def test_the_compose_file_is_as_its_schema_says() -> None:
    """By the specification's own schema, which the checker carries along: no network."""
    command = [sys.executable, "-P", "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, "docker-compose.yml"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_manifest_is_listed_and_says_what_it_is() -> None:
    assert {path.name for path in FOLDER.glob("*.yaml")} == {*BASE["resources"], "kustomization.yaml"}
    named = [(manifest["kind"], manifest["metadata"]["name"]) for manifest in MANIFESTS]
    assert len(set(named)) == len(named)
    assert all(manifest["apiVersion"] for manifest in MANIFESTS)
    assert WORKLOADS.keys() == {"web", "worker", "postgres", "nats"}
    assert [manifest["metadata"]["name"] for manifest in of_kind("Namespace")] == [BASE["namespace"]]


@pytest.mark.parametrize("name", PODS)
def test_no_pod_has_more_rights_than_it_needs(name: str) -> None:
    pod, container = PODS[name], CONTAINERS[name]
    assert len(pod["containers"]) == 1
    assert not {"initContainers", "hostNetwork", "hostPID", "hostIPC"} & pod.keys()
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False, "a Service's name would set variables, such as LECTERN_PORT"
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == pod["securityContext"]["fsGroup"] > 0
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["limits"].keys() >= {"memory", "ephemeral-storage"}
    assert container["resources"]["requests"].keys() >= {"memory", "cpu"}
    claims = {claim["metadata"]["name"] for claim in WORKLOADS[name].get("volumeClaimTemplates", [])}
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    assert {mount["name"] for mount in container["volumeMounts"]} == volumes.keys() | claims
    assert not any("hostPath" in volume for volume in volumes.values())


def test_pods_run_as_the_images_own_user() -> None:
    (uid,) = re.findall(r"useradd .*--uid (\d+) lectern", (ROOT / "Dockerfile").read_text())
    for name in ("web", "worker"):
        assert PODS[name]["securityContext"]["runAsUser"] == int(uid), "a user by name is not known not to be root"
        assert CONTAINERS[name]["image"] in {image["name"] for image in SITE["images"]}


@pytest.mark.parametrize("name", PODS)
def test_secrets_are_those_that_the_docs_make_and_each_pod_has_its_own(name: str) -> None:
    (secret,) = [volume["secret"]["secretName"] for volume in PODS[name]["volumes"] if "secret" in volume]
    mounts = [mount["mountPath"] for mount in CONTAINERS[name]["volumeMounts"] if mount["name"] == "secrets"]
    assert mounts == ["/run/secrets"]
    assert secret == f"lectern-{name}"
    service = COMPOSE["services"][name]
    expected = {s if isinstance(s, str) else s["target"]: s if isinstance(s, str) else s["source"]
                for s in service["secrets"]}  # fmt: skip
    assert SECRETS[secret] == expected, "the same files as in containers, of the same secrets"
    assert not [variable for variable in CONTAINERS[name].get("env", []) if "secretKeyRef" in str(variable)]


def test_a_worker_has_the_brokers_address_and_no_other() -> None:
    assert SECRETS["lectern-worker"] == {"lectern_queue": "worker_queue"}
    (policy,) = [p["spec"] for p in of_kind("NetworkPolicy") if p["metadata"]["name"] == "worker"]
    assert policy["ingress"] == []
    reached = [(peer, port["port"]) for rule in policy["egress"] for peer in rule["to"] for port in rule["ports"]]
    pods = [(selected(p["podSelector"]["matchLabels"]), port) for p, port in reached if "namespaceSelector" not in p]
    assert pods == [(["nats"], 4222)]
    assert {port for peer, port in reached if "namespaceSelector" in peer} == {53}


def test_nothing_is_allowed_that_no_policy_names_and_only_the_web_reaches_the_database() -> None:
    policies = {policy["metadata"]["name"]: policy["spec"] for policy in of_kind("NetworkPolicy")}
    assert policies["nothing"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert policies.keys() == WORKLOADS.keys() | {"nothing"}
    for name, policy in policies.items():
        assert policy["policyTypes"] == ["Ingress", "Egress"], name
        assert name == "nothing" or selected(policy["podSelector"]["matchLabels"]) == [name]
    reach: dict[str, set[str]] = {}
    for name in ("postgres", "nats"):
        peers = [peer for rule in policies[name]["ingress"] for peer in rule["from"]]
        reach[name] = {other for peer in peers for other in selected(peer["podSelector"]["matchLabels"])}
    assert reach == {"postgres": {"web"}, "nats": {"web", "worker"}}
    sent = [peer for rule in policies["web"]["egress"] for peer in rule["to"] if "namespaceSelector" not in peer]
    assert [selected(peer["podSelector"]["matchLabels"]) for peer in sent] == [["postgres"], ["nats"]]


def test_the_sites_example_opens_the_way_out_and_no_way_in() -> None:
    policies = list(yaml.safe_load_all((SITE_FOLDER / "egress.yaml").read_text()))
    assert "  # - egress.yaml" in (SITE_FOLDER / "kustomization.yaml").read_text(), "a site that needs it asks for it"
    names = {policy["metadata"]["name"] for policy in policies}
    assert not names & {policy["metadata"]["name"] for policy in of_kind("NetworkPolicy")}
    outwards, traces = [policy["spec"] for policy in policies]
    assert outwards["policyTypes"] == traces["policyTypes"] == ["Egress"]
    assert selected(outwards["podSelector"]["matchLabels"]) == ["web"]
    (of_both,) = traces["podSelector"]["matchExpressions"]
    assert set(of_both["values"]) == {"web", "worker"}
    for peer in (peer for rule in outwards["egress"] for peer in rule["to"]):
        network = ipaddress.ip_network(peer["ipBlock"]["cidr"])
        left_out = [ipaddress.ip_network(other) for other in peer["ipBlock"].get("except", [])]
        for inside in ("10.96.0.1", "169.254.169.254", "172.16.0.1", "192.168.0.1", "fd00::1"):
            address = ipaddress.ip_address(inside)
            assert address not in network or any(address in other for other in left_out), inside
    (collector,) = [peer for rule in traces["egress"] for peer in rule["to"]]
    assert collector.keys() == {"namespaceSelector", "podSelector"}, "a worker gets no address of the internet"


def test_the_database_takes_the_connections_of_all_web_processes() -> None:
    command: list[str] = CONTAINERS["postgres"]["args"]
    (most,) = [int(word.removeprefix("max_connections=")) for word in command if word.startswith("max_connections=")]
    assert command == COMPOSE["services"]["postgres"]["command"]
    webs = max(WORKLOADS["web"]["replicas"], COMPOSE["services"]["web"]["scale"])
    surge = WORKLOADS["web"]["strategy"]["rollingUpdate"]["maxSurge"]
    reserved = 3  # for superusers: PostgreSQL's default
    assert (webs + surge) * (CONNECTIONS + allowances.CONNECTIONS) <= most - reserved


def test_what_selects_pods_finds_them() -> None:
    for name, workload in WORKLOADS.items():
        assert selected(workload["selector"]["matchLabels"]) == [name]
    for service in of_kind("Service"):
        (name,) = selected(service["spec"]["selector"])
        ports = {port["name"] for port in CONTAINERS[name]["ports"]}
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports
    for budget in of_kind("PodDisruptionBudget"):
        assert len(selected(budget["spec"]["selector"]["matchLabels"])) == 1
    services = {service["metadata"]["name"]: service["spec"] for service in of_kind("Service")}
    (ingress,) = of_kind("Ingress")
    for path in ingress["spec"]["rules"][0]["http"]["paths"]:
        backend = path["backend"]["service"]
        assert backend["port"]["name"] in {port["name"] for port in services[backend["name"]]["ports"]}
    for host in ("postgres:5432", "nats:4222"):  # what the URLs that `./lectern cluster` writes lead to
        name, _, port = host.partition(":")
        assert int(port) in {each["port"] for each in services[name]["ports"]}


def test_no_secret_is_written_into_a_manifest() -> None:
    assert not of_kind("Secret")
    assert "secretGenerator" not in BASE.keys() | SITE.keys()
    for text in scalars([MANIFESTS, BASE, SITE]):
        assert not re.search(r"://[^/\s]*:[^/\s]*@|[0-9a-f]{32}", text), text
    for name, container in CONTAINERS.items():
        for variable in container.get("env", []):
            assert not re.search(r"PASSWORD$|SECRET|TOKEN|DATABASE_URL|QUEUE", variable["name"]), name


@pytest.mark.parametrize("name", PODS)
def test_pods_and_containers_of_the_compose_file_run_the_same(name: str) -> None:
    container, service = CONTAINERS[name], COMPOSE["services"][name]
    # `command` of Kubernetes is the entry point; where an image has its own, `args` follow it.
    assert container.get("command", container.get("args")) == service.get("command")
    if "image" in service:
        assert container["image"] == service["image"]
    pod = {variable["name"]: variable.get("value") for variable in container.get("env", [])}
    composed: dict[str, str] = service.get("environment", {})
    assert pod.keys() - BESIDES.get(name, set()) == composed.keys()
    differ = {key for key in composed if pod[key] != composed[key]}
    assert differ <= {"LECTERN_DATA", "LECTERN_ORIGIN", "LECTERN_TRUSTED_PROXIES"}
    memory = service["deploy"]["resources"]["limits"]["memory"]
    assert container["resources"]["limits"]["memory"].lower().removesuffix("i") == memory
    if "LECTERN_DATA" in pod:
        mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
        assert str(Path(str(pod["LECTERN_DATA"])).parent) in mounts, "a volume's root is not the server's own"


def test_a_rolling_update_takes_no_pod_away_before_another_is_ready() -> None:
    web, pod = CONTAINERS["web"], PODS["web"]
    assert WORKLOADS["web"]["replicas"] >= 2
    assert WORKLOADS["web"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    ready = web["readinessProbe"]["httpGet"]["path"]
    assert ready == "/healthz", "without a broker or a worker pages still answer: no pod is taken away for that"
    assert web["livenessProbe"]["httpGet"]["path"] == "/healthz"
    start = web["startupProbe"]
    assert COMPOSE["services"]["web"]["healthcheck"]["start_period"] == (
        f"{start['periodSeconds'] * start['failureThreshold']}s"
    ), "tables that are brought up to date take minutes"
    pause = int(web["lifecycle"]["preStop"]["exec"]["command"][1])
    slowest = web["readinessProbe"]["periodSeconds"] + web["readinessProbe"]["timeoutSeconds"]
    assert slowest < pause < pod["terminationGracePeriodSeconds"] - 2
    assert PODS["worker"]["terminationGracePeriodSeconds"] == 45 > DRAIN_SECONDS


def test_a_worker_that_stands_still_is_restarted_and_one_without_its_broker_is_not() -> None:
    worker = CONTAINERS["worker"]
    data = next(variable["value"] for variable in worker["env"] if variable["name"] == "LECTERN_DATA")
    looked_at = {
        name: re.findall(r'stat\("([^"]*)"\)', worker[name]["exec"]["command"][2])
        for name in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    alive, ready = [f"{data}/{ALIVE}"], [f"{data}/{READY}"]
    assert looked_at == {"startupProbe": alive, "livenessProbe": alive, "readinessProbe": ready}
    assert f"'/data/{READY}'" in COMPOSE["services"]["worker"]["healthcheck"]["test"][3]


def test_a_site_names_what_the_manifests_leave_open() -> None:
    (generated,) = SITE["configMapGenerator"]
    keys = {literal.partition("=")[0] for literal in generated["literals"]}
    used = {v["valueFrom"]["configMapKeyRef"]["key"] for v in CONTAINERS["web"]["env"]
            if "configMapKeyRef" in v.get("valueFrom", {})}  # fmt: skip
    assert used == keys
    (replacement,) = SITE["replacements"]
    assert replacement["source"]["name"] == generated["name"]
    assert replacement["source"]["fieldPath"].partition(".")[2] in keys


def test_the_autoscaler_scales_workers_by_the_oldest_wait() -> None:
    component = yaml.safe_load((FOLDER / "autoscaler" / "kustomization.yaml").read_text())
    (scaled,) = [yaml.safe_load((FOLDER / "autoscaler" / name).read_text()) for name in component["resources"]]
    assert scaled["spec"]["scaleTargetRef"]["name"] == component["patches"][0]["target"]["name"] == "worker"
    (trigger,) = scaled["spec"]["triggers"]
    assert "lectern_queue_oldest_seconds" in trigger["metadata"]["query"]
    assert f'namespace="{BASE["namespace"]}"' in trigger["metadata"]["query"]


def every_manifest() -> Iterator[Any]:
    """All of which Kubernetes itself has a schema: neither what only kustomize reads, nor what KEDA adds."""
    for path in sorted((ROOT / "deploy").glob("kubernetes*/**/*.yaml")):
        for number, manifest in enumerate(yaml.safe_load_all(path.read_text())):
            if manifest is not None and manifest["apiVersion"].partition("/")[0] not in NOT_ITS_OWN:
                yield pytest.param(manifest, id=f"{path.parent.name}/{path.stem}-{number}")


@pytest.mark.parametrize("release", ["1.25", kubernetes_validate.latest_version()])
@pytest.mark.parametrize("manifest", list(every_manifest()))
def test_a_manifest_is_what_kubernetes_reads(manifest: dict[str, Any], release: str) -> None:
    """By its own schemas: a field that is misspelt would be left out without a word."""
    kubernetes_validate.validate(manifest, release, strict=True)


def test_a_field_that_is_misspelt_is_found() -> None:
    manifest = next(m for m in MANIFESTS if m["metadata"]["name"] == "postgres" and m["kind"] == "StatefulSet")
    pod = {**manifest["spec"]["template"]["spec"], "terminationGracePeriodSecond": 60}
    misspelt = {**manifest, "spec": {**manifest["spec"], "template": {**manifest["spec"]["template"], "spec": pod}}}
    with pytest.raises(kubernetes_validate.ValidationError, match="terminationGracePeriodSecond"):
        kubernetes_validate.validate(misspelt, "1.25", strict=True)
