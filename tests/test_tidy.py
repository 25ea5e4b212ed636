"""The style as a test: who may import whom, what pure packages may not touch, and sizes."""

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "p2pjong"
MODULES = sorted(PACKAGE.rglob("*.py"))

# package -> what of ours it may import besides itself. `errors` and `settings` are plain values.
MAY_IMPORT = {
    "games": set[str](),
    "crypto": set[str](),
    "engine": {"games"},
    "bots": {"games"},
    "wire": set[str](),
    "session": {"games", "engine", "crypto", "wire"},
    "audit": {"games", "crypto", "wire", "session"},
    "arena": {"games", "engine", "bots"},
    "front": {"games", "session.effects", "session.lobby_view"},
    "ui": {
        "games",
        "front",
        "session.effects",
        "session.lobby_view",
        "session.purposes",
        "session.table_code",
        "errors",
        "program_name",
    },
    "program_name": {"errors"},
    "app": {
        "audit",
        "errors",
        "front",
        "games",
        "net",
        "program_name",
        "session",
        "settings",
        "store",
        "wire",
    },
    "net": {"session", "wire", "errors", "settings"},
    "store": {"wire", "errors"},
    "score": {"games"},
    "errors": set[str](),
    "settings": {"errors", "wire.ranges"},
}
# The command line may import everything.
AT_THE_TOP = {"cli", "commands", "__main__", "__init__"}

PURE = {"games", "engine", "crypto", "wire", "session", "audit", "bots"}
BANNED_MODULES = {"asyncio", "socket", "time", "random", "secrets", "os", "logging", "click"}
BANNED_CALLS = {"print", "open", "input", "exit", "eval", "exec"}
# What each pure package may use of other people's code.
FOREIGN = {
    "games": set[str](),
    "engine": set[str](),
    "bots": set[str](),
    "crypto": {"rbcl", "cryptography"},
    "wire": {"msgpack", "msgspec", "confusable_homoglyphs"},
    "session": {"cryptography", "msgspec", "spake2"},
    "audit": set(),
}

FUNCTION_LINES_MAX = 50
MODULE_LINES_MAX = 500
POSITIONAL_MAX = 6


def package_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def found(untidy: Callable[[Path], Iterator[str]], modules: Iterable[Path]) -> list[str]:
    """What is untidy in the modules, each with the path of its module."""
    return [f"{path.relative_to(ROOT)}: {what}" for path in modules for what in untidy(path)]


def imported_against_the_way(path: Path) -> Iterator[str]:
    package = package_of(path)
    if package in AT_THE_TOP:
        return
    allowed = MAY_IMPORT[package] | {package}
    for imported in imports(tree_of(path)):
        if imported.startswith("p2pjong."):
            target = imported.removeprefix("p2pjong.")
            if not any(target == name or target.startswith(f"{name}.") for name in allowed):
                yield f"{package} may not import {target}"


def test_imports_go_one_way() -> None:
    assert not found(imported_against_the_way, MODULES)


def impure(path: Path) -> Iterator[str]:
    for imported in imports(tree_of(path)):
        top = imported.split(".")[0]
        if top in BANNED_MODULES:
            yield f"{imported} is banned in {package_of(path)}"
        elif not (top == "p2pjong" or top in STANDARD or top in FOREIGN[package_of(path)]):
            yield f"{imported} is foreign"
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in BANNED_CALLS:
                yield f"line {node.lineno}: {node.func.id}()"


def test_pure_packages_touch_neither_clock_nor_disk_nor_chance() -> None:
    assert not found(impure, [path for path in MODULES if package_of(path) in PURE])


def large_or_silent(path: Path) -> Iterator[str]:
    lines = text_of(path).count("\n")
    if lines > MODULE_LINES_MAX:
        yield f"{lines} lines"
    if lines and not ast.get_docstring(tree_of(path)):
        yield "a module says what lives in it"
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            size = node.end_lineno - node.lineno + 1
            if size > FUNCTION_LINES_MAX:
                yield f"{node.name} has {size} lines"
            positional = [argument.arg for argument in node.args.args if argument.arg != "self"]
            is_command = any("command" in ast.unparse(mark) for mark in node.decorator_list)
            if not is_command and len(positional) > POSITIONAL_MAX:
                yield f"{node.name}: {positional}"


def test_modules_and_functions_are_small_and_begin_with_what_they_are() -> None:
    assert not found(large_or_silent, MODULES)


def swallowed_or_exiting(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ExceptHandler) and package_of(path) not in {"cli", "app"}:
            caught = ast.unparse(node.type) if node.type else ""
            is_reraised = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
            if caught in {"", "BaseException", "Exception"} and not is_reraised:
                yield f"line {node.lineno} swallows everything"
        if isinstance(node, ast.Attribute) and node.attr in {"exit", "_exit"}:
            if ast.unparse(node) in {"sys.exit", "os._exit"} and package_of(path) != "cli":
                yield f"line {node.lineno} exits"


def test_only_the_top_swallows_every_exception_and_only_the_command_line_exits() -> None:
    assert not found(swallowed_or_exiting, MODULES)


def test_nothing_refers_to_one_machine_or_to_a_package_registry() -> None:
    # Spelled in parts, so that this file does not name them itself.
    forbidden = [
        "/" + "work/",
        "." + "./shared",
        "py" + "pi.org",
        "python" + "hosted",
        "/ro" + "ot/",
    ]
    for pattern in ("*.toml", "*.md", "*.txt", "p2pjong/**/*.py", "scripts/*", "protocol/**/*.md"):
        for path in ROOT.glob(pattern):
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            words = [word for word in forbidden if word in text]
            assert not words, f"{path.relative_to(ROOT)} names {words}"


STANDARD = frozenset(__import__("sys").stdlib_module_names)
