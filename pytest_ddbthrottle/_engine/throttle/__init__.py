"""Who refuses, and when: the law and the theory of the throttle model.

The law, for whoever edits this package:

1. Time comes in. Nothing here reads a clock; ``now_ns`` is an argument of everything that depends on it.
2. Integers only. Capacity is in nano-units (10⁹ to one capacity unit), time in nanoseconds; whole units per second times
   nanoseconds is nano-units, exactly. A bucket of 1 unit/s that is topped up in ten steps of 0.1 s holds 1 unit.
3. Rules are tables. ``scopes.SCOPES`` says which bucket has whose rate, how much it holds and what it starts with;
   ``replies.REPLIES`` says what a client receives from it. ``admission`` only walks them.
4. All or nothing. Admission first asks every bucket, and charges only when all of them have admitted. A refusal names
   one scope, and leaves every balance as it was.

The theory. Each table and each global secondary index has a *meter* per direction; a local secondary index draws on its
table's. A meter has up to three kinds of token bucket, asked in this order:

- *capacity*: the provisioned units; or on demand the cap of that direction; or, where there is no cap, the per-table
  quota. It is one bucket: a change of mode or of rate settles what was earned at the old rate, then scales the balance
  to what the new bucket holds;
- *growth*, on demand and uncapped alone: what the table serves at once, the double of a peak that is 30 minutes old;
- *key range*: one bucket for each partition key value that was touched lately. A bucket that has refilled is as good as
  an untouched one, and is forgotten.

Above them stands the *account aggregate*, off unless the test sets it. It is asked at the door, before a request is even
validated (so it can't know the cost), and is charged with whatever was admitted behind it.

A bucket with a positive balance admits a request of any size, and may so go below zero: the overdraw is a debt which the
refill pays before the bucket admits again. DynamoDB computes what a query costs only when it has run, so no other rule
could be applied to reads; a fresh table of 5 units is known to admit a write of about 400. ``admission="full_cost"`` is
the stricter rule, for tests that want a hard ceiling.

The order of reading: ``bucket``, ``reasons``, ``settings`` (they know nothing of tables) → ``scopes`` → ``peaks``,
``key_ranges`` → ``meter`` → ``resources``, ``refusal``, ``replies`` → ``ask`` → ``admission``.
"""
