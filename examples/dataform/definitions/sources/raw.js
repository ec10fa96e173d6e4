// Tables that somebody else fills.
["orders", "customers"].forEach((name) => declare({ schema: "raw", name }));
