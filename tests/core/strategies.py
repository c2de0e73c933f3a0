"""Small corpora and recipes for property tests: few letters, so that ties, runs and repeats abound."""

from dataclasses import replace

from hypothesis import strategies as st

from explorer.core.corpus import Corpus
from explorer.core.recipe import AlphabetKind, Counting, Joints, LineEnds, PreTokenRule, Recipe, TieRule, Unknown

UNITS = [
    b"a", b"b", b"c", b" ", b" ", b"\n", "é".encode(), b"\xff", b"\xc3", b"\r", b"\r\n", b"\t", b"'s", b"1", b"</w>", b"[UNK]", b"\x00",
    "\u2028".encode(), "\u0085".encode(), b"\x1c",
]  # fmt: skip
WORD_UNITS = [b"a", b"b", b"c", "é".encode(), b"\xff"]

texts = st.lists(st.sampled_from(UNITS), max_size=30).map(b"".join)
few_letters = st.lists(st.sampled_from([b"a", b"a", b"b", b" ", b"\n"]), max_size=40).map(b"".join)
some_letters = st.lists(st.sampled_from([b"a", b"ab", b"b", b"ba ", b"a a", b" ab", b"\nab"]), min_size=8, max_size=30).map(b"".join)
words = st.lists(st.sampled_from(WORD_UNITS), min_size=1, max_size=6).map(b"".join)
any_bytes = st.binary(max_size=60) | texts | st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass"))

corpora = st.one_of(
    st.builds(Corpus.of_text, texts | few_letters),
    st.builds(Corpus.of_text, some_letters),
    st.builds(Corpus.of_text, texts.map(lambda text: text * 3)),
    st.builds(Corpus.of_counts, st.dictionaries(words, st.integers(1, 4), max_size=6)),
    st.builds(Corpus.of_counts, st.dictionaries(st.text("ab", min_size=1, max_size=7).map(str.encode), st.integers(1, 4), min_size=3)),
    st.builds(Corpus.of_rows, st.lists(few_letters, max_size=4)),
    st.builds(Corpus.of_rows, st.lists(some_letters, min_size=1, max_size=3)),
)

PATTERNS = [r"\w+?b|\s", r"\p{L}{1,2}|\s+", "a*", "(?<=a)b+", "(?m)^.", "(?r)ab?", r"a\Kb", "(?s).{3}"]  # some match nothing, or look back
JOINTS = Joints.of({b"ab": (b"a", b"b"), b"aab": (b"a", b"ab"), b"abc": (b"ab", b"c"), b"never": (b"ne", b"ver")})


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    """Any recipe of the product's kinds; a size that is small or to the end."""
    alphabet = draw(st.sampled_from(AlphabetKind))
    kinds = [PreTokenRule.WORDS]
    if alphabet is AlphabetKind.BYTES:
        kinds = list(PreTokenRule)
    pretokens = draw(st.sampled_from(kinds))
    joints = draw(st.sampled_from([None, None, JOINTS])) if pretokens is PreTokenRule.WORDS else None
    lift = None
    if pretokens is not PreTokenRule.ENTRIES:
        low = 250 if alphabet is AlphabetKind.BYTES else 0
        lift = draw(st.none() | st.integers(low, low + 16) | st.just(10_000))
    return Recipe(
        alphabet=alphabet,
        marker=alphabet is AlphabetKind.CHARACTERS and draw(st.booleans()),
        unknown=draw(st.sampled_from(Unknown)) if alphabet is AlphabetKind.CHARACTERS else Unknown.STAND_IN,
        pretokens=pretokens,
        pattern=draw(st.sampled_from(PATTERNS)) if pretokens is PreTokenRule.PATTERN else None,
        merges=draw(st.integers(0, 24).map(lambda size: None if size == 24 else size)),
        tie=draw(st.sampled_from(TieRule)),
        counting=draw(st.sampled_from(Counting)),
        min_count=draw(st.integers(1, 3)),
        lift=lift,
        joints=joints,
    )


either_engine = st.builds(
    replace, recipes(), counting=st.just(Counting.OVERLAPPING), line_ends=st.sampled_from([LineEnds.KEEP, LineEnds.KEEP, LineEnds.LF])
)
byte_recipes = st.sampled_from([Recipe.of(name).asking(merges=20) for name in ("chapter-81", "byte-words", "gpt2", "cl100k", "o200k")])
lossless = byte_recipes.flatmap(lambda recipe: st.builds(replace, st.just(recipe), tie=st.sampled_from(TieRule)))
