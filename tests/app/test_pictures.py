"""Pictures that authors add: what is stored draws, and does nothing else."""

import struct
import zlib

import pytest

from app.content.picture import size_of
from app.teaching.pictures import safe_picture
from app.web.errors import Invalid, TooLarge


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int = 3, height: int = 2, data: bytes | None = None, between: bytes = b"", after: bytes = b"") -> bytes:
    rows = b"".join(b"\0" + b"\x10\x80\xff" * width for _ in range(height)) if data is None else data
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = header + between + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body + after


def svg(inner: str, top: str = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"') -> bytes:
    return f"<svg {top}>{inner}</svg>".encode()


def test_a_png_loses_all_that_does_not_draw() -> None:
    hidden = chunk(b"tEXt", b"Comment\0<script>alert(1)</script>") + chunk(b"eXIf", b"GPS: at home")
    found = safe_picture(png(between=hidden, after=b"PK\x03\x04 a ZIP behind the end <script>"))
    assert found.content == png()
    assert (found.suffix, found.width, found.height) == (".png", 3, 2)


def test_a_png_that_unfolds_to_more_than_its_size_is_refused() -> None:
    bomb = png(data=bytes(50 << 20))
    assert len(bomb) < 100_000
    with pytest.raises(Invalid, match="unfolds to more than its size"):
        safe_picture(bomb)
    with pytest.raises(TooLarge, match="pixels"):
        safe_picture(png(9_000, 9_000, data=b""))


def test_a_damaged_png_is_refused() -> None:
    whole = png(200, 200)
    for broken in (whole[:-30], whole[:30], whole.replace(b"\x08\x02", b"\x08\x06", 1), png(5, 5, data=b"\0")):
        with pytest.raises(Invalid, match="damaged"):
            safe_picture(broken)


def test_a_photograph_keeps_which_way_is_up_and_not_where_it_was_taken() -> None:
    entries = struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0) + struct.pack("<HHII", 0x8825, 4, 1, 200)
    exif = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 2) + entries + b"\0\0\0\0" + b"52.5 north 13.4 east"
    frame = b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", 7, 9) + b"\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00"
    scan = b"\xff\xda\x00\x0c\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00" + b"\x01\xff\x00\x02\xff\xd0\x03"
    remark = b"\xff\xfe\x00\x12<script>evil</s>"
    taken = b"\xff\xd8\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + remark + frame + scan + b"\xff\xd9<html>"
    found = safe_picture(taken)
    assert (found.suffix, found.width, found.height) == (".jpg", 9, 7)
    for gone in (b"north", b"script", b"html"):
        assert gone in taken
        assert gone not in found.content
    assert struct.pack("<HHIH", 0x0112, 3, 1, 6) in found.content
    assert found.content.endswith(scan + b"\xff\xd9")
    assert safe_picture(found.content).content == found.content


def test_a_webp_keeps_its_picture_alone() -> None:
    def piece(name: bytes, data: bytes) -> bytes:
        return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    lossless = b"\x2f" + struct.pack("<I", 8 | 4 << 14) + b"\0" * 20
    wide = piece(b"VP8X", b"\x2c\0\0\0" + b"\x08\0\0\x04\0\0")
    body = wide + piece(b"EXIF", b"at home") + piece(b"VP8L", lossless) + piece(b"XMP ", b"<x/>")
    found = safe_picture(b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body + b"more")
    assert (found.suffix, found.width, found.height) == (".webp", 9, 5)
    assert b"home" not in found.content
    assert b"more" not in found.content
    assert found.content[20] == 0  # no flag promises what is gone


ATTACKS = {
    "a script": "<script>alert(1)</script>",
    "a handler": '<rect width="1" height="1" onload="alert(1)"/>',
    "a link": '<a href="javascript:alert(1)"><text>here</text></a>',
    "another site": '<image href="https://elsewhere.example/x.png" width="1" height="1"/>',
    "an SVG in an SVG": '<image href="data:image/svg+xml;base64,PHN2Zz4=" width="1" height="1"/>',
    "HTML": '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="//x.example"/></body>'
    "</foreignObject>",
    "a script by another name": '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>',
    "HTML's script": '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>',
    "an animated link": '<rect><animate attributeName="href" to="javascript:alert(1)"/></rect>',
    "a fetching style": "<style>@import 'https://elsewhere.example/a.css';</style>",
    "a fetching fill": '<rect fill="url(https://elsewhere.example/#a)"/>',
    "a disguised fetch": '<rect style="fill:u\\72l(https://elsewhere.example)"/>',
    "a fetch behind a comment": '<rect style="fill:/* */url(  //elsewhere.example)"/>',
    "other documents": '<use href="other.svg#x"/>',
    "a style in CDATA": "<style><![CDATA[a{background:url(//elsewhere.example)}]]></style>",
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_an_svg_does_nothing_but_draw(attack: str) -> None:
    clean = safe_picture(svg(attack + '<path d="M0 0h4"/>')).content.decode()
    assert '<path d="M0 0h4"></path>' in clean  # the rest is still drawn
    for word in (
        "script",
        "alert",
        "onload",
        "elsewhere",
        "example",
        "svg+xml",
        "foreignObject",
        "<a",
        "import",
        "other.svg",
    ):
        assert word not in clean, clean


def test_an_svg_keeps_what_drawing_programs_write() -> None:
    drawn = (
        "<style>*{stroke-linejoin: round} @media (prefers-color-scheme: dark){path{stroke:#fff}}</style>"
        '<defs><clipPath id="c"><rect width="4" height="3"/></clipPath></defs>'
        '<g clip-path="url(#c)"><use href="#m" x="1"/></g><text font-size="2">a &lt; b &amp; c</text>'
    )
    clean = safe_picture(
        b'<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">' + svg(drawn)
    )
    text = clean.content.decode()
    assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3">')
    for kept in ("stroke-linejoin", "prefers-color-scheme", 'clip-path="url(#c)"', 'href="#m"', "a &lt; b &amp; c"):
        assert kept in text
    assert size_of(clean.content) == (4, 3)
    assert safe_picture(clean.content).content == clean.content


def test_an_svg_that_grows_is_refused() -> None:
    entity = b'<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>' + svg("<text>&b;</text>")
    with pytest.raises(Invalid, match="entities"):
        safe_picture(entity)
    uses = [f'<use href="#g{n}"/>' * 10 for n in range(9)]
    groups = "".join(f'<g id="g{n + 1}">{ten}</g>' for n, ten in enumerate(uses))
    with pytest.raises(TooLarge, match="again"):
        safe_picture(svg('<g id="g0"><rect/></g>' + groups))
    with pytest.raises(TooLarge, match="in one another"):
        safe_picture(svg("<g>" * 100 + "</g>" * 100))


@pytest.mark.parametrize("content", [b"", b"GIF89a", b"<html><body>", b"%PDF-1.7", b"\x89PNG", b"not a picture"])
def test_nothing_else_is_a_picture(content: bytes) -> None:
    with pytest.raises(Invalid, match="no picture"):
        safe_picture(content)
