# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the error of a command for each of some damages of a graph.

    chain.test.py GRAPH DAMAGED COMMAND
"""
import subprocess
import sys

graph, damaged, command = sys.argv[1:]
with open(graph, "rb") as file:
    contents = file.read()
FLAGS, START = 4 + 10 + 12 + 4, 4 + 10 + 12 + 8 + 8
for damage in (
    b"\0" + contents[1:],
    contents.replace(b"vector", b"xector"),
    contents[:FLAGS] + b"\1" + contents[FLAGS + 1 :],
    contents[:START] + b"\xff" + contents[START + 1 :],
    contents[:-7],
    contents[: START + 20],
):
    with open(damaged, "wb") as file:
        file.write(damage)
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 1, done
    print(done.stderr, end="")
