"""Names that sound like a secret: `sfPassword`, `aws_secret_key`, `fs.azure.account.key.<account>`.

The last word of a name decides. `password_hash` and `new_password_2` are secrets; `token_count`, `password_policy` and `api_key_id`
are not, and neither is `has_password`.
"""

from __future__ import annotations

import re
from functools import lru_cache

_GLUED = r"passwords?|passwd|passphrase|passcode|passwort|pwd|pswd|secrets?|token|apikey|accesskey|secretkey|privatekey|signingkey"
"""Nouns that other words may be glued to: `MEDIAPASSWORD`, `rmtpassword`, `authtoken`."""
_KEYS = "access|account|api|private|encryption|decryption|master|shared|storage|signing|secret|symmetric"
"""What makes a key a secret one."""
_WHOLE = (
    rf"pass|pw|credentials?|sas|(?:aws|gcs)?auth|authorization|(?:{_KEYS})_?key|(?:shared_)?access_signature"
    r"|(?:aws|access)_?key_?id|secret_id|keyset|key_source"
)
"""Nouns that are whole words."""
_FORMS = (
    r"hash|hashed|digest|value|val|text|txt|string|str|plain|plaintext|clear|cleartext|encrypted|enc|md5|sha1|sha256|sha512|bcrypt"
    r"|base64|b64|hex|raw|salt|new|old|current|previous|prev|confirm|confirmation|in|\d+"
)
"""Words behind a noun that leave it a secret: in which form it is, or which one."""
_QUESTIONS = r"is|has|had|have|need|needs|require|requires|must|check|validate|verify|show|allow|enable|use|uses|reset|max|min|num|count"
"""First words of names that ask about a secret, or count some."""

_SECRET = re.compile(
    rf"(?!(?:{_QUESTIONS})_)(?:\w*_)?(?:[a-z0-9]*(?:{_GLUED})|{_WHOLE})\d*(?:_(?:{_FORMS}))*(?:_for_\w+)?\Z|key_?id\Z"
)
_OF_HOST = re.compile(r"(?:\A|_)fs_(?:\w+_)?(?:(?:account|access|secret)_key|sas|client_secret|password)(?:_|\Z)")
"""Settings of Hadoop's file systems, whose last words name an account."""
_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])|\W+")
_LONGEST_NAME = 200


@lru_cache(maxsize=4096)
def sounds_secret(name: str) -> bool:
    """Whether a name says that what it is given is a secret."""
    if not 1 < len(name) <= _LONGEST_NAME:
        return False
    words = _BOUNDARY.sub("_", name).strip("_").lower()
    return bool(_SECRET.match(words) or _OF_HOST.search(words))
