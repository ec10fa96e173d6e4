"""SQLFlow's formats: XML, JSON and the exchange CSVs, as its model reference (version 1.2.1) describes them."""

MODEL_VERSION = "1.2.1"
