# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computations of requests: commands, matrices, and lifetimes of matrices."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLORS = {
    "input": "tab:green",
    "forward": "tab:blue",
    "backward": "tab:orange",
    "output": "tab:red",
}


@dataclasses.dataclass(frozen=True)
class Matrix:
    """A matrix of a computation, compressed or not.

    Attributes:
        name: name in the IR, such as `%3`.
        rows, cols, bytes: dims and size.
        begin, end: the matrix exists after commands `begin` to `end` - 1.
        role: input, output, or for other matrices the pass that first uses it,
            forward or backward.
    """

    name: str
    rows: int
    cols: int
    bytes: int
    begin: int
    end: int
    role: str


@dataclasses.dataclass(frozen=True)
class Computation:
    """The commands that compute a request.

    Attributes:
        name: symbol of the computation.
        commands: a line of text for each command, in order.
        matrices: list of `Matrix`.
        live_bytes: bytes of the matrices that exist after each command.
    """

    name: str
    commands: list[str]
    matrices: list[Matrix]
    live_bytes: list[int]

    @classmethod
    def from_report(cls, described: dict[str, Any]) -> Computation:
        """Creates a computation from the data of a report."""
        summary = described["after"]
        return cls(
            name=described["name"],
            commands=[command["text"] for command in summary["commands"]],
            matrices=[Matrix(**matrix) for matrix in summary["matrices"]],
            live_bytes=summary["live"],
        )

    @property
    def peak_bytes(self) -> int:
        """The largest number of live bytes."""
        return max(self.live_bytes, default=0)

    def plot_lifetimes(self, axes: Iterable[Axes] | None = None) -> tuple[Axes, Axes]:
        """Plots live bytes and the lifetime of each matrix. Needs matplotlib.

        Args:
            axes: two `matplotlib.axes.Axes`, one above the other; None for a new
                figure.

        Returns:
            The two axes.
        """
        from matplotlib import pyplot
        from matplotlib.patches import Patch

        if axes is None:
            _, axes = pyplot.subplots(
                2, sharex=True, figsize=(9, 6), height_ratios=(1, 2), layout="constrained"
            )
        memory, lifetimes = axes
        memory.stairs(
            [size / 2**20 for size in self.live_bytes],
            range(len(self.live_bytes) + 1),
            fill=True,
        )
        memory.set_ylabel("live MiB")
        memory.set_title(f"{self.name}: at most {self.peak_bytes / 2**20:.3g} MiB")

        matrices = sorted(self.matrices, key=lambda matrix: (matrix.begin, matrix.end))
        lifetimes.barh(
            range(len(matrices)),
            [matrix.end - matrix.begin for matrix in matrices],
            left=[matrix.begin for matrix in matrices],
            height=1,
            color=[_COLORS[matrix.role] for matrix in matrices],
        )
        lifetimes.set_xlabel("command")
        lifetimes.set_ylabel("matrix")
        roles = [role for role in _COLORS if any(m.role == role for m in matrices)]
        lifetimes.legend(handles=[Patch(color=_COLORS[role], label=role) for role in roles])
        return memory, lifetimes
