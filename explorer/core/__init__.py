"""The tokenizer itself: from bytes to merges and back. No Qt, no threads, no printing.

Data flows one way:

    Corpus -> PreTokens -> Training (Merge by Merge) -> MergeTable, Timeline
    text   -> EncodedText, by a MergeTable and its first k merges
"""
