"""Text to tokens, with the placeholders in it as parts of names."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType
from sqlglot.tokens import Tokenizer

from headwater.sql.athena_statements import statement_bounds
from headwater.sql.command_arguments import command_arguments, may_chain_commands, without_commands
from headwater.sql.dialect import Dialect
from headwater.sql.nested_comments import may_nest_at_once, without_nested
from headwater.sql.placeholder import RUN, jinja_name
from headwater.sql.spelled_numbers import with_no_bytes, with_underscored

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_CONTROL = frozenset({"BEGIN", "ELSEIF", "EXCEPTION", "LOOP", "REPEAT", "WHILE"})
"""BigQuery's commands that stand before statements."""
_GLUED = frozenset({TokenType.VAR, TokenType.NUMBER})
_INVISIBLE = dict.fromkeys(map(ord, "\0\ufeff\u200b"), " ")
"""Characters that nobody sees and no name has: zeros, byte order marks, zero-width spaces. They are read as spaces."""


class _Tokenizers(threading.local):
    """A thread's tokenizers, one per grammar: making one costs more than a short statement."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, bool], Tokenizer] = {}

    def of(self, dialect: Dialect, commands: bool = True) -> Tokenizer:
        """The tokenizer of a dialect; without *commands*, one that reads what stands behind a command as any other text."""
        key = dialect.grammar_name, commands
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = dialect.grammar.tokenizer()
            if not commands:
                without_commands(made)
        return made


_tokenizers = _Tokenizers()


def plain_tokens(text: str, dialect: Dialect) -> list[Token]:
    """The tokens of a text, as the grammar's own tokenizer sees them; raises `TokenError`."""
    if may_chain_commands(text):
        return command_arguments(_all_tokens(text, dialect), text, dialect)
    return _tokens(text, dialect, _tokenizers.of(dialect))


def _all_tokens(text: str, dialect: Dialect) -> list[Token]:
    """The tokens of a text, also of what stands behind commands; raises `TokenError`."""
    return _tokens(text, dialect, _tokenizers.of(dialect, commands=False))


def _tokens(text: str, dialect: Dialect, tokenizer: Tokenizer) -> list[Token]:
    text = f"{text} " if text.endswith("$") else text  # the tokenizer looks behind the sign, even where nothing is
    if dialect.grammar_name == "athena":
        return _athena_tokens(text, tokenizer)
    tokens: list[Token] = tokenizer.tokenize(text)
    return tokens


def _athena_tokens(text: str, tokenizer: Tokenizer) -> list[Token]:
    """The tokens of each of Athena's statements, by the rules of the engine that runs it."""
    found: list[Token] = []
    lines = 0
    for start, end in statement_bounds(text):
        tokens = tokenizer.tokenize(text[start:end])
        if tokens and tokens[0].token_type is TokenType.HIVE_TOKEN_STREAM:
            del tokens[0]  # a mark for the parser, which `grammar` sets again
        found += shifted(tokens, start, lines) if start else tokens
        lines += text.count("\n", start, end)
    return found


def tokenise(text: str, dialect: Dialect, raw: str | None = None, semicolons: bool = True) -> list[Token]:
    """The tokens of a text, by the dialect's rules; raises `TokenError` where a literal is not closed.

    *raw* is what was written where *text* was made readable (see `Source`): tokens have its spelling. Without
    *semicolons* a statement may end before the next one.
    """
    if "\0" in text or "\ufeff" in text or "\u200b" in text:
        text = text.translate(_INVISIBLE)
    has_comments = "/*" in text
    if has_comments and may_nest_at_once(text):
        grammar = dialect.grammar.tokenizer_class
        text = without_nested(text, "\\" in grammar.STRING_ESCAPES) if grammar.NESTED_COMMENTS else text
    tokens = _tokens_behind_commands(text, dialect, semicolons)
    if (has_comments or "--" in text) and _INTERRUPTED.search(text):
        tokens = _joined(tokens, dialect)
    if dialect.money_signs and _MONEY.search(text):
        tokens = _with_money(tokens)
    if dialect.optional_semicolons and _ROW_SET.search(text):
        _join_row_sets(tokens)
    if dialect.underscored_numbers:
        tokens = with_underscored(tokens, text)
    if dialect.empty_binary:
        tokens = with_no_bytes(tokens, text)
    return tokens if raw is None or raw is text else _spelled(tokens, text, raw)


_ROW_SET = re.compile(r"openrowset\s*\(", re.IGNORECASE)


def _join_row_sets(tokens: list[Token]) -> None:
    """Make commas of the semicolons in `OPENROWSET('provider', 'server';'user';'password', 'SELECT …')`: they end no statement."""
    depth = 0
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.L_PAREN and (depth or (i and tokens[i - 1].text.upper() == "OPENROWSET")):
            depth += 1
        elif token.token_type is TokenType.R_PAREN and depth:
            depth -= 1
        elif token.token_type is TokenType.SEMICOLON and depth:
            token.token_type = TokenType.COMMA


_INTERRUPTED = re.compile(
    r"\b(?:order|group|partition|partitioned|cluster|distribute|sort)\s*(?:/\*|--)", re.IGNORECASE
)


def _joined(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """The tokens with words put together that are one to the grammar and have a comment between: `ORDER /* by name */ BY`."""
    keywords = dialect.grammar.tokenizer_class.KEYWORDS
    found: list[Token] = []
    for token in tokens:
        if token.text.upper() == "BY" and found:
            first = found[-1]
            kind = keywords.get(f"{first.text.upper()} BY")
            if kind is not None:
                comments = [*first.comments, *token.comments]
                token = Token(
                    kind, f"{first.text} {token.text}", token.line, token.col, first.start, token.end, comments
                )
                found.pop()
        found.append(token)
    return found


_MONEY = re.compile(r"[$€£¥]\d")


def _with_money(tokens: list[Token]) -> list[Token]:
    """The tokens with amounts of money as numbers: `$19.99` is a name, a dot and a number to the tokeniser."""
    found: list[Token] = []
    rest = iter(range(len(tokens)))
    for i in rest:
        token = tokens[i]
        if token.token_type is not TokenType.VAR or not _MONEY.match(token.text) or not token.text[1:].isdigit():
            found.append(token)
            continue
        last, text = token, token.text[1:]
        if _is_fraction(tokens[i : i + 3]):
            last = tokens[i + 2]
            text = f"{text}.{last.text}"
            next(rest), next(rest)
        found.append(Token(TokenType.NUMBER, text, last.line, last.col, token.start, last.end, last.comments))
    return found


def _is_fraction(tokens: list[Token]) -> bool:
    """Whether a dot and a number follow a token, without space between them."""
    if len(tokens) < 3 or tokens[1].token_type is not TokenType.DOT or tokens[2].token_type is not TokenType.NUMBER:
        return False
    return tokens[0].end + 1 == tokens[1].start and tokens[1].end + 1 == tokens[2].start


def _tokens_behind_commands(text: str, dialect: Dialect, semicolons: bool) -> list[Token]:
    """The tokens of a text, also behind commands that statements may follow, such as PRINT in T-SQL and WHILE in BigQuery."""
    if dialect.optional_semicolons or not semicolons:
        return _all_tokens(text, dialect)
    if dialect.family == "bigquery" and _has_control(text):
        return command_arguments(_all_tokens(text, dialect), text, dialect, _CONTROL)
    return plain_tokens(text, dialect)


def _has_control(text: str) -> bool:
    upper = text.upper()
    return any(word in upper for word in _CONTROL)


def spelled_out(tokens: Sequence[Token], text: str, dialect: Dialect) -> Sequence[Token]:
    """The tokens of one statement, also where the tokeniser took it for a command: its word and, as one string, all the rest."""
    if len(tokens) != 2 or tokens[0].token_type not in dialect.grammar.tokenizer_class.COMMANDS:
        return tokens
    start = tokens[0].end + 1
    try:
        rest = plain_tokens(text[start : tokens[1].end + 1], dialect)
    except TokenError:
        return tokens
    return [tokens[0], *shifted(rest, start, tokens[0].line - 1)]


def is_swallowed(token: Token) -> bool:
    """Whether a string is what the tokeniser took for a command's argument: without quotes it is longer than a literal there."""
    return token.token_type is TokenType.STRING and len(token.text) > token.end - token.start


def shifted(tokens: list[Token], offset: int, lines: int) -> list[Token]:
    """The tokens of a part of a text, moved to their places in the whole."""
    for token in tokens:
        token.start += offset
        token.end += offset
        token.line += lines
    return tokens


def _spelled(tokens: list[Token], text: str, raw: str) -> list[Token]:
    """The tokens with their placeholders as written, without the period that ends SQL*Plus' `&x.`; a name glued to a number is one."""
    found: list[Token] = []
    for token in tokens:
        if RUN.search(token.text) is None:
            found.append(token)
        elif token.token_type not in _NAMES or text[token.start] in '"`[':
            start = found[-1].end + 1 if found and is_swallowed(token) else token.start
            written = (raw[m.start() : m.end()] for m in RUN.finditer(text, start, token.end + 1))
            token.text = RUN.sub(lambda m: next(written, m.group()), token.text)  # noqa: B023
            found.append(token)
        else:
            if found and found[-1].end + 1 == token.start and found[-1].token_type in _GLUED:
                token.start = found.pop().start
            token.text = raw[token.start : token.end + 1].removesuffix(".")
            token.token_type = TokenType.VAR
            found.extend(_named(token))
    return found


def _named(token: Token) -> list[Token]:
    """`{{ source('raw', 'x') }}` as the name that it stands for, `raw.x`; anything else is a name as it is."""
    parts = jinja_name(token.text)
    if not parts:
        return [token]
    found = []
    room = token.end - token.start + 1 - 2 * (len(parts) - 1)
    start = token.start
    for i, part in enumerate(parts):
        end = token.end if i == len(parts) - 1 else start + room // len(parts) - 1
        found.append(Token(TokenType.VAR, part, token.line, token.col, start, end))
        if end < token.end:
            found.append(Token(TokenType.DOT, ".", token.line, token.col, end + 1, end + 1))
        start = end + 2
    return found
