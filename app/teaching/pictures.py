"""Pictures that authors paste or drop: looked at, cleaned, and only then stored in `figures/`.

attack: a picture made to break the program that decodes it. defence: no decoder runs here at all. PNG, JPEG and WebP
are read as what they are outside, a row of chunks with lengths, and put together again from those chunks that draw
something; decoding is left to each reader's browser, behind its own sandbox.
attack: a PNG that is a web page too, or a ZIP, or has a script behind its end. defence: what is no chunk of the format
is not in the file that comes out.
attack: where and with whose telephone a photograph was taken. defence: metadata is left out; of EXIF only which way is
up stays, one number.
attack: ten kilobytes that unfold to ten gigabytes in every student's browser. defence: a cap on width, height and
their product, and a PNG's data is unfolded once, into nothing, and must be as long as its size says.
attack: an SVG with a script in it, a link to another site, an entity that grows, a style sheet that fetches. defence:
expat reads it, any declaration of a document type ends the reading, and what comes out is written again from a list of
elements and attributes that draw; what is not on the list is not written. The address that serves figures forbids
scripts besides (`app.web.pictures`).
"""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from app.content.picture import size_of
from app.web.errors import Invalid, TooLarge
from graders.text import is_storable

MAX_PICTURE_BYTES = (
    960 << 10
)  # a request may have a megabyte; the editor makes photographs smaller before it sends them
MAX_SIDE = 10_000
MAX_PIXELS = 40_000_000
MAX_ELEMENTS = 20_000
MAX_DEPTH = 60


@dataclass(frozen=True)
class Picture:
    """A picture that is safe to store and serve. `suffix`: `.png`, `.jpg`, `.webp` or `.svg`."""

    content: bytes
    suffix: str
    width: int
    height: int


class _Broken(Exception):
    """Not what it seemed to be; the words say where it ends to be so."""


def safe_picture(content: bytes) -> Picture:
    """The picture in `content`, whatever it was called. Raises Invalid and TooLarge."""
    suffix = _suffix_of(content)
    if suffix is None:
        message = "This is no picture that Lectern can show."
        raise Invalid(message, "Save it as PNG, JPEG, WebP or SVG and add it again.")
    if len(content) > MAX_PICTURE_BYTES:
        hint = "Make it smaller: 1,600 pixels are as wide as any page shows it."
        raise TooLarge(f"The picture has {len(content):,} bytes; {MAX_PICTURE_BYTES >> 10} KiB are allowed.", hint)
    try:
        clean = _CLEANED[suffix](content)
    except (_Broken, struct.error, zlib.error, IndexError) as broken:
        reason = f": {broken}" if isinstance(broken, _Broken) else ""
        raise Invalid(f"The picture is damaged{reason}.", "Open it in a picture editor and save it again.") from None
    size = size_of(clean)
    if size is None:
        hint = "Save it again with a width and a height."
        raise Invalid(f"The picture does not say how large it is, or is wider or higher than {MAX_SIDE:,}.", hint)
    width, height = size
    if suffix != ".svg" and (max(size) > MAX_SIDE or width * height > MAX_PIXELS):
        message = f"The picture is {width:,} by {height:,} pixels; {MAX_PIXELS // 1_000_000} million are allowed."
        raise TooLarge(message, "Make it smaller: 1,600 pixels are as wide as any page shows it.")
    return Picture(clean, suffix, width, height)


def _suffix_of(content: bytes) -> str | None:
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return ".png"
    if content.startswith(b"\xff\xd8\xff"):
        return ".jpg"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return ".webp"
    if re.search(rb"<(?:[A-Za-z]\w*:)?svg[\s>]", content[:4096]):
        return ".svg"
    return None


# ---- PNG: chunks of length, name, data and checksum --------------------------------------------------------------

_DRAWING = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"bKGD", b"pHYs"}
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def _png(content: bytes) -> bytes:
    """An animation keeps its first picture; a colour profile, which is a file of its own, goes."""
    kept, data, header = [content[:8]], [], b""
    at = 8
    while at < len(content):
        length, name = struct.unpack(">I4s", content[at : at + 8])
        end = at + 12 + length
        if end > len(content):
            raise _Broken("it ends in the middle")
        if zlib.crc32(content[at + 4 : end - 4]) != int.from_bytes(content[end - 4 : end], "big"):
            raise _Broken("a checksum does not match")
        if name in _DRAWING:
            kept.append(content[at:end])
        header = content[at + 8 : end - 4] if name == b"IHDR" and not header else header
        if name == b"IDAT":
            data.append(content[at + 8 : end - 4])
        if name == b"IEND":
            _require_png_data(header, b"".join(data))
            return b"".join(kept)
        at = end
    raise _Broken("its end is missing")


def _require_png_data(header: bytes, data: bytes) -> None:
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE and width * height <= MAX_PIXELS):
        message = f"The picture is {width:,} by {height:,} pixels; {MAX_PIXELS // 1_000_000} million are allowed."
        raise TooLarge(message, "Make it smaller: 1,600 pixels are as wide as any page shows it.")
    if colour not in _CHANNELS or depth not in (1, 2, 4, 8, 16):
        raise _Broken("it has colours of an unknown kind")
    row = 1 + -(-width * _CHANNELS[colour] * depth // 8)
    most = row * height + (8 * (height + width) if interlaced else 0)  # interlacing repeats the start of some rows
    unfold, length, rest = zlib.decompressobj(), 0, data
    while not unfold.eof:
        piece = unfold.decompress(rest, 1 << 20)
        length, rest = length + len(piece), unfold.unconsumed_tail
        if length > most:
            raise _Broken("it unfolds to more than its size")
        if not piece and not rest:
            break
    if length < row * height and not interlaced:
        raise _Broken("it ends in the middle")


# ---- JPEG: segments up to the scan, then data up to the end --------------------------------------------------------


def _jpeg(content: bytes) -> bytes:
    """JFIF's and Adobe's own segments stay, which say what the colours mean; EXIF becomes one number."""
    kept, at, is_drawn = [content[:2]], 2, False
    while at + 4 <= len(content):
        if content[at] != 0xFF:
            raise _Broken("a segment does not begin where it should")
        kind = content[at + 1]
        if kind == 0xFF:  # filling
            at += 1
            continue
        if kind == 0xD9:
            break
        end = at + 2 + int.from_bytes(content[at + 2 : at + 4], "big")
        if end > len(content) or end < at + 4:
            raise _Broken("it ends in the middle")
        segment = content[at:end]
        if kind == 0xDA:  # the scan, and its data up to the next marker that is no restart
            following = _after_scan(content, end)
            kept.append(content[at:following])
            at, is_drawn = following, True
            continue
        if kind == 0xE1 and segment[4:10] == b"Exif\0\0":
            kept.append(_upright(segment[10:]))
        elif kind == 0xE0 and segment[4:9] == b"JFIF\0":
            kept.append(b"\xff\xe0\x00\x10" + segment[4:16] + b"\0\0")  # without the small picture that may follow
        elif (kind == 0xEE and segment[4:9] == b"Adobe") or not (0xE0 <= kind <= 0xEF or kind == 0xFE):
            kept.append(segment)
        at = end
    if not is_drawn:
        raise _Broken("it draws nothing")
    return b"".join([*kept, b"\xff\xd9"])


def _after_scan(content: bytes, at: int) -> int:
    while (at := content.find(b"\xff", at)) >= 0 and at + 1 < len(content):
        if content[at + 1] != 0 and not 0xD0 <= content[at + 1] <= 0xD7:
            return at
        at += 2
    return len(content)  # its end is missing: ours is put there


def _upright(tiff: bytes) -> bytes:
    """An EXIF segment of its one number that changes the picture: 1 to 8, which way it was turned; or nothing."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None or len(tiff) < 14:
        return b""
    (first,) = struct.unpack(order + "I", tiff[4:8])
    (count,) = struct.unpack(order + "H", tiff[first : first + 2].ljust(2, b"\0"))
    for index in range(min(count, 200)):
        entry = tiff[first + 2 + 12 * index : first + 14 + 12 * index]
        if len(entry) == 12 and struct.unpack(order + "HHI", entry[:8]) == (0x0112, 3, 1):
            (turned,) = struct.unpack(order + "H", entry[8:10])
            if 2 <= turned <= 8:
                one = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, turned, 0, 0)
                return b"\xff\xe1" + struct.pack(">H", len(one) + 8) + b"Exif\0\0" + one
    return b""


# ---- WebP: chunks of name, length and data, padded to even lengths -------------------------------------------------


def _webp(content: bytes) -> bytes:
    kept, is_drawn = [], False
    for name, data in _riff(content):
        if name == b"VP8X":  # flags of profile, EXIF, XMP and animation off: none of them is kept
            if len(data) < 10:
                raise _Broken("it ends in the middle")
            kept.append((name, bytes([data[0] & 0x10]) + data[1:10]))
        elif name in (b"VP8 ", b"VP8L") and not is_drawn:
            kept.append((name, data))
            is_drawn = True
        elif name == b"ALPH":
            kept.append((name, data))
        elif name in (b"ANIM", b"ANMF"):
            raise Invalid("The picture moves.", "Save one of its pictures, or describe the movement in steps.")
    if not is_drawn:
        raise _Broken("it draws nothing")
    body = b"".join(name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for name, data in kept)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def _riff(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at, end = 12, min(len(content), 8 + int.from_bytes(content[4:8], "little"))
    while at + 8 <= end:
        name, length = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        if at + 8 + length > end:
            raise _Broken("it ends in the middle")
        yield name, content[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


# ---- SVG: read by expat, written again ------------------------------------------------------------------------------

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_ELEMENTS = frozenset(
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc marker"  # noqa: SIM905
    " linearGradient radialGradient stop pattern clipPath mask image switch style filter feBlend feColorMatrix"
    " feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow"
    " feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight"
    " feSpecularLighting feSpotLight feTile feTurbulence".split()
)
_ATTRIBUTES = frozenset(
    "id class style viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points dx dy rotate pathLength"  # noqa: SIM905
    " transform gradientTransform gradientUnits patternTransform patternUnits patternContentUnits spreadMethod offset"
    " clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient"
    " preserveAspectRatio textLength lengthAdjust startOffset method spacing side version role lang media type"
    " fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit"
    " stroke-dasharray stroke-dashoffset opacity color display visibility overflow clip-path clip-rule mask filter"
    " marker-start marker-mid marker-end stop-color stop-opacity flood-color flood-opacity lighting-color"
    " font-family font-size font-weight font-style font-variant font-stretch text-anchor dominant-baseline"
    " alignment-baseline baseline-shift letter-spacing word-spacing text-decoration text-rendering writing-mode"
    " shape-rendering image-rendering color-interpolation color-interpolation-filters vector-effect paint-order"
    " mix-blend-mode isolation in in2 result mode operator values stdDeviation k1 k2 k3 k4 order kernelMatrix divisor"
    " bias targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant specularConstant specularExponent scale"
    " xChannelSelector yChannelSelector azimuth elevation radius baseFrequency numOctaves seed stitchTiles tableValues"
    " slope intercept amplitude exponent pointsAtX pointsAtY pointsAtZ limitingConeAngle primitiveUnits filterUnits"
    " aria-label aria-labelledby aria-hidden aria-describedby".split()
)
_EMBEDDED = re.compile(r"data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/=\s]*")
# attack: `u\72l(…)`, `@import`, an address behind a comment. defence: comments are passed over as a browser does; a
# style with an escape or an at-rule that could fetch is left out whole; an address may only lead within the picture.
_ESCAPE_OR_FETCH = re.compile(
    r"\\|@(?!media\b)|expression|javascript:|-moz-binding|behavior\s*:|image-set|src\s*\(", re.I
)
_ADDRESS = re.compile(r"url\(\s*([^)]*)\)?", re.IGNORECASE)


def _svg(content: bytes) -> bytes:
    return _SvgWriter().written(content)


class _SvgWriter:
    """One pass: what expat says is there is written if it is on the lists."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.left_out = 0  # depth within an element that is not written
        self.depth = self.elements = 0
        self.style: list[str] | None = None
        self.open: list[str] = []  # the ids of the elements that are open, "" where there is none
        self.uses: dict[str, list[str]] = {}  # by the id of an element: what is drawn again within it

    def written(self, content: bytes) -> bytes:
        parser = expat.ParserCreate(namespace_separator="\n")
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._document_type
        parser.EntityDeclHandler = self._entity
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            raise _Broken(f"line {error.lineno} is not XML") from None
        self._require_few_drawn()
        text = "".join(self.out)
        if not text.startswith("<svg") or not is_storable(text):
            raise _Broken("it does not begin with <svg>")
        return text.encode()

    def _document_type(self, name: str, system: str | None, public: str | None, has_subset: int) -> None:
        """Drawing programs name SVG's own document type, which declares nothing here; it is not written."""
        if has_subset:
            self._entity()

    def _entity(self, *_: object) -> None:
        raise Invalid("This SVG declares entities.", "Save it as plain SVG.")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth, self.elements = self.depth + 1, self.elements + 1
        if self.depth > MAX_DEPTH or self.elements > MAX_ELEMENTS:
            message = f"This SVG has more than {MAX_ELEMENTS:,} elements, or {MAX_DEPTH} in one another."
            raise TooLarge(message, "Save it as PNG.")
        namespace, _, tag = name.rpartition("\n")
        # Without a namespace a browser draws nothing; authors who write by hand forget it.
        is_drawn = namespace in (_SVG, "") and tag in _ELEMENTS and (tag == "svg" or self.depth > 1)
        if self.left_out or not is_drawn:
            self.left_out += 1
            return
        if tag == "style":
            self.style = []
            return
        top = f' xmlns="{_SVG}"' if self.depth == 1 else ""
        held = "".join(f" {key}={quoteattr(value)}" for key, value in self._kept(tag, attributes))
        self.out.append(f"<{tag}{top}{held}>")
        self.open.append(attributes.get("id", ""))
        target = next((value for key, value in attributes.items() if key.rpartition("\n")[2] == "href"), "")
        if tag == "use" and target.startswith("#"):
            for name in {"", *self.open}:
                self.uses.setdefault(name, []).append(target[1:])

    def _end(self, name: str) -> None:
        self.depth -= 1
        if self.left_out:
            self.left_out -= 1
            return
        tag = name.rpartition("\n")[2]
        if tag == "style":
            rules, self.style = "".join(self.style or ()), None
            if is_plain_style(rules):
                self.out.append(f"<style>{escape(rules)}</style>")
            return
        self.out.append(f"</{tag}>")
        self.open.pop()

    def _require_few_drawn(self) -> None:
        """attack: ten <use> of a group that holds ten <use> of another, nine times over, which a browser draws for
        ever. defence: how often that is in all is counted first."""
        known: dict[str, int] = {}

        def drawn(name: str, above: frozenset[str]) -> int:
            if name in above or len(above) > MAX_DEPTH:
                return 0  # a circle, which browsers do not draw
            if name not in known:
                known[name] = min(
                    MAX_ELEMENTS + 1, 1 + sum(drawn(one, above | {name}) for one in self.uses.get(name, ()))
                )
            return known[name]

        if drawn("", frozenset()) > MAX_ELEMENTS:
            raise TooLarge(f"This SVG draws more than {MAX_ELEMENTS:,} things again.", "Save it as PNG.")

    def _text(self, text: str) -> None:
        if self.left_out:
            return
        if self.style is not None:
            self.style.append(text)
        elif self.depth:
            self.out.append(escape(text))

    def _kept(self, tag: str, attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
        for name, value in attributes.items():
            namespace, _, key = name.rpartition("\n")
            if key == "href" and namespace in ("", _XLINK):
                if value.startswith("#") or (tag == "image" and _EMBEDDED.fullmatch(value)):
                    yield "href", value
            elif namespace or key not in _ATTRIBUTES:
                continue
            elif is_plain_style(value):
                yield key, value


def is_plain_style(text: str) -> bool:
    """Whether nothing in a style, or in an attribute that is one, leads out of the picture."""
    if "/*" in text:
        text = re.sub(r"/\*.*?(\*/|$)", " ", text, flags=re.DOTALL)
    if _ESCAPE_OR_FETCH.search(text):
        return False
    return all(address.strip("\"' \t\n").startswith("#") for address in _ADDRESS.findall(text))


_CLEANED = {".png": _png, ".jpg": _jpeg, ".webp": _webp, ".svg": _svg}
