"""The corpora that come with the program: small, each with what it shows, the recipe it opens with, and its digest.

    open_exemplar("chronicle")      the corpus, or an error when the file is not the one that was shipped
"""

from collections.abc import Generator
from dataclasses import dataclass

from explorer.core.corpus import Corpus
from explorer.core.progress import Step, drain
from explorer.core.recipe import Recipe
from explorer.errors import CorpusFileError, ExplorerError
from explorer.places import exemplar
from explorer.sources.annals import read_chronicle
from explorer.sources.files import read_steps
from explorer.sources.opening import corpus_of_steps


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A corpus of ours: its name, its file under exemplars/, one line on what it shows, its recipe, the file's SHA-256 in hex.

    `sample` is a text to encode with its merges: words the corpus knows beside some that it does not.
    """

    name: str
    file: str
    shows: str
    recipe: Recipe
    sha256: str
    sample: str


EXEMPLARS: tuple[Exemplar, ...] = (
    Exemplar(
        "chronicle", "chronicle.jsonl",
        "A reconstruction of a small world's chronicle, 91 entries: bytes, entries, and what 256 merges buy.",
        Recipe.of("chapter-81"), "bfb0608ab165f329da32946b1c2e98688345946ae77b9b64d6597ca97daf1cee",
        "The Hollow has its café — 240 hobbs stand\tin it, naïve too\n"
        "year 81: 240 hobbs standing in The Hollow, 1970 born and 1760 gone",
    ),
    Exemplar(
        "eighteen", "eighteen.txt",
        "Eighteen sentences: characters with an end-of-word marker, the size of a vocabulary, and what it loses of other texts.",
        Recipe.of("published"), "918c44b8eda5bd1481b7e644940ad9335d3168b7b154b6b7693294299f855a81",
        "Dr. Alvarez didn't expect the low-cost re-analysis.",
    ),
    Exemplar(
        "four-words", "four-words.tsv",
        "Four counted words, 79 symbols down to 22 in ten merges: the first merge is a tie.",
        Recipe.of("published").asking(merges=10), "49fc2c4a61e50623be07c3d49a348356388d92a067142f54f8c5c331f2385531",
        "lowest slowest newer",
    ),
    Exemplar(
        "taste", "taste.tsv",
        "Three counted words on which the greedy choice loses: 74 symbols after two merges, where 66 can be had.",
        Recipe.of("published"), "b61ea418a5cafb8037b8cb8433a2a81c9b6182fd1283870f31dfcb66aab44307",
        "estate taste sport",
    ),
    Exemplar(
        "joints", "joints.tsv",
        "Four counted words and the joints they offer: 40 pieces are left where merges run freely, 80 where they stop at joints.",
        Recipe.of("published"), "eb8e2ec1f01c7bdd5033a9568462b87b73dbd76a9d68616ec1cf1da1f6f426af",
        "undo retie reundo",
    ),
    Exemplar(
        "script", "script.tsv",
        "Four counted words without a marker: five merges, and a word never seen, newest, cut by them.",
        Recipe.of("script"), "fd94168a42a51be5a6d90669f35a78e97bf29fb0ac9b6e0a3c6700b1c6715ff7",
        "newest lowest",
    ),
    Exemplar(
        "standing-in", "standing-in.txt",
        "Eleven bytes without a line end: of its pairs only i and n stand together twice.",
        Recipe.of("chapter-81"), "d215090e5edcd341224e89782355e53b80ec5536d67ad997ea3fcfb292097e9c",
        "standing in line",
    ),
)
"""The exemplars in the order they are offered."""


def exemplar_named(name: str) -> Exemplar:
    """The exemplar of a name; ExplorerError lists the names there are.

    >>> exemplar_named("taste").file
    'taste.tsv'
    """
    for known in EXEMPLARS:
        if known.name == name:
            return known
    raise ExplorerError(f"There is no exemplar {name!r}. The exemplars are {', '.join(known.name for known in EXEMPLARS)}.")


def exemplar_of(corpus: Corpus) -> Exemplar | None:
    """The exemplar that a corpus was read from, by the digest of its file; None where it is a person's own."""
    digest = corpus.file.sha256 if corpus.file else ""
    return next((known for known in EXEMPLARS if known.sha256 == digest), None)


def open_exemplar(name: str) -> Corpus:
    """The corpus of an exemplar.

    Raises ExplorerError for an unknown name, CorpusFileError where the file is missing or is not the one that was shipped.
    """
    return drain(open_exemplar_steps(name))


def open_exemplar_steps(name: str) -> Generator[Step, None, Corpus]:
    """`open_exemplar` step by step."""
    known = exemplar_named(name)
    try:
        path = exemplar(known.file)
    except FileNotFoundError as error:
        raise CorpusFileError(f"The exemplar {name!r} is not there: {error}. Install the program again.") from None
    file = yield from read_steps(path)
    if file.facts.sha256 != known.sha256:
        raise CorpusFileError(
            f"This is not the exemplar {name!r} that was shipped: its SHA-256 is {file.facts.sha256[:16]} in place of {known.sha256[:16]}. "
            "Put the shipped file back, or open yours as a file.",
            path,
        )
    if name == "chronicle":
        read_chronicle(file.data[:], path)
    return (yield from corpus_of_steps(file))
