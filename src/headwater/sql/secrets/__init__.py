"""Where the secrets of an SQL text stand, by three rules.

1. **Grammar place** (`place`): phrases, calls and procedures whose grammar has a place for a secret: `IDENTIFIED BY 'x'`,
   `aes_encrypt(a, 'x')`, `EXEC sp_addlogin 'bob', 'x'`. Tables list them.
2. **Assignment** (`assignment`): a literal that goes to a name that sounds like a secret (`names`): `SET password = md5('x')`,
   `INSERT INTO u (name, password) SELECT 'b', 'x'`, `DECLARE @pwd varchar(20) = 'x'`.
3. **Shape** (`shape`): values that are secrets by what they look like, wherever they stand: access keys, JWTs, PEM blocks.

Strings, quoted names and comments hold texts of other languages. There (`inside`) the second rule looks for `password=x`,
`"token": "x"` and the credentials of URLs.

A text that `suspicion` clears holds no secret that these rules could find. Most texts cost no more than that look.
"""

from headwater.sql.secrets.found import secrets_in_text, secrets_of, secrets_of_tokens
from headwater.sql.secrets.suspicion import is_suspicious

__all__ = ["is_suspicious", "secrets_in_text", "secrets_of", "secrets_of_tokens"]
