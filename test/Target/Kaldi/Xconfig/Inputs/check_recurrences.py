#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the recurrences in the IR of recurrent layers with a table.

usage: check_recurrences.py NNET3_TRANSLATE XCONFIG TABLE

Writes XCONFIG, with each layer of TABLE under its type as its name, imports it,
and follows each offset of the network, column by column, back to the node that
computes what it reads. TABLE describes its own lines."""

import re
import subprocess
import sys

# What a recurrence passes between the node that computes it and its reader.
PASSED = ("backprop_truncation", "batch_norm", "normalize")


class Value:
    """An operation with a result: its operands and its columns."""

    def __init__(self, kind, text):
        self.kind, self.operands = kind, re.findall(r"%[\w.$-]+", text)
        self.dim = int(re.findall(r"rows<(\d+)>", text)[-1])
        self.name = self.component = None
        if match := re.match(r'"([^"]*)"(?: @([\w.$-]+))?', text):
            self.name, self.component = match.groups()
        match = re.search(r" offset (\d+) ", text)
        self.begin = int(match[1]) if match else 0


class Network:
    def __init__(self, text):
        self.values, self.components = {}, {}
        for line in text.splitlines():
            line = line.strip()
            if match := re.match(r"(%[\w.$-]+) = nnet3\.(\w+) (.*)", line):
                self.values[match[1]] = Value(*match.groups()[1:])
            elif match := re.match(r"nnet3\.(\w+) @([\w.$-]+)", line):
                self.components[match[2]] = match[1]

    def kind(self, value):
        """The component of a component-node, or the operation."""
        return self.components.get(value.component, value.kind)

    def trace(self, name, begin, end, passed, after=None):
        """Where columns of a value come from: the components on the way, and
        the columns of the first that computes something."""
        value = self.values[name]
        kind = self.kind(value)
        if value.kind == "dim_range_node":
            return self.trace(value.operands[0], begin + value.begin,
                              end + value.begin, passed, value)
        if kind in PASSED:
            return self.trace(value.operands[0], begin, end, passed + [kind],
                              value)
        if kind in ("offset", "scale", "if_defined"):
            return self.trace(value.operands[0], begin, end, passed, after)
        if kind == "append":
            for operand in value.operands:
                dim = self.values[operand].dim
                if end <= dim:
                    return self.trace(operand, begin, end, passed, after)
                begin, end = begin - dim, end - dim
                assert begin >= 0, f"{name} is read across operands"
        node = value.name or after.name + ".input"
        return passed + [f"{node}[{begin}:{end}]"]

    def users(self, name):
        return [user for user, value in self.values.items()
                if name in value.operands]

    def readers(self, name):
        """The component-nodes that a descriptor reaches."""
        nodes = []
        for user in self.users(name):
            if self.values[user].component:
                nodes.append(self.values[user].name)
            else:
                nodes += self.readers(user)
        return nodes

    def recurrences(self):
        found = {}
        for name, value in self.values.items():
            if value.kind != "offset":
                continue
            users = [self.values[user].kind for user in self.users(name)]
            assert users == ["if_defined"], f"{name} is read by {users}"
            source = value.operands[0]
            while not self.values[source].name:
                source = self.values[source].operands[0]
            dim = self.values[source].dim
            key = self.values[source].name
            came = self.trace(source, 0, dim, [])
            readers, _ = found.setdefault(key, (set(), " ".join(came)))
            readers |= set(self.readers(name))
        return {key: (sorted(readers), came)
                for key, (readers, came) in found.items()}

    def batch_norms_on_cycles(self):
        def reachable(start):
            seen, open_names = set(), list(start.operands)
            while open_names:
                name = open_names.pop()
                if name not in seen:
                    seen.add(name)
                    open_names += self.values[name].operands
            return seen
        return [value.name for name, value in self.values.items()
                if self.kind(value) == "batch_norm"
                and name in reachable(value)]


def read_table(path):
    layers = {}
    with open(path) as file:
        for line in file:
            line = line.split("#")[0].rstrip()
            if not line:
                continue
            if line[0] != " ":
                expected = layers.setdefault(line, {})
                continue
            node, rest = line.split(" -> ")
            readers, came = rest.split(" : ")
            expected[node.strip()] = (sorted(readers.split()), came)
    return layers


def main():
    translate, xconfig, table = sys.argv[1:]
    layers = read_table(table)
    failed = False
    for layer, expected in layers.items():
        kind, _, keys = layer.partition(" ")
        with open(xconfig, "w") as file:
            file.write("input name=input dim=24\n"
                       f"{kind} name=x {keys}\n"
                       "output-layer name=output dim=2\n")
        network = Network(subprocess.check_output(
            [translate, "--config-to-mlir", xconfig], text=True
        ).replace("x.", ""))
        actual = network.recurrences()
        for node in sorted(expected.keys() | actual.keys()):
            if expected.get(node) != actual.get(node):
                print(f"{kind}: {node}: expected {expected.get(node)}, "
                      f"but got {actual.get(node)}")
                failed = True
        if on_cycles := network.batch_norms_on_cycles():
            print(f"{kind}: recurrences pass through {on_cycles}")
            failed = True
    print(f"{len(layers)} recurrent layers")
    sys.exit(failed)


if __name__ == "__main__":
    main()
