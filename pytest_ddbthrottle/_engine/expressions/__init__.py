"""The expression languages, in reading order: tokens → nodes → parser → placeholders → what they mean.

A text is parsed once and cached; binding resolves a request's placeholders and says all that is wrong with the request;
what comes out is applied to any number of items.
"""
