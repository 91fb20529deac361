"""The terms of a statement: paths, operands of SET, and the conditions of WHERE, as nodes of ``expressions``."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, type_of
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.nodes import (
    Arithmetic,
    Between,
    Call,
    Comparison,
    In,
    Junction,
    Not,
    Operand,
    Path,
    Step,
    Test,
    Value,
)
from pytest_ddbthrottle._engine.expressions.parser import MAX_IN_OPTIONS, MAX_LIST_INDEX
from pytest_ddbthrottle._engine.expressions.well_formed import CONDITION_FUNCTIONS
from pytest_ddbthrottle._engine.partiql.bound import Literals
from pytest_ddbthrottle._engine.partiql.reader import MAX_DEPTH, TOO_DEEP, Reader, at, malformed
from pytest_ddbthrottle._engine.partiql.tokens import Token, TokenKind
from pytest_ddbthrottle._engine.partiql.values import begins_value, read_value

WRONG_BOOLEAN = "WHERE clause must contain an expression that resolves to a boolean"
NO_OPERANDS_FOR_JUNCTION = "The arguments to AND/OR must be Expressions"
WRONG_NOT = "The argument to NOT must be a Type or Expression"
WRONG_IS = "The left hand side argument to IS must be a Variable Reference, Literal, or Path"
WRONG_IN = (
    "IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at "
    "least one member"
)
"""Source: Observed — DynamoDB Local 2.x's texts; Assumed — the service has the same."""

IS_TYPES = MappingProxyType(
    {
        "NULL": "NULL",
        "BOOL": "BOOL",
        "BOOLEAN": "BOOL",
        "BLOB": "B",
        "STRING": "S",
        "NUMERIC": "N",
        "STRUCT": "M",
        "TUPLE": "M",
        "LIST": "L",
    }
)
_UNSUPPORTED_IS_TYPES = """
    BAG BIT CHAR CHARACTER CLOB DATE DEC DECIMAL DOUBLE FLOAT INT INT2 INT4 INT8 INTEGER INTEGER2 INTEGER4
    INTEGER8 REAL SEXP SMALLINT SYMBOL TIME TIMESTAMP VARCHAR ANY
"""
UNSUPPORTED_IS_TYPES = frozenset(_UNSUPPORTED_IS_TYPES.split())
"""What IS may ask for. Source: Observed — eu-west-2, 2026-10, a public conformance suite, and DynamoDB Local 2.x."""

COMPARISONS = {"=": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_TESTS = (Comparison, Between, In, Not, Junction)
Term = Test | Operand


def is_test(term: Term) -> bool:
    """Tell whether a term is a condition."""
    return isinstance(term, _TESTS) or (isinstance(term, Call) and term.function in CONDITION_FUNCTIONS)


def read_path(reader: Reader) -> Path:
    """Read a document path, at its first name.

    Raises:
        ValidationException: a step that is neither a name nor a list index.
    """
    if not reader.token.is_name:
        raise reader.no_term()
    steps: list[Step] = [reader.next().text]
    while reader.token.is_symbol(".", "["):
        steps.append(_name_step(reader) if reader.next().text == "." else _bracket_step(reader))
    if "" in steps:
        raise ValidationException("Path component cannot be an empty string")
    return Path(tuple(steps))


def _name_step(reader: Reader) -> str:
    if reader.token.is_symbol("*"):
        raise ValidationException("Unpivot path component like a.*.b are not supported")
    if not reader.token.is_name:
        raise malformed("Invalid path dot component")
    return reader.next().text


def _bracket_step(reader: Reader) -> Step:
    if reader.token.is_symbol("*"):
        raise ValidationException("Wildcard path component like a[*].b are not supported")
    negative = reader.accept_symbol("-") is not None
    token = reader.token
    if token.kind is TokenKind.STRING and not negative:
        step: Step = reader.next().text
    elif token.kind is TokenKind.NUMBER and token.text.isdecimal():
        step = _index(reader.next(), negative=negative)
    else:
        raise at("Unexpected path component", token)
    reader.expect_symbol("]")
    return step


def _index(token: Token, *, negative: bool) -> int:
    digits = token.text.lstrip("0") or "0"
    if (negative and digits != "0") or len(digits) > 10 or int(digits) > MAX_LIST_INDEX:
        raise at(f"List index is not within the allowable range; index: [{'-' if negative else ''}{digits}]", token)
    return int(digits)


class Terms:
    """Reads the conditions of a statement.

    Args:
        reader: walks over the statement.
        literals: keeps its values.
    """

    def __init__(self, reader: Reader, literals: Literals) -> None:
        self.reader = reader
        self.literals = literals

    def condition(self) -> Test:
        """Read the condition of a WHERE clause."""
        return self._as_test(self._joined("OR"), WRONG_BOOLEAN)

    def _as_test(self, term: Term, fault: str) -> Test:
        if not is_test(term):
            raise ValidationException(fault)
        assert not isinstance(term, (Path, Value, Arithmetic))
        return term

    def _joined(self, operator: str) -> Term:
        read = self._negated if operator == "AND" else lambda: self._joined("AND")
        first = read()
        if not self.reader.token.is_word(operator):
            return first
        operands = [self._as_test(first, NO_OPERANDS_FOR_JUNCTION)]
        while self.reader.accept_word(operator):
            self.check_right_side()
            operands.append(self._as_test(read(), NO_OPERANDS_FOR_JUNCTION))
        return Junction(operator, tuple(operands))

    def check_right_side(self) -> None:
        """Check that something stands behind an operator."""
        if self.reader.at_end:
            raise malformed("Missing right-hand side expression of infix operator")

    def _negated(self) -> Term:
        if self.reader.accept_word("NOT"):
            return Not(self._as_test(self.reader.deeper(self._negated), WRONG_NOT))
        return self._predicate()

    def _predicate(self) -> Term:
        left = self._operand()
        reader = self.reader
        if reader.token.is_symbol(*COMPARISONS):
            operator = COMPARISONS[reader.next().text]
            self.check_right_side()
            return self._comparison(operator, left, self._operand())
        negated = reader.token.is_word("NOT") and reader.following.is_word("IN", "BETWEEN", "LIKE")
        if negated:
            reader.next()
        read = next((read for word, read in _PREDICATES.items() if reader.accept_word(word)), None)
        if read is None:
            return left
        found = read(self, left)
        return Not(found) if negated else found

    def _comparison(self, operator: str, left: Term, right: Term) -> Test:
        """Give a comparison; a function that is a condition may be compared with true or false."""
        for test, other in ((left, right), (right, left)):
            if is_test(test) and isinstance(other, Value) and operator in ("=", "<>"):
                wanted = self.literals.value("", other.placeholder)
                if "BOOL" in wanted:
                    bare = self._as_test(test, WRONG_BOOLEAN)
                    return bare if wanted["BOOL"] == (operator == "=") else Not(bare)
        return Comparison(operator, self._as_operand(left), self._as_operand(right))

    def _as_operand(self, term: Term) -> Operand:
        if isinstance(term, Arithmetic):
            raise ValidationException(f"Unsupported operator in Condition Expression. Operator: {term.operator}")
        if is_test(term) or isinstance(term, _TESTS):
            raise ValidationException(WRONG_BOOLEAN)
        return term

    def read_in(self, left: Term) -> Test:
        """Read what follows IN."""
        if self.reader.token.is_symbol("("):
            self.reader.next()
            options = self._options(")")
        elif self.reader.token.is_symbol("["):
            self.reader.next()
            options = self._options("]")
        elif self.reader.token.is_symbol("<<"):
            self.reader.next()
            options = self._options(">>")
        else:
            options = []
        if not options or not isinstance(left, Path):
            raise ValidationException(WRONG_IN)
        if len(options) > MAX_IN_OPTIONS:
            raise ValidationException(
                f"The IN operator is provided with too many operands; number of operands: {len(options)}"
            )
        return In(left, tuple(options))

    def _options(self, closing: str) -> list[Operand]:
        options: list[Operand] = []
        while not self.reader.accept_symbol(closing):
            if options and not self.reader.accept_symbol(","):
                raise malformed(f"Expected COMMA or {closing}")
            options.append(self._as_operand(self._operand()))
        return options

    def read_between(self, left: Term) -> Test:
        """Read what follows BETWEEN."""
        low = self._as_operand(self._operand())
        self.reader.expect_word("AND")
        self.check_right_side()
        return Between(self._as_operand(left), low, self._as_operand(self._operand()))

    def read_is(self, left: Term) -> Test:
        """Read what follows IS."""
        negated = self.reader.accept_word("NOT") is not None
        if not isinstance(left, Path):
            raise ValidationException(WRONG_IS)
        token = self.reader.next()
        word = token.text.upper()
        if token.kind is not TokenKind.WORD or word not in {"MISSING", *IS_TYPES, *UNSUPPORTED_IS_TYPES}:
            raise malformed("Expected type name")
        if word == "MISSING":
            return Call("attribute_exists" if negated else "attribute_not_exists", (left,))
        if word in UNSUPPORTED_IS_TYPES:
            raise ValidationException(
                f"Unsupported data type for IS operator: {word}. Supported data types are [MISSING, NULL, BOOLEAN, "
                "BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]"
            )
        test = Call("attribute_type", (left, self.literals.add({"S": IS_TYPES[word]})))
        return Not(test) if negated else test

    def read_like(self, left: Term) -> Test:
        """Refuse LIKE."""
        self.check_right_side()
        raise ValidationException("Unsupported operation: Like")

    def _operand(self) -> Term:
        left = self._single()
        while self.reader.token.is_symbol("+", "-"):
            operator = self.reader.next().text
            self.check_right_side()
            right = self._single()
            if is_test(left) or is_test(right):
                raise ValidationException(WRONG_BOOLEAN)
            left = Arithmetic(operator, left, right)  # type: ignore[arg-type]  # no test is an operand
        return left

    def _single(self) -> Term:
        reader = self.reader
        if reader.accept_symbol("("):
            inner = reader.deeper(lambda: self._joined("OR"))
            reader.expect_symbol(")")
            return inner
        if begins_value(reader):
            return self.literals.add(read_value(reader, self.literals))
        if reader.token.kind is TokenKind.WORD and reader.following.is_symbol("("):
            return self._call()
        return read_path(reader)

    def _call(self) -> Call:
        token = self.reader.token
        name = token.text.lower()
        if token.is_word("AND", "OR", "NOT", "IN", "BETWEEN", "IS", "LIKE", "WHERE", "FROM", "SELECT"):
            raise self.reader.no_term()
        if name not in CONDITION_FUNCTIONS and name != "size":
            raise at(f"Unrecognized function: {name}", token)
        self.reader.next()
        self.reader.next()
        return Call(name, tuple(self.reader.deeper(lambda: self._options(")"))))

    def assigned(self, path: Path) -> tuple[str, Operand]:
        """Read what SET gives to a path.

        Returns:
            The section of the update expression that does the same, and its operand.
        """
        token = self.reader.token
        name = token.text.lower()
        if token.kind is TokenKind.WORD and self.reader.following.is_symbol("(") and name in _SET_FUNCTIONS:
            return _SET_FUNCTIONS[name], self._set_function(path)
        return "SET", self._sum()

    def _sum(self) -> Operand:
        left, operators = self._summand(), 0
        while self.reader.token.is_symbol("+", "-"):
            operator, operators = self.reader.next().text, operators + 1
            if operators > MAX_DEPTH:
                raise ValidationException(TOO_DEEP)
            self.check_right_side()
            left = Arithmetic(operator, left, self._summand())
        if self.reader.token.is_symbol("*", "/"):
            raise ValidationException(f"Unsupported operator in Update Expression. Operator: {self.reader.token.text}")
        return left

    def _summand(self) -> Operand:
        reader = self.reader
        if reader.accept_symbol("("):
            inner = reader.deeper(self._sum)
            reader.expect_symbol(")")
            return inner
        if begins_value(reader):
            return self.literals.add(read_value(reader, self.literals))
        if reader.token.kind is TokenKind.WORD and reader.following.is_symbol("("):
            return self._list_append()
        return read_path(reader)

    def _list_append(self) -> Call:
        token = self.reader.next()
        name = token.text.lower()
        if name != "list_append":
            raise at(f"Unrecognized function: {name}", token)
        return Call(name, tuple(self.reader.deeper(self._arguments)))

    def _arguments(self) -> list[Operand]:
        self.reader.expect_symbol("(")
        arguments: list[Operand] = []
        while not self.reader.accept_symbol(")"):
            if arguments and not self.reader.accept_symbol(","):
                raise malformed("Expected COMMA or )")
            arguments.append(self._sum())
        return arguments

    def _set_function(self, path: Path) -> Operand:
        token = self.reader.next()
        name, first = token.text.upper(), self.reader.following
        arguments = self._arguments()
        if len(arguments) != 2:
            raise at(f"{name} must have exactly two arguments", token)
        if arguments[0] != path:
            raise at(f"The first argument to {name} must equal the assignment value", token)
        if not self._is_set(arguments[1]):
            raise at(f"The second argument to {name} must be a value with type SET", first)
        return arguments[1]

    def _is_set(self, operand: Operand) -> bool:
        if not isinstance(operand, Value):
            return False
        value: AttributeValue = self.literals.value("", operand.placeholder)
        return type_of(value) in ("SS", "NS", "BS")


_SET_FUNCTIONS = {"set_add": "ADD", "set_delete": "DELETE"}
"""Functions of SET: the section of an update expression that does what they do.
Source: Documented — Developer Guide, "Use PartiQL functions with DynamoDB", read 2026-12-07."""

_PREDICATES: dict[str, Callable[[Terms, Term], Test]] = {
    "IN": Terms.read_in,
    "BETWEEN": Terms.read_between,
    "IS": Terms.read_is,
    "LIKE": Terms.read_like,
}
