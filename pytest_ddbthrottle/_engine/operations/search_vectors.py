"""SearchVectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, Item, item_size_bytes, normalized
from pytest_ddbthrottle._engine.capacity import Consumption, OperationType, vector_search_bytes
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders
from pytest_ddbthrottle._engine.expressions.projection import Projection, projection
from pytest_ddbthrottle._engine.limits import MAX_SEARCH_REPLY_BYTES, MAX_TOP_K
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.lookup import find_table, find_vector_index
from pytest_ddbthrottle._engine.operations.search_condition import BoundSearch, SearchCondition, search_condition
from pytest_ddbthrottle._engine.vector_index import BYTES_PER_DIMENSION, VectorEntry, VectorIndex
from pytest_ddbthrottle._engine.vectors.distance import DISTANCE_FUNCTIONS, Vector
from pytest_ddbthrottle._engine.vectors.single_precision import fits, narrowed

TOP_K_OUT_OF_RANGE = (
    f"Provided TopK value '{{top_k}}' is out of valid range. The value must be between 1 and {MAX_TOP_K} inclusive"
)
INVALID_VALUES = (
    "Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number "
    "attribute"
)
OTHER_DIMENSIONS = "Input search vector dimension {given} does not match vector index dimension {expected}"
"""Source: Observed — eu-west-2, 2026-08-11 and 2026-08-12, a public conformance suite."""

REPLY_TOO_LARGE = (
    "SearchVectors: the {count} nearest items are {size} bytes, and a reply holds at most "
    f"{MAX_SEARCH_REPLY_BYTES}: ask for fewer, or for less of each (ProjectionExpression)"
)
"""Source: Documented — Developer Guide, "Requirements and limitations" of vector indexes, read 2026-12-07 (the limit);
Assumed — that it is an error, and the text, which is not the service's. A search that finds more would tell."""


@dataclass(frozen=True, slots=True)
class _Hit:
    """An entry that a search compared."""

    score: float
    entry: VectorEntry


def search_vectors(context: Context, request: Request) -> Reply:
    """Find the items whose vectors are nearest to one, in one vector index.

    Every vector of the index, or of the partition, is compared: nothing near is missed. Of equal scores, the one whose
    key comes first is first.

    Args:
        context: the account.
        request: ``SearchVectorsInput``.

    Returns:
        ``SearchVectorsOutput``.

    Raises:
        ResourceNotFoundException, ValidationException, Throttled

    Source: Documented — API Reference, SearchVectors, and Developer Guide, "Creating and searching vector indexes", read
    2026-12-07; Observed — eu-west-2, 2026-08-11 and 2026-08-12, a public suite (values before dimensions; what a
    projection names and the index does not hold is left out); Assumed — the rest of the order. The service searches
    approximately, sees writes a moment later, and orders equal scores as it likes.
    """
    condition, shown = _expressions(request)
    if request["TopK"] > MAX_TOP_K:
        raise ValidationException(TOP_K_OUT_OF_RANGE.format(top_k=request["TopK"]))
    vector = _search_vector(request["SearchVector"])
    table = find_table(context, request["TableName"])
    index = find_vector_index(table, request["IndexName"], context.now_ns)
    if len(vector) != index.dimensions:
        raise ValidationException(OTHER_DIMENSIONS.format(given=len(vector), expected=index.dimensions))
    hits, compared = _hits(index, condition.bound(index), vector)
    nearest = hits[: request["TopK"]]
    items = [_shown(index, hit.entry, shown) for hit in nearest]
    reply_bytes = sum(item_size_bytes(item) for item in items)
    if reply_bytes > MAX_SEARCH_REPLY_BYTES:
        raise ValidationException(REPLY_TOO_LARGE.format(count=len(items), size=reply_bytes))
    searched_bytes = vector_search_bytes(BYTES_PER_DIMENSION * index.dimensions * compared, reply_bytes)
    context.admit(
        [Consumption(table.name, OperationType.READ, 0, vector_index_name=index.name, vector_bytes=searched_bytes)]
    )
    reply: Reply = {
        "SearchResults": [{"Item": item, "Score": hit.score} for item, hit in zip(items, nearest, strict=True)]
    }
    if request.get("ReturnConsumedCapacity", "NONE") != "NONE":
        reply["ConsumedCapacity"] = {"VectorSearchRequestBytes": float(searched_bytes)}
    return reply


def _expressions(request: Request) -> tuple[SearchCondition, Projection | None]:
    placeholders = Placeholders(request.get("ExpressionAttributeNames"), request.get("ExpressionAttributeValues"))
    condition_text, shown_text = request.get("SearchConditionExpression"), request.get("ProjectionExpression")
    if condition_text is None and shown_text is None:
        placeholders.check_without_expressions()
        return SearchCondition(), None
    shown = None if shown_text is None else projection(shown_text, placeholders)
    condition = SearchCondition() if condition_text is None else search_condition(condition_text, placeholders)
    placeholders.check_all_used()
    return condition, shown


def _search_vector(elements: Sequence[AttributeValue]) -> Vector:
    values = [normalized(element) for element in elements]
    numbers = [Decimal(value["N"]) for value in values if "N" in value]
    if len(numbers) != len(values) or not all(map(fits, numbers)):
        raise ValidationException(INVALID_VALUES)
    return [narrowed(float(number)) for number in numbers]


def _hits(index: VectorIndex, search: BoundSearch, vector: Vector) -> tuple[list[_Hit], int]:
    """Give the matching entries, the nearest first, and how many vectors were compared."""
    value = search.partition_value
    within = None if value is None else index.partition_bounds(value)
    function = DISTANCE_FUNCTIONS[index.distance_function]
    hits = [
        _Hit(function.score(vector, entry.vector), entry)
        for _, entry in index.entries.walk(within)
        if not search.equalities or search.matches(entry.shown.attributes())
    ]
    return sorted(hits, key=lambda hit: function.rank(hit.score)), len(hits)


def _shown(index: VectorIndex, entry: VectorEntry, shown: Projection | None) -> Item:
    item = entry.shown.attributes()
    if shown is None:
        return item
    if index.shows_vector and index.vector_attribute in shown.attribute_names:
        item[index.vector_attribute] = entry.vector_value()
    return shown.apply(item)
