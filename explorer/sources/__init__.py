"""Files into corpora. No Qt, no threads, no printing.

    files        a file as bytes, in slices, with its digest; what is not text is refused in words
    opening      which kind of corpus a file is, and the corpus
    plain        a text file: one text, to the byte
    json_lines   one column of JSON Lines: a row, a text
    word_counts  words with how often each occurs, and the joints they offer
    joints       the parts of words, from a file of their own
    rows         the rows of each kind, read when they are shown
    exemplars    the corpora that come with the program, digests pinned
    annals       the chronicle, built from the table of years and checked when read

`open_corpus` is the way in.
"""

from explorer.sources.opening import columns_of, open_corpus, open_corpus_steps

__all__ = ["columns_of", "open_corpus", "open_corpus_steps"]
