"""Curves drawn by pyqtgraph, and pictures written to files. pyqtgraph is imported by `curve` alone, after the window is up."""
