"""What the pictures share: a feed as cards and lines, how much of it can be drawn, how it looks, and Graphviz, which lays it out."""
