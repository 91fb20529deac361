"""Who may do what: documents of policies, and what they say of one request.

A document is read once, strictly, into statements (:mod:`document`); a statement that is read can be asked of any
request without an error. A request comes as facts: an action, a resource, a principal, and the values of condition
keys (:mod:`evaluation`). Nothing here knows tables, time or the wire.

The law has three steps. A statement that denies ends it, wherever it stands. Then somebody must allow: a policy of
the identity or the policy of the resource. Then nobody may be silent who sets a bound: a permissions boundary and a
session policy allow nothing by themselves, and what they do not allow is denied. A resource's policy that names the
very user goes past that user's boundary, and one that names the very session goes past both, since neither bounds
what was given to the user or the session itself.

A document that cannot be read denies all. Patterns are matched in as many steps as pattern times value at most, so
that no document can make a request slow (:mod:`patterns`); operators of conditions are one table (:mod:`conditions`).
"""
