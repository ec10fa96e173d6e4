"""The server under load: a store of two million columns, mixed requests that come whether or not the ones before are answered."""
