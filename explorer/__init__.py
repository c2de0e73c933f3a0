"""BPE Explorer: watch byte pair encoding (BPE) build its merge table one merge at a time.

The rooms of the house, in order. Each imports only what stands before it, and a test reads every import line to hold that:

    errors      one tree of errors, drawn in its docstring
    core        the tokenizer: corpus, recipe, alphabet, pre-tokens, training, timeline, runs, merge table, encoding, table file
    sources     files -> Corpus, and the exemplars by name
    formats     other people's tokenizer files <-> MergeTable
    labs        one module a question (ties, optimum, round trip, price, growth ...): a value in, a value out
    workers     threads, lent to core for the length of one piece of work
    processes   the same for split patterns of one's own, which cannot be stopped in a thread
    pieces      the `pieces` command: every lab at a terminal, as text or as JSON
    workspace   what is open now, its verbs and its signals; of Qt only QtCore
    gui         the window: it shows the workspace and calls its verbs

`places` finds the files that come with the program, for sources and every room after it. `__main__` opens the window. From errors to pieces
no room knows Qt: they run where PySide6 is not installed. Data flows one way: a source gives a Corpus, its pre-tokens are trained on, and
what comes out (a MergeTable and a Timeline) is read by the labs, the workspace and the views.

The words of the field, one each and the same everywhere:

    symbol      a base unit, before any merge: a byte value, or a character of the corpus
    alphabet    the set of symbols
    token       an entry of the vocabulary; `token_id` is its integer
    piece       what a token spells
    pair        two adjacent token ids, (left, right)
    pair count  adjacent positions over the corpus, weighted by how often each pre-token occurs
    merge       a pair that became a token, at a rank
    rank        0-based place in the list of merges; not a token id (one function turns one into the other)
    saved       how many tokens shorter a merge made the corpus
    tie         several pairs with the largest count; the tie rule of the recipe decides
    vocabulary  all tokens
    merge table the merges in order, and the alphabet under them
    pre-token   text that merges never cross: an entry, a word, a match of a split pattern, a part of a word between joints
    entry       a line of a text, cut at LF alone
    recipe      every decision that makes a table what it is
    byte fallback, end-of-word marker, stand-in
                rows of the vocabulary that stand for what the alphabet lacks, for where a word ends, for what is unknown
"""

__version__ = "0.1.0"
