"""Findings for programs, one module per format; text for people is the command's own."""
