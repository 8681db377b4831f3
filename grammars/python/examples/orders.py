"""Orders and their prices."""

from __future__ import annotations

import os.path as paths, sys
from collections.abc import Callable, Iterator
from dataclasses import *

RATE: float = 0.19
EMPTY, (FIRST, *REST) = None, (1, 2, 3)


@dataclass(frozen=True)
class Order(Base[int], metaclass=Meta):
    """One order."""

    name: str
    price: int = 0x10

    @property
    def total(self) -> float:
        return self.price * (1 + RATE) if self.price > 0 else -1.5e3

    async def send(self, *targets, retry: int = 3, **options) -> bool:
        async with connect(targets[0], retry=retry) as link, other():
            await link.send(self.name[1:-1:2])
        return not options


def totals(orders, /, limit=None, *, key: Callable[[Order], int] = lambda order: order.price):
    global EMPTY
    seen = {}
    for index, order in enumerate(sorted(orders, key=key)):
        if order is None or limit is not None and index >= limit:
            continue
        elif order.name in seen:
            break
        else:
            seen[order.name] = [part for part in order.parts if part if not part.free]
        yield order.total
    else:
        yield from ()
    try:
        assert seen, f"nothing in {orders!r:>{10}} of {RATE:.2f}"
    except (KeyError, ValueError) as error:
        raise RuntimeError("bad" "order") from error
    except Exception:
        del seen["x"], EMPTY
    finally:
        print(*seen, sep=", ", file=sys.stderr)
    while (n := len(seen)) > 2: n -= 1; seen.popitem()
    match limit:
        case {"a": [1, _], **rest} if rest:
            pass
        case Order(name="x") | None:
            return
    x = y = {**seen, "k": {1, 2}, 'r': b"raw" + rb"\d"} ; x[...] @= ~1 << 2 ** -3
    return (i async for i in y if i not in x), ...
