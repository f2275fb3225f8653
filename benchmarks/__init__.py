"""Speed and accuracy of the engines beside their peers, in one run: ``python -m benchmarks``.

Scripts, not part of the package; they write to ``benchmarks/results/`` and,
with ``--publish``, their plots to ``docs/images/``.
"""
