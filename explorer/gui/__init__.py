"""The window: what a person sees and touches, painted from the values of the Workspace.

From the ground up: `theme` names every colour, font and measure (`style_sheet`, `icons` follow it);
`spelling` says how bytes are written; `paint` draws the small things that several views share; `painted` is the
base of a view that is nothing but its picture; `frame` is the furniture around the views. `index_spaces` converts
between bytes, code points and Qt's UTF-16 units.

A text with its tokens is laid out in steps: `spans` (its tokens), `letters` and `cells` (its characters),
`right_to_left` and `text_rows` (where they lie), `text_picture`, `text_bars` and `stamps` (how they are painted);
`token_text` is what a view uses of all that.
"""
