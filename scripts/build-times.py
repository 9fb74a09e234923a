#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how long the steps of a build took, by folder and one by one.

    build-times.py [--steps=N] [--targets=TARGET,...] [BUILD_FOLDER]

Reads ninja's log: seconds from start to end of the last run of each step, which
are processor seconds if no more steps ran at once than there were idle cores.
Steps that ccache answered are short; a cold build needs CCACHE_RECACHE=1. With
--targets, only what these targets need.
"""

import argparse
import collections
import pathlib
import subprocess
import sys


def read_log(path):
    """Seconds of each step, by the first of its outputs."""
    last = {}
    for line in path.read_text().splitlines()[1:]:
        start, end, _, output, command = line.split("\t")
        last[output] = (int(start), int(end), command)
    steps, known = {}, set()
    for output, step in last.items():
        # A step with several outputs has several lines.
        if step not in known:
            known.add(step)
            steps[output] = (step[1] - step[0]) / 1000
    return steps


def find_outputs(build, targets):
    """The files that the targets are made of."""
    text = subprocess.run(
        ["ninja", "-C", build, "-t", "inputs", *targets],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return set(text.split()) | set(targets)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--targets")
    parser.add_argument("build", nargs="?", type=pathlib.Path, default="build")
    arguments = parser.parse_args()
    log = arguments.build / ".ninja_log"
    if not log.exists():
        sys.exit(f"error: {log}: no such file")
    steps = read_log(log)
    if arguments.targets:
        outputs = find_outputs(arguments.build, arguments.targets.split(","))
        steps = {name: time for name, time in steps.items() if name in outputs}
    folders = collections.Counter()
    for name, time in steps.items():
        folders["/".join(name.split("/")[:2])] += time
    print(f"{sum(steps.values()):9.1f} {len(steps)} steps")
    for folder, time in folders.most_common():
        print(f"{time:9.1f} {folder}")
    print()
    for name, time in sorted(steps.items(), key=lambda step: -step[1])[: arguments.steps]:
        print(f"{time:9.1f} {name}")


main()
