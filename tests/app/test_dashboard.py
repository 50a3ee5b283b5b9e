"""The dashboard for Grafana, and the docs' list, name what a server really exports."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.main import create_app
from app.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
BOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "grafana-dashboard.json").read_text())
QUERIES = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
VARIABLES = {variable["name"]: variable for variable in BOARD["templating"]["list"]}
LISTED = {
    name: set(re.findall(r"\w+", labels))
    for name, labels in re.findall(
        r"^\| `((?:lectern|process)_\w+)(?:\{([^}]*)\})?` \|", (ROOT / "docs/operating.md").read_text(), re.M
    )
}
AUTOSCALER = (ROOT / "deploy" / "kubernetes" / "autoscaler" / "workers.yaml").read_text()
OF_THE_SCRAPER = {"job", "instance", "le"}  # `le`: of each bucket


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> set[str]:
    """The names of what `/metrics` of a server that judges exports, those of a counter and a histogram as they are
    asked for. Nothing is started: a metric is there before its first number."""
    data = tmp_path_factory.mktemp("data")
    shutil.copy(migrated_sqlite, data / "lectern.sqlite3")
    app = create_app(Settings(workers=1, data=data))
    names = set()
    for family in text_string_to_metric_families(app.state.metrics.text().decode()):
        endings = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}.get(family.type, [""])
        names |= {family.name + ending for ending in endings}
    app.state.db.close()
    return names


def metrics_in(query: str) -> set[str]:
    return set(re.findall(r"\b(?:lectern|process)_\w+", query))


def test_each_metric_of_the_dashboard_is_exported(exported: set[str]) -> None:
    asked = {name for query in [*QUERIES, *(VARIABLES[v]["definition"] for v in ("job", "framework"))]
             for name in metrics_in(query)}  # fmt: skip
    assert asked <= exported, "misspelt, or gone"
    families = {re.sub(r"_(bucket|count|sum)$", "", name) for name in exported}
    named = {re.sub(r"_(bucket|count|sum)$", "", name) for name in asked}
    assert named == LISTED.keys(), "docs/operating.md lists each of them"
    assert {name for name in families if name.startswith("lectern_")} <= named, "each of ours is on the dashboard"
    assert metrics_in(re.findall(r"query: (.*)", AUTOSCALER)[0]) <= exported


def test_each_query_asks_by_labels_that_its_metric_has() -> None:
    wrong = []
    for query in QUERIES:
        (name,) = metrics_in(query)
        labels = LISTED[re.sub(r"_(bucket|count|sum)$", "", name)] | OF_THE_SCRAPER
        asked = set(re.findall(r'(\w+)(?:=~?|!=|!~)"', query))
        asked |= {label for group in re.findall(r"by \(([^)]*)\)", query) for label in re.findall(r"\w+", group)}
        variables = set(re.findall(r"\$(\w+)", query)) - VARIABLES.keys() - {"__rate_interval"}
        if asked - labels or variables or query.count("(") != query.count(")"):
            wrong.append(query)
    assert QUERIES
    assert wrong == []


def test_the_dashboard_can_be_imported_into_any_grafana() -> None:
    assert BOARD["schemaVersion"] >= 38
    assert VARIABLES["datasource"]["type"] == "datasource"
    assert VARIABLES["datasource"]["query"] == "prometheus"
    sources = [each["datasource"]["uid"] for panel in BOARD["panels"] for each in (panel, *panel["targets"])]
    assert set(sources) == {"${datasource}"}, "an importer's Prometheus has an id of its own"
    assert "id" not in BOARD
    numbers = [panel["id"] for panel in BOARD["panels"]]
    assert len(set(numbers)) == len(numbers)
    taken = {(x, y)
             for place in (panel["gridPos"] for panel in BOARD["panels"])
             for x in range(place["x"], place["x"] + place["w"])
             for y in range(place["y"], place["y"] + place["h"])}  # fmt: skip
    assert len(taken) == sum(panel["gridPos"]["w"] * panel["gridPos"]["h"] for panel in BOARD["panels"]), "none overlap"
    assert max(x for x, _ in taken) < 24
