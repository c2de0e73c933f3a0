"""The JSON of what every mode shows: corpora, recipes, merges, tokens. Numbers are numbers, digests whole, and there are no times."""

from collections.abc import Iterable
from typing import Any

from explorer.core.alphabet import Alphabet
from explorer.core.encoding import KEPT_ID, EncodedText
from explorer.core.engines import answering
from explorer.core.pretokens import Losses
from explorer.core.recipe import AlphabetKind, Recipe
from explorer.core.table import MergeTable
from explorer.core.training import Merge, Training
from explorer.core.vocabulary import Piece, piece_text
from explorer.pieces.subject import Subject

Values = dict[str, Any]  # Any: JSON values


def head(mode: str, subject: Subject, recipe: Recipe | None = None) -> Values:
    """What every answer begins with. `recipe` is the one that was used, where it is not the subject's own."""
    used = recipe or subject.recipe
    engine = answering(subject.corpus, used).engine.value
    return {"mode": mode, "corpus": corpus_values(subject.by(used)), "recipe": used.to_json(), "engine": engine}


def corpus_values(subject: Subject) -> Values:
    """A corpus: its file as it lies on disk, and apart from it the text that training reads."""
    corpus, read = subject.corpus, subject.read
    return {
        "name": corpus.name,
        "file": corpus.file.name if corpus.file else None,
        "file_bytes": corpus.file.bytes if corpus.file else None,
        "file_sha256": corpus.file.sha256 if corpus.file else None,
        "bytes": len(read.data),
        "sha256": read.sha256,
        "texts": len(read),
        "weighted": read.weights is not None,
    }


def merge_values(training: Training, rank: int) -> Values:
    """One merge of a training."""
    merge, table = training.merges[rank], training.table
    return {"rank": rank, "id": table.id_of_rank(rank), **pair_values(table, merge), **_figures(merge)}


def pair_values(table: MergeTable, merge: Merge) -> Values:
    """The pair of a merge and the piece it makes."""
    joined = table.pieces[merge.left].joined(table.pieces[merge.right])
    return {
        "left": merge.left,
        "right": merge.right,
        "left_text": table.text(merge.left),
        "right_text": table.text(merge.right),
        "bytes": joined.bytes.hex(),
        "text": text_of(joined, table.alphabet),
    }


def _figures(merge: Merge) -> Values:
    return {"count": merge.count, "tied": merge.tied, "saved": merge.saved, "length": merge.length}


def all_merges(training: Training) -> list[Values]:
    """Every merge, in rank order."""
    return [merge_values(training, rank) for rank in range(training.learned)]


def text_of(piece: Piece, alphabet: Alphabet) -> str | None:
    """A piece as text, None where its bytes are not UTF-8."""
    return piece_text(piece, alphabet.kind is AlphabetKind.BYTES)


def texts(pieces: Iterable[Piece], alphabet: Alphabet) -> list[str | None]:
    """Pieces as text."""
    return [text_of(piece, alphabet) for piece in pieces]


def token_values(encoded: EncodedText) -> list[Values]:
    """Every token of an encoded text, numbered from 1."""
    return [_token(encoded, n) for n in range(len(encoded))]


def _token(encoded: EncodedText, n: int) -> Values:
    piece, token_id = encoded.piece(n), int(encoded.ids[n])
    return {
        "n": n + 1,
        "id": None if token_id == KEPT_ID else token_id,
        "bytes": piece.bytes.hex(),
        "text": text_of(piece, encoded.table.alphabet),
        "start": int(encoded.starts[n]),
        "end": int(encoded.ends[n]),
        "kind": piece.kind.value,
        "marked": piece.marked,
    }


def loss_values(lost: Losses) -> Values:
    """What cutting into words does not keep, counted, each with its first place."""
    return {
        "spaces": lost.spaces,
        "first_space": lost.first_space if lost.spaces else None,
        "line_ends": lost.line_ends,
        "first_line_end": lost.first_line_end if lost.line_ends else None,
    }


def utf8(data: bytes) -> str | None:
    """Bytes as text, None where they are not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def learned_values(training: Training) -> Values:
    """What was asked for, what the corpus gave, and why it stopped."""
    recipe = training.recipe
    return {
        "asked": recipe.merges if recipe.rows is None else recipe.rows,
        "asked_in": "rows" if recipe.rows is not None else "merges" if recipe.merges is not None else None,
        "learned": training.learned,
        "stopped": training.stopped.value,
        "rows": training.rows,
        "table_rows": training.table.size,
    }
