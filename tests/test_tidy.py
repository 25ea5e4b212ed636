"""The style as a test: who may import whom, what pure packages may not touch, and sizes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    "audit": {"games", "engine", "crypto", "wire", "errors"},
    "arena": {"games", "engine", "bots"},
    "ui": {"games", "session.effects", "session.lobby_view", "session.table_code", "errors"},
    "net": {"session", "wire", "errors", "settings"},
    "store": {"wire", "errors"},
    "score": {"games"},
    "errors": set[str](),
    "settings": {"errors"},
}
# The command line and what puts a peer together may import everything.
AT_THE_TOP = {"cli", "commands", "app", "__main__", "__init__"}

PURE = {"games", "engine", "crypto", "wire", "session", "audit", "bots"}
BANNED_MODULES = {"asyncio", "socket", "time", "random", "secrets", "os", "logging", "click"}
BANNED_CALLS = {"print", "open", "input", "exit", "eval", "exec"}
# What each pure package may use of other people's code.
FOREIGN = {
    "games": set[str](),
    "engine": set[str](),
    "bots": set[str](),
    "crypto": {"rbcl", "cryptography"},
    "wire": {"msgpack", "msgspec"},
    "session": {"cryptography", "msgspec", "spake2"},
    "audit": {"cryptography"},
}

FUNCTION_LINES_MAX = 50
MODULE_LINES_MAX = 500
POSITIONAL_MAX = 6


def package_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def named(paths: list[Path]) -> dict[str, Path]:
    return {str(path.relative_to(ROOT)): path for path in paths}


BY_NAME = named(MODULES)
PURE_BY_NAME = named([path for path in MODULES if package_of(path) in PURE])


@pytest.mark.parametrize("name", BY_NAME)
def test_imports_go_one_way(name: str) -> None:
    package = package_of(BY_NAME[name])
    if package in AT_THE_TOP:
        return
    allowed = MAY_IMPORT[package] | {package}
    for imported in imports(parse(BY_NAME[name])):
        if imported.startswith("p2pjong."):
            target = imported.removeprefix("p2pjong.")
            is_allowed = any(target == name or target.startswith(f"{name}.") for name in allowed)
            assert is_allowed, f"{package} may not import {target}"


@pytest.mark.parametrize("name", PURE_BY_NAME)
def test_pure_packages_touch_neither_clock_nor_disk_nor_chance(name: str) -> None:
    path = PURE_BY_NAME[name]
    tree = parse(path)
    for imported in imports(tree):
        top = imported.split(".")[0]
        assert top not in BANNED_MODULES, f"{imported} is banned in {package_of(path)}"
        is_ours_or_standard = top == "p2pjong" or top in STANDARD
        assert is_ours_or_standard or top in FOREIGN[package_of(path)], imported
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in BANNED_CALLS, f"line {node.lineno}: {node.func.id}()"


@pytest.mark.parametrize("name", BY_NAME)
def test_modules_and_functions_are_small_and_begin_with_what_they_are(name: str) -> None:
    text = BY_NAME[name].read_text(encoding="utf-8")
    tree = ast.parse(text)
    lines = text.count("\n")
    assert lines <= MODULE_LINES_MAX, f"{lines} lines"
    assert not lines or ast.get_docstring(tree), "a module says what lives in it"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            size = node.end_lineno - node.lineno + 1
            assert size <= FUNCTION_LINES_MAX, f"{node.name} has {size} lines"
            positional = [argument.arg for argument in node.args.args if argument.arg != "self"]
            is_command = any("command" in ast.unparse(mark) for mark in node.decorator_list)
            assert is_command or len(positional) <= POSITIONAL_MAX, f"{node.name}: {positional}"


@pytest.mark.parametrize("name", BY_NAME)
def test_only_the_top_swallows_every_exception_and_only_the_command_line_exits(name: str) -> None:
    path = BY_NAME[name]
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.ExceptHandler) and package_of(path) not in {"cli", "app"}:
            caught = ast.unparse(node.type) if node.type else ""
            is_reraised = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
            is_wide = caught in {"", "BaseException", "Exception"}
            assert not is_wide or is_reraised, f"line {node.lineno} swallows everything"
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"sys.exit", "os._exit"}:
            assert package_of(path) == "cli", f"line {node.lineno} exits"


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
            found = [word for word in forbidden if word in text]
            assert not found, f"{path.relative_to(ROOT)} names {found}"


STANDARD = frozenset(__import__("sys").stdlib_module_names)
