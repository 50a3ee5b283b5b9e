"""A picture that moves by itself: a reader holds it, and lets it go on."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from app.settings import Settings
from tests.browser.conftest import LOOKS, Open
from tests.browser.soundness import assert_sound
from tests.conftest import Running, running
from tests.waiting import until

PATH = "/courses/moving/pictures"
FILES = {
    "course.toml": 'title = "Moving"\nblurb = "Pictures that move."\n',
    "01-pictures.md": "---\ntitle: Pictures\nsummary: One that moves.\n---\nA bar and a square.\n\n"
    ":::{figure} figures/bar.svg\n:alt: A bar that goes to the right\nIt moves.\n:::\n\n"
    ":::{figure} figures/bar.svg\n:alt: Another bar\nIt moves, too.\n:::\n\n"
    ":::{figure} figures/square.svg\n:alt: A square\nIt does not.\n:::\n",
    "figures/bar.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 40" width="400" height="40"><style>'
    ".bar{animation:go 20s linear infinite}@keyframes go{to{transform:translateX(380px)}}"
    "@media (prefers-reduced-motion:reduce){.bar{animation:none}}"
    '</style><rect class="bar" width="20" height="40" fill="#1f5f9f"/></svg>\n',
    "figures/square.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">'
    '<rect width="40" height="40" fill="#1f5f9f"/></svg>\n',
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("moving")
    for name, text in FILES.items():
        path = folder / "lessons" / "moving" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "exercises").mkdir()
    settings = Settings(
        workers=0, data=folder / "data", rate_limits="off",
        exercises=(folder / "exercises",), lessons=(folder / "lessons",),
    )  # fmt: skip
    with running(settings) as server:
        yield server


def until_moved(picture: Locator, before: bytes) -> None:
    until(lambda: picture.screenshot() != before, "it stands still", look_seconds=0.1)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_a_picture_that_moves_is_held_and_goes_on_from_there(visit: Open, width: int, theme: str) -> None:
    page = visit(PATH, width=width, theme=theme)
    pause = page.get_by_role("button", name="Pause this picture")
    expect(pause).to_have_count(0)  # they do not move for a reader who asks for less motion
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    page.reload()
    picture, other = (page.get_by_role("img", name=name) for name in ("A bar that goes to the right", "Another bar"))
    expect(pause).to_have_count(2)  # the one that stands still has none
    until_moved(picture, picture.screenshot())
    page.clock.fast_forward(3000)
    pause.first.click()
    expect(picture).to_have_attribute("src", re.compile("^data:image/svg"))
    picture.evaluate("(one) => one.decode()")
    held = picture.screenshot()
    until_moved(other, other.screenshot())
    assert picture.screenshot() == held
    begins = picture.evaluate("""async (one) => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 40 });
        const copy = new Image();
        copy.src = one.src;
        await copy.decode();
        const context = canvas.getContext("2d");
        context.drawImage(copy, 0, 0);
        return context.getImageData(5, 20, 1, 1).data[3];
    }""")
    assert begins == 0, "where it began stands nothing any more"
    assert_sound(page, width, theme)
    page.get_by_role("button", name="Play this picture").click()
    until_moved(picture, held)
    expect(pause).to_have_count(2)
