"""Tokens of JavaScript to a tree: the statements and expressions that Dataform's files are made of.

Generators become `Opaque`. What is no JavaScript raises `JsProblem`, with the place.
"""

from __future__ import annotations

from headwater.project.dataform.js_class_syntax import ClassSyntax, named, returning
from headwater.project.dataform.js_tokens import Lexer, Token
from headwater.project.dataform.js_tree import (
    ArrayLiteral,
    ArrayPattern,
    Assign,
    Binary,
    Block,
    Call,
    Conditional,
    Declare,
    ForEach,
    Function,
    If,
    Jump,
    Literal,
    Logical,
    Loop,
    Member,
    Name,
    New,
    Node,
    ObjectLiteral,
    ObjectPattern,
    Opaque,
    Parameter,
    Regex,
    Return,
    Spread,
    Switch,
    Template,
    Try,
    Unary,
)
from headwater.project.dataform.js_values import Value, as_number

_CONSTANTS: dict[str, str | float | bool | None] = {"true": True, "false": False, "null": None, "undefined": None}
_LEVELS = (
    ("??", "||"),
    ("&&",),
    ("|", "^", "&"),
    ("===", "!==", "==", "!="),
    ("<", ">", "<=", ">=", "instanceof", "in"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
    ("**",),
)
_BINDING = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "??=", "||=", "&&="})


def parse_script(text: str, start: int = 0, end: int | None = None) -> Block:
    """The statements of a text."""
    return Parser(Lexer(text).tokens(start, end)).script()


def parse_expression(text: str, start: int, end: int) -> Node:
    """The expression between two offsets."""
    return Parser(Lexer(text).tokens(start, end)).whole_expression()


class Parser(ClassSyntax):
    """A recursive descent over tokens."""

    def script(self) -> Block:
        """Everything as statements."""
        statements = []
        while self._here.kind != "end":
            statements.append(self._statement())
        return Block(0, tuple(statements))

    def whole_expression(self) -> Node:
        """Everything as one expression."""
        found = self._expression()
        self._skip(";")
        if self._here.kind != "end":
            raise self._unexpected()
        return found

    # Statements

    def _statement(self) -> Node:
        self._deeper()
        try:
            return self._one_statement()
        finally:
            self._depth -= 1

    def _one_statement(self) -> Node:
        token = self._here
        if token.kind == "mark" and token.text == "{":
            return self._block()
        if self._skip(";"):
            return Block(token.offset, ())
        if token.kind == "word":
            if token.text in ("export", "async"):
                self._next()
                self._skip("default")
                return self._one_statement()
            reader = _STATEMENTS.get(token.text)
            if reader is not None:
                return reader(self)
        found = self._comma_expression()
        self._skip(";")
        return found

    def _block(self) -> Block:
        offset = self._expect("{").offset
        statements = []
        while not self._is("}"):
            if self._here.kind == "end":
                raise self._unexpected("}")
            statements.append(self._statement())
        self._next()
        return Block(offset, tuple(statements))

    def _declaration(self) -> Node:
        offset = self._next().offset
        targets = [self._parameter()]
        while self._skip(","):
            targets.append(self._parameter())
        self._skip(";")
        return Declare(offset, tuple(targets))

    def _function_statement(self) -> Node:
        found = self._function()
        return Declare(found.offset, (Parameter(found.offset, Name(found.offset, found.name), found),))

    def _class_statement(self) -> Node:
        found = self._class()
        return Declare(found.offset, (Parameter(found.offset, Name(found.offset, found.name), found),))

    def _if(self) -> Node:
        offset = self._next().offset
        test = self._in_brackets()
        yes = self._statement()
        no = self._statement() if self._skip("else") else None
        return If(offset, test, yes, no)

    def _in_brackets(self) -> Node:
        self._expect("(")
        found = self._comma_expression()
        self._expect(")")
        return found

    def _for(self) -> Node:
        offset = self._next().offset
        self._skip("await")
        self._expect("(")
        if self._is("const", "let", "var"):
            start = self._at
            self._next()
            target = Parameter(self._here.offset, self._pattern())
            if self._is("of", "in"):
                keys = self._next().text == "in"
                items = self._expression()
                self._expect(")")
                return ForEach(offset, target, items, self._statement(), keys)
            self._at = start
            first: Node | None = self._declaration()
        else:
            first = None if self._is(";") else self._comma_expression()
            self._skip(";")
        test = None if self._is(";") else self._comma_expression()
        self._expect(";")
        step = None if self._is(")") else self._comma_expression()
        self._expect(")")
        return Loop(offset, first, test, step, self._statement())

    def _while(self) -> Node:
        offset = self._next().offset
        return Loop(offset, None, self._in_brackets(), None, self._statement())

    def _return(self) -> Node:
        offset = self._next().offset
        ended = self._is(";", "}") or self._here.kind == "end" or self._here.newline
        value = None if ended else self._comma_expression()
        self._skip(";")
        return Return(offset, value)

    def _jump(self) -> Node:
        token = self._next()
        if token.text == "throw":
            self._comma_expression()
        self._skip(";")
        return Jump(token.offset, token.text)

    def _switch(self) -> Node:
        offset = self._next().offset
        value = self._in_brackets()
        self._expect("{")
        cases: list[tuple[Node | None, Block]] = []
        while not self._skip("}"):
            start = self._here.offset
            test = None if self._skip("default") else self._case_test()
            self._expect(":")
            body = []
            while not self._is("case", "default", "}"):
                body.append(self._statement())
            cases.append((test, Block(start, tuple(body))))
        return Switch(offset, value, tuple(cases))

    def _case_test(self) -> Node:
        self._expect("case")
        return self._expression()

    def _try(self) -> Node:
        offset = self._next().offset
        body, handler, last = self._block(), None, None
        if self._skip("catch"):
            if self._skip("("):
                self._pattern()
                self._expect(")")
            handler = self._block()
        if self._skip("finally"):
            last = self._block()
        return Try(offset, body, handler, last)

    # Patterns

    def _parameter(self) -> Parameter:
        offset = self._here.offset
        rest = self._skip("...")
        target = self._pattern()
        default = named(self._expression(), target) if self._skip("=") else None
        return Parameter(offset, target, default, rest)

    def _pattern(self) -> Name | ObjectPattern | ArrayPattern:
        offset = self._here.offset
        if self._skip("{"):
            return self._object_pattern(offset)
        if self._skip("["):
            return self._array_pattern(offset)
        return Name(offset, self._word())

    def _object_pattern(self, offset: int) -> ObjectPattern:
        entries: list[tuple[str, Parameter]] = []
        rest = ""
        while not self._skip("}"):
            if self._skip("..."):
                rest = self._word()
            else:
                token = self._next()
                target = self._pattern() if self._skip(":") else Name(token.offset, token.text)
                default = self._expression() if self._skip("=") else None
                entries.append((token.text, Parameter(token.offset, target, default)))
            if not self._is("}"):
                self._expect(",")
        return ObjectPattern(offset, tuple(entries), rest)

    def _array_pattern(self, offset: int) -> ArrayPattern:
        items: list[Parameter | None] = []
        rest = ""
        while not self._skip("]"):
            if self._skip(","):
                items.append(None)
                continue
            if self._skip("..."):
                rest = self._word()
            else:
                items.append(self._parameter())
            if not self._is("]"):
                self._expect(",")
        return ArrayPattern(offset, tuple(items), rest)

    # Functions

    def _function(self) -> Function | Opaque:
        offset = self._expect("function").offset
        generates = self._skip("*")
        name = self._word() if self._here.kind == "word" else ""
        return self._generator(offset, name) if generates else Function(offset, name, self._parameters(), self._block())

    def _parameters(self) -> tuple[Parameter, ...]:
        self._expect("(")
        found = []
        while not self._skip(")"):
            found.append(self._parameter())
            if not self._is(")"):
                self._expect(",")
        return tuple(found)

    def _arrow(self) -> Node | None:
        """An arrow function, if one begins here."""
        offset, at = self._here.offset, self._at
        at += self._is("async") and self._tokens[at + 1].kind != "end" and self._tokens[at + 1].text != "=>"
        token = self._tokens[at]
        if token.kind == "word" and self._tokens[at + 1].text == "=>":
            self._at = at + 2
            parameters: tuple[Parameter, ...] = (Parameter(token.offset, Name(token.offset, token.text)),)
        elif token.kind == "mark" and token.text == "(" and self._tokens[self._closed[at] + 1].text == "=>":
            self._at = at
            parameters = self._parameters()
            self._expect("=>")
        else:
            return None
        if self._is("{"):
            return Function(offset, "", parameters, self._block(), is_arrow=True)
        value = self._expression()
        return Function(offset, "", parameters, returning(value), is_arrow=True)

    # Expressions

    def _comma_expression(self) -> Node:
        found = self._expression()
        while self._skip(","):
            right = self._expression()
            found = Binary(found.offset, ",", found, right)
        return found

    def _expression(self) -> Node:
        self._deeper()
        try:
            return self._assignment()
        finally:
            self._depth -= 1

    def _assignment(self) -> Node:
        arrow = self._arrow()
        if arrow is not None:
            return arrow
        left = self._operators(0)
        if self._skip("?"):
            yes = self._expression()
            self._expect(":")
            return Conditional(left.offset, left, yes, self._expression())
        if self._here.kind == "mark" and self._here.text in _ASSIGNMENTS:
            operator = self._next().text
            return Assign(left.offset, left, operator, self._expression())
        return left

    def _operators(self, least: int) -> Node:
        left = self._unary()
        while self._here.kind in ("mark", "word") and _BINDING.get(self._here.text, -1) >= least:
            operator = self._next().text
            right = self._operators(_BINDING[operator] + (operator != "**"))
            kind = Logical if operator in ("&&", "||", "??") else Binary
            left = kind(left.offset, operator, left, right)
        return left

    def _unary(self) -> Node:
        token = self._here
        if token.kind in ("mark", "word") and token.text in _UNARY:
            self._deeper()
            self._next()
            operand = self._unary()
            self._depth -= 1
            if token.text in ("++", "--"):
                return Assign(token.offset, operand, f"{token.text[0]}=", Literal(token.offset, 1))
            return operand if token.text == "await" else Unary(token.offset, token.text, operand)
        return self._postfix(self._operand())

    def _postfix(self, found: Node) -> Node:
        while True:
            token = self._here
            if token.kind == "template":
                self._next()
                found = Call(found.offset, found, (self._template(token),))
            elif token.kind != "mark":
                return found
            elif token.text == "?." and self._tokens[self._at + 1].text in ("(", "["):
                self._next()
            elif token.text in (".", "?.", "["):
                found = self._member(found)
            elif token.text == "(":
                found = Call(found.offset, found, self._arguments())
            elif token.text in ("++", "--") and not token.newline:
                self._next()
                found = Assign(found.offset, found, f"{token.text[0]}=", Literal(token.offset, 1))
            else:
                return found

    def _arguments(self) -> tuple[Node, ...]:
        self._expect("(")
        return self._items(")")

    def _items(self, closing: str) -> tuple[Node, ...]:
        found: list[Node] = []
        while not self._skip(closing):
            offset = self._here.offset
            if self._skip(","):
                found.append(Literal(offset, None))
                continue
            spread = self._skip("...")
            value = self._expression()
            found.append(Spread(offset, value) if spread else value)
            if not self._is(closing):
                self._expect(",")
        return tuple(found)

    def _operand(self) -> Node:
        token = self._here
        if token.kind == "mark" and token.text in ("(", "[", "{"):
            self._next()
            if token.text == "(":
                inside = self._comma_expression()
                self._expect(")")
                return inside
            return self._object(token.offset) if token.text == "{" else ArrayLiteral(token.offset, self._items("]"))
        if token.kind == "word":
            return self._word_operand(token)
        if token.kind in ("mark", "end"):
            raise self._unexpected("a value")
        self._next()
        if token.kind == "template":
            return self._template(token)
        if token.kind == "regex":
            pattern, flags = token.parts
            return Regex(token.offset, str(pattern), str(flags))
        value = token.text if token.kind == "string" else _number(token.text)
        return Literal(token.offset, value)

    def _word_operand(self, token: Token) -> Node:
        if token.text == "function":
            return self._function()
        if token.text == "class":
            return self._class()
        self._next()
        if token.text == "new":
            return self._new(token.offset)
        return (
            Literal(token.offset, _CONSTANTS[token.text])
            if token.text in _CONSTANTS
            else Name(token.offset, token.text)
        )

    def _new(self, offset: int) -> Node:
        if self._skip("."):
            return Name(offset, f"new.{self._word()}")
        self._deeper()
        found = self._operand()
        while self._is(".", "["):
            found = self._member(found)
        self._depth -= 1
        return New(offset, found, self._arguments() if self._is("(") else ())

    def _member(self, owner: Node) -> Member:
        """`.key` or `[key]` behind an owner."""
        if self._next().text != "[":
            key = self._next()
            return Member(owner.offset, owner, Literal(key.offset, key.text))
        inside = self._comma_expression()
        self._expect("]")
        return Member(owner.offset, owner, inside)

    def _template(self, token: Token) -> Template:
        parts = (
            part if isinstance(part, str) else Parser(part, self._depth + 1).whole_expression() for part in token.parts
        )
        return Template(token.offset, tuple(parts))

    def _object(self, offset: int) -> Node:
        entries: list[tuple[Node | None, Node]] = []
        while not self._skip("}"):
            entries.append(self._entry())
            if not self._is("}"):
                self._expect(",")
        return ObjectLiteral(offset, tuple(entries))

    def _entry(self) -> tuple[Node | None, Node]:
        token = self._here
        if self._skip("..."):
            return None, self._expression()
        written = self._written_member()
        if isinstance(written, tuple):
            return written
        if self._skip(":"):
            return written, self._expression()
        if token.kind != "word":
            raise self._unexpected(":")
        return written, Name(token.offset, token.text)


_STATEMENTS = {
    "const": Parser._declaration,
    "let": Parser._declaration,
    "var": Parser._declaration,
    "function": Parser._function_statement,
    "class": Parser._class_statement,
    "if": Parser._if,
    "for": Parser._for,
    "while": Parser._while,
    "return": Parser._return,
    "break": Parser._jump,
    "continue": Parser._jump,
    "throw": Parser._jump,
    "switch": Parser._switch,
    "try": Parser._try,
}
_UNARY = frozenset({"!", "-", "+", "~", "typeof", "void", "delete", "await", "++", "--"})


def _number(text: str) -> Value:
    plain = text.replace("_", "")
    if plain[:2].lower() == "0x":
        return as_number(int(plain, 16))
    try:
        return as_number(int(plain))
    except ValueError:
        return float(plain)
