"""The shape of the code in numbers: what a second game, or a stranger, would stumble over.

Everything is read from the sources; nothing is imported or run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

from tools.deb.contents import read_project

ROOT = Path(__file__).parents[2]
ROOMS = read_project().rooms
_CONFIG = "config"
_ALIKE_LINES = 6
_GAMES = ("laminate", "wild_seven", "seven_minutes", "seven_euchre", "seven_wonders")
_OWN_FOLDERS = ("rules", "referee", "ui")


@dataclass(frozen=True)
class Source:
    """One file of the program: its path from the root and its text."""

    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.text)

    @property
    def module(self) -> str:
        """Its dotted name."""
        return ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of its tree."""
        return tuple(ast.walk(self.tree))

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.text.count("\n")


def read_sources(root: Path = ROOT) -> list[Source]:
    """Read every Python file of the program; tests, tools and training code are none."""
    found = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            inside = path.relative_to(root)
            if inside.parts[:2] != ("models", "train"):
                found.append(Source(inside, path.read_text(encoding="utf-8")))
    return found


def other_lines(root: Path = ROOT) -> int:
    """Count the lines that tests and tools have."""
    paths = [*(root / "tests").rglob("*.py"), *(root / "tools").rglob("*.py")]
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def with_japanese(files: Iterable[Source]) -> list[str]:
    """List files that have Japanese in them, be it in a docstring."""
    letters = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
    return [str(file.path) for file in files if letters.search(file.text)]


def own_judges(files: Iterable[Source]) -> list[str]:
    """List classes of games' referees that judge or compare in place of what all have in common."""
    return [
        f"{file.module}.{node.name}"
        for file in files
        if file.path.parts[0] == "referee" and _is_a_games_own(file.path)
        for node in file.nodes
        if isinstance(node, ast.ClassDef) and {"judge", "compare"} & {one.name for one in _list_functions(node.body)}
    ]


def alike_across_games(files: Iterable[Source]) -> list[str]:
    """List pairs of functions and classes of six lines and more that two games have alike but for names and values.

    Enumerations are lists of words, alike as such.
    """
    known: dict[str, list[tuple[str, str]]] = {}
    for file in files:
        game = next((part.removesuffix(".py") for part in file.path.parts if part.removesuffix(".py") in _GAMES), None)
        if game is None:
            continue
        for node in file.nodes:
            enum = isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases)
            long = (getattr(node, "end_lineno", 0) or 0) - getattr(node, "lineno", 0) >= _ALIKE_LINES - 1
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and long and not enum:
                known.setdefault(_shape_of(node), []).append((game, f"{file.module}.{node.name}"))
    return [
        f"{one} ~ {other}"
        for places in known.values()
        for (game, one), (another, other) in combinations(places, 2)
        if game != another
    ]


def _shape_of(node: ast.AST) -> str:
    """Return a syntax tree without its names, values and docstrings."""
    bare = re.sub(r"(id|arg|attr|name|value)='[^']*'|value=(\d+|\"[^\"]*\")", "", ast.dump(node))
    return re.sub(r"Expr\(value=Constant\([^()]*\)\),? ?", "", bare)


def list_methods(files: Iterable[Source], name: str) -> list[str]:
    """List the methods of the class of that name."""
    classes = (node for file in files for node in file.nodes if isinstance(node, ast.ClassDef))
    return [one.name for node in classes if node.name == name for one in _list_functions(node.body)]


def _list_functions(body: Iterable[ast.stmt]) -> list[ast.FunctionDef]:
    return [node for node in body if isinstance(node, ast.FunctionDef)]


def kinds_of(files: Iterable[Source], name: str) -> dict[str, int]:
    """Count the fields, inherited ones included, of the data class of that name and each that derives from it."""
    classes = [node for file in files for node in file.nodes if isinstance(node, ast.ClassDef)]
    own = {node.name: sum(isinstance(one, ast.AnnAssign) for one in node.body) for node in classes}
    found = {name: own.get(name, 0)}
    for _ in classes:
        for node in classes:
            for base in (ast.unparse(base) for base in node.bases):
                if base in found:
                    found[node.name] = own[node.name] + found[base]
    return found


def list_protocols(files: Iterable[Source], room: str) -> list[str]:
    """List the protocols of a room."""
    return [
        f"{file.module}.{node.name}"
        for file in files
        if file.path.parts[0] == room
        for node in file.nodes
        if isinstance(node, ast.ClassDef) and any("Protocol" in ast.unparse(base) for base in node.bases)
    ]


def measure_complexities(files: Iterable[Source]) -> dict[str, int]:
    """Compute the cyclomatic complexity of each function, after McCabe (1976)."""
    branches = ast.If | ast.For | ast.While | ast.ExceptHandler | ast.IfExp | ast.comprehension | ast.match_case
    found = {}
    for file in files:
        for node in file.nodes:
            if isinstance(node, ast.FunctionDef):
                inner = list(ast.walk(node))
                either = sum(len(one.values) - 1 for one in inner if isinstance(one, ast.BoolOp))
                found[f"{file.module}.{node.name}"] = 1 + either + sum(isinstance(one, branches) for one in inner)
    return found


def mat_finders(files: Iterable[Source]) -> list[str]:
    """List places outside ``vision`` that call ``find_mat``, as ``path:line``."""
    return [
        f"{file.path}:{node.lineno}"
        for file in files
        if file.path.parts[0] != "vision"
        for node in file.nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "find_mat"
    ]


def find_namesakes(files: Iterable[Source]) -> list[str]:
    """Find names that classes of two modules share, private ones aside.

    What is called the same in the same module of several games is one thing.
    """
    game = re.compile("|".join(_GAMES))
    known: dict[str, dict[str, list[str]]] = {}
    for file in files:
        for node in file.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                known.setdefault(node.name, {}).setdefault(game.sub("*", file.module), []).append(file.module)
    return [f"{name}: {', '.join(modules)}" for name, modules in known.items() if len(modules) > 1]


def name_a_game(files: Iterable[Source]) -> list[str]:
    """List files outside a game's own folders that name the game, in code or words."""
    named = re.compile("|".join(_GAMES), re.IGNORECASE)
    return [str(file.path) for file in files if not _is_a_games_own(file.path) and named.search(file.text)]


def _is_a_games_own(path: Path) -> bool:
    return path.parts[0] in _OWN_FOLDERS and any(part.removesuffix(".py") in _GAMES for part in path.parts[1:])


def folder_sizes(files: Iterable[Source]) -> dict[str, int]:
    """Count the Python files that each folder holds."""
    sizes: dict[str, int] = {}
    for file in files:
        sizes[str(file.path.parent)] = sizes.get(str(file.path.parent), 0) + 1
    return sizes


def file_lengths(files: Iterable[Source]) -> dict[str, int]:
    """Count the lines of each file."""
    return {str(file.path): file.lines for file in files}


def import_cycles(files: Iterable[Source]) -> list[list[str]]:
    """Group modules that import each other in a circle, imports for type checking included."""
    files = list(files)
    known = {file.module for file in files}
    graph = {file.module: {name for name in _list_imported(file, known) if name != file.module} for file in files}
    return [sorted(group) for group in _find_circles(graph) if len(group) > 1]


def _list_imported(file: Source, known: set[str]) -> Iterator[str]:
    for node in file.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in known:
                    yield whole
                elif node.module in known:
                    yield node.module


def _find_circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Find strongly connected groups, after Tarjan (1972)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[set[str]] = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            place = stack.index(node)
            groups.append(set(stack[place:]))
            del stack[place:]

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return groups


def count_attributes(files: Iterable[Source]) -> dict[str, int]:
    """Count how many attributes of its own each class sets or declares."""
    counts = {}
    for file in files:
        for node in file.nodes:
            if isinstance(node, ast.ClassDef):
                counts[f"{file.module}.{node.name}"] = len(_own_attributes(node))
    return counts


def _own_attributes(node: ast.ClassDef) -> set[str]:
    named = [one.target for one in node.body if isinstance(one, ast.AnnAssign)]
    declared = {target.id for target in named if isinstance(target, ast.Name)}
    for inner in ast.walk(node):
        targets: list[ast.expr] = []
        if isinstance(inner, ast.Assign):
            targets = [part for one in inner.targets for part in (one.elts if isinstance(one, ast.Tuple) else [one])]
        elif isinstance(inner, ast.AnnAssign):
            targets = [inner.target]
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                declared.add(target.attr)
    return declared


def language_branches(files: Iterable[Source]) -> list[str]:
    """List places that compare the language with one of the two, as ``path:line``."""
    places = []
    for file in files:
        for node in file.nodes:
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                if any(_is_a_language(side) for side in sides):
                    places.append(f"{file.path}:{node.lineno}")
    return places


def _is_a_language(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Language"


def number_constants(files: Iterable[Source]) -> list[str]:
    """List numbers at the top of ``vision``'s modules outside its configuration, as ``path:line``, each once."""
    places = []
    for file in files:
        if file.path.parts[0] != "vision" or _CONFIG in file.path.parts:
            continue
        for node in file.tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                places += [f"{file.path}:{one.lineno}" for one in ast.walk(node.value) if _is_a_number(one)]
    return places


def _is_a_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
