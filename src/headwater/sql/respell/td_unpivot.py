"""Teradata's function TD_UNPIVOT, spelled as the UNPIVOT clause.

`TD_UNPIVOT(ON t USING VALUE_COLUMNS('v') UNPIVOT_COLUMN('m') COLUMN_LIST('jan', 'feb') COLUMN_ALIAS_LIST('j', 'f'))` is
`t UNPIVOT (v FOR m IN (jan AS 'j', feb AS 'f'))`. With several value columns each text of the list names as many columns.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.respell.rule import Tokens, closing, following, made, respells, word

_Options = dict[str, list[Token]]


@respells("TD_UNPIVOT", "teradata")
def td_unpivot(tokens: Tokens, i: int) -> Tokens:
    """The call as a clause behind its table; as it is, where an option is missing."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else i
    using = following(tokens[:end], i + 3, lambda n: word(tokens, n) == "USING")
    if word(tokens, i + 2) != "ON" or using == end:
        return tokens
    options = _options(tokens, using + 1, end)
    values, names, columns = (options.get(key) for key in ("VALUE_COLUMNS", "UNPIVOT_COLUMN", "COLUMN_LIST"))
    if not values or not names or not columns:
        return tokens
    nulls = [each.text.upper() for each in options.get("INCLUDE_NULLS", ())]
    at = tokens[i]
    spelled = [*tokens[i + 3 : using], made("UNPIVOT", TokenType.UNPIVOT, at)]
    if nulls and nulls[0] not in ("NO", "N", "FALSE", "F", "0"):
        spelled += [made("INCLUDE", TokenType.VAR, at), made("NULLS", TokenType.VAR, at)]
    spelled += [_open(at), *_names([value.text for value in values], values[0]), made("FOR", TokenType.FOR, at)]
    spelled += [made(names[0].text, TokenType.VAR, names[0]), made("IN", TokenType.IN, at), _open(at)]
    aliases = options.get("COLUMN_ALIAS_LIST", [])
    for n, column in enumerate(columns):
        spelled += [made(",", TokenType.COMMA, column)] if n else []
        spelled += _names([part.strip() for part in column.text.split(",")], column)
        spelled += [made("AS", TokenType.ALIAS, column), aliases[n]] if n < len(aliases) else []
    return [*tokens[:i], *spelled, _close(at), _close(at), *tokens[end + 1 :]]


def _options(tokens: Tokens, start: int, end: int) -> _Options:
    """The texts of each option: `NAME('a', 'b')`."""
    found: _Options = {}
    for n in range(start, end):
        if tokens[n].token_type is TokenType.STRING:
            continue
        if word(tokens, n + 1) == "(":
            inside = tokens[n + 2 : closing(tokens, n + 1)]
            found[word(tokens, n)] = [token for token in inside if token.token_type is TokenType.STRING]
    return found


def _names(names: list[str], at: Token) -> Tokens:
    """One name, or several in brackets."""
    listed: Tokens = []
    for name in names:
        listed += [made(",", TokenType.COMMA, at)] if listed else []
        listed.append(made(name, TokenType.VAR, at))
    return listed if len(names) == 1 else [_open(at), *listed, _close(at)]


def _open(at: Token) -> Token:
    return made("(", TokenType.L_PAREN, at)


def _close(at: Token) -> Token:
    return made(")", TokenType.R_PAREN, at)
