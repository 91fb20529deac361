"""PartiQL for DynamoDB as a language: from a statement's text to what it asks for. It knows no table.

The parts in the order in which a statement passes through them: ``tokens``, ``reader``, ``values``, ``terms``, ``parser``
(which gives ``statements``), then ``bound`` and ``key_reads``. Conditions and updates become the nodes of
``expressions``, so that they mean what the expressions of the item operations mean.
"""
