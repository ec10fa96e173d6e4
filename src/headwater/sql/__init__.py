"""The SQL front end: text to statements. Splits, parses, finds places, redacts secrets, and knows the dialects' rules."""
