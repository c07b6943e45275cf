"""Mutants: a source file with one small fault put in, such as ``<`` for ``<=`` or a statement left out.

Left as they are: docstrings and all other words, type hints, decorators, hashes, which may be any number, and
assertions, which a right program never fails. What changes is cut into the source itself, so a mutant differs from it
in a few characters, and it is named by its function and its lines' text, which last while lines above come and go.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_BOTH_WAYS = (("==", "!="), ("is", "is not"), ("in", "not in"), ("and", "or"), ("+", "-"), ("&", "|"), ("<<", ">>"))
_ONE_WAY = (("*", "//"), ("//", "*"), ("/", "*"), ("%", "*"), ("^", "&"))
SWAPS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<")}
SWAPS |= {sign: (other,) for sign, other in (*_BOTH_WAYS, *(pair[::-1] for pair in _BOTH_WAYS), *_ONE_WAY)}
CALLS = {"any": "all", "all": "any", "min": "max", "max": "min"}
EMPTY = {"tuple": "()", "list": "[]", "dict": "{}", "Mapping": "{}", "frozenset": "frozenset()", "set": "set()"}

_ORDERED = ast.Lt | ast.LtE | ast.Gt | ast.GtE
Function = ast.FunctionDef | ast.AsyncFunctionDef
_Change = tuple[int, int, str]
"""Where in the source's bytes a change begins and ends, and what stands there instead."""

_Found = tuple[ast.stmt, str, Function | None]


@dataclass(frozen=True)
class Mutant:
    """One fault in one file.

    ``file`` is its path from the checkout's root, ``where`` the function or class ("" for the module itself), ``was``
    and ``now`` the lines concerned with their blanks made single, ``nth`` tells those that are equal in all that
    apart. ``lines`` are the first and last line that run where it matters: the statement's, or the function's where it
    is an argument's default.
    """

    file: str
    where: str
    was: str
    now: str
    nth: int
    lines: tuple[int, int]
    change: _Change

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What tells it from all others, however the lines shift."""
        return self.file, self.where, self.was, self.now, self.nth

    def make_source(self, text: str) -> str:
        """Return the file's text with the fault in it."""
        whole, (start, end, new) = text.encode(), self.change
        return (whole[:start] + new.encode() + whole[end:]).decode()


def mutants_of(file: str, text: str) -> Iterator[Mutant]:
    """List every mutant of a file's text, in its order.

    Raises:
        SyntaxError: the text is no Python.
    """
    cutter, whole = _Cutter(text), text.encode()
    alike: dict[tuple[str, str, str], int] = {}
    done = {hash(whole)}
    for statement, where, function in _list_statements(ast.parse(text).body, "", None):
        if function is not None and function.name == "__hash__":
            continue
        for start, end, new in cutter.list_changes(statement, function):
            changed = hash(whole[:start] + new.encode() + whole[end:])
            if changed in done:
                continue
            done.add(changed)
            first, last = whole.rfind(b"\n", 0, start) + 1, whole.find(b"\n", end)
            was, now = whole[first:last], whole[first:start] + new.encode() + whole[end:last]
            named = where, " ".join(was.decode().split()), " ".join(now.decode().split())
            alike[named] = nth = alike.get(named, 0) + 1
            yield Mutant(file, *named, nth, _line_range(statement), (start, end, new))


def _list_statements(body: list[ast.stmt], where: str, function: Function | None) -> Iterator[_Found]:
    """List every statement, where it stands and the function there; a function stands in itself."""
    for statement in body:
        inner, own = where, function
        if isinstance(statement, Function | ast.ClassDef):
            inner = f"{where}.{statement.name}".removeprefix(".")
            own = statement if isinstance(statement, Function) else None
        if isinstance(statement, ast.Assert):
            continue
        yield statement, inner, own
        for part in ("body", "orelse", "finalbody"):
            yield from _list_statements(getattr(statement, part, []), inner, own)
        for case in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
            yield from _list_statements(case.body, inner, own)


def _list_expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the expressions of a statement but for those of the statements in it, for words and for type hints."""
    if isinstance(statement, Function):
        parts: list[ast.AST] = [*statement.args.defaults, *filter(None, statement.args.kw_defaults)]
    elif isinstance(statement, ast.ClassDef):
        parts = []
    else:
        hint = getattr(statement, "annotation", None)
        parts = [part for part in ast.iter_child_nodes(statement) if part is not hint]
    for part in parts:
        yield from _list_within(part)


def _list_within(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.stmt | ast.ExceptHandler | ast.pattern | ast.JoinedStr):
        return
    yield node
    ordered = isinstance(node, ast.Compare) and any(isinstance(sign, _ORDERED) for sign in node.ops)
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("cast", "isinstance")
    if not called and not (isinstance(node, ast.keyword) and node.arg == "strict"):  # zip's strict is an assertion
        for part in ast.iter_child_nodes(node):
            if not (ordered and isinstance(part, ast.Constant) and isinstance(part.value, int)):  # < 1 is <= 0
                yield from _list_within(part)


def _line_range(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and last line of a statement without those in it, of a function those of its body."""
    last = statement.end_lineno or statement.lineno
    if isinstance(statement, Function):
        return statement.body[0].lineno, last
    inner = getattr(statement, "body", None) or [case.body[0] for case in getattr(statement, "cases", [])]
    return statement.lineno, max(statement.lineno, inner[0].lineno - 1) if inner else last


class _Cutter:
    """Cuts faults into one source."""

    def __init__(self, text: str) -> None:
        self.text = text.encode()
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def begin(self, node: ast.expr | ast.stmt) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        return self.starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def _text_of(self, node: ast.expr) -> str:
        return f"({self.text[self.begin(node) : self.end(node)].decode()})"

    def _replace_node(self, node: ast.expr | ast.stmt, new: str) -> _Change:
        return self.begin(node), self.end(node), new

    def list_changes(self, statement: ast.stmt, function: Function | None) -> Iterator[_Change]:
        if _can_go(statement, function):
            yield self._replace_node(statement, "pass")
        for node in _list_expressions(statement):
            if function is not None or not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)):
                yield from self.of_expression(node)  # | outside of functions joins types
        match statement:
            case ast.If(test=test) | ast.While(test=test):
                yield from self.negate(test)
            case ast.For(iter=through):
                yield self._replace_node(through, "()")
            case ast.AugAssign(target=target, value=value):
                yield from self.swap_operator(target, value, "=")
            case ast.Return(value=ast.expr() as value) if function is not None:
                yield from (self._replace_node(value, other) for other in self.list_returned(value, function))

    def of_expression(self, node: ast.AST) -> Iterator[_Change]:
        match node:
            case ast.Compare(left=left, comparators=others):
                for before, after in pairwise([left, *others]):
                    yield from self.swap_operator(before, after)
            case ast.BinOp(left=left, right=right) if not (_is_words(left) or _is_words(right)):
                yield from self.swap_operator(left, right)
                yield self._replace_node(node, self._text_of(left))
            case ast.BoolOp(op=sign, values=values):
                joint = " and " if isinstance(sign, ast.And) else " or "
                for before, after in pairwise(values):
                    yield from self.swap_operator(before, after)
                for one in values:
                    yield self._replace_node(node, f"({joint.join(self._text_of(v) for v in values if v is not one)})")
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
                yield self._replace_node(node, self._text_of(operand))
            case ast.Constant(value=bool(value)):
                yield self._replace_node(node, str(not value))
            case ast.Constant(value=int(value) | float(value)):
                yield self._replace_node(node, str(value + 1))
                if isinstance(value, int) and value > 0:
                    yield self._replace_node(node, str(value - 1))
            case ast.IfExp(test=test):
                yield from self.negate(test)
            case ast.comprehension(ifs=tests):
                for test in tests:
                    yield from self.negate(test)
                    yield self._replace_node(test, "True")
            case ast.Slice(lower=lower, upper=upper):
                yield from (self._replace_node(bound, "") for bound in (lower, upper) if bound is not None)
            case ast.Call(func=ast.Name(id=name) as called) if name in CALLS:
                yield self._replace_node(called, CALLS[name])

    def swap_operator(self, before: ast.expr, after: ast.expr, ending: str = "") -> Iterator[_Change]:
        """Swap what stands between two operands, other than brackets and blanks, for its like."""
        start, end = self.end(before), self.begin(after)
        between = self.text[start:end].decode()
        sign = between.strip(") (\n").removesuffix(ending)
        for other in SWAPS.get(sign, ()):
            yield start, end, between.replace(sign, other)

    def negate(self, test: ast.expr) -> Iterator[_Change]:
        """Turn the condition round, unless another fault does just that."""
        compares = isinstance(test, ast.Compare) and len(test.ops) == 1
        if not compares and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            yield self._replace_node(test, f"(not {self._text_of(test)})")

    def list_returned(self, value: ast.expr, function: Function) -> Iterator[str]:
        """Yield what else may come back, of the type that was promised."""
        hint = "" if function.returns is None else ast.unparse(function.returns)
        kind = hint.partition("[")[0]
        if hint == "bool":
            yield from ("True", "False")
        elif hint == "int":
            yield f"{self._text_of(value)} + 1"
        elif "None" in hint:
            yield "None"
        if kind in EMPTY and (kind != "tuple" or hint.endswith(", ...]")):
            yield EMPTY[kind]


def _is_words(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _can_go(statement: ast.stmt, function: Function | None) -> bool:
    """Tell whether a program without the statement still runs."""
    match statement:
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.Return():
            return function is not None and statement is not function.body[-1]
        case ast.Assign(targets=[ast.Name(id=name)]) if function is not None:
            names = [n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
            given = {n.id for n in names if n.lineno < statement.lineno}
            return name in given | {n.arg for n in ast.walk(function.args) if isinstance(n, ast.arg)}
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return function is None or function.name != "__init__"
    return isinstance(statement, ast.Expr | ast.AugAssign | ast.Continue | ast.Break | ast.Raise | ast.Delete)
