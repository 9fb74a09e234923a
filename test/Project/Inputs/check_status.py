#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares docs/Status.md with the sources: every operation has a row, and its
row says "yes" where there is an implementation, and only there."""

import json
import pathlib
import re
import subprocess
import sys

COLUMNS = ["parse", "verify", "compile", "execute", "backward", "CPU AOT", "GPU"]


def read_rows(path):
    """Rows by operation, or by Kaldi's name where there is none."""
    rows = {}
    for line in path.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != len(COLUMNS) + 1 or set(cells[1:]) - {"yes", "-"}:
            continue
        match = re.fullmatch(r"`nnet3\.(\w+)`(?: \((\w+)\))?", cells[0])
        key, kaldi = match.groups() if match else (cells[0], cells[0])
        rows[key] = (kaldi, dict(zip(COLUMNS, cells[1:])))
    return rows


def read_operations(tblgen, root, mlir_include):
    """For each op name Kaldi's type, for components, and whether it is a
    command."""
    td = root / "include/nnet3/Dialect/Nnet3/IR/Nnet3Ops.td"
    command = [tblgen, "--dump-json", td, "-I", root / "include", "-I", mlir_include]
    records = json.loads(subprocess.check_output(command))
    operations = {}
    for name in records["!instanceof"]["Op"]:
        record = records[name]
        is_command = any(t["def"] == "Nnet3_CommandPhase" for t in record["traits"])
        operations[record["opName"]] = (record.get("kaldiType"), is_command)
    return operations


def sources(root, folder):
    paths = sorted((root / folder).rglob("*"))
    return "\n".join(p.read_text() for p in paths if p.suffix in (".cpp", ".h"))


def main():
    tblgen, root, mlir_include = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    rows = read_rows(root / "docs/Status.md")
    operations = read_operations(tblgen, root, mlir_include)
    kernels = sources(root, "runtime/cpu")
    folder = root / "lib/Conversion/Nnet3ToKernels"
    # A few components have neither a kernel's model nor a call of the runtime.
    special = (folder / "ComponentConverter.cpp").read_text()
    converter = special + "".join(
        (folder / name).read_text()
        for name in ("Converters.cpp", "LoopCommands.cpp", "RowCommands.cpp")
    )
    # Devices have backward passes, too.
    training = (folder / "Training/BackwardConverter.cpp").read_text()
    models = sources(root, "lib/Arithmetic") + sources(root, "lib/Fusion") + special
    emitter = "".join(
        sources(root, f"lib/{name}") for name in ("Compile", "Optimize", "Loops")
    )
    problems = [f"no row for nnet3.{op}" for op in operations if op not in rows]
    components = 0
    for key, (kaldi, cells) in rows.items():
        components += bool(kaldi) and kaldi.endswith("Component")
        if key not in operations:
            if "yes" in cells.values():
                problems.append(f"{key} has no operation, but a yes")
            continue
        expected = {"parse": True, "verify": True}
        kaldi_type, is_command = operations[key]
        name = "".join(word.capitalize() for word in key.split("_")) + "Op"
        if kaldi_type != kaldi:
            problems.append(f"nnet3.{key} is Kaldi's {kaldi_type}")
        elif kaldi_type:
            # Libraries share the kernels with the interpreter.
            attributes = kaldi_type.removesuffix("Component") + "Attributes"
            expected["execute"] = f"create(const {attributes} &attributes)" in kernels
            expected["CPU AOT"] = expected["execute"]
            expected["GPU"] = bool(re.search(rf"(?<!arith::)\b{name}\b", models))
        elif is_command:
            expected["compile"] = bool(
                re.search(rf"\b{name}::create|createMatrix<{name}>\(", emitter)
            )
            expected["CPU AOT"] = bool(re.search(rf"\b{name}\b", converter))
            expected["GPU"] = bool(re.search(rf"\b{name}\b", converter + training))
        for column, value in expected.items():
            if (cells[column] == "yes") != value:
                problems.append(f"nnet3.{key}: {column} is {cells[column]}")
    if components != 46:
        problems.append(f"{components} component types instead of 46")
    print("\n".join(problems) or f"{len(rows)} rows are right")
    sys.exit(bool(problems))


main()
