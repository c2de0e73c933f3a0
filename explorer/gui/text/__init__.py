"""A text with its tokens, laid out and painted.

`index_spaces` converts between bytes, code points and Qt's UTF-16 units. `spans` are the tokens and `cells` the characters
over the bytes; `text_rows` says where they lie, `text_picture` and `text_bars` paint them; `token_text` is what a view uses
of all that. The editor does the same under the lines that Qt lays out: `editor_rows`, `editor_layout`, `editor_picture`;
`exact_text` and `text_mime` keep its bytes exact.
"""
