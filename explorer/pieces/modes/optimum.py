"""`pieces optimum`: the best sequence of merges beside the greedy one, by searching all of them."""

import argparse

from explorer.core.alphabet import Alphabet
from explorer.core.progress import drain
from explorer.core.training import Training
from explorer.labs.optimum import NODES, BoundRule, ChoiceNode, FirstMove, Optimum, PiecePair, optimum_steps
from explorer.pieces.arguments import BadUseError, number_from_1
from explorer.pieces.layout import block, figures, named, plural, table
from explorer.pieces.modes.mode import Answer, Mode, OptionGroup
from explorer.pieces.subject import Subject, subject_of
from explorer.pieces.values import Values, head, text_of

MERGES = 4  # searched when no size is asked for

_WHY = {
    BoundRule.GREATEST_COUNT: "no merge can save more than the best first one",
    BoundRule.DOUBLING: "a merge at most doubles the longest token",
}


def answer(options: argparse.Namespace) -> Answer:
    """Searches as many merges as the recipe was asked for on the command line, else four."""
    subject = subject_of(options)
    if subject.recipe.choices:
        raise BadUseError("argument --choices: the best merges are searched among all pairs: leave the choices out")
    merges = _merges(subject)
    found = drain(optimum_steps(subject.corpus, subject.recipe, merges, options.nodes))
    training = found.greedy[0].training
    return Answer(_values(subject, found, training), _lines(subject, found, training))


def _merges(subject: Subject) -> int:
    if not subject.sized:
        return MERGES
    recipe = subject.recipe
    if recipe.merges is not None:
        return recipe.merges
    training = subject.trained()
    return training.learned


def _values(subject: Subject, found: Optimum, training: Training) -> Values:
    alphabet = training.alphabet
    used = subject.recipe.asking(merges=found.merges)
    return {
        **head("optimum", subject, used),
        "merges": found.merges,
        "start": found.start,
        "greedy": {one.tie.value: one.lengths[-1] if one.lengths else found.start for one in found.greedy},
        "greedy_lengths": {one.tie.value: list(one.lengths) for one in found.greedy},
        "best": found.best[-1] if found.best else found.start,
        "best_lengths": list(found.best),
        "best_merges": [_pair(pair, alphabet) for pair in found.best_pairs],
        "proven": found.proven,
        "nodes": found.nodes,
        "bound": found.bound.length if found.bound else None,
        "bound_rule": found.bound.rule.value if found.bound else None,
        "first_pairs": found.first_pairs,
        "by_first": [_first(move, training) for move in found.by_first],
        "tree": _node(found.root, alphabet),
    }


def _pair(pair: PiecePair, alphabet: Alphabet) -> Values:
    left, right = pair
    return {"left_text": text_of(left, alphabet), "right_text": text_of(right, alphabet), "bytes": (left.bytes + right.bytes).hex()}


def _first(move: FirstMove, training: Training) -> Values:
    left, right = move.pair
    table_of = training.table
    return {
        "left": left,
        "right": right,
        "left_text": table_of.text(left),
        "right_text": table_of.text(right),
        "count": move.count,
        "saved": move.saved,
        "tied": move.tied,
        "best": move.best[-1] if move.best else None,
        "best_lengths": list(move.best),
    }


def _node(node: ChoiceNode, alphabet: Alphabet) -> Values:
    return {
        "pair": _pair(node.pair, alphabet) if node.pair else None,
        "length": node.length,
        "on_greedy": node.on_greedy,
        "on_best": node.on_best,
        "tied": node.tied,
        "best_below": node.best_below,
        "left_out": node.left_out,
        "children": [_node(child, alphabet) for child in node.children],
    }


def _lines(subject: Subject, found: Optimum, training: Training) -> list[str]:
    alphabet = training.alphabet
    best = found.best[-1] if found.best else found.start
    lines = [f"the best {plural(found.merges, 'merge')} over {subject.corpus.name}, beside the commonest pair each time"]
    states = plural(found.nodes, "state")
    verdict = f"proven best, {states} looked at" if found.proven else f"the best of {states}, not proven"
    lines += block("result", [*figures([("length before", found.start), ("best length", best)]), verdict, *_bound(found)])
    heads = ("merges", "best", *(one.tie.value for one in found.greedy))
    rows = [(made + 1, found.best[made], *(one.lengths[made] for one in found.greedy)) for made in range(found.merges)]
    lines += block("length after so many merges, and greedy under each tie rule", table(heads, rows) if rows else ["none"])
    lines += block("the merges of the best", ["  then  ".join(_shown(pair, alphabet) for pair in found.best_pairs) or "none"])
    firsts = [
        (_shown_ids(move, training), move.count, "tied" if move.tied else "", move.best[-1] if move.best else None)
        for move in found.by_first
    ]
    lines += block(_title_of_firsts(found), table(("pair", "count", "", "best"), firsts))
    return lines + block("the tree of choices: g greedy, b best, other ties beside them", _tree(found.root, alphabet, 0))


def _bound(found: Optimum) -> list[str]:
    return [f"no merges reach less than {found.bound.length}: {_WHY[found.bound.rule]}"] if found.bound else []


def _title_of_firsts(found: Optimum) -> str:
    some = len(found.by_first) < found.first_pairs
    which = f"{len(found.by_first)} of {found.first_pairs} first pairs, those that save most" if some else "every first pair"
    return f"the best length that begins with a pair: {which}"


def _shown(pair: PiecePair, alphabet: Alphabet) -> str:
    return " + ".join(named(piece, alphabet) for piece in pair)


def _shown_ids(move: FirstMove, training: Training) -> str:
    pieces = training.table.pieces
    return _shown((pieces[move.pair[0]], pieces[move.pair[1]]), training.alphabet)


def _tree(node: ChoiceNode, alphabet: Alphabet, level: int) -> list[str]:
    mark = ("g" if node.on_greedy else " ") + ("b" if node.on_best else " ")
    name = _shown(node.pair, alphabet) if node.pair else "no merge"
    below = f"  ({node.best_below} at best)" if node.best_below is not None and not node.children else ""
    lines = [f"{mark}  {'   ' * level}{name}  {node.length}{below}"]
    for child in node.children:
        lines += _tree(child, alphabet, level + 1)
    if node.left_out:
        lines.append(f"    {'   ' * (level + 1)}and {plural(node.left_out, 'tied pair')} more")
    return lines


def _options(group: OptionGroup) -> None:
    group.add_argument("--nodes", type=number_from_1, default=NODES, metavar="N", help=f"states looked at at most (default: {NODES})")


MODE = Mode("optimum", f"the best sequence of merges (--merges, else {MERGES}) beside the greedy one", answer, _options)
