"""The editor: it proposes what exists, marks what went wrong where it did, and stays out of the way."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.settings import ROOT
from tests.browser.conftest import Open, box_of, source_of, write_code
from tests.browser.quiet import until_quiet
from tests.waiting import until

EXERCISE = "learned-absolute-position-embedding"
DESK = f"/exercises/{EXERCISE}"
VENDOR = ROOT / "app" / "static" / "vendor"
COMPLETIONS = ROOT / "app" / "static" / "js" / "completions"


NOT_CAST = "def learned_absolute_position_embedding(ids, table):\n    return table[ids]\n"
PROPOSED = {
    "numpy": [
        ("import numpy as np\nx = np.conca", "concatenate", "Join a sequence of arrays"),
        ("import numpy as foo\nx = foo.linalg.nor", "norm", "norm"),
        ("import numpy\nx = numpy.random.default_r", "default_rng", "Generator"),
        ("import numpy as np\nx = table.asty", "astype", "Copy of the array"),
    ],
    "jax": [
        ("import jax.numpy as jnp\nx = jnp.einsu", "einsum", "Einstein"),
        ("import jax\nx = jax.nn.soft_s", "soft_sign", "Soft-sign"),
        ("import jax\nx = x.at[0, 1].se", "set", "x[idx] = y"),
        ("import flax.linen as nn\nx = nn.Dens", "Dense", "linear transformation"),
        ("from flax import linen\nx = linen.Dens", "Dense", "linear transformation"),
    ],
    "torch": [
        ("import torch\nx = torch.unsq", "unsqueeze", "dimension of size one"),
        ("from torch import nn\nx = nn.Lin", "Linear", "affine linear"),
        ("import torch.nn.functional as F\nx = F.gel", "gelu", "gelu"),
    ],
}


@pytest.mark.extra
@pytest.mark.parametrize("framework", PROPOSED)
def test_a_name_of_a_framework_is_proposed_with_what_it_takes_and_does(visit: Open, framework: str) -> None:
    page = visit(DESK)
    page.clock.install()
    for code, label, says in PROPOSED[framework]:
        type_code(page, code)
        expect(chosen(page).locator(".cm-completionLabel")).to_have_text(label)
        expect(page.locator(".cm-completionInfo")).to_contain_text(re.compile(re.escape(says), re.IGNORECASE))
        accept(page, "Tab")
        expect(page.locator("#source")).to_have_value(re.compile(rf"\.{label}$"))


def test_names_of_the_exercise_of_the_source_and_of_python_are_proposed(visit: Open) -> None:
    page = visit(DESK)
    page.clock.install()
    for code, label in [
        ("learned_abs", "learned_absolute_position_embedding"),
        ("embedding_t", "embedding_table"),
        ("my_own_name = 1\nx = my_o", "my_own_name"),
        ("enumer", "enumerate"),
        ("from jax import val", "value_and_grad"),
    ]:
        type_code(page, code)
        expect(chosen(page).locator(".cm-completionLabel")).to_have_text(label)
        accept(page, "Enter")
        expect(page.locator("#source")).to_have_value(re.compile(f"{label}$"))


def test_the_files_of_names_are_fetched_when_they_are_needed_and_not_before(visit: Open) -> None:
    page = visit(DESK)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    type_code(page, "x = 1\n")
    until_quiet(page)
    assert not [url for url in asked if "/completions/" in url or "vim" in url]
    with page.expect_response("**/completions/numpy.js"):
        type_code(page, "import numpy as np\nnp.")
    assert [url.rpartition("/")[2] for url in asked if "/completions/" in url] == ["numpy.js"]


def test_the_list_is_closed_by_escape_and_tab_indents_again(visit: Open) -> None:
    page = visit(DESK)
    type_code(page, "import numpy as np\nnp.s")
    chosen(page).wait_for()
    page.keyboard.press("Escape")
    expect(page.locator(".cm-tooltip-autocomplete")).to_have_count(0)
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    assert source(page) == "import numpy as np\n    np.s"
    expect(page.locator(".cm-content")).to_be_focused()


@pytest.mark.extra
def test_nothing_is_proposed_in_a_comment_or_a_string(visit: Open) -> None:
    page = visit(DESK)
    page.clock.install()
    for code, count in (("np.conc", 1), ("# np.conc", 0), ("x = 'np.conc", 0)):
        type_code(page, f"import numpy as np\n{code}")
        if count:
            chosen(page).wait_for()  # what is proposed is fetched
            page.keyboard.press("Escape")
            type_code(page, f"import numpy as np\n{code}")
        pause(page, 500)
        assert page.locator(".cm-tooltip-autocomplete").count() == count, code


def test_escape_then_tab_leaves_also_from_an_open_list_and_a_hint(visit: Open) -> None:
    page = visit(DESK)
    type_code(page, "import numpy as np\nnp.take(a, np.s")
    chosen(page).wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator(".cm-content")).not_to_be_focused()
    assert source(page) == "import numpy as np\nnp.take(a, np.s)"


@pytest.mark.extra
def test_inside_a_call_the_present_parameter_is_marked(visit: Open) -> None:
    page = visit(DESK)
    type_code(page, "import numpy as np\nnp.take(table, ")
    expect(page.locator(".cm-signature")).to_contain_text("np.take(a, indices, axis=None")
    expect(page.locator(".cm-signature b")).to_have_text("indices")
    page.keyboard.type("ids, mode=", delay=30)
    expect(page.locator(".cm-signature b")).to_have_text("mode='raise'")
    page.keyboard.press("End")
    expect(page.locator(".cm-signature")).to_have_count(0)
    type_code(page, "learned_absolute_position_embedding(")
    expect(page.locator(".cm-signature b")).to_have_text("positions: float32[N, T]")

    def is_closed() -> bool:
        page.keyboard.press("Escape")
        return bool(page.locator(".cm-signature").count() == 0)

    until(is_closed, look_seconds=0.05)  # a list that is still being made takes the first Escape


def test_the_pointer_over_a_name_says_what_it_is(visit: Open) -> None:
    page = visit(DESK)
    type_code(page, "import numpy as np\nnp.concatenate\n")
    page.locator(".cm-line").nth(1).hover(position={"x": 70, "y": 10})
    expect(page.locator(".cm-tooltip-hover")).to_contain_text("Join a sequence of arrays")


def test_brackets_indentation_comments_and_lines_are_handled(visit: Open) -> None:
    page = visit(DESK)
    write_code(page, "")
    page.keyboard.type("def f(x):")
    page.keyboard.press("Enter")
    page.keyboard.type("if x:")
    page.keyboard.press("Enter")
    page.keyboard.type("return (x")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    assert source(page) == "def f(x):\n    if x:\n        return (x)\n    "
    page.keyboard.insert_text("pass")  # as typed, but that no list opens for a moment's pause before the next key
    page.keyboard.press("Enter")
    page.keyboard.type("y = 'a")
    assert source(page).endswith("    pass\ny = 'a'")
    page.keyboard.press("ControlOrMeta+/")
    assert source(page).endswith("    pass\n# y = 'a'")
    page.keyboard.press("Alt+ArrowUp")
    assert source(page).endswith("\n# y = 'a'\n    pass")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    page.keyboard.press("Backspace")
    assert source(page).endswith("\n# y = 'a'\npass")


def test_an_error_stands_on_its_line_until_that_line_is_edited(visit: Open) -> None:
    page = visit(DESK)
    write_code(page, NOT_CAST)
    send(page, "Submit")
    expect(marked_lines(page)).to_have_text(["!"])
    expect(page.locator(".cm-words")).to_contain_text("IndexError: ")
    expect(page.locator(".cm-error")).to_have_text("return table[ids]")
    page.keyboard.press("ControlOrMeta+Home")
    page.locator(".cm-content").focus()
    page.keyboard.press("ControlOrMeta+Home")
    page.keyboard.type("# above")
    page.keyboard.press("Enter")
    expect(page.locator(".cm-error")).to_have_text("return table[ids]")
    page.locator(".cm-announced").evaluate(
        """(one) => new MutationObserver(() => { document.said = (document.said ?? "") + one.textContent; })
             .observe(one, { childList: true, subtree: true })"""
    )
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.said?.includes('Line 3. Error: IndexError')")
    page.keyboard.press("End")
    page.keyboard.type("x")
    expect(page.locator(".cm-error")).to_have_count(0)
    expect(page.locator(".cm-words")).to_have_count(0)
    expect(marked_lines(page)).to_have_count(0)


def test_one_fault_is_one_message_in_the_margin(visit: Open) -> None:
    """Python names the `)` of line 3, and the parser in the page the `[` of line 2."""
    page = visit(DESK)
    write_code(page, "def f(x):\n    y = [1, 2\n    return y)\n\n\n")
    expect(marked_lines(page)).to_have_text(["?"])
    send(page, "Submit")
    expect(page.locator(".cm-words")).to_contain_text("SyntaxError: ")
    expect(page.locator(".cm-words")).to_have_count(1)
    expect(marked_lines(page)).to_have_text(["!"])
    expect(marked_lines(page)).to_have_attribute("title", "")  # its words stand below the line
    page.clock.install()
    page.locator(".cm-content").focus()
    page.keyboard.press("ControlOrMeta+Home")
    pause(page, 1200)  # the parser has looked again
    expect(marked_lines(page)).to_have_text(["!"])


@pytest.mark.extra
def test_code_scrolls_sideways_under_the_numbers_of_the_lines_and_not_through_them(visit: Open) -> None:
    for theme in ("light", "dark"):
        page = visit(DESK, theme=theme)
        write_code(page, "x = '" + "M" * 400 + "'")
        page.locator(".cm-scroller").evaluate("(one) => one.scrollTo(300, 0)")
        gutter: str = page.locator(".cm-gutters").evaluate("(one) => getComputedStyle(one).backgroundColor")
        assert gutter == page.evaluate("getComputedStyle(document.body).backgroundColor"), theme
        assert "/" not in gutter
        box = box_of(page.locator(".cm-gutters"))
        on_top: bool = page.locator(".cm-gutters").evaluate(
            """(one, [x, y]) => one.contains(one.getRootNode().elementFromPoint(x, y))""",
            [box["x"] + box["width"] - 3, box["y"] + 16],
        )
        assert on_top


def test_marks_come_back_with_the_verdict_and_only_where_the_source_is_as_it_was_sent(visit: Open) -> None:
    page = visit(DESK)
    write_code(page, NOT_CAST)
    send(page, "Submit")
    page.locator(".cm-error").wait_for()
    write_code(page, f"# another first line\n{NOT_CAST}")
    expect(page.locator(".cm-error")).to_have_count(0)
    page.reload()
    expect(page.locator(".cm-error")).to_have_text("return table[ids]")
    write_code(page, "something = 'else'\n")
    page.reload()
    page.locator("#verdict .panel").wait_for()
    expect(page.locator(".cm-error")).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 360])
def test_the_shapes_of_a_trace_stand_beside_the_lines_and_are_never_wider_than_the_editor(
    visit: Open, width: int
) -> None:
    page = visit(DESK, width=width)
    write_code(page, source_of(EXERCISE, "reference.py"))
    send(page, "Trace")
    assert "(N, T)" in "".join(page.locator(".cm-shapes").all_text_contents())
    wide: list[str] = page.locator(".cm-shapes").evaluate_all(
        """(all) => all.filter((one) => one.getBoundingClientRect().right >
             one.getRootNode().host.getBoundingClientRect().right + 1).map((one) => one.textContent)"""
    )
    assert wide == []
    page.get_by_role("button", name="Hide the shapes beside your lines").click()
    expect(page.locator(".cm-shapes")).to_have_count(0)
    expect(page.locator(".cm-content")).to_be_focused()
    send(page, "Trace")
    page.locator(".cm-shapes").first.wait_for()
    page.locator(".cm-content").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".cm-shapes")).to_have_count(0)


def test_what_python_cannot_read_is_marked_once_the_cursor_left_the_line(visit: Open) -> None:
    page = visit(DESK)
    page.clock.install()
    type_code(page, "x = (1, 2\n\ny = 3\n")
    expect(marked_lines(page)).to_have_text(["?"])
    expect(marked_lines(page).first).to_have_attribute("title", "This ( is never closed.")
    page.keyboard.press("ControlOrMeta+Home")
    page.keyboard.press("End")
    expect(marked_lines(page)).to_have_count(0)
    page.keyboard.type(")")
    page.keyboard.press("ControlOrMeta+End")
    pause(page, 1200)
    expect(marked_lines(page)).to_have_count(0)


@pytest.mark.extra
def test_nothing_that_python_reads_is_marked(visit: Open) -> None:
    page = visit(DESK)
    files = sorted([*ROOT.glob("exercises/*/starter.py"), *ROOT.glob("exercises/*/solutions/*.py")])
    assert len(files) > 5
    page.clock.install()
    for part in (files[0::3], files[1::3], files[2::3]):  # all of them are more than a draft may hold
        code = "\n\n".join(file.read_text() for file in part) + "\n\n"
        write_code(page, f"{code}x = (1, 2\n\ny = 3\n")  # the first fault is marked, and it is this one

        def is_marked() -> bool:
            for chord in ("Home", "End"):  # it looks again after each move
                page.keyboard.press(f"ControlOrMeta+{chord}")
            pause(page, 1000)
            return bool(marked_lines(page).count())

        until(is_marked)
        expect(marked_lines(page)).to_have_attribute("title", "This ( is never closed.")


def test_starting_over_is_one_step_that_can_be_undone(visit: Open) -> None:
    page = visit(DESK)
    starter = source(page)
    write_code(page, "mine = 1\nalso_mine = 2\n")
    page.get_by_role("button", name="Reset code").click()
    expect_source(page, starter)
    page.locator(".cm-content").focus()
    page.keyboard.press("ControlOrMeta+z")
    expect_source(page, "mine = 1\nalso_mine = 2\n")


@pytest.mark.extra
def test_the_size_of_the_letters_is_remembered(visit: Open) -> None:
    page = visit(DESK)
    usual = letters(page)
    page.get_by_text("Editor settings").click()
    page.get_by_role("button", name="larger font").click()
    page.get_by_role("button", name="larger font").click()
    larger = letters(page)
    assert larger > usual
    page.reload()
    assert letters(page) == larger
    page.get_by_text("Editor settings").click()
    for _ in range(3):
        page.get_by_role("button", name="smaller font").click()
    expect(page.get_by_role("button", name="smaller font")).to_be_disabled()
    assert letters(page) < usual


def test_vim_is_a_switch_that_is_remembered_and_leaves_the_ways_out(visit: Open) -> None:
    page = visit(DESK)
    write_code(page, "first\nsecond\n")
    page.get_by_text("Editor settings").click()
    page.get_by_label("Vim key bindings").check()
    expect(page.locator(".cm-vim-panel")).to_contain_text("NORMAL")
    page.locator(".cm-content").focus()
    page.keyboard.type("ggdd")
    expect_source(page, "second\n")
    page.keyboard.type("ithe ")
    expect(page.locator(".cm-vim-panel")).to_contain_text("INSERT")
    page.keyboard.press("Escape")
    expect_source(page, "the second\n")
    page.keyboard.type(":w")
    page.keyboard.press("Enter")
    expect(page.locator(".cm-vim-panel")).to_contain_text("drafts are saved automatically")
    expect(page.locator(".cm-content")).to_be_focused()
    expect(page.locator("#verdict .panel")).to_have_count(0)
    page.reload()
    expect(page.locator(".cm-vim-panel")).to_contain_text("NORMAL")
    page.locator(".cm-content").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator(".cm-content")).not_to_be_focused()
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+Enter")
    page.locator("#verdict .panel").wait_for()
    page.get_by_text("Editor settings").click()
    page.get_by_label("Vim key bindings").uncheck()
    expect(page.locator(".cm-vim-panel")).to_have_count(0)


@pytest.mark.extra
def test_vims_searches_are_of_the_code_and_what_it_says_leaves_the_focus_in_the_editor(visit: Open) -> None:
    page = visit(DESK)
    write_code(page, "alpha\nbeta one\ngamma\nbeta two\n")
    page.get_by_text("Editor settings").click()
    page.get_by_label("Vim key bindings").check()
    page.locator(".cm-vim-panel").wait_for()
    page.locator(".cm-content").focus()
    line = page.locator(".cm-activeLine")
    page.keyboard.type("gg")
    expect(page.get_by_text("Saved", exact=False).first).to_be_visible()
    page.clock.install()  # no time passes: nothing is saved by itself
    page.clock.pause_at(datetime.now(UTC) + timedelta(days=1))
    page.keyboard.type("x:w")
    with page.expect_response("**/drafts/*"):
        page.keyboard.press("Enter")
    page.clock.resume()
    expect(page.locator(".cm-content")).to_be_focused()
    for keys, found in [
        ("/beta", "beta one"),
        ("n", "beta two"),
        ("N", "beta one"),
        ("?gamma", "gamma"),
        ("n", "gamma"),
    ]:
        page.keyboard.type(keys)
        if len(keys) > 1:
            page.keyboard.press("Enter")
        expect(line).to_have_text(found)
        expect(page.locator("#palette")).to_be_hidden()
    for command in (":nothing", "/nothing"):
        page.keyboard.type(command)
        page.keyboard.press("Enter")
        expect(page.locator(".cm-vim-panel")).to_contain_text("nothing")
        expect(page.locator(".cm-content")).to_be_focused()
    page.keyboard.type("gg/f8")
    page.keyboard.press("Escape")
    expect_source(page, "lpha\nbeta one\ngamma\nbeta two\n")


ABOVE_THE_KEYS = """() => {
    const line = document.querySelector(".editor").shadowRoot.querySelector(".cm-activeLine");
    return line.getBoundingClientRect().bottom <= document.querySelector(".touch-keys").getBoundingClientRect().top + 1;
}"""


def test_a_row_of_keys_stands_above_a_phones_keyboard_while_one_types_and_keeps_the_focus(visit: Open) -> None:
    page = visit(DESK, width=360, height=440, has_touch=True, is_mobile=True)  # the rest is the keyboard
    keys = page.get_by_role("group", name="Keys for code")
    expect(keys).to_be_hidden()
    write_code(page, "")
    expect(keys).to_be_in_viewport()
    boxes: list[list[float]] = keys.locator("button").evaluate_all(
        "(all) => all.map((one) => [one.getBoundingClientRect().width, one.getBoundingClientRect().height])"
    )
    assert min(side for box in boxes for side in box) >= 44
    bar = box_of(page.locator(".actions"))
    row = box_of(keys)
    assert row["y"] + row["height"] == pytest.approx(bar["y"], abs=1)
    assert bar["y"] + bar["height"] == pytest.approx(440, abs=1)
    for name in ("Indent", "Opening bracket", "Underscore", "Cursor right", "Colon", "Dedent"):
        keys.get_by_role("button", name=name, exact=True).tap()
        expect(page.locator(".cm-content")).to_be_focused()
    expect_source(page, "[_]:")
    offered = set("".join(keys.locator("[data-types]").all_text_contents()))
    assert offered >= set("()[]{}:_=,.+-*/@<>'\"#")
    write_code(page, "\n".join(f"line_{n} = {n}" for n in range(40)))
    for chord in ("Home", "End"):
        page.keyboard.press(f"ControlOrMeta+{chord}")
        page.wait_for_function(ABOVE_THE_KEYS)
    page.locator("h1").tap()
    expect(keys).to_be_hidden()
    page.locator(".cm-line", has_text="line_39").tap()
    expect(keys).to_be_visible()
    page.wait_for_function(ABOVE_THE_KEYS)
    page.get_by_role("button", name="Run", exact=True).tap()  # the row goes; the buttons stay under the finger
    page.locator("#verdict .panel").wait_for()
    expect(keys).to_be_hidden()


def test_beside_a_keyboard_there_is_no_row_of_keys(visit: Open) -> None:
    page = visit(DESK, width=360)
    page.locator(".cm-content").click()
    expect(page.locator(".touch-keys")).to_be_hidden()


def test_a_phone_has_buttons_for_the_keys_it_lacks_and_letters_that_do_not_zoom(visit: Open) -> None:
    page = visit(DESK, width=360, has_touch=True, is_mobile=True)
    assert letters(page) >= 16
    write_code(page, "x = 1")
    page.clock.install()
    page.get_by_role("button", name="Indent").click()
    expect_source(page, "    x = 1")
    page.clock.fast_forward(600)  # what is done in one moment is undone in one step
    page.get_by_role("button", name="Dedent").click()
    expect_source(page, "x = 1")
    page.get_by_role("button", name="Undo").click()
    expect_source(page, "    x = 1")
    page.get_by_role("button", name="Redo").click()
    expect_source(page, "x = 1")


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_moves_when_the_editor_takes_the_place_of_the_textarea(visit: Open, width: int) -> None:
    page = visit(DESK, width=width)
    page.locator(".cm-content").wait_for()
    boxes: list[list[float]] = page.locator(".editor").evaluate(
        """(editor) => {
             const box = (one) => ['x', 'y', 'width', 'height'].map((side) => one.getBoundingClientRect()[side]);
             const source = document.getElementById("source");
             const now = box(editor);
             editor.style.setProperty("display", "none");
             source.hidden = false;
             return [now, box(source)];
           }"""
    )
    assert boxes[0] == pytest.approx(boxes[1], abs=0.5)


def test_the_bundles_hold_what_their_entries_name() -> None:
    assert exported("codemirror.js") == named("codemirror.entry.js")
    assert exported("vim.js") == named("vim.entry.js")
    assert exported("author.js") == {"markdown", "toml"}
    # What the others take of the first is there: two copies of CodeMirror would not know each other.
    for other in ("vim.js", "author.js"):
        taken = re.findall(r'import\{([^}]*)\}from"\./codemirror\.js"', (VENDOR / other).read_text())
        wanted = {one.split(" as ")[0].strip() for group in taken for one in group.split(",")}
        assert wanted
        assert wanted <= exported("codemirror.js")


@pytest.mark.extra
def test_every_name_that_is_proposed_exists_and_the_files_are_of_the_pinned_versions() -> None:
    locks = "\n".join((ROOT / f"requirements{name}.lock").read_text() for name in ("", "-torch"))
    pins = dict(re.findall(r"^([\w-]+)==([\w.]+)", locks, re.MULTILINE))
    names: dict[str, list[str]] = {}
    for file in sorted(COMPLETIONS.glob("*.js")):
        held = read(file)
        assert held["version"].partition("+")[0] == pins[file.stem], f"run {COMPLETIONS.name}/make.py"
        names |= {path: list(members) for path, members in held["modules"].items()}
    assert sum(map(len, names.values())) > 800
    done = subprocess.run(
        [sys.executable, "-P", "-c", GONE, str(COMPLETIONS)], input=json.dumps(names), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


GONE = """
import json, sys
sys.path.append(sys.argv[1])
import make
names = json.load(sys.stdin)
all_of = [(make.resolved(path), path, name) for path in names for name in names[path]]
print(json.dumps([f"{path}.{name}" for holder, path, name in all_of if not hasattr(holder, name)]))
"""


def read(file: Path) -> dict[str, Any]:
    held: dict[str, Any] = json.loads(file.read_text().partition("export default ")[2].rstrip(";\n"))
    return held


def named(entry: str) -> set[str]:
    groups = re.findall(r"^export \{([^}]*)\}", (VENDOR / entry).read_text(), re.MULTILINE)
    return {one.strip() for group in groups for one in group.split(",") if one.strip()}


def exported(bundle: str) -> set[str]:
    (group,) = re.findall(r"export\{([^}]*)\};?\s*$", (VENDOR / bundle).read_text())
    return {one.rpartition(" as ")[2].strip() for one in group.split(",")}


def type_code(page: Page, code: str) -> None:
    """Over what is there; the last line key by key, as nothing is proposed for what was pasted."""
    before, newline, last = code.rpartition("\n")
    write_code(page, before + newline or "x")
    page.locator(".cm-content[aria-autocomplete=list]").wait_for()  # what helps comes with the first focus
    if not newline:
        page.keyboard.press("Backspace")
    page.keyboard.type(last, delay=10)


def accept(page: Page, key: str) -> None:
    """Not in the moment in which the list opens: then the key would still mean what it meant before."""

    def is_taken() -> bool:
        page.clock.fast_forward(150)
        page.keyboard.press(key)
        return not chosen(page).count()

    until(is_taken)  # a list that was made once more just then takes no key either


def pause(page: Page, milliseconds: int) -> None:
    """Nobody types for so long by the page's clock, and what waits for that is done."""
    for _ in range(3):  # what waits for a pause may wait once more
        page.clock.fast_forward(milliseconds)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def chosen(page: Page) -> Any:
    return page.locator(".cm-tooltip-autocomplete [aria-selected=true]")


def marked_lines(page: Page) -> Any:
    """The signs in the gutter, without the one that only keeps its width."""
    return page.locator(".cm-marks .cm-gutterElement:not([style*='visibility']) span")


def send(page: Page, name: str) -> None:
    with page.expect_response(lambda answer: answer.url.endswith("/submissions")):
        page.get_by_role("button", name=name, exact=True).click()
    page.locator("#verdict:not([aria-busy]) .panel[data-state=finished]").wait_for()


def letters(page: Page) -> float:
    size: str = page.locator(".cm-content").evaluate("(one) => getComputedStyle(one).fontSize")
    return float(size.removesuffix("px"))


def source(page: Page) -> str:
    held: str = page.locator("#source").input_value()
    return held


def expect_source(page: Page, text: str) -> None:
    expect(page.locator("#source")).to_have_value(text)
