"""The window: what a person sees and touches, painted from the values of the Workspace.

From the ground up: `theme` names every colour, font and measure (`style_sheet`, `icons` follow it; `wear` puts on what
the settings ask for); `painting/` spells pieces for the eye and paints the small things that several views share;
`painted` is the base of a view that is nothing but its picture; `frame` is the furniture around the views; `text/`
lays out and paints a text with its tokens. On these stand `models/` (what the views show, without widgets), `plots/` and
`views/`, one thing on the screen a file. `actions` is the table of commands, `main_window` places the views, `app` starts.
"""
