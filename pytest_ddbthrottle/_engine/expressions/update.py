"""UpdateExpression: SET, REMOVE, ADD and DELETE, computed from the old item and applied to a new one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal

from pytest_ddbthrottle._engine.attribute_value import (
    AttributeValue,
    Item,
    add,
    item_size_bytes,
    number,
    number_text,
    type_of,
)
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.nodes import Action, Arithmetic, Call, Operand, Path
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

SETS = frozenset({"SS", "NS", "BS"})
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
        new = {name: deepcopy(value) if name in nested else value for name, value in item.items()}
        for action, value in sorted(changes, key=_application_order):
            if value is None:
                _remove(new, action)
            else:
                _set(new, action.path, value)
        return new

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
    actions = tuple(_bound(node, placeholders) for node in parse_update(KIND, text))
    paths = [action.path for action in actions]
    check_distinct(KIND, paths)
    return Update(actions, tree_of(paths))


def _bound(node: Action, placeholders: Placeholders) -> BoundAction:
    path = bind_path(KIND, node.path, placeholders)
    operand = None if node.operand is None else _bound_operand(node.operand, placeholders)
    if node.section in ("ADD", "DELETE") and operand is not None:
        _check_member_type(node.section, operand)
    return BoundAction(node.section, path, operand)


def _check_member_type(section: str, operand: BoundOperand) -> None:
    allowed = SETS if section == "DELETE" else SETS | {"N"}
    if operand.result_type is not None and operand.result_type not in allowed:
        raise ValidationException(
            f"Invalid {KIND}: Incorrect operand type for operator or function; operator: {section}, operand type: "
            f"{_LONG_TYPE_NAMES[operand.result_type]}, typeSet: ALLOWED_FOR_{section}_OPERAND"
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

    def read(item: Item) -> AttributeValue:
        first, second = _number(left.read(item)), _number(right.read(item))
        return {"N": number_text(add(first, second if node.operator == "+" else -second))}

    return BoundOperand(read, result_type="N")


def _number(value: AttributeValue | None) -> Decimal:
    if value is None or "N" not in value:
        raise ValidationException(WRONG_TYPE)
    return number(value["N"])


def _call(node: Call, placeholders: Placeholders) -> BoundOperand:
    bind = _FUNCTIONS.get(node.function)
    if bind is None:
        known = node.function in _CONDITION_FUNCTIONS
        fault = "The function is not allowed to be used this way in an expression" if known else "Invalid function name"
        raise ValidationException(f"Invalid {KIND}: {fault}; function: {node.function}")
    check_count(KIND, node.function, len(node.operands), 2)
    return bind(node, placeholders)


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
_CONDITION_FUNCTIONS = frozenset(
    {"attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"}
)


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


def _application_order(change: tuple[BoundAction, AttributeValue | None]) -> tuple[bool, int]:
    """Sort sets before removals; appends by their index, and removals from the end of a list to its beginning."""
    action, value = change
    last = action.path[-1]
    index = last if isinstance(last, int) else 0
    return value is None, -index if value is None else index


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
        if action.section == "REMOVE":
            raise ValidationException(INVALID_PATH)
        return
    if isinstance(last, str):
        parent["M"].pop(last, None)
    elif child(parent, last) is not None:
        del parent["L"][last]
