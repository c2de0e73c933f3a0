"""What is open now: the one Workspace that every view reads and whose verbs every action calls. QtCore only."""
