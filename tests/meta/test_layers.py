"""The ladder of ``docs/internals.md`` as a test: a module imports from lower lines, and within its line along the arrows.

To place a new module, add its name to a line of ``LADDER``; to let two of one line know each other, an arrow to ``ARROWS``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = "pytest_ddbthrottle"

LADDER: list[tuple[float, str]] = [
    (9, "__init__ plugin __main__"),
    (8.5, "_fake_dynamodb"),
    (8.3, "_account_under_load"),
    (8.2, "_observed_account _swarm _sweep"),
    (8.1, "_swarm_loop _swarm_report _swarm_traffic _swarm_turns"),
    (8.1, "_sweep_bench _sweep_contents _sweep_report"),
    (8, "_assertions _audit _audit_evidence _audit_handlers _audit_rules _back_off_rules"),
    (8, "_escaped _explain _failures _limit_exceeded _reasons_read _resends _throttled_reply _throttled_tests"),
    (8, "_item_cost _keyword_types _marker_rules _options _plain_values _policy_handle"),
    (8, "_rules_in_force _short_table _swarm_options _sweep_faults _sweep_options _table_handle"),
    (8, "_botocore.* _time.*"),
    (7, "_wire"),
    (6, "_engine.dynamodb"),
    (5.9, "_engine.request_context"),
    (5.8, "_engine.account"),
    (5.5, "_engine.region _engine.ruled_throughput"),
    (5.2, "_engine.operations.registry"),
    (5.1, "_engine.operations.* _engine.control_plane.*"),
    (5, "_engine.operations.context _engine.operations.unmodelled _engine.expiry"),
    (4.5, "_engine.policy.request_facts _engine.policy.access"),
    (4, "_engine.tables _engine.journal _engine.outcome _engine.faults _engine.throttle.*"),
    (3.8, "_engine.vector_index"),
    (3.5, "_engine.table_settings _engine.pending_change _engine.streams"),
    (3.5, "_engine.request_entries _engine.request_names"),
    (3.5, "_engine.policy.attribute_facts _engine.policy.statement_facts"),
    (3.2, "_engine.stored_items _engine.partiql.*"),
    (3, "_engine.expressions.* _engine.keys _engine.capacity"),
    (2, "_engine.attribute_value _engine.validation _engine.throttle.peaks _engine.throttle.key_ranges"),
    (2, "_engine.policy.* _engine.vectors.*"),
    (1.5, "_engine.clock _engine.request_shapes _engine.worded_faults"),
    (1.2, "_engine.table_shapes"),
    (1, "_engine.caller _engine.nanoseconds _engine.errors _engine.limits _engine.member_shapes"),
    (1, "_engine.throttle.bucket _engine.throttle.reasons _engine.throttle.settings"),
    (0, "_engine.__init__ _engine.expressions.__init__ _engine.operations.__init__ _engine.control_plane.__init__"),
    (0, "_engine.throttle.__init__ _engine.policy.__init__ _engine.partiql.__init__ _engine.vectors.__init__"),
]
"""Line, and the modules on it. Of several names that fit a module, the longest says where it is."""


def within(package: str, arrows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Give arrows between the modules of one package."""

    def full(names: str) -> str:
        return " ".join(f"{package}.{name}" for name in names.split())

    return [(full(importers), full(found)) for importers, found in arrows]


ARROWS: list[tuple[str, str]] = [
    # 9
    ("__main__", "__init__"),
    # 8.1
    ("_swarm_loop", "_swarm_turns"),
    ("_swarm_report", "_swarm_traffic"),
    ("_sweep_contents", "_sweep_bench"),
    # 8
    ("_audit", "_audit_evidence _audit_rules _failures"),
    ("_audit_rules", "_audit_evidence _audit_handlers _failures _resends"),
    ("_audit_evidence _audit_handlers", "_resends"),
    ("_assertions", "_back_off_rules _failures _plain_values _resends _throttled_reply"),
    ("_back_off_rules _reasons_read _throttled_reply _throttled_tests", "_failures _resends"),
    ("_limit_exceeded", "_failures _options _throttled_reply"),
    ("_failures", "_explain _resends"),
    ("_escaped", "_resends"),
    ("_item_cost _table_handle", "_plain_values"),
    ("_marker_rules _policy_handle _sweep_options _table_handle", "_options"),
    ("_marker_rules _sweep_faults", "_sweep_options"),
    ("_policy_handle _table_handle", "_keyword_types"),
    ("_botocore.*", "_botocore.*"),
    ("_time.*", "_time.*"),
    # 5.1
    ("_engine.operations.*", "_engine.operations.* _engine.control_plane.*"),
    ("_engine.control_plane.*", "_engine.control_plane.*"),
    # 4.5
    ("_engine.policy.access", "_engine.policy.request_facts"),
    # 4
    ("_engine.journal _engine.outcome", "_engine.throttle.refusal"),
    *within(
        "_engine.throttle",
        [
            ("replies", "refusal"),
            ("scripted", "refusal replies scopes"),
            ("meter", "scopes"),
            ("ask", "meter refusal"),
            ("admission", "ask meter refusal replies resources scopes"),
        ],
    ),
    # 2
    ("_engine.vectors.distance", "_engine.vectors.single_precision"),
    *within(
        "_engine.policy",
        [("evaluation", "conditions document patterns"), ("document", "conditions"), ("conditions", "patterns")],
    ),
    # 3.2
    *within(
        "_engine.partiql",
        [
            ("tokens", "keywords"),
            ("reader", "tokens"),
            ("values", "bound reader tokens"),
            ("terms", "bound reader tokens values"),
            ("parser", "bound reader statements terms tokens values"),
            ("key_reads", "bound"),
            ("target", "tokens"),
        ],
    ),
    # 3
    ("_engine.request_entries", "_engine.request_names"),
    *within(
        "_engine.expressions",
        [
            ("well_formed", "nodes reserved_words"),
            ("parser", "tokens nodes well_formed"),
            ("paths", "nodes placeholders"),
            ("operands", "nodes paths placeholders"),
            ("projection", "parser paths placeholders"),
            ("condition update", "nodes parser paths operands placeholders"),
            ("key_condition", "nodes parser paths operands placeholders condition"),
        ],
    ),
]
"""From whom to whom within one line; and never in a circle."""

ONLY_IMPORTERS = {
    "pytest": "plugin",
    "botocore": "_botocore.*",
    "boto3": "_botocore.*",
    "freezegun": "_time.*",
    "sortedcontainers": "_engine.*",
    "typing_extensions": "_account_under_load _fake_dynamodb _observed_account _table_handle",  # For type checkers alone.
}
"""Who alone may import what is not the standard library's."""

NEVER = [
    ("_engine.operations.*", "_engine.throttle.* _engine.clock _engine.faults _engine.journal"),
    ("_engine.control_plane.*", "_engine.throttle.* _engine.clock _engine.faults _engine.journal"),
    ("_engine.throttle.*", "_engine.clock _engine.tables _engine.operations.*"),
]
"""What the lines would allow and the design does not: an operation knows neither throttle nor time."""


def fits(module: str, patterns: str) -> bool:
    return any(fnmatchcase(module, pattern) or f"{module}.*" == pattern for pattern in patterns.split())


def rank(module: str) -> float | None:
    """Give the line of a module, by the longest name in the ladder that fits it."""
    fitting = [
        (len(name.replace(".*", "")), line) for line, names in LADDER for name in names.split() if fits(module, name)
    ]
    exact = [line for line, names in LADDER if module in names.split() or f"{module}.__init__" in names.split()]
    return exact[0] if exact else max(fitting, default=(0, None))[1]


def short(module: str) -> str:
    """Give a module's name without the package's; the package itself is ``__init__``."""
    return "__init__" if module == PACKAGE else module.removeprefix(f"{PACKAGE}.")


def imported(tree: ast.Module, names: set[str]) -> Iterator[str]:
    """Give all that a module imports, in functions and for type checkers as well."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                member = f"{node.module}.{alias.name}"
                yield member if member in names else str(node.module)


def own_imports(modules: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Give, for each module, those of the package that it imports, all by their short names."""
    return {
        short(name): {short(found) for found in imported(tree, set(modules)) if found.partition(".")[0] == PACKAGE}
        for name, tree in modules.items()
    }


def foreign_imports(modules: dict[str, ast.Module]) -> Iterator[tuple[str, str]]:
    """Give who imports what that is neither the package's nor the standard library's."""
    for name, tree in modules.items():
        for found in imported(tree, set(modules)):
            top = found.partition(".")[0]
            if top != PACKAGE and top not in sys.stdlib_module_names:
                yield short(name), top


def test_every_module_stands_on_the_ladder(modules):
    homeless = [short(name) for name in modules if rank(short(name)) is None]

    assert homeless == [], homeless


def test_every_name_of_the_ladder_fits_a_module(modules):
    names = {short(name) for name in modules} | {f"{short(name)}.__init__" for name in modules}
    optional = {"__main__", "_engine.control_plane.*", "_engine.control_plane.__init__"}

    empty = [
        name
        for _, line in LADDER
        for name in line.split()
        if name not in optional and not any(fits(module, name) for module in names)
    ]

    assert empty == [], empty


def test_the_page_about_the_inside_names_each_module_of_the_ladder():
    page = Path(__file__).parents[2].joinpath("docs", "internals.md").read_text(encoding="utf-8")
    table = page.partition("## The ladder")[2].partition("\n## ")[0]
    names = [name.removesuffix(".*") for _, line in LADDER for name in line.split() if "__" not in name]

    assert [name for name in names if not re.search(rf"\b{name.rpartition('.')[2]}\b", table)] == []


def test_imports_run_down_the_ladder_or_along_an_arrow(modules):
    wrong = [
        f"{importer} ({rank(importer)}) imports {found} ({rank(found)})"
        for importer, all_found in own_imports(modules).items()
        for found in sorted(all_found - {importer})
        if not goes_down(importer, found) and not along_an_arrow(importer, found)
    ]

    assert wrong == [], "\n".join(wrong)


def goes_down(importer: str, found: str) -> bool:
    return (rank(importer) or 0) > (rank(found) or 0)


def along_an_arrow(importer: str, found: str) -> bool:
    return rank(importer) == rank(found) and any(fits(importer, a) and fits(found, b) for a, b in ARROWS)


def test_imports_make_no_circle(modules):
    graph = own_imports(modules)

    order = list(TopologicalSorter({name: found - {name} for name, found in graph.items()}).static_order())

    assert set(order) >= set(graph)


def test_each_dependency_has_one_importer(modules):
    wrong = [
        f"{importer} imports {found}"
        for importer, found in foreign_imports(modules)
        if not fits(importer, ONLY_IMPORTERS.get(found, ""))
    ]

    assert wrong == [], "\n".join(wrong)


def test_the_operations_know_neither_the_throttle_nor_the_time(modules):
    wrong = [
        f"{importer} imports {found}"
        for importer, all_found in own_imports(modules).items()
        for found in sorted(all_found)
        if any(fits(importer, never) and fits(found, what) for never, what in NEVER)
    ]

    assert wrong == [], "\n".join(wrong)


def test_the_lowest_line_knows_the_standard_library_alone(modules):
    lowest = {short(name) for name in modules if (rank(short(name)) or 9) <= 1}

    assert {name: found for name, found in own_imports(modules).items() if name in lowest and found - {name}} == {}
    assert [importer for importer, _ in foreign_imports(modules) if importer in lowest] == []
