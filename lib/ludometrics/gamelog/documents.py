"""Where a name stands in a file of any kind: text, archives, pictures, arrays, other binaries."""

import bz2
import codecs
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import BinaryIO

from ludometrics.gamelog.spellings import Spellings
from ludometrics.gamelog.structures import MENTION, Mark, find_marks

#: Most bytes that are held at once; what is longer is searched in pieces, as plain text.
MAX_HELD = 32 << 20
#: Most bytes that one file is unpacked to.
MAX_UNPACKED = 4 << 30
#: Archives within archives that are opened.
MAX_NESTED = 4
#: Below this many signs a name is found in any large binary by chance.
MIN_IN_BINARY = 3

_BLOCK = 1 << 20
_TAIL = 4096  # a name of 20 signs, each escaped three times over
_PNG = b"\x89PNG\r\n\x1a\n"
_PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
_DAMAGED = (OSError, EOFError, ValueError, RuntimeError, NotImplementedError, zlib.error, lzma.LZMAError)
_DAMAGED += (zipfile.BadZipFile,)
_SHOWN_ONLY = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".ico"}
_NULS = re.compile(rb"\0+")
_PICTURE_IN_TEXT = re.compile(rb"image/(?:png|jpe?g|gif|webp)[\"']?\s*[:;]")


@dataclass
class Notes:
    """What a search of one file found, and what it could not look into.

    Attributes
    ----------
    marks : list of Mark
    unsearched : list of (part, why)
    pictures : int
        Pictures whose stored text was searched, but not what they show.
    """

    marks: list[Mark] = field(default_factory=list)
    unsearched: list[tuple[str, str]] = field(default_factory=list)
    pictures: int = 0


def search_document(document: bytes | io.RawIOBase, name: str, spellings: Spellings) -> Notes:
    """Search a file for a name.

    Parameters
    ----------
    document : bytes or raw binary file
        Its content, or the file open for reading, at its beginning.
    name : str
        Its name, for the ending.
    spellings : Spellings

    Returns
    -------
    Notes

    Examples
    --------
    >>> search_document(gzip.compress(b"name,points\\nAnn,3\\n"), "a.csv.gz", Spellings("ANN")).marks
    [Mark(part='', kind='name', count=1, where='line 2')]
    """
    notes = Notes()
    raw = io.BytesIO(document) if isinstance(document, bytes) else document
    _Search(spellings, notes).search(io.BufferedReader(raw), PurePath(name), "", 0)  # type: ignore[arg-type]
    return notes


class _Search:
    """One search of one file, archives within it included."""

    def __init__(self, spellings: Spellings, notes: Notes) -> None:
        self.spellings, self.notes, self.left = spellings, notes, MAX_UNPACKED

    def search(self, file: io.BufferedReader, name: PurePath, part: str, nested: int) -> None:
        head = file.peek(16)[:16]
        packed = next((opens for magic, opens in _PACKED.items() if head.startswith(magic)), None)
        if (packed or head.startswith(b"PK\x03\x04")) and nested >= MAX_NESTED:
            self.notes.unsearched.append((part, "archives within archives"))
        elif packed:
            try:
                with packed(file) as inner:
                    self.search(io.BufferedReader(inner), PurePath(name.stem), part, nested + 1)
            except _DAMAGED:
                self.notes.unsearched.append((part, "damaged: it cannot be unpacked to its end"))
        elif head.startswith(b"PK\x03\x04"):
            self._search_zip(file, part, nested)
        elif head.startswith(_PNG):
            self.notes.pictures += 1
            self._take_texts(_png_texts(file), part)
        else:
            self._search_plain(file, name, part, head)

    def _search_zip(self, file: io.BufferedReader, part: str, nested: int) -> None:
        held: BinaryIO = file
        if nested:  # a zip is read from its end
            content = file.read(MAX_HELD + 1)
            if len(content) > MAX_HELD:
                self.notes.unsearched.append((part, "a large archive within an archive"))
                return
            held = io.BytesIO(content)
        try:
            with zipfile.ZipFile(held) as archive:
                for member in archive.infolist():
                    self._search_member(archive, member, part, nested)
        except _DAMAGED:
            self.notes.unsearched.append((part, "damaged: it cannot be opened as an archive"))

    def _search_member(
        self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, part: str, nested: int
    ) -> None:
        inner = f"{part}!{member.filename}" if part else member.filename
        if count := self.spellings.count(member.filename):
            self.notes.marks.append(Mark(inner, MENTION, count, "name of the file"))
        if member.is_dir():
            return
        if member.flag_bits & 1:
            self.notes.unsearched.append((inner, "encrypted"))
            return
        try:
            with archive.open(member) as content:
                self.search(io.BufferedReader(content), PurePath(member.filename), inner, nested + 1)
        except _DAMAGED:
            self.notes.unsearched.append((inner, "damaged: it cannot be unpacked to its end"))

    def _search_plain(self, file: io.BufferedReader, name: PurePath, part: str, head: bytes) -> None:
        suffix = name.suffix.lower()
        self.notes.pictures += suffix in _SHOWN_ONLY
        if head.startswith(b"%PDF"):
            self.notes.unsearched.append((part, "a PDF: most of its text is packed"))
        if head.startswith(b"PAR1"):
            self.notes.unsearched.append((part, "a Parquet file: its columns may be packed"))
        is_array = head.startswith(b"\x93NUMPY")
        held, count, is_text = self._count(file, part, is_array=is_array, suffix=suffix)
        texts = _decode(held, is_text) if held is not None else []
        if count and not texts:
            self.notes.marks.append(Mark(part, MENTION, count, "" if is_text else "bytes"))
        for text in texts if count or suffix == ".ipynb" else ():
            marks = find_marks(text, suffix, self.spellings, picture=_picture_texts)
            for mark in marks:
                inner = f"{part}!{mark.part}" if part and mark.part else part or mark.part
                self.notes.marks.append(mark._replace(part=inner))
            if marks:
                return

    def _count(
        self, file: io.BufferedReader, part: str, *, is_array: bool, suffix: str
    ) -> tuple[bytes | None, int, bool]:
        """Content if it can be held, how often the name stands in it, and whether it is text."""
        held: bytearray | None = bytearray()
        tail, count, all_text, order, too_short = b"", 0, True, _byte_order(file.peek(2)[:2]), False
        for block in self._blocks(file, part):
            is_text = order is not None or _is_text(block)
            all_text &= is_text
            pictures = len(_PICTURE_IN_TEXT.findall(tail + block)) - len(_PICTURE_IN_TEXT.findall(tail))
            self.notes.pictures += pictures if is_text else 0
            if held is not None:
                held += block
                held = held if len(held) <= MAX_HELD else None
            if len(self.spellings.key) < MIN_IN_BINARY and not (
                is_text or _is_text(block.replace(b"\0", b""))
            ):
                too_short = True
            else:
                encodings = _encodings(order, is_text=is_text, is_array=is_array)
                before = self._count_in(tail, encodings) if tail else 0
                count += max(self._count_in(tail + block, encodings) - before, 0)
            tail = (tail + block)[-_TAIL:]
        if too_short and suffix not in _SHOWN_ONLY:
            self.notes.unsearched.append((part, "binary data: the name is too short to be told from chance"))
        return None if held is None else bytes(held), count, all_text

    def _blocks(self, file: io.BufferedReader, part: str) -> Iterator[bytes]:
        while block := file.read(_BLOCK):
            self.left -= len(block)
            if self.left < 0:
                self.notes.unsearched.append((part, f"what lies beyond {MAX_UNPACKED >> 30} GiB"))
                return
            yield block

    def _count_in(self, content: bytes, encodings: Iterable[tuple[str, int]]) -> int:
        texts = (content[shift:].decode(encoding, "replace") for encoding, shift in encodings)
        return max(map(self.spellings.count, texts))

    def _take_texts(self, texts: Iterable[str | None], part: str) -> None:
        count = 0
        for text in texts:
            if text is None:
                self.notes.unsearched.append((part, "damaged: its chunks cannot be read to the end"))
            else:
                count += self.spellings.count(text)
        if count:
            self.notes.marks.append(Mark(part, MENTION, count, "text stored with the picture"))


def _encodings(order: str | None, *, is_text: bool, is_array: bool) -> list[tuple[str, int]]:
    """Encodings that bytes may be in, each with the place where its signs may begin."""
    if is_text:
        return [(order or "utf-8", 0)]
    wide = [(encoding, shift) for encoding in ("utf-16-le", "utf-16-be") for shift in range(2)]
    if is_array:
        wide += [(encoding, shift) for encoding in ("utf-32-le", "utf-32-be") for shift in range(4)]
    return [("utf-8", 0), ("cp1252", 0), *wide]


def _byte_order(head: bytes) -> str | None:
    return {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}.get(head)


def _is_text(block: bytes) -> bool:
    """Tell whether bytes are UTF-8 without NUL, but for signs cut at either end."""
    if b"\0" in block:
        return False
    start = next((place for place in range(min(4, len(block))) if block[place] & 0xC0 != 0x80), 0)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(block[start:])
    except UnicodeDecodeError:
        return False
    return True


def _decode(content: bytes, is_text: bool) -> list[str]:
    """Readings of a whole file as text; none where it is binary."""
    order = _byte_order(content[:2])
    if is_text or order:
        return [content.decode(order or "utf-8", "replace")]
    if b"\0" not in content:
        return [content.decode(encoding, "replace") for encoding in ("utf-8", "cp1252")]
    for encoding, odd in (("utf-16-le", 1), ("utf-16-be", 0)):
        if content[odd::2].count(0) * 3 > len(content) and content[1 - odd :: 2].count(0) * 50 < len(content):
            return [content.decode(encoding, "replace")]
    # A text file in a few parts of which a crash left NULs: they are no part of any name.
    if len(_NULS.findall(content)) * 100 > len(content):
        return []
    try:
        return [content.replace(b"\0", b" ").decode("utf-8")]
    except UnicodeDecodeError:
        return []


def _picture_texts(content: bytes) -> Iterator[str]:
    """Texts stored with a picture that a notebook holds."""
    if content.startswith(_PNG):
        yield from (text for text in _png_texts(io.BytesIO(content)) if text)


def _png_texts(file: BinaryIO) -> Iterator[str | None]:
    """Texts of a PNG; None where it breaks off. Source: PNG specification (W3C), section 11.3.3."""
    file.read(len(_PNG))
    while len(header := file.read(8)) == 8:
        size, kind = int.from_bytes(header[:4], "big"), header[4:]
        if kind not in (b"tEXt", b"zTXt", b"iTXt", b"eXIf"):
            if kind == b"IEND":
                return
            while size > 0 and (piece := file.read(min(size, _BLOCK))):
                size -= len(piece)
            file.read(4)
            continue
        content = file.read(min(size, MAX_HELD))
        file.read(4)
        reader = _CHUNKS[kind]
        try:
            yield reader(content)
        except (ValueError, IndexError, zlib.error):
            yield None
        if len(content) < size:
            break
    yield None


def _compressed_text(content: bytes) -> str:
    keyword, rest = content.split(b"\0", 1)
    return f"{keyword.decode('latin-1')} {_inflate(rest[1:]).decode('latin-1')}"


def _international_text(content: bytes) -> str:
    keyword, rest = content.split(b"\0", 1)
    language, translated, text = rest[2:].split(b"\0", 2)
    text = _inflate(text) if rest[0] else text
    return " ".join(piece.decode("utf-8", "replace") for piece in (keyword, language, translated, text))


def _inflate(content: bytes) -> bytes:
    return zlib.decompressobj().decompress(content, MAX_HELD)


_CHUNKS: dict[bytes, Callable[[bytes], str]] = {
    b"tEXt": lambda content: content.replace(b"\0", b" ").decode("latin-1"),
    b"zTXt": _compressed_text,
    b"iTXt": _international_text,
    b"eXIf": lambda content: content.decode("latin-1"),
}
