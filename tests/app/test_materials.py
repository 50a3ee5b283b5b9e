"""What an exercise brings beside its words: pictures, modules that students may read, what their code may use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings import Settings
from tests.conftest import Running, running
from tests.server_process import DOUBLED, one_exercise

PAGE = f"/exercises/{DOUBLED}"
STATEMENT = "Double it.\n\n![Twice as high](figures/bars.svg)\n"
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><script>alert(1)</script></svg>'
TREE = 'class Node:\n    """<b>one</b>"""\n'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that judges nothing, with one exercise."""
    data = tmp_path_factory.mktemp("site")
    exercises = one_exercise(data)
    write(exercises / DOUBLED, {"statement.md": STATEMENT.encode(), "provided/tree.py": TREE.encode()})
    write(exercises / DOUBLED, {"figures/bars.svg": PICTURE, "data/words.txt": b"one two"})
    with (exercises / DOUBLED / "exercise.toml").open("a") as config:
        config.write('[source]\nforbids = ["for"]\n[source.requires]\n"def doubled" = "Define <it>, by `def`."\n')
    with running(Settings(data=data, workers=0, exercises=(exercises,), lessons=(data / "none",))) as site:
        yield site


def write(folder: Path, files: dict[str, bytes]) -> None:
    for path, content in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content)


def test_a_picture_of_the_statement_is_shown_and_runs_no_script(site: Running) -> None:
    with site.client() as client:
        page = client.get(PAGE).raise_for_status().text
        assert f'src="{PAGE}/figures/bars.svg" alt="Twice as high" width="30" height="20"' in page
        answer = client.get(f"{PAGE}/figures/bars.svg").raise_for_status()
    assert (answer.content, answer.headers["content-type"]) == (PICTURE, "image/svg+xml")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy


@pytest.mark.parametrize("name", ["other.svg", "..%2Freference.py", "..%2Fdata%2Fwords.txt", "bars.SVG"])
def test_nothing_else_of_the_folder_is_served(site: Running, name: str) -> None:
    with site.client() as client:
        assert client.get(f"{PAGE}/figures/{name}").status_code == 404


def test_what_is_provided_can_be_read_in_colour_and_data_is_named(site: Running) -> None:
    with site.client() as client:
        page = client.get(PAGE).raise_for_status().text
    assert "<summary><code>provided/tree.py</code></summary>" in page
    assert "<code>from provided.tree import …</code>" in page
    assert '<span class="k">class</span>' in page
    assert "&lt;b&gt;one&lt;/b&gt;" in page
    assert "<code>data/words.txt</code>" in page
    assert "one two" not in page


def test_what_code_may_not_use_is_said_before_it_is_sent(site: Running) -> None:
    with site.client() as client:
        page = client.get(PAGE).raise_for_status().text
    assert (
        "<li>Define &lt;it&gt;, by <code>def</code>.</li><li>Do without <code>for</code> in this exercise.</li>" in page
    )
