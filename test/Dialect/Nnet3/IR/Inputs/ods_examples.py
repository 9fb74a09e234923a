#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples in the dialect's ODS descriptions.

Every operation's description must hold an example between ```mlir and ```,
and every type's and attribute's description one in the form
Example: `#nnet3.indexes<t = 0>`. The script reads the records from the .td
files, puts each example where such an operation may stand (in a network, a
request or a computation, with the values, components and nodes it uses), and
prints them all as one file for nnet3-opt -split-input-file.
"""

import json
import re
import subprocess
import sys

ROWS = r"!nnet3\.rows<\d+>"
MATRIX = r"memref<[^<>]*(?:<[^<>]*>)?[^<>]*>"
COMPRESSED = r"!nnet3\.compressed<\w+>"
MEMO = r"!nnet3\.memo"
TYPE = re.compile("|".join([ROWS, MATRIX, COMPRESSED, MEMO]))


def columns(matrix):
    return int(re.match(r"memref<\d+x(\d+)", matrix).group(1))


def results(text):
    return re.findall(r"%(\w+) =", text)


def operand_types(line):
    """The values a line uses, with their types, as the assembly lists them."""
    body = re.sub(r"^%\w+ = ", "", line)
    # ins(%m3 : memref<...>) names each operand's type beside it.
    pairs = re.findall(r"%(\w+) : (" + TYPE.pattern + ")", body)
    if "(%" in body and pairs:
        return pairs
    head, _, tail = body.partition(" : ")
    # The round of a loop is its body's argument.
    operands = [name for name in re.findall(r"%(\w+)", head) if name != "round"]
    types = [match.group(0) for match in TYPE.finditer(tail)]
    return [(name, types[min(i, len(types) - 1)]) for i, name in enumerate(operands)]


def undefined(text):
    """The values that an example uses but does not define, with their types."""
    found = {}
    for line in text.strip().splitlines():
        for name, type in operand_types(line.strip()):
            if name not in results(text):
                found.setdefault(name, type)
    return found


def define_matrix(name, type):
    if type.startswith("memref"):
        return f"%{name} = nnet3.alloc_matrix_undefined : {type}"
    if type.startswith("!nnet3.compressed"):
        shape = re.search(r"<(\d+x\d+)x", type).group(1)
        return (
            f"%{name}_m = nnet3.alloc_matrix_undefined : memref<{shape}xf32>\n"
            f"%{name} = nnet3.compress_matrix %{name}_m range 0.0 :"
            f" memref<{shape}xf32> -> {type}"
        )
    raise ValueError(f"cannot define %{name} of type {type}")


def define_component(name, input_dim, output_dim):
    if name.startswith("tdnn"):
        return (
            f"nnet3.tdnn @{name} {{input_dim = {input_dim}, output_dim ="
            f" {output_dim}, time_offsets = array<i64: 0, 2>}}"
        )
    if input_dim == output_dim:
        return f"nnet3.rectified_linear @{name} {{dim = {input_dim}}}"
    dims = f"{{input_dim = {input_dim}, output_dim = {output_dim}}}"
    return f"nnet3.affine @{name} {dims}"


def in_network(text):
    lines = [
        f'%{name} = nnet3.input_node "{name}_" : {type}'
        for name, type in undefined(text).items()
    ]
    for name in re.findall(r"component_node \"\w+\" @(\w+)", text):
        dims = [int(dim) for dim in re.findall(r"rows<(\d+)>", text)]
        lines.append(define_component(name, dims[0], dims[-1]))
    return "nnet3.network @net {\n" + "\n".join(lines) + text + "}\n"


def network_for(text):
    """A network that has the nodes and components that a computation names."""
    matrix = re.search(r"(?:accept_input|provide_output).*: (memref\S+)", text)
    dim = columns(matrix.group(1)) if matrix else 4
    lines = [
        f'%in = nnet3.input_node "input" : !nnet3.rows<{dim}>',
        f'nnet3.output_node "output", %in : !nnet3.rows<{dim}>',
    ]
    for name in sorted(set(re.findall(r"@net::@(\w+)", text))):
        dims = [columns(type) for type in re.findall(MATRIX, text)]
        lines.append(define_component(name, dims[0], min(dims)))
    return "nnet3.network @net {\n" + "\n".join(lines) + "\n}\n"


def in_computation(op, text):
    lines = [define_matrix(name, type) for name, type in undefined(text).items()]
    if op == "moving_sub_matrix":
        text = f"\nnnet3.loop %round to 3 {{{text}}}\n"
    return (
        network_for(text)
        + "nnet3.computation @c for @net {\n"
        + "\n".join(lines)
        + text
        + "}\n"
    )


def times(first, last):
    return f"<t = {first}:{last}>"


def stream_request(name, text, chunk, sequences, is_first):
    """The request that a stream names for a chunk of so many sequences."""
    left, right = (int(n) for n in re.search(r"left (\d+) right (\d+)", text).groups())
    inputs = {"input": times(-left if is_first else right, chunk + right - 1)}
    outputs = [f'nnet3.request_output "output" {times(0, chunk - 1)}']
    states = re.findall(
        r'stream_state "(.*?)" <t = (-?\d+)(?::(-?\d+))?>(?: to "(.*?)")?', text
    )
    for node, first, last, output in states:
        first, last = int(first), int(last or first)
        if output:
            rows = times(first + chunk, last + chunk)
            outputs.append(f'nnet3.request_output "{output}" {rows}')
        if not is_first:
            inputs[node] = times(first, last if output else chunk + right - 1)
    lines = [f'nnet3.request_input "{n}" {rows}' for n, rows in inputs.items()]
    body = "\n".join(lines + outputs)
    if sequences > 1:
        body = body.replace("<t", f"<n = 0:{sequences - 1}, t")
    return f"nnet3.request @{name} for @net {{\n{body}\n}}\n"


def with_stream(text):
    """A network and the requests that a stream names."""
    lines = [
        '%in = nnet3.input_node "input" : !nnet3.rows<4>',
        'nnet3.output_node "output", %in : !nnet3.rows<4>',
        "nnet3.rectified_linear @relu {dim = 4}",
    ]
    for i, (node, output) in enumerate(re.findall(r'"([\w.]+)" <.*> to "(.*?)"', text)):
        lines.append(
            f'%s{i} = nnet3.component_node "{node}" @relu(%in)'
            " : (!nnet3.rows<4>) -> !nnet3.rows<4>"
        )
        lines.append(f'nnet3.output_node "{output}", %s{i} : !nnet3.rows<4>')
    network = "nnet3.network @net {\n" + "\n".join(lines) + "\n}\n"
    requests = ""
    for chunk, sequences, first, following in re.findall(
        r"stream_chunk (\d+)(?: num_sequences (\d+))?(?: first @(\w+))? next @(\w+)",
        text,
    ):
        shape = int(chunk), int(sequences or 1)
        if first:
            requests += stream_request(first, text, *shape, True)
        requests += stream_request(following, text, *shape, False)
    return network + requests + text


def wrap_operation(op, traits, text):
    if op.startswith("stream"):
        return with_stream(text)
    if op == "network":
        return text
    if op in ("request", "computation") or text.lstrip().startswith("nnet3.request"):
        return network_for(text) + text
    if "Nnet3_NetworkPhase" in traits:
        return in_network(text)
    return in_computation(op, text)


def wrap_value(text):
    if text.startswith("!"):
        return f"%value = builtin.unrealized_conversion_cast to {text}\n"
    return f"module attributes {{test.value = {text}}} {{}}\n"


def dedent(text):
    lines = text.splitlines()
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n" + "\n".join(line[indent:] for line in lines).strip() + "\n"


def main():
    tblgen, td, *includes = sys.argv[1:]
    command = [tblgen, "--dump-json", td] + ["-I" + path for path in includes]
    records = json.loads(subprocess.check_output(command))
    sections, missing = [], []
    for name in records["!instanceof"]["Op"]:
        record = records[name]
        blocks = re.findall(r"```mlir\n(.*?)```", record["description"], re.S)
        if not blocks:
            missing.append(record["opName"])
        traits = {trait["def"] for trait in record["traits"]}
        for block in blocks:
            text = wrap_operation(record["opName"], traits, dedent(block))
            sections.append(f"// The example of {record['opName']}.\n{text}")
    for name in records["!instanceof"]["TypeDef"] + records["!instanceof"]["AttrDef"]:
        record = records[name]
        if "EnumAttr" in record["!superclasses"]:
            continue
        examples = re.findall(r"Example: `([^`]*)`", record["description"])
        if not examples:
            missing.append(record["mnemonic"])
        sections += [f"// The example of {name}.\n{wrap_value(e)}" for e in examples]
    if missing:
        sys.exit("no example in the description of " + ", ".join(sorted(missing)))
    print("// -----\n".join(sections))


main()
