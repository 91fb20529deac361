"""What a call through boto3 costs, as a ratio to the same call answered by a canned reply, and to moto's.

``python benchmarks/bench.py [--rounds N] [--sizes 1000,100000] [--large]`` prints one table for each size, and how much
a call grows from the smallest size to the others; ``--large`` adds 1,000,000 items to the growth. Ours and the canned
reply are timed in turn, round after round, and so are the sizes, so that a machine whose speed drifts moves both sides;
moto's calls come after. The figures are medians over rounds. Calls are measured in processor time, which what else the
machine does disturbs least; set-up, whole runs and exhausted calls in real time.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

import boto3
from botocore.awsrequest import AWSResponse
from botocore.config import Config

from pytest_ddbthrottle import FakeDynamoDB
from pytest_ddbthrottle._plain_values import wire_item

CONFIG = Config(retries={"total_max_attempts": 1})
CREDENTIALS = {"aws_access_key_id": "AKIDEXAMPLE", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
CALLS_PER_ROUND = 20
REST_SECONDS = 300
SLOW_CALL_SECONDS = 0.02
TABLE = "bench"
COLLECTION_ITEMS = 100

Call = Callable[[Any, int], Any]


def item(number: int, body_bytes: int = 900) -> dict[str, Any]:
    return wire_item(
        {
            "pk": f"customer#{number // COLLECTION_ITEMS}",
            "sk": f"order#{number % COLLECTION_ITEMS:05}",
            "total": number,
            "body": "x" * body_bytes,
        }
    )


def key(number: int) -> dict[str, Any]:
    return {name: value for name, value in item(number).items() if name in ("pk", "sk")}


CALLS: dict[str, Call] = {
    "GetItem": lambda client, n: client.get_item(TableName=TABLE, Key=key(n)),
    "PutItem": lambda client, n: client.put_item(TableName=TABLE, Item=item(n)),
    "UpdateItem": lambda client, n: client.update_item(
        TableName=TABLE,
        Key=key(n),
        UpdateExpression="SET #t = :t, seen = :t REMOVE gone",
        ConditionExpression="attribute_exists(pk)",
        ExpressionAttributeNames={"#t": "total"},
        ExpressionAttributeValues={":t": {"N": str(n)}},
    ),
    "Query of 100": lambda client, n: client.query(
        TableName=TABLE,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": f"customer#{n // COLLECTION_ITEMS}"}},
    ),
    "BatchWriteItem of 25": lambda client, n: client.batch_write_item(
        RequestItems={TABLE: [{"PutRequest": {"Item": item(n + i)}} for i in range(25)]}
    ),
    "TransactWriteItems of 10": lambda client, n: client.transact_write_items(
        TransactItems=[{"Put": {"TableName": TABLE, "Item": item(n + i)}} for i in range(10)]
    ),
}
GROWING_CALLS: dict[str, Call] = {
    "GetItem": CALLS["GetItem"],
    "PutItem": CALLS["PutItem"],
    "Query of a key range of 10": lambda client, n: client.query(
        TableName=TABLE,
        KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
        ExpressionAttributeValues={
            ":pk": {"S": f"customer#{n // COLLECTION_ITEMS}"},
            ":first": {"S": "order#00040"},
            ":last": {"S": "order#00049"},
        },
    ),
    "Scan of 10 from a key": lambda client, n: client.scan(TableName=TABLE, Limit=10, ExclusiveStartKey=key(n)),
}


def create_table(client: Any) -> None:
    client.create_table(
        TableName=TABLE,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
        ],
        BillingMode="PAY_PER_REQUEST",
    )


def new_client() -> Any:
    return boto3.session.Session().client("dynamodb", config=CONFIG, **CREDENTIALS)


def time_calls(call: Call, client: Any, count: int, size: int) -> float:
    """Give the seconds that one call takes, over ``count`` of them at places spread over the table."""
    places = [(n * 7919) % max(1, size - 100) for n in range(count)]
    started = time.process_time()
    for place in places:
        call(client, place)
    return (time.process_time() - started) / count


def canned_client(recorded: Any) -> Any:
    """Give a client whose every call is answered with the body of the recorded one, signed as usual."""
    client = new_client()
    headers = {"x-amz-crc32": str(crc32(recorded.body)), "content-type": "application/x-amz-json-1.0"}

    class Raw:
        def stream(self) -> Iterator[bytes]:
            yield recorded.body

    client.meta.events.register(
        "before-send.dynamodb", lambda request, **_: AWSResponse(request.url, 200, headers, Raw())
    )
    return client


@contextmanager
def moto_account(size: int) -> Iterator[Any]:
    """Give a client of a moto account that holds ``size`` items, put there without a client."""
    from moto import mock_aws
    from moto.dynamodb.models import dynamodb_backends

    with mock_aws():
        client = new_client()
        create_table(client)
        table = dynamodb_backends["123456789012"]["us-east-1"].tables[TABLE]
        for number in range(size):
            table.put_item(item(number))
        yield client


def filled_fake(client: Any, size: int) -> FakeDynamoDB:
    """Give a fake of ours that throttles, holds ``size`` items and is not installed."""
    fake = FakeDynamoDB(clock="sdk")
    with fake:
        create_table(client)
        fake.table(TABLE).load(item(number) for number in range(size))
    return fake


def rest(fake: FakeDynamoDB) -> None:
    """Forget the calls of a round, and let all capacity that it used come back."""
    fake.calls.clear()
    fake.clock.advance(REST_SECONDS)


def growth(sizes: list[int], rounds: int) -> list[tuple[str, list[float]]]:
    """Give, for each growing call, the ratios of the other sizes to the first, all timed in turn."""
    client = new_client()
    fakes = [filled_fake(client, size) for size in sizes]
    rows = []
    for name, call in GROWING_CALLS.items():
        samples: list[list[float]] = [[] for _ in sizes]
        for _ in range(rounds):
            for fake, size, taken in zip(fakes, sizes, samples, strict=True):
                with fake:
                    taken.append(time_calls(call, client, CALLS_PER_ROUND, size))
                rest(fake)
        first, *others = samples
        rows.append((name, [statistics.median(a / b for a, b in zip(other, first, strict=True)) for other in others]))
    return rows


def measure(size: int, rounds: int, with_moto: bool) -> list[tuple[str, float, float, float | None]]:
    """Give, for each call: seconds of the canned reply, and the ratios of ours to it and of moto's to ours."""
    client = new_client()
    fake = filled_fake(client, size)
    rows = []
    for name, call in CALLS.items():
        with fake:
            call(client, 0)
        canned = canned_client(fake.calls[-1])
        rest(fake)
        floor, ours = [], []
        for _ in range(rounds):
            floor.append(time_calls(call, canned, CALLS_PER_ROUND, size))
            with fake:
                ours.append(time_calls(call, client, CALLS_PER_ROUND, size))
            rest(fake)
        rows.append((name, floor, ours))
    theirs = moto_seconds(size, rounds) if with_moto else {}
    return [
        (
            name,
            statistics.median(floor),
            statistics.median(a / b for a, b in zip(ours, floor, strict=True)),
            theirs[name] / statistics.median(ours) if name in theirs else None,
        )
        for name, floor, ours in rows
    ]


def moto_seconds(size: int, rounds: int) -> dict[str, float]:
    """Give moto's median seconds for each call; a slow one is timed with few calls."""
    with moto_account(size) as client:
        seconds = {}
        for name, call in CALLS.items():
            first = time_calls(call, client, 1, size)
            count = CALLS_PER_ROUND if first < SLOW_CALL_SECONDS else 1
            repeats = rounds if first < SLOW_CALL_SECONDS else 2
            seconds[name] = statistics.median(time_calls(call, client, count, size) for _ in range(repeats))
        return seconds


def fixture_seconds(clock: str, with_table: bool, rounds: int) -> float:
    """Give the median seconds of one set-up and tear-down, as the fixture does it."""
    samples = []
    for _ in range(rounds):
        started = time.perf_counter()
        with FakeDynamoDB(clock=clock) as fake:
            if with_table:
                fake.create_table(TABLE)
        samples.append(time.perf_counter() - started)
    return statistics.median(samples)


def moto_fixture_seconds(rounds: int) -> float:
    """Give the median seconds of entering moto and making a table through a client that was made before."""
    from moto import mock_aws

    with mock_aws():
        client = new_client()
    samples = []
    for _ in range(rounds):
        started = time.perf_counter()
        with mock_aws():
            create_table(client)
        samples.append(time.perf_counter() - started)
    return statistics.median(samples)


def exhausted_call(mode: str, rounds: int) -> tuple[float, int, float]:
    """Give what one PutItem costs that is refused until its retries are used up: real seconds, sends, virtual seconds."""
    config = Config(retries={"mode": mode})
    client = boto3.session.Session().client("dynamodb", config=config, **CREDENTIALS)
    samples = []
    for _ in range(rounds):
        with FakeDynamoDB(clock="sdk") as fake:
            fake.create_table(TABLE)
            fake.inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=1000)
            started = time.perf_counter()
            try:
                client.put_item(TableName=TABLE, Item={"pk": {"S": "1"}})
            except client.exceptions.ClientError:
                samples.append(time.perf_counter() - started)
    sends = sum(call.operation == "PutItem" for call in fake.calls)
    return statistics.median(samples), sends, fake.clock.elapsed


def bytes_per_item(count: int = 20_000) -> float:
    """Give the bytes of memory that one item of 1 KB of JSON takes."""
    tracemalloc.start()
    fake = FakeDynamoDB()
    table = fake.create_table(TABLE, sort_key="sk:S")
    before = tracemalloc.get_traced_memory()[0]
    table.load(item(number) for number in range(count))
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return taken / count


def idle_run_seconds(rounds: int) -> float:
    """Give how much longer a run of pytest takes that loads the plugin and uses nothing of it."""
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "test_idle.py").write_text("def test_idle():\n    pass\n")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", directory]
        # As where a plugin is compiled once, and not anew by each run.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        subprocess.run(command, capture_output=True, check=True, cwd=directory, env=environment)
        differences = []
        for _ in range(rounds):
            taken = []
            for extra in ([], ["-p", "no:ddbthrottle"]):
                started = time.perf_counter()
                subprocess.run([*command, *extra], capture_output=True, check=True, cwd=directory, env=environment)
                taken.append(time.perf_counter() - started)
            differences.append(taken[0] - taken[1])
        return statistics.median(differences)


def print_fixtures(rounds: int, with_moto: bool) -> None:
    print("\nfixture set-up and tear-down")
    theirs = moto_fixture_seconds(5 * rounds) if with_moto else None
    for clock in ("sdk", "virtual"):
        for with_table in (False, True):
            seconds = fixture_seconds(clock, with_table, 5 * rounds)
            ratio = f"{theirs / seconds:>8.1f} x faster than moto with a table" if theirs and with_table else ""
            print(
                f"clock={clock:<8} {'with a table' if with_table else 'empty account':<14}{seconds * 1e3:>8.2f} ms{ratio}"
            )


def print_rest(rounds: int) -> None:
    print("\none exhausted PutItem")
    for mode in ("legacy", "standard", "adaptive"):
        seconds, sends, virtual_seconds = exhausted_call(mode, rounds)
        print(f"{mode:<10}{seconds * 1e3:>6.1f} ms real {sends:>4} sends {virtual_seconds:>8.2f} s virtual")
    print(f"\nmemory for an item of 1 KB of JSON: {bytes_per_item() / 1000:.2f} KB")
    print(f"a run in which no test uses the fake: {idle_run_seconds(rounds) * 1e3:.0f} ms more than without the plugin")


def print_table(size: int, rows: list[tuple[str, float, float, float | None]]) -> None:
    print(f"\n{size:,} items\n{'call':<26}{'canned reply':>14}{'ours / canned':>16}{'moto / ours':>14}")
    for name, floor, ratio, moto_ratio in rows:
        moto_text = "–" if moto_ratio is None else f"{moto_ratio:.1f} x"
        print(f"{name:<26}{floor * 1e6:>11.0f} µs{ratio:>14.2f} x{moto_text:>14}")


def print_growth(sizes: list[int], rounds: int) -> None:
    columns = "".join(f"{size:>14,}" for size in sizes[1:])
    print(f"\n{f'growth from {sizes[0]:,} items to':<30}{columns}")
    for name, ratios in growth(sizes, rounds):
        print(f"{name:<30}{''.join(f'{ratio:>12.2f} x' for ratio in ratios)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--sizes", default="1000,100000")
    parser.add_argument("--large", action="store_true", help="measure growth up to 1,000,000 items (1.5 GB of memory)")
    arguments = parser.parse_args()
    try:
        import moto  # noqa: F401  (only its presence matters here)

        with_moto = True
    except ImportError:
        print("moto is not installed: its column stays empty (pip install -e '.[bench]')", file=sys.stderr)
        with_moto = False
    sizes = [int(text) for text in arguments.sizes.split(",")]
    for size in sizes:
        print_table(size, measure(size, arguments.rounds, with_moto))
    print_growth([*sizes, *([1_000_000] if arguments.large else [])], arguments.rounds)
    print_fixtures(arguments.rounds, with_moto)
    print_rest(arguments.rounds)


if __name__ == "__main__":
    main()
