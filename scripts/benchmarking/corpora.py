"""The corpora: real text out of Debian packages, the same bytes on every machine that gets the same packages.

English (GCIDE, WordNet glosses, Python's documentation, the Debian handbook, LibreOffice's help, the kernel's documentation) in 1, 10 and
100 MB, each the head of the next, and ten scripts in 10 MB. Nothing is installed: `apt-get download` and `dpkg-deb` unpack into the cache
folder. Another release of a package gives other bytes; the digest then differs, and that is told. Where packages cannot be had, the sources
of Python's own library stand in for 1 and 10 MB of English, under another name.
"""

import gzip
import hashlib
import html
import random
import re
import subprocess
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ENGLISH = ("dict-gcide", "wordnet-base", "python3.11-doc", "debian-handbook", "libreoffice-help-en-us", "linux-doc-6.1")
HELP = ("ru", "ja", "ko", "zh-cn", "el", "hi")
MANUALS = ("ja", "zh", "ru", "pl", "de", "fr")
SCRIPTS = (*(f"libreoffice-help-{code}" for code in HELP), *(f"manpages-{code}" for code in MANUALS), "dict-freedict-eng-ara")
SIZES = {"en1": 10**6, "en10": 10**7, "en100": 10**8, "multi10": 10**7}
DIGESTS = {
    "en1": "c15227e5ac7b3f656b2b3b46e3e47926aab9038edb3f11e0e420f0c5e38aa461",
    "en10": "ad86d517155e3be4a25fba4c7bf3c196f8c65d3cb324c3920dbb373c6e5e6696",
    "en100": "cb0babd632ccadb727fe4e526e22ad4a1b9593f4208dd845f7e1127dcf246482",
    "multi10": "420d5d4f5244bb8ecb38f3662b7fa89a6032bee3931f954a90a6ca70df804af7",
}
CHUNK = 1 << 16  # characters of a dictionary that make a document
DOWNLOAD_S = 600.0
FIRST_LETTER = 0x100  # see theirs.py
BLOCK = 1 << 22


class CorpusError(Exception):
    """A corpus cannot be made; the text is a clause that says why."""


@dataclass(frozen=True, slots=True)
class Made:
    """A corpus on disk; `note` says where it is not what its name promises."""

    path: Path
    size: int
    sha256: str
    note: str = ""


def make(folder: Path, names: Iterable[str], tell: Callable[[str], None]) -> dict[str, Made | str]:
    """The corpora of these names, made if they are not there; for one that cannot be made a clause that says why."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = list(names)
    made: dict[str, Made | str] = {}
    for prefix, packages, build in (("en", ENGLISH, english), ("multi", SCRIPTS, multilingual)):
        asked = [name for name in wanted if name.startswith(prefix)]
        try:
            _make_set(folder, prefix, asked, packages, build, tell)
        except CorpusError as error:
            tell(f"{', '.join(asked)}: {error}")
            made |= {name: _stand_in(folder, name, str(error)) for name in asked}
        else:
            made |= {name: _found(folder, name) for name in asked}
    return made


def _make_set(
    folder: Path, prefix: str, asked: Sequence[str], packages: Sequence[str], build: Callable[[Path, random.Random], list[str]],
    tell: Callable[[str], None],
) -> None:
    if all((folder / f"{name}.txt").is_file() for name in asked):
        return
    tell(f"Making {', '.join(asked)} from {len(packages)} Debian packages ...")
    unpacked = unpack(packages, folder / "packages")
    chance = random.Random(1)
    if prefix != "en":  # the digests come from one generator that shuffled the English documents first
        chance.shuffle(list(range(_english_count(folder / "packages"))))
    documents = build(unpacked, chance)
    for name in asked:
        write(folder / f"{name}.txt", documents, SIZES[name])


def _english_count(packages: Path) -> int:
    """How many English documents there are; remembered, as reading them all takes a minute."""
    known = packages / "english-documents"
    if not known.is_file():
        known.write_text(str(len(english_documents(unpack(ENGLISH, packages)))), encoding="ascii")
    return int(known.read_text(encoding="ascii"))


def _found(folder: Path, name: str) -> Made:
    path = folder / f"{name}.txt"
    sha256 = digest(path)
    note = "" if sha256 == DIGESTS[name] else f"{name} has other bytes than were recorded (SHA-256 {sha256[:16]}): other package versions"
    return Made(path, path.stat().st_size, sha256, note)


def _stand_in(folder: Path, name: str, why: str) -> Made | str:
    """Sources of Python's own library where English of 1 or 10 MB cannot be made."""
    if name not in ("en1", "en10"):
        return f"no corpus {name}: {why}"
    path = folder / f"stand-in-for-{name}.txt"
    if not path.is_file():
        library = Path(sysconfig.get_path("stdlib"))
        found = (file for file in sorted(library.rglob("*.py")) if "site-packages" not in file.parts)
        write(path, (text for file in found if (text := _utf8(file.read_bytes()))), SIZES[name])
    note = f"not {name} but as much of the sources of Python's library: {why}"
    return Made(path, path.stat().st_size, digest(path), note)


def digest(path: Path) -> str:
    """The SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(packages: Sequence[str], where: Path) -> Path:
    """The folder that holds one folder a package; what is not there is downloaded and unpacked. CorpusError says what failed."""
    where.mkdir(parents=True, exist_ok=True)
    for name in packages:
        if (where / name).is_dir():
            continue
        if not (archives := sorted(where.glob(f"{name}_*.deb"))):
            _call(["apt-get", "download", "-qq", name], where)
            archives = sorted(where.glob(f"{name}_*.deb"))
        if not archives:
            raise CorpusError(f"apt-get downloaded no {name}")
        half = where / f"{name}.part"
        _call(["dpkg-deb", "-x", archives[0].name, half.name], where)
        half.rename(where / name)
    return where


def _call(command: list[str], where: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=where, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DOWNLOAD_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CorpusError(f"{command[0]} does not run here ({type(error).__name__})") from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise CorpusError(f"{' '.join(command)} failed: {said[-1]}")


def english(packages: Path, chance: random.Random) -> list[str]:
    """The English documents, shuffled."""
    documents = english_documents(packages)
    chance.shuffle(documents)
    return documents


def english_documents(packages: Path) -> list[str]:
    """The English documents in the order of the packages."""
    documents = list(_chunks(_read(packages / "dict-gcide/usr/share/dictd/gcide.dict.dz").decode("utf-8", "ignore")))
    for kind in ("noun", "verb", "adj", "adv"):
        lines = (packages / f"wordnet-base/usr/share/wordnet/data.{kind}").read_text("utf-8", "ignore").split("\n")
        documents += _chunks("\n".join(line.split("| ", 1)[-1].strip() for line in lines if "| " in line) + "\n")
    documents += [_utf8(_read(file)) or "" for file in _files(packages / "python3.11-doc", ".rst.txt")]
    documents += [_plain(file) for file in _files(packages / "debian-handbook", ".html") if "/en-US/" in file.as_posix()]
    documents += [_plain(file) for file in _files(packages / "libreoffice-help-en-us", ".html")]
    documents += [_plain(file) for file in _files(packages / "linux-doc-6.1", ".html", ".html.gz")]
    return [document for document in documents if document]


def multilingual(packages: Path, chance: random.Random) -> list[str]:
    """The documents in ten scripts, shuffled."""
    documents: list[str] = []
    for code in HELP:
        documents += [_plain(file) for file in _files(packages / f"libreoffice-help-{code}", ".html")]
    for code in MANUALS:
        documents += [_page(file) for file in _files(packages / f"manpages-{code}", "") if "/man/" in file.as_posix()]
    documents += _chunks(_utf8(_read(packages / "dict-freedict-eng-ara/usr/share/dictd/freedict-eng-ara.dict.dz")) or "")
    documents = [document for document in documents if document]
    chance.shuffle(documents)
    return documents


def write(path: Path, documents: Iterable[str], most: int) -> None:
    """Documents one after another, LF alone at line ends and no NUL, cut after the last whole line that fits."""
    written = 0
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        for document in filter(None, documents):
            data = document.encode().replace(b"\r\n", b"\n").replace(b"\0", b"")
            data += b"" if data.endswith(b"\n") else b"\n"
            if written + len(data) > most:
                data = data[: most - written]
                data = data[: data.rfind(b"\n") + 1]
            file.write(data)
            written += len(data)
            if written >= most - 4096:
                break
    half.replace(path)


def map_letters(source: Path, target: Path) -> None:
    """A copy in which every byte but LF is one letter, U+0100 + byte; made if it is not there."""
    if target.is_file():
        return
    letters = {byte: chr(FIRST_LETTER + byte) for byte in range(256) if byte != ord("\n")}
    half = target.with_suffix(".part")
    with source.open("rb") as read, half.open("wb") as written:
        while block := read.read(BLOCK):
            written.write(block.decode("latin-1").translate(letters).encode())
    half.replace(target)


def _files(root: Path, *suffixes: str) -> list[Path]:
    """The files under a folder that end so, in the order that the digests were taken in: a folder's own before those of its folders."""
    found: list[Path] = []
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        inside = sorted(folder.iterdir(), key=lambda each: each.name) if folder.is_dir() else []
        found += [each for each in inside if each.is_file() and not each.is_symlink() and each.name.endswith(suffixes)]
        waiting += [each for each in reversed(inside) if each.is_dir() and not each.is_symlink()]
    return found


def _read(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix in (".gz", ".dz") else data


def _utf8(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _page(path: Path) -> str:
    try:
        return _utf8(_read(path)) or ""
    except OSError:  # not a gzip archive after all
        return ""


def _plain(path: Path) -> str:
    """The text of a page without its tags."""
    text = _read(path).decode("utf-8", "ignore")
    text = re.sub(r"(?is)<(script|style|head).*?</\1>", "", text)
    text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text))


def _chunks(text: str) -> Iterator[str]:
    """A text in documents of about 64 K characters, cut after a line."""
    at = 0
    while at < len(text):
        end = text.find("\n", at + CHUNK) + 1 or len(text)
        yield text[at:end]
        at = end
