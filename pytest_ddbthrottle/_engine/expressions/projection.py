"""ProjectionExpression: which parts of an item a read shows."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.expressions.parser import parse_paths
from pytest_ddbthrottle._engine.expressions.paths import Tree, bind_path, check_distinct, only, tree_of
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders

KIND = "ProjectionExpression"


@dataclass(frozen=True, slots=True)
class Projection:
    """A bound projection."""

    _tree: Tree

    @property
    def attribute_names(self) -> frozenset[str]:
        """The attributes that it names, whole or in part."""
        return frozenset(str(name) for name in self._tree)

    def apply(self, item: Item) -> Item:
        """Give the parts of an item that it names."""
        return only(item, self._tree)


def projection(text: str, placeholders: Placeholders) -> Projection:
    """Bind a projection to a request's placeholders.

    Args:
        text: ``ProjectionExpression``.
        placeholders: those of the request.

    Raises:
        ValidationException: the service's text for the first fault.

    >>> shown = projection("a[1], #b.c", Placeholders({"#b": "b"}, None))
    >>> shown.apply({"a": {"L": [{"S": "x"}, {"S": "y"}]}, "b": {"M": {"c": {"N": "1"}}}, "d": {"N": "2"}})
    {'a': {'L': [{'S': 'y'}]}, 'b': {'M': {'c': {'N': '1'}}}}
    """
    placeholders.check()
    paths = [bind_path(KIND, path, placeholders) for path in parse_paths(KIND, text)]
    check_distinct(KIND, paths)
    return Projection(tree_of(paths))
