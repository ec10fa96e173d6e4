"""The API's questions, one module for each kind; each is a few lines that ask `graph` and give a shape."""
