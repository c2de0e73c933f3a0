"""The window: what a person sees and touches, painted from the values of the Workspace.

From the ground up: `theme` names every colour, font and measure; `spelling` says how a piece is
written; `paint` draws the small things that several views share; `painted` is the base of a view that
is nothing but its picture; `frame` is the furniture around the views; `index_spaces` converts between
bytes, code points and Qt's UTF-16 units; `token_text` lays out and paints text with its tokens.
"""
