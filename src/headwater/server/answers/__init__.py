"""The graph's records as shapes, one module for each kind of answer; ids become strings: not every reader of JSON has 64-bit integers."""
