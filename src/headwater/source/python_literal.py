"""String literals of Python as SQL of the same shape: quotes, prefixes and escapes become blanks, fields become placeholders.

Lines are kept always, columns wherever there is room: `{name}` becomes `${name}`, whose sign takes the place of a blank beside it. Where
there is none the rest of the line moves by one column, up to the next blank that nobody needs. What is computed between strings,
`"FROM " + table`, is a field, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from headwater.model.span import Span
from headwater.source.layout import blanks

_OPEN, _CLOSE, _FEED, _PAD = "\x01", "\x02", "\x03", "\x04"
"""While a literal is put together: a field's braces, a line feed written as an escape, and what a field's name is shorter by."""
_NAMES = re.compile(r"(?=\s*[^\W\d])[\w.()\[\],\s]{1,40}")
"""An argument that names a field; one that holds a literal may hold a secret."""
_BETWEEN = re.compile(r"(?:\s|\\\r?\n|#[^\r\n]*|[()+])*")
_QUOTE = re.compile(r"(?P<prefix>[A-Za-z]{0,2})(?P<quote>'''|\"\"\"|'|\")")
_ESCAPE = re.compile(
    r"\\(?:\r\n|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[0-7]{1,3}|[^{])", re.DOTALL
)
_RAW = re.compile(r"\\['\"\\]?")
_BRACES = re.compile(r"(?:\{\{)+|(?:\}\})+")
_FORMAT_FIELD = re.compile(r"(?<!\{)\{(?P<name>(?:[A-Za-z_]\w*|\d*)(?:\.\w+|\[\w+\])*)(?:![rsa])?(?::[^{}]*)?\}(?!\})")
_PERCENT_FIELD = re.compile(r"%%|%[#0 +-]*\d*(?:\.\d+)?[sdirfgx]\b")
_FIELD_NAME = re.compile(r"\s*(?P<name>[^\W\d][^!:=]*?)\s*(?:=\s*)?(?:![rsa])?\s*(?::.*)?", re.DOTALL)
_LEXEME = re.compile(rf"'[^']*(?:'|\Z)|/\*.*?(?:\*/|\Z)|--[^\n{_FEED}]*", re.DOTALL)
_FIELD = re.compile(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}")
_WORD = re.compile(rf"(?:[\w.]|{_OPEN}[^{_CLOSE}]*{_CLOSE})+")
_SPARE = re.compile(r"(?<=[\s,(=<>+*/|]) | (?=[\s,)=<>+*/|;])")
_ROOM_BEFORE = re.compile(r"(?:^|[\s,(=<>+*/|;]) \Z", re.MULTILINE)


class Part(NamedTuple):
    """One part of a literal: where it stands, and how its fields are filled."""

    span: Span
    computed: bool = False
    """It is no string: it stands for a text that is not known."""
    apart: bool = False
    """It is another word than the part before it."""
    style: str = ""
    """`format` or `%`, where its fields are filled that way."""
    arguments: tuple[str, ...] = ()
    """What its fields are filled with, by position."""


def sql_of(text: str, span: Span, parts: Sequence[Part]) -> str:
    """The SQL of a literal that stands in a program at a span, in parts: each line as it stands there."""
    filling = {id(part.arguments): iter(part.arguments) for part in parts}
    contents = (content for part in parts for content in _contents(text, span, part, filling[id(part.arguments)]))
    made = _with_words_whole(_joined(text, span, contents))
    return _with_placeholders(_without_long_comments(made.replace(_PAD, " ")))


class _Content(NamedTuple):
    """Where the content of a string stands, and what it is."""

    place: Span
    text: str
    apart: bool = False


def _contents(text: str, span: Span, part: Part, arguments: Iterator[str]) -> Iterator[_Content]:
    """The contents of a part: the strings in it, or a field for what is computed, over the signs beside it."""
    if not part.computed:
        yield from _strings(text, part, arguments)
        return
    start, end = part.span
    place = Span(start - (start > span.start), end + (end < span.end))
    yield _Content(place, _laid(_name(text[start:end]), text[place.start : place.end]), part.apart)


def _strings(text: str, part: Part, arguments: Iterator[str]) -> Iterator[_Content]:
    """The strings in a part, which follow each other with blanks and comments between."""
    at, end = part.span
    while at < end:
        gap = _BETWEEN.match(text, at)
        quote = _QUOTE.match(text, gap.end() if gap else at)
        if quote is None or quote.start() >= end:
            return
        prefix = quote["prefix"].lower()
        content, at = _content(text, quote.end(), quote["quote"], "r" not in prefix, "f" in prefix)
        if "f" not in prefix and part.style:
            content = _filled(content, part, arguments)
        yield _Content(Span(quote.end(), at), content)
        at += len(quote["quote"])


def _joined(text: str, span: Span, contents: Iterable[_Content]) -> str:
    """The strings of a literal at their places; a word that goes on in the next string is put together where it begins."""
    made, end, word_end = "", span.start, 0
    for place, written, apart in contents:
        made += blanks(text[end : place.start])
        content = written.rstrip(f"{_PAD}\n")
        padding = written[len(content) :]
        word = _WORD.match(content)
        whole = word is not None and word.end() == len(content)
        if word is not None and not apart and _WORD.match(made[word_end - 1 : word_end].replace(_CLOSE, "_")):
            made = made[:word_end] + _moved(made[word_end:], word.group())
            word_end += word.end()
            content = content[word.end() :]
            whole = whole and not content
        made += content
        word_end = word_end if whole and not content else len(made)
        made += padding
        end = place.end
    return made + blanks(text[end : span.end])


def _with_words_whole(sql: str) -> str:
    """With the padding behind fields moved behind the word that goes on there: `{x['a']}_new` is one name."""
    return _PADDED_WORD.sub(_with_padding_last, sql) if _PAD in sql else sql


_PADDED_WORD = re.compile(rf"(?:[\w.]|{_OPEN}[^{_CLOSE}]*{_CLOSE}(?:{_PAD}+|\n{_PAD}+)*)+")


def _with_padding_last(match: re.Match[str]) -> str:
    """A word with fields in it, before all of its padding; what moves up from another line leaves blanks there."""
    gap = "".join(_GAP.findall(match.group()))
    moved = len(_GAP.sub("", match.group().rpartition("\n")[2])) if "\n" in gap else 0
    return _GAP.sub("", match.group()) + gap + _PAD * moved


_GAP = re.compile(f"[{_PAD}\n]+")


def _moved(gap: str, word: str) -> str:
    """A word before a gap instead of behind it: it takes the place of blanks, or makes the line longer."""
    line, feed, rest = f"{gap}{' ' * len(word)}".partition("\n")
    return word + line[len(word) :] + feed + rest


def _content(text: str, at: int, quote: str, escapes: bool, fields: bool) -> tuple[str, int]:
    """A string's content up to its closing quote, as wide as written, and where that is."""
    stop = re.compile(rf"{re.escape(quote)}|\\{'|[{}]' if fields else ''}")
    made = list[str]()
    quotes: dict[str, int] = {}
    while match := stop.search(text, at):
        made.append(text[at : match.start()])
        at = match.start()
        if match.group() == quote:
            break
        piece, at = _special(text, at, escapes, quotes)
        made.append(piece)
    return "".join(made).replace("\r", " "), at


def _special(text: str, at: int, escapes: bool, quotes: dict[str, int]) -> tuple[str, int]:
    """What stands for an escape, doubled braces or a field, and where it ends."""
    if text[at] == "\\":
        match = _ESCAPE.match(text, at)
        written = match.group() if match and escapes else _RAW.match(text, at)[0]  # type: ignore[index]
        return (_escaped(written, quotes) if escapes else written), at + len(written)
    doubled = _BRACES.match(text, at)
    if doubled:
        half = doubled.group()[: len(doubled.group()) // 2]
        return half.ljust(len(doubled.group())), doubled.end()
    end = _field_end(text, at)
    return _field(text[at + 1 : end - 1]), end


def _escaped(written: str, quotes: dict[str, int]) -> str:
    """An escape as wide as written: an opening quote stands at its right end, a closing one at its left, so that names stay whole."""
    rest = written[1:]
    if not rest:
        return written
    if rest in ("'", '"'):
        quotes[rest] = quotes.get(rest, 0) + 1
        return f" {rest}" if quotes[rest] % 2 else f"{rest} "
    if rest in ("n", "r"):
        return _FEED + " "
    if rest[-1] == "\n":
        return blanks(written)
    try:
        value = ast.literal_eval(f'"{written}"') if rest[0] in "\\abftvxuUN01234567" else written
    except (SyntaxError, ValueError):
        value = written
    return value.rjust(len(written)) if value.isprintable() else " " * len(written)


def _field_end(text: str, at: int) -> int:
    """Where a field of an f-string ends: behind the brace that closes it; strings inside of it may hold braces."""
    depth, in_format = 0, False
    while at < len(text):
        character = text[at]
        if character in "'\"" and not in_format:
            at = _string_end(text, at)
            continue
        depth += (character in "{[(") - (character in "}])")
        in_format |= character == ":" and depth == 1
        at += 1
        if depth == 0:
            break
    return at


def _string_end(text: str, at: int) -> int:
    quote = next(q for q in ("'''", '"""', "'", '"') if text.startswith(q, at))
    end = text.find(quote, at + len(quote))
    return len(text) if end < 0 else end + len(quote)


def _field(inside: str) -> str:
    """What is between the braces of a field, between marks, as wide as the field; its lines stay lines."""
    match = _FIELD_NAME.fullmatch(inside)
    return _laid(_name(match["name"] if match else inside), f"{{{inside}}}")


def _name(written: str) -> str:
    """The name of a field that is filled with an expression."""
    return re.sub(r"['\"{}\s;\\]", "", written)


def _laid(name: str, written: str) -> str:
    """A field over a stretch of the program."""
    line, feed, rest = written.partition("\n")
    return f"{_OPEN}{name}{_CLOSE}".ljust(len(line), _PAD) + feed + blanks(rest).replace(" ", _PAD)


def _filled(content: str, part: Part, arguments: Iterator[str]) -> str:
    """A string whose fields are filled by `format` or `%`: they are marked, doubled signs are single ones."""
    if part.style == "%":
        return _PERCENT_FIELD.sub(lambda m: "% " if m.group() == "%%" else _by_place(m.group(), arguments), content)
    marked = _FORMAT_FIELD.sub(lambda m: _format_field(m, part.arguments, arguments), content)
    return _BRACES.sub(lambda m: m.group()[: len(m.group()) // 2].ljust(len(m.group())), marked)


def _format_field(match: re.Match[str], given: Sequence[str], arguments: Iterator[str]) -> str:
    """A field of `format` by its name, or by what stands in its place: `{}`, `{0}`."""
    number, name = re.fullmatch(r"(\d*)(.*)", match["name"], re.DOTALL).groups()  # type: ignore[union-attr]
    if name and not number and name[0] not in ".[":
        return _field(match.group()[1:-1])
    if not number:
        return _by_place(match.group(), arguments)
    return _by_place(match.group(), iter(given[int(number) :]))


def _by_place(written: str, arguments: Iterator[str]) -> str:
    return _laid(_argument(next(arguments, "")) or "value", written)


def _argument(written: str) -> str:
    return _name(written) if _NAMES.fullmatch(written) else ""


def _without_long_comments(sql: str) -> str:
    """Without the comments that would go on too long, because what ends them is an escape or the end of the literal."""
    return _LEXEME.sub(lambda m: _kept(m, sql), sql).replace(_FEED, " ")


def _kept(match: re.Match[str], sql: str) -> str:
    """A lexeme as it is; of a comment, blanks, unless the line ends where it does."""
    found = match.group()
    return blanks(found) if found.startswith("--") and sql[match.end() : match.end() + 1] != "\n" else found


def _with_placeholders(sql: str) -> str:
    """With `${name}` for fields, but `{name}` inside strings and comments."""
    if _OPEN not in sql:
        return sql
    plain = _LEXEME.sub(lambda m: m.group().replace(_OPEN, "{").replace(_CLOSE, "}"), sql)
    return "\n".join(_line_with_placeholders(line) for line in plain.split("\n"))


def _line_with_placeholders(line: str) -> str:
    made = ""
    at = 0
    owed = 0
    for field in _FIELD.finditer(line):
        made, owed = _paid(made, line[at : field.start()], owed)
        if _ROOM_BEFORE.search(made[-2:]):
            made = made[:-1]
        else:
            owed += 1
        made += f"${{{field[1]}}}"
        at = field.end()
    made, _ = _paid(made, line[at:], owed)
    return made


def _paid(made: str, following: str, owed: int) -> tuple[str, int]:
    """A line gone on with, without as many blanks that nobody needs as it is too long by; what is still owed."""
    while owed and (spare := _SPARE.search(following.partition("'")[0])):
        following = following[: spare.start()] + following[spare.end() :]
        owed -= 1
    return made + following, owed
