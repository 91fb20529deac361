"""Who would catch a call's exception, read from the application's source: a rule reports what it is sure of alone.

The frames next to the SDK are looked at from the innermost outwards, until a handler takes the exception or may take
it. A library between them, the test function and a source that can't be read end the search.
"""

from __future__ import annotations

import ast
import builtins
import linecache
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from pytest_ddbthrottle._engine import errors
from pytest_ddbthrottle._engine.caller import Frame
from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._resends import THROTTLE_ERRORS

_BROAD = ("BaseException", "Exception")
_TAKING: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "timeout": frozenset((*_BROAD, "BotoCoreError", "HTTPClientError", "ReadTimeoutError")),
        "reset": frozenset((*_BROAD, "BotoCoreError", "HTTPClientError", "ConnectionClosedError")),
    }
)
"""Which of botocore's classes take a lost reply; all else that the audit looks at is a ClientError."""
_KNOWN = frozenset(
    (
        *(name for of in (vars(errors), vars(builtins)) for name, value in of.items() if isinstance(value, type)),
        *(name for names in _TAKING.values() for name in names),
        "ClientError",
    )
)
_HARMLESS = frozenset(("batch_writer", "closing", "lock", "nullcontext", "open", "patch", "rlock", "span", "timer"))
"""Contexts that surely let an exception through, by the last part of their names."""
_LOGGING = ("log", "logger", "logging", "print", "print_exc", "warn", "warnings")
_WITHOUT_BLOCKS = ("<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Module
Loop = ast.For | ast.AsyncFor | ast.While
Body = Sequence[ast.stmt]


@dataclass(frozen=True, slots=True)
class Catch:
    """The ``except`` or the ``with suppress()`` that takes an exception.

    Attributes:
        frame: whose function it is in.
        body: what is done then.
        block: the ``try`` or ``with`` statement.
        function: the function around it.
        name: of the exception in it, or None.
    """

    frame: Frame
    body: Body
    block: ast.stmt
    function: Function
    name: str | None

    @property
    def hands_on(self) -> bool:
        """Whether the exception itself is given to somebody, and not only looked at or written to a log."""
        nodes = [node for part in self.body if not _says_nothing(part) for node in ast.walk(part)]
        looked_at = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
        return any(isinstance(node, ast.Name) and node.id == self.name and id(node) not in looked_at for node in nodes)

    @property
    def raises(self) -> bool:
        """Whether anything is raised in it, on whatever condition."""
        return any(isinstance(node, ast.Raise) for statement in self.body for node in ast.walk(statement))

    @property
    def is_silent(self) -> bool:
        """Whether nobody is told: nothing is done but a word in the log, and nothing is raised after it either."""
        end = self.block.end_lineno or 0
        told_later = any(_tells(node, after_line=end) for node in ast.walk(self.function))
        return not told_later and all(map(_says_nothing, self.body))


def catch_of(call: Call) -> Catch | None:
    """Give what surely takes a refused call's exception; None where nothing does, or where it can't be told."""
    return _catch(_application_of(call), call.error or "")


def _application_of(call: Call) -> tuple[Frame, ...]:
    return call.caller.application if call.caller is not None else ()


@lru_cache(maxsize=1024)
def _catch(application: tuple[Frame, ...], error: str) -> Catch | None:
    for frame, function in _functions_around(application):
        for block in _blocks_around(function, frame.line):
            verdicts = list(_verdicts(block, error))
            if any(is_sure is None for is_sure, _ in verdicts):
                return None
            for (is_sure, body), name in zip(verdicts, _bound_names(block), strict=False):
                if is_sure:
                    return Catch(frame, body, block, function, name)
    return None


def passes_by(call: Call) -> tuple[Frame, str] | None:
    """Give the function that catches another of the throttle's classes and lets this one pass, and that class's name."""
    return _passing(_application_of(call), call.error or "")


@lru_cache(maxsize=1024)
def _passing(application: tuple[Frame, ...], error: str) -> tuple[Frame, str] | None:
    for frame, function in _functions_around(application):
        named: set[str] = set()
        for block in _blocks_around(function, frame.line):
            if any(is_sure is not False for is_sure, _ in _verdicts(block, error)):
                return None
            named |= {name for handler in getattr(block, "handlers", ()) for name in _names(handler.type)}
        if others := named & THROTTLE_ERRORS:
            return frame, min(others)
    return None


def is_in_retry_loop(call: Call) -> bool:
    """Tell whether the handler next to a call stands in a loop that success ends: a loop that goes on is no retry."""
    return _in_retry_loop(_application_of(call), call.error or "")


@lru_cache(maxsize=1024)
def _in_retry_loop(application: tuple[Frame, ...], error: str) -> bool:
    for frame, function in _functions_around(application):
        for block in _blocks_around(function, frame.line):
            if any(is_sure is not False for is_sure, _ in _verdicts(block, error)):
                return isinstance(block, ast.Try) and any(_ends_on_success(loop) for loop in _loops(function, block))
    return False


def _loops(function: Function, block: ast.stmt) -> list[Loop]:
    return [node for node in _own_nodes(function) if isinstance(node, Loop) and any(block is n for n in ast.walk(node))]


def _ends_on_success(loop: Loop) -> bool:
    reached = [node for statement in loop.body for node in _outside_handlers(statement)]
    if any(isinstance(node, ast.Return | ast.Break) for node in reached):
        return True
    stored = {node.id for node in reached if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return isinstance(loop, ast.While) and any(
        isinstance(node, ast.Name) and node.id in stored for node in ast.walk(loop.test)
    )


def _outside_handlers(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.ExceptHandler):
            yield from _outside_handlers(child)


def _functions_around(application: tuple[Frame, ...]) -> Iterator[tuple[Frame, Function]]:
    """Give the application's frames from the innermost outwards with their functions, up to one that can't be read."""
    for frame in application:
        if frame.code.co_name in _WITHOUT_BLOCKS:
            continue
        function = _function_of(frame)
        if function is None:
            return
        yield frame, function


def _verdicts(block: ast.stmt, error: str) -> Iterator[tuple[bool | None, Body]]:
    """Give for each handler of a block whether it takes the error (None: it may), and what it does then."""
    if isinstance(block, ast.With | ast.AsyncWith):
        for item in block.items:
            yield _suppresses(item.context_expr, error), ()
        return
    for handler in getattr(block, "handlers", ()):
        verdict = _takes(_names(handler.type), error)
        yield verdict, handler.body
        if verdict:
            return


def _bound_names(block: ast.stmt) -> list[str | None]:
    if isinstance(block, ast.With | ast.AsyncWith):
        return [None for _ in block.items]
    return [handler.name for handler in getattr(block, "handlers", ())]


def _suppresses(context: ast.expr, error: str) -> bool | None:
    """Tell of a ``with``: suppress is known, a few are harmless, and of any other it can't be told."""
    called = context.func if isinstance(context, ast.Call) else context
    name = _names(called)[-1]
    if name == "suppress" and isinstance(context, ast.Call):
        return _takes([part for argument in context.args for part in _names(argument)], error)
    return False if name.lower().strip("_") in _HARMLESS else None


def _takes(names: Sequence[str], error: str) -> bool | None:
    if not _TAKING.get(error, {*_BROAD, "ClientError", error}).isdisjoint(names):
        return True
    return False if _KNOWN.issuperset(names) else None


def _names(expression: ast.expr | None) -> list[str]:
    """Give the last part of each class's name; a bare except is one of BaseException."""
    if expression is None:
        return ["BaseException"]
    if isinstance(expression, ast.Tuple):
        return [name for part in expression.elts for name in _names(part)]
    if isinstance(expression, ast.Attribute):
        return [expression.attr]
    return [expression.id] if isinstance(expression, ast.Name) else ["?"]


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Pass | ast.Continue | ast.Break):
        return True
    if isinstance(statement, ast.Return):
        return statement.value is None
    if not isinstance(statement, ast.Expr):
        return False
    return isinstance(statement.value, ast.Constant) or _only_logs(statement.value)


def _tells(node: ast.AST, after_line: int) -> bool:
    if not isinstance(node, ast.Raise | ast.Return) or node.lineno <= after_line:
        return False
    return isinstance(node, ast.Raise) or node.value is not None


def _only_logs(expression: ast.expr) -> bool:
    if not isinstance(expression, ast.Call):
        return False
    parts = ast.unparse(expression.func).lower().split(".")
    return any(part.lstrip("_") in _LOGGING for part in parts)


def _blocks_around(function: Function, line: int) -> list[ast.stmt]:
    """Give the ``try`` and ``with`` statements of a function whose body holds a line, from the innermost outwards."""
    around = [
        node
        for node in _own_nodes(function)
        if isinstance(node, ast.Try | ast.With | ast.AsyncWith)
        and node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)
    ]
    return sorted(around, key=lambda node: -node.lineno)


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """Give the nodes of a function without those of the functions in it."""
    waiting: list[ast.AST] = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _function_of(frame: Frame) -> Function | None:
    code = frame.code
    tree = _tree(code.co_filename)
    if tree is None or code.co_name == "<module>":
        return tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


@lru_cache(maxsize=256)
def _tree(filename: str) -> ast.Module | None:
    try:
        return ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        return None
