"""Plays on many machines, as workers of a scheduler of Dask distributed (extra `cluster`).

    connection    a client of the scheduler; the only module that knows the engine
    crew          its workers: hired as they join, kept busy, replaced when they are gone
    on_worker     what runs in a worker: made ready for a job, plays chunks
    messages      what both sides say to each other
    hosts         who was slow, lost, void or of no use
    coordinator   the executor

`CLUSTER.md` says how to run one.
"""

from arena.executor.cluster.coordinator import Cluster

__all__ = ["Cluster"]
