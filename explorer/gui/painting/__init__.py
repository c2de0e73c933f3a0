"""How a piece is spelled for the eye and painted: chips, tints, ticks, rings, marks for blanks and stray bytes."""
