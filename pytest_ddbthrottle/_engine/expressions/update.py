"""UpdateExpression: SET, REMOVE, ADD and DELETE, computed from the old item and applied to a new one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pytest_ddbthrottle._engine.attribute_value import (
    AttributeValue,
    Item,
    add,
    check_nesting,
    item_size_bytes,
    number,
    number_text,
    subtract,
    type_of,
)
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.nodes import Action, Arithmetic, Call, Operand, Path, Value
from pytest_ddbthrottle._engine.expressions.operands import BoundOperand, bind_simple, check_count, check_types
from pytest_ddbthrottle._engine.expressions.parser import parse_update
from pytest_ddbthrottle._engine.expressions.paths import (
    BoundPath,
    Tree,
    bind_path,
    check_distinct,
    child,
    find,
    only,
    tree_of,
)
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders

KIND = "UpdateExpression"
WRONG_TYPE = "An operand in the update expression has an incorrect data type"
MISSING = "The provided expression refers to an attribute that does not exist in the item"
INVALID_PATH = "The document path provided in the update expression is invalid for update"
"""Source: Observed — public conformance suites, 2026."""

WRITING_COST_BYTES = {"SET": 19, "ADD": 19, "REMOVE": 2, "DELETE": 2}
UPDATE_COST_BYTES = 3
"""What UpdateItem's size gate adds. Source: Observed — eu-west-2, 2026-07, a public conformance suite."""

_SETS = frozenset({"SS", "NS", "BS"})
MEMBER_TYPES = {"ADD": _SETS | {"N"}, "DELETE": _SETS}
"""What may be added and deleted. Source: Documented — API Reference, UpdateItem, read 2026-11-30."""

_LONG_TYPE_NAMES = {
    "S": "STRING",
    "N": "NUMBER",
    "B": "BINARY",
    "BOOL": "BOOLEAN",
    "NULL": "NULL",
    "SS": "STRING_SET",
    "NS": "NUMBER_SET",
    "BS": "BINARY_SET",
    "L": "LIST",
    "M": "MAP",
}


@dataclass(frozen=True, slots=True)
class BoundAction:
    """One action; ``operand`` is None for REMOVE."""

    section: str
    path: BoundPath
    operand: BoundOperand | None


@dataclass(frozen=True, slots=True)
class Update:
    """A bound update."""

    actions: tuple[BoundAction, ...]
    _tree: Tree

    def check_keys(self, key_names: Iterable[str]) -> None:
        """Check that no action touches a key attribute.

        Raises:
            ValidationException: naming the attribute.
        """
        keys = frozenset(key_names)
        for action in self.actions:
            if action.path[0] in keys:
                raise ValidationException(
                    "One or more parameter values were invalid: Cannot update attribute "
                    f"{action.path[0]}. This attribute is part of the key"
                )

    def apply(self, item: Item) -> Item:
        """Give the item that the update makes of one; the given item stays as it is.

        Every operand sees the old item. Values are set first, then list elements are removed, so that indexes mean the
        old list.

        Raises:
            ValidationException: what the item holds makes an action invalid.
        """
        changes = [(action, _CHANGES[action.section](item, action)) for action in self.actions]
        nested = {str(action.path[0]) for action in self.actions if len(action.path) > 1}
        new = {name: _copied(value) if name in nested else value for name, value in item.items()}
        for action, value in sorted(changes, key=_application_order):
            if value is None:
                _remove(new, action)
            else:
                _set(new, action.path, value)
        self._check_nesting(new)
        return new

    def _check_nesting(self, new: Item) -> None:
        # A literal that becomes an attribute was checked with the request.
        for action in self.actions:
            computed = action.operand is not None and action.operand.literal is None
            if action.section == "SET" and (computed or len(action.path) > 1):
                check_nesting(new[str(action.path[0])])

    def updated_values(self, item: Item) -> Item:
        """Give what an item holds at the paths that the update touches: UPDATED_OLD or UPDATED_NEW."""
        return only(item, self._tree)

    def written_gate_bytes(self, new: Item) -> int:
        """Give what UpdateItem's size gate counts besides the finished item: the attributes written, and each action."""
        written = {str(action.path[0]) for action in self.actions if action.section in ("SET", "ADD")}
        written_bytes = item_size_bytes({name: new[name] for name in written if name in new})
        return UPDATE_COST_BYTES + written_bytes + sum(WRITING_COST_BYTES[action.section] for action in self.actions)


def update(text: str, placeholders: Placeholders) -> Update:
    """Bind an update to a request's placeholders.

    Args:
        text: ``UpdateExpression``.
        placeholders: those of the request.

    Raises:
        ValidationException: the service's text for the first fault.

    >>> count = update("ADD seen :one", Placeholders(None, {":one": {"N": "1"}}))
    >>> count.apply({"pk": {"S": "a"}})
    {'pk': {'S': 'a'}, 'seen': {'N': '1'}}
    """
    placeholders.check()
    return bound_update(parse_update(KIND, text), placeholders)


def bound_update(nodes: Sequence[Action], placeholders: Placeholders) -> Update:
    """Bind an update that is parsed already.

    Raises:
        ValidationException: as ``update``.
    """
    paths = []
    for node in nodes:
        paths.append(bind_path(KIND, node.path, placeholders))
        _check_defined(node.operand, placeholders)
    check_distinct(KIND, paths)
    for node in nodes:
        _check_member_type(node, placeholders)
    operands = [None if node.operand is None else _bound_operand(node.operand, placeholders) for node in nodes]
    actions = tuple(map(BoundAction, (node.section for node in nodes), paths, operands))
    return Update(actions, tree_of(paths))


def _check_defined(operand: Operand | None, placeholders: Placeholders) -> None:
    """Check the placeholders of an operand: the service does so for the whole text before it looks at anything else."""
    if isinstance(operand, Call):
        for part in operand.operands:
            _check_defined(part, placeholders)
    elif isinstance(operand, Arithmetic):
        _check_defined(operand.left, placeholders)
        _check_defined(operand.right, placeholders)
    elif isinstance(operand, Value):
        placeholders.value(KIND, operand.placeholder)
    elif operand is not None:
        bind_path(KIND, operand, placeholders)


def _check_member_type(node: Action, placeholders: Placeholders) -> None:
    allowed = MEMBER_TYPES.get(node.section)
    if allowed is None or not isinstance(node.operand, Value):
        return
    tag = type_of(placeholders.value(KIND, node.operand.placeholder))
    if tag not in allowed:
        raise ValidationException(
            f"Invalid {KIND}: Incorrect operand type for operator or function; operator: {node.section}, operand type: "
            f"{_LONG_TYPE_NAMES[tag]}, typeSet: ALLOWED_FOR_{node.section}_OPERAND"
        )


def _bound_operand(node: Operand, placeholders: Placeholders) -> BoundOperand:
    if isinstance(node, Arithmetic):
        return _arithmetic(node, placeholders)
    if isinstance(node, Call):
        return _call(node, placeholders)
    bound = bind_simple(KIND, node, placeholders)
    return BoundOperand(lambda item: _present(bound.read(item)), bound.literal, bound.path, bound.result_type)


def _present(value: AttributeValue | None) -> AttributeValue:
    if value is None:
        raise ValidationException(MISSING)
    return value


def _arithmetic(node: Arithmetic, placeholders: Placeholders) -> BoundOperand:
    left, right = (_bound_operand(operand, placeholders) for operand in (node.left, node.right))
    for operand in (left, right):
        check_types(KIND, node.operator, operand, frozenset({"N"}))
    compute = add if node.operator == "+" else subtract

    def read(item: Item) -> AttributeValue:
        first, second = _number(left.read(item)), _number(right.read(item))
        return {"N": number_text(compute(first, second))}

    return BoundOperand(read, result_type="N")


def _number(value: AttributeValue | None) -> Decimal:
    if value is None or "N" not in value:
        raise ValidationException(WRONG_TYPE)
    return number(value["N"])


def _call(node: Call, placeholders: Placeholders) -> BoundOperand:
    check_count(KIND, node.function, len(node.operands), 2)
    return _FUNCTIONS[node.function](node, placeholders)


def _if_not_exists(node: Call, placeholders: Placeholders) -> BoundOperand:
    first, fallback = node.operands
    if not isinstance(first, Path):
        raise ValidationException(
            f"Invalid {KIND}: Operator or function requires a document path; operator or function: if_not_exists"
        )
    path, other = bind_path(KIND, first, placeholders), _bound_operand(fallback, placeholders)

    def read(item: Item) -> AttributeValue | None:
        found = find(item, path)
        return found if found is not None else other.read(item)

    return BoundOperand(read)


def _list_append(node: Call, placeholders: Placeholders) -> BoundOperand:
    operands = [_bound_operand(operand, placeholders) for operand in node.operands]
    for operand in operands:
        check_types(KIND, "list_append", operand, frozenset({"L"}))

    def read(item: Item) -> AttributeValue:
        lists = [operand.read(item) or {} for operand in operands]
        if any("L" not in value for value in lists):
            raise ValidationException(WRONG_TYPE)
        return {"L": [element for value in lists for element in value["L"]]}

    return BoundOperand(read, result_type="L")


_FUNCTIONS: dict[str, Callable[[Call, Placeholders], BoundOperand]] = {
    "if_not_exists": _if_not_exists,
    "list_append": _list_append,
}


def _value_to_set(item: Item, action: BoundAction) -> AttributeValue | None:
    assert action.operand is not None
    return action.operand.read(item)


def _value_to_remove(item: Item, action: BoundAction) -> AttributeValue | None:
    return None


def _sum_or_union(item: Item, action: BoundAction) -> AttributeValue | None:
    ((tag, content),) = _operand_value(item, action).items()
    old = find(item, action.path)
    if old is None:
        return {tag: content}
    if type_of(old) != tag:
        raise ValidationException(WRONG_TYPE)
    if tag == "N":
        return {"N": number_text(add(number(old["N"]), number(content)))}
    return {tag: [*old[tag], *(member for member in content if member not in old[tag])]}


def _difference(item: Item, action: BoundAction) -> AttributeValue | None:
    ((tag, content),) = _operand_value(item, action).items()
    old = find(item, action.path)
    if old is None:
        return None
    if type_of(old) != tag:
        raise ValidationException(WRONG_TYPE)
    left = [member for member in old[tag] if member not in content]
    return {tag: left} if left else None


def _operand_value(item: Item, action: BoundAction) -> AttributeValue:
    assert action.operand is not None
    return _present(action.operand.read(item))


_CHANGES: dict[str, Callable[[Item, BoundAction], AttributeValue | None]] = {
    "SET": _value_to_set,
    "REMOVE": _value_to_remove,
    "ADD": _sum_or_union,
    "DELETE": _difference,
}


def _application_order(change: tuple[BoundAction, AttributeValue | None]) -> tuple[bool, int, int]:
    """Sort sets before removals; appends by their index; removals so that no index moves before it is used."""
    action, value = change
    last = action.path[-1]
    index = last if isinstance(last, int) else 0
    return (True, -len(action.path), -index) if value is None else (False, 0, index)


def _copied(value: AttributeValue) -> AttributeValue:
    """Give a value whose lists and maps are its own."""
    if "M" in value:
        return {"M": {name: _copied(part) for name, part in value["M"].items()}}
    return {"L": [_copied(part) for part in value["L"]]} if "L" in value else value


def _parent(item: Item, path: BoundPath) -> AttributeValue | None:
    return find(item, path[:-1])


def _set(item: Item, path: BoundPath, value: AttributeValue) -> None:
    if len(path) == 1:
        item[str(path[0])] = value
        return
    parent, last = _parent(item, path), path[-1]
    if parent is None or ("L" if isinstance(last, int) else "M") not in parent:
        raise ValidationException(INVALID_PATH)
    if not isinstance(last, int):
        parent["M"][last] = value
    elif last < len(parent["L"]):
        parent["L"][last] = value
    else:
        parent["L"].append(value)


def _remove(item: Item, action: BoundAction) -> None:
    path = action.path
    if len(path) == 1:
        item.pop(str(path[0]), None)
        return
    parent, last = _parent(item, path), path[-1]
    if parent is None or ("L" if isinstance(last, int) else "M") not in parent:
        raise ValidationException(INVALID_PATH)
    if isinstance(last, str):
        parent["M"].pop(last, None)
    elif child(parent, last) is not None:
        del parent["L"][last]
