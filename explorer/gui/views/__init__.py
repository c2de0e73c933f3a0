"""What stands in the window: one widget a file, each a function of the Workspace and of nothing else.

A view is `View(workspace)`: it builds its widgets, lays them out, connects, and shows the present state
once. It calls the Workspace's verbs and redraws on its signals; it names no other view and no window. What
ends in `Pane` brings its own header and is only placed.
"""
