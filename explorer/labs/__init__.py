"""The labs: one module a question, a value in and a value out.

    price       what a text costs in characters, words and tokens
    growth      what each size of table buys
    round_trip  whether seven inputs come back as they went in
    word_list   what a vocabulary of whole words can and cannot read
    ties        where the greatest count was shared, and what each choice leads to
    optimum     the best sequence of merges, beside the greedy one; `search` is how it is found
    stages      what is learned once the boundary between words is lifted
    joints      the same words cut free and cut at their joints
    entries     the entries of a corpus by number
    spellings   the words of a corpus as a table spells them
    alphabets   characters with a stand-in, characters with byte fallback, and bytes, on the same texts

They print nothing and know neither Qt nor threads. What may take long is a generator of steps, to be drained or stopped.
"""
