#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that dependencies between the parts of the project run one way.

    Kaldi, IR <- Analysis <- Compile, Optimize, Transforms, Arithmetic, Fusion
       <- Conversion, Loops, Shortcut, Stream, Surgery, Target <- Pipelines <- Execution <- Tools
       <- tools

A file may include headers of its own layer and of those below. Kaldi, which
reads and writes files, includes nothing of MLIR. The runtime depends on none of
them and on nothing of LLVM; nothing below Target knows the runtime. With --build=FOLDER also checks that what was linked for the runtime
there needs no LLVM.
"""

import argparse
import pathlib
import re
import subprocess
import sys

# Layer of each folder, under include/nnet3 and lib alike; longest match wins.
LAYERS = {
    "Kaldi": 0,
    "Dialect/Nnet3/IR": 0,
    "Dialect/Nnet3/Analysis": 1,
    "Dialect/Nnet3/Transforms": 2,
    "Dialect/Kernel/IR": 0,
    "Dialect/Kernel/Transforms": 2,
    "Compile": 2,
    "Optimize": 2,
    "Shortcut": 3,
    "Loops": 3,
    "Stream": 3,
    "Surgery": 3,
    "Arithmetic": 2,
    "Fusion": 2,
    "Conversion": 3,
    "Target": 3,
    "Pipelines": 4,
    "Execution": 5,
    "Tools": 6,
}
TOOLS = 7
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".h", ".c", ".cpp", ".inc", ".td"}


def layer_of(path):
    """Layer of a path relative to include/nnet3 or lib; None if there is none."""
    matches = [folder for folder in LAYERS if path.startswith(folder + "/")]
    return LAYERS[max(matches, key=len)] if matches else None


def includes(path):
    """Line number, kind and name of each header that a file includes."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)
        elif path.suffix == ".td":
            match = re.match(r'^include "([^"]+)"', line)
            if match:
                yield number, '"', match.group(1)


def sources(root, folder):
    return sorted(
        path for path in (root / folder).rglob("*") if path.suffix in SUFFIXES
    )


def target_layer(root, path, kind, name):
    """Layer of an included header, or "runtime", or None for all others."""
    if name.startswith("nnet3/runtime/"):
        return "runtime"
    if name.startswith("nnet3/"):
        layer = layer_of(name[len("nnet3/") :])
        return f"unknown header {name}" if layer is None else layer
    if kind == '"':
        beside = (path.parent / name).resolve()
        if beside.exists() and (root / "lib") in beside.parents:
            return layer_of(str(beside.relative_to(root / "lib")))
    return None


def check_layers(root):
    for folder in ("include/nnet3", "lib", "tools"):
        for path in sources(root, folder):
            relative = str(path.relative_to(root / folder))
            layer = TOOLS if folder == "tools" else layer_of(relative)
            if layer is None:
                yield f"{path.relative_to(root)}: belongs to no layer"
                continue
            kaldi = relative.startswith("Kaldi/")
            for number, kind, name in includes(path):
                target = target_layer(root, path, kind, name)
                where = f"{path.relative_to(root)}:{number}"
                if kaldi and re.match(r"mlir/|nnet3/(?!Kaldi/)", name):
                    yield f"{where}: {name} does not belong to files without MLIR"
                if target == "runtime":
                    if layer < LAYERS["Target"]:
                        yield f"{where}: {name} is the runtime's"
                elif isinstance(target, str):
                    yield f"{where}: {target}"
                elif target is not None and target > layer:
                    yield f"{where}: {name} is of a layer above"


def check_runtime_sources(root):
    for path in sources(root, "runtime"):
        for number, _, name in includes(path):
            foreign = name.startswith("nnet3/") and not name.startswith(
                "nnet3/runtime/"
            )
            if foreign or re.match(r"(mlir|llvm|clang)(-c)?/", name):
                yield f"{path.relative_to(root)}:{number}: the runtime includes {name}"
    for path in sorted((root / "runtime").rglob("CMakeLists.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("#")[0]
            if re.search(r"\b(MLIR|LLVM)\b|\bnnet3_add_|\bNnet3[A-Z]", code):
                yield f"{path.relative_to(root)}:{number}: the runtime uses {code.strip()}"


def check_runtime_binaries(build):
    """What is linked under build/runtime needs no library of LLVM."""
    for path in sorted((build / "runtime").rglob("*")):
        if not path.is_file() or path.suffix in (".a", ".o"):
            continue
        with path.open("rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
        dynamic = subprocess.run(
            ["readelf", "-d", path], capture_output=True, text=True, check=True
        ).stdout
        for library in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
            if re.search(r"LLVM|MLIR|clang", library):
                yield f"{path}: needs {library}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path)
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    problems = [*check_layers(root), *check_runtime_sources(root)]
    if arguments.build:
        problems += check_runtime_binaries(arguments.build)
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))


main()
