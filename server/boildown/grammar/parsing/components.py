"""Finds the strongly connected components of a graph: the parts of it that are cycles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def components(successors: Sequence[Iterable[int]]) -> list[list[int]]:
    """Return the strongly connected components of the graph with these edges from each vertex.

    A component comes after those that it leads to, and a vertex after those in its component that
    were found below it (Tarjan, Depth-First Search and Linear Graph Algorithms, 1972), so what is
    worked out in this order has most of what it needs.
    """
    found: list[list[int]] = []
    order = [-1] * len(successors)
    low = [0] * len(successors)
    open_ones: list[int] = []
    is_open = [False] * len(successors)
    count = 0
    for root in range(len(successors)):
        if order[root] >= 0:
            continue
        path = [(root, iter(successors[root]))]
        order[root] = low[root] = count
        while path:
            vertex, edges = path[-1]
            if not is_open[vertex]:
                count += 1
                open_ones.append(vertex)
                is_open[vertex] = True
            for other in edges:
                if order[other] < 0:
                    order[other] = low[other] = count
                    path.append((other, iter(successors[other])))
                    break
                if is_open[other]:
                    low[vertex] = min(low[vertex], order[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[vertex])
                if low[vertex] == order[vertex]:
                    members: list[int] = []
                    while not members or members[-1] != vertex:
                        members.append(open_ones.pop())
                        is_open[members[-1]] = False
                    found.append(members)
    return found
