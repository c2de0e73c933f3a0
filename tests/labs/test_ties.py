"""Every tie with what its branches lead to."""

import pytest

from explorer.core.corpus import Corpus
from explorer.core.progress import Progress, drain
from explorer.core.recipe import Recipe, TieRule
from explorer.core.training import train
from explorer.errors import Cancelled, ExplorerError
from explorer.labs.ties import TieSurvey, merged_pieces, tie_steps

FOUR_WORDS = Corpus.of_counts({b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3})
TRAINING = train(FOUR_WORDS, Recipe.of("published").asking(merges=10))


def survey(**options: object) -> TieSurvey:
    return drain(tie_steps(TRAINING, **options))  # type: ignore[arg-type]


def test_every_tie_has_a_branch_for_each_of_its_pairs() -> None:
    found = survey()
    assert [tie.rank for tie in found.ties] == list(TRAINING.tied_ranks) == [0, 3, 4, 7, 8]
    for tie in found.ties:
        assert [branch.pair for branch in tie.branches] == list(tie.pairs)
        assert len(tie.pairs) == TRAINING.merges[tie.rank].tied
        assert tie.count == TRAINING.merges[tie.rank].count
        (taken,) = [branch for branch in tie.branches if branch.taken]
        assert taken.pair == TRAINING.merges[tie.rank].pair
        assert taken.training is TRAINING
    assert found.followed == 5


def test_a_branch_shares_what_came_before_and_makes_its_pair() -> None:
    for tie in survey().ties:
        for branch in tie.branches:
            assert branch.training.merges[: tie.rank] == TRAINING.merges[: tie.rank]
            assert branch.training.merges[tie.rank].pair == branch.pair
            assert branch.length == branch.training.length(branch.training.learned) == 22


def test_rows_only_here_are_in_no_other_branch() -> None:
    for tie in survey().ties:
        for branch in tie.branches:
            others = {piece for other in tie.branches if other is not branch for piece in merged_pieces(other.training)}
            assert set(branch.rows_only_here) == set(merged_pieces(branch.training)) - others


def test_words_are_cut_by_every_branch() -> None:
    (tie,) = survey(ranks=[3], words=[b"lowest", b"low"]).ties
    cut = {branch.pair: {word.word: len(word.pieces) for word in branch.cuts} for branch in tie.branches}
    assert sorted(lengths[b"lowest"] for lengths in cut.values()) == [2, 3, 3]
    assert {lengths[b"low"] for lengths in cut.values()} == {1}


def test_a_limit_leaves_later_ties_without_branches() -> None:
    found = survey(most_branches=5)
    assert [len(tie.branches) for tie in found.ties] == [2, 3, 0, 0, 0]
    assert found.followed == 2
    assert [len(tie.pairs) for tie in found.ties] == [2, 3, 2, 3, 2]


def test_a_rank_without_a_tie_is_an_error_that_says_where_they_are() -> None:
    for rank in (1, 99):
        with pytest.raises(ExplorerError, match=f"no tie at rank {rank}. The ties are at 0, 3, 4, 7, 8"):
            survey(ranks=[rank])
    alone = train(Corpus.of_counts({b"ab": 2}), Recipe.of("published"))
    with pytest.raises(ExplorerError, match="no ties"):
        drain(tie_steps(alone, [0]))
    assert drain(tie_steps(alone)).ties == ()


@pytest.mark.parametrize("rule", TieRule)
def test_the_branch_taken_is_the_one_of_the_rule(rule: TieRule) -> None:
    training = train(FOUR_WORDS, Recipe.from_json({**Recipe.of("published").asking(merges=10).to_json(), "tie": rule.value}))
    for tie in drain(tie_steps(training)).ties:
        assert tie.branches[0].taken


def test_a_survey_can_be_cancelled() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        drain(tie_steps(TRAINING), progress)
