#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares configs of xconfig layers with expectations; see expectations.py.

usage: check_layers.py NNET3_TRANSLATE FOLDER EXPECTATIONS...
"""
import os
import re
import subprocess
import sys

from expectations import Expectations


class Names:
    """Turns the names and numbers of a case into those of its configs."""

    def __init__(self, case, name):
        self.name = name
        self.lets = {key: int(value) for key, value in case.lets.items()}
        self.delay = case.set.get("delay", "-1")

    def evaluate(self, value):
        if re.fullmatch(r"[A-Z0-9()+*/-]*", value) and \
                any(let in value for let in self.lets):
            return str(eval(value.replace("/", "//"), {}, self.lets))
        return value

    def __call__(self, text):
        text = re.sub(r"{([^}]*)}", lambda m: self.evaluate(m[1]), text)
        while (start := text.find("P(")) >= 0:
            end, depth = start + 2, 1
            while depth:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            text = (text[:start] + "IfDefined(Offset(" +
                    text[start + 2:end - 1] + f", {self.delay}))" + text[end:])
        text = re.sub(r"(?<![\w.])\.(?=[A-Za-z])", self.name + ".", text)
        return re.sub(r"\s*,\s*", ", ", text.replace("$", self.name)).strip()

    def values(self, component):
        return {key: self.evaluate(value) for key, value in component.items()}

    def node(self, node):
        if node[0] != "dim-range-node":
            return (node[0], self(node[1]), self(node[2]))
        begin, end = (int(self.evaluate(value)) for value in node[2:])
        return (node[0], self(node[1]), str(begin), str(end - begin))


class Config:
    """The statements of a config; of two values of a key, the first counts."""

    def __init__(self, path):
        self.components, self.nodes = {}, {}
        if not os.path.exists(path):
            return
        with open(path) as file:
            for line in file:
                self.add(line.split("#")[0].strip())

    def add(self, line):
        if not line:
            return
        word, rest = line.split(" ", 1)
        found = {}
        for key, value in re.findall(r"([-\w]+)=((?:(?! [-\w]+=).)*)", rest):
            found.setdefault(key, value.strip('"'))
        name = found.pop("name")
        if word == "component":
            self.components[name] = found
        elif word == "component-node":
            self.nodes[name] = (word, found["component"], found["input"])
        elif word == "dim-range-node":
            self.nodes[name] = (word, found["input-node"],
                                found["dim-offset"], found["dim"])
        else:
            self.nodes[name] = (word, found.get("input"),
                                found.get("objective"))


def write_key(key, value):
    return f'{key}="{value}"' if re.search("[ =]", value) or not value \
        else f"{key}={value}"


class Run:
    """Cases in one xconfig, as layers c0, c1, ..."""

    def __init__(self, path, cases, alone):
        self.path = path
        self.cases = {f"c{i}": case for i, case in enumerate(cases)}
        self.alone, self.errors = alone, []

    def xconfig(self):
        lines = ["input name=input dim=24", "input name=ivector dim=16"]
        sinks = []
        for name, case in self.cases.items():
            keys = {"input": "input", **case.given, **case.set}
            lines.append(f"{case.type} name={name} " + " ".join(
                write_key(key, value) for key, value in keys.items()))
            for aux in case.outputs:
                sink = f"sink-{name}-{aux}"
                source = f"{name}.{aux}" if aux else name
                lines.append(f"no-op-component name={sink} input={source}")
                sinks.append(sink)
        lines.append(
            f"output-layer name=output dim=2 input=Append({', '.join(sinks)})")
        if not self.alone:
            lines.append("fixed-affine-layer name=lda input=input "
                         "affine-transform-file=lda.mat")
        return "\n".join(lines) + "\n"

    def check(self, translate, folder):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "in.xconfig"), "w") as file:
            file.write(self.xconfig())
        result = subprocess.run(
            [translate, "--xconfig-to-configs", "in.xconfig", "-o", "."],
            cwd=folder, stderr=subprocess.PIPE, text=True)
        if result.returncode:
            sys.exit(f"{self.path}: {folder}/in.xconfig: {result.stderr}")
        for config in ("final", "ref", "init"):
            actual = Config(os.path.join(folder, config + ".config"))
            expected = Config("")
            for name, case in self.cases.items():
                self.expect(expected, config, name, case)
            self.ignore(actual, expected, config)
            self.compare(config, "component", expected.components,
                         actual.components)
            self.compare(config, "node", expected.nodes, actual.nodes)
        self.check_keys(os.path.join(folder, "xconfig.expanded.1"))
        return self.errors

    def ignore(self, actual, expected, config):
        """Drops what surrounds the layers."""
        for name in ("input", "ivector", "lda", "output", "output.affine",
                     "output.log-softmax"):
            actual.components.pop(name, None)
            if name not in expected.nodes:
                actual.nodes.pop(name, None)

    def expect(self, expected, config, name, case):
        """Adds what a case brings to a config."""
        names = Names(case, name)

        def add(part, component=None, node=None):
            if component:
                expected.components[names(part)] = names.values(component)
            if node:
                expected.nodes[names(part)] = names.node(node)

        for part in {**case.components, **case.nodes}:
            component = case.components.get(part)
            if config == "ref":
                component = case.ref.get(part, component)
            if part in case.init_only + case.init if config == "init" \
                    else part not in case.init_only:
                add(part, component, case.nodes.get(part))
        if config == "init":
            if case.init_output != "none":
                expected.nodes["output"] = (
                    "output-node", names(case.init_output), "linear")
            return
        for aux, (source, dim) in case.outputs.items():
            sink = f"sink-{name}-{aux}"
            add(sink, {"type": "NoOpComponent", "dim": dim},
                ("component-node", sink, source))

    def compare(self, config, what, expected, actual):
        for name in sorted(expected.keys() | actual.keys()):
            if expected.get(name) == actual.get(name):
                continue
            match = re.match(r"(?:sink-)?(c\d+)", name)
            case = self.cases.get(match[1]) if match else None
            where = f"{case.line}: {case.type} {case.set}" if case else ""
            self.errors.append(
                f"{self.path}:{where}: {config}.config: {what} {name}:\n"
                f"  expected {expected.get(name)}\n"
                f"  but got  {actual.get(name)}")

    def check_keys(self, path):
        """Checks the keys of layers and the values that they have by default."""
        with open(path) as file:
            lines = [line for line in file if not line.startswith("#")]
        for line in lines:
            found = re.match(r"(\S+) name=(c\d+) ", line)
            if not found or self.cases[found[2]].set:
                continue
            case = self.cases[found[2]]
            names = Names(case, found[2])
            actual = {key: value.strip('"') for key, value in re.findall(
                r'([-\w]+)=("[^"]*"|\S+)', line[found.end():])}
            del actual["input"]
            expected = names.values({**case.keys, **case.given})
            expected.pop("input", None)
            if actual != expected:
                self.errors.append(
                    f"{self.path}:{case.line}: keys of {case.type}:\n"
                    f"  expected {expected}\n  but got  {actual}")


def check_all_set(path, cases):
    """Each key of a layer is in the set of one of its cases."""
    errors = []
    for kind in {case.type for case in cases}:
        mine = [case for case in cases if case.type == kind]
        keys = set(mine[0].keys) | set(mine[0].given)
        done = {key for case in mine for key in case.set}
        for key in sorted(keys - done - {"input"}):
            errors.append(f"{path}: no case of {kind} sets {key}")
    return errors


def main():
    translate, folder, *paths = sys.argv[1:]
    errors = []
    for path in paths:
        expectations = Expectations(path)
        errors += check_all_set(path, expectations.cases)
        cases = expectations.cases
        runs = [[case] for case in cases] if expectations.alone else [cases]
        name = os.path.splitext(os.path.basename(path))[0]
        for i, run in enumerate(runs):
            errors += Run(path, run, expectations.alone).check(
                translate, os.path.join(folder, f"{name}-{i}"))
        print(f"{name}: {len({case.type for case in cases})} layers,"
              f" {len(cases)} cases")
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main()
