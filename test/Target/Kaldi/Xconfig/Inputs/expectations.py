# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expectations of what xconfig layers stand for.

An expectations file lists the layers of one family. A layer reads `input`, 24
columns, unless it is given `input=ivector`, 16 columns.

  shared             keys, lets and sets up to the first `layer` hold for all
  layer TYPE         begins a layer; one case with only the keys of `given`
  given KEY=VALUE    keys that all cases of this layer write
  keys KEY=VALUE     all keys of the layer, with their defaults
  let C=24           numbers that values and {...} in descriptors may use
  set KEY=VALUE      begins another case: the first one, but for these keys
  alone              the cases of the file are in xconfigs of their own

Lines of a case; in names, `$` is the layer, `.x` is `$.x`, and P(X) is
IfDefined(Offset(X, delay)):

  NAME: Type KEY=VALUE             a component
  NAME: Type KEY=VALUE <- INPUT    a component and a node of the same name
  NODE = COMPONENT <- INPUT        a component-node
  NODE = NODE[OFFSET:END]          a dim-range-node
  => INPUT DIM                     the output
  => .AUX INPUT DIM                an auxiliary output; `=> .AUX` removes it
  output INPUT OBJECTIVE           the output node $
  ref NAME: Type KEY=VALUE         a component that differs in ref.config
  init NAME...                     components and nodes in init.config too
  init-only NAME: ... <- INPUT     component and node in init.config alone
  init-output INPUT                the output of init.config, or none

Behind `set`, also changes of the first case:

  NAME KEY=VALUE     keys of components; `KEY=` removes one. NAME may be a
                     pattern; with `?` before it, it may match nothing
  - NAME...          without these components and nodes
"""
import copy
import fnmatch
import re
import shlex
import sys


class Case:
    def __init__(self):
        self.type, self.line = None, 0
        self.given, self.set, self.keys, self.lets = {}, {}, {}, {}
        self.components, self.nodes, self.outputs, self.ref = {}, {}, {}, {}
        self.init, self.init_only, self.init_output = [], [], "none"


def pairs(text):
    return dict(word.split("=", 1) for word in shlex.split(text))


class Expectations:
    """The cases of a file."""

    def __init__(self, path):
        self.path, self.cases, self.alone = path, [], False
        blocks, block = [[]], None
        with open(path) as file:
            for number, line in enumerate(file, 1):
                line = line.split("#")[0].strip()
                if line.startswith("layer "):
                    blocks.append([])
                if line == "alone":
                    self.alone = True
                elif line:
                    blocks[-1].append((number, line))
        shared = blocks[0]
        start = next((i for i, (_, line) in enumerate(shared)
                      if line.startswith("set ")), len(shared))
        for block in blocks[1:]:
            self.read_layer(shared[:start] + block + shared[start:])

    def read_layer(self, lines):
        case = first = Case()
        for number, line in lines:
            word, _, rest = line.partition(" ")
            try:
                if word == "set":
                    case = copy.deepcopy(first)
                    case.set, case.line = pairs(rest), number
                    self.cases.append(case)
                elif word == "layer":
                    case.type, case.line = rest, number
                    self.cases.append(case)
                else:
                    self.read_line(case, line, word, rest, case is first)
            except Exception as error:
                sys.exit(f"{self.path}:{number}: {line}: {error!r}")

    @staticmethod
    def read_line(case, line, word, rest, is_first):
        if word in ("given", "keys", "let"):
            where = {"given": case.given, "keys": case.keys, "let": case.lets}
            where[word].update(pairs(rest))
        elif word == "=>":
            match = re.match(r"(?:\.([\w-]+) )?(\S.*) (\S+)$", rest)
            if match:
                case.outputs[match[1] or ""] = match.groups()[1:]
            else:
                del case.outputs[rest[1:]]
        elif word == "output":
            source, objective = rest.rsplit(" ", 1)
            case.nodes["$"] = ("output-node", source, objective)
        elif word == "init-only":
            case.init_only.append(rest.split(":")[0])
            Expectations.read_line(case, rest, *rest.split(" ", 1), is_first)
        elif word == "init":
            case.init = rest.split()
        elif word == "init-output":
            case.init_output = rest
        elif word == "ref":
            name, text = rest.split(": ")
            case.ref[name] = Expectations.component(text)
        elif match := re.match(r"(\S+): ([^<]*)(?:<- (.*))?$", line):
            name, text, source = match.groups()
            case.components[name] = Expectations.component(text)
            if source:
                case.nodes[name] = ("component-node", name, source)
        elif match := re.match(r"(\S+) = (\S+) <- (.*)$", line):
            case.nodes[match[1]] = ("component-node", match[2], match[3])
        elif match := re.match(r"(\S+) = (\S+)\[(\S+):(\S+)\]$", line):
            case.nodes[match[1]] = ("dim-range-node",) + match.groups()[1:]
        elif is_first:
            raise ValueError("not understood")
        elif word == "-":
            for name in rest.split():
                if name not in case.components and name not in case.nodes:
                    raise ValueError(f"no {name}")
                case.components.pop(name, None)
                case.nodes.pop(name, None)
        else:
            optional = word.startswith("?")
            found = fnmatch.filter(case.components, word.lstrip("?"))
            if not found and not optional:
                raise ValueError(f"no component {word}")
            for name in found:
                component = case.components[name]
                component.update(pairs(rest))
                for key in [key for key in component if not component[key]]:
                    del component[key]

    @staticmethod
    def component(text):
        kind, _, rest = text.strip().partition(" ")
        return {"type": kind + "Component", **pairs(rest)}
