#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts nodes into a graph, one at a time, and checks the error that each gives.

    check_onnx_nodes.py --translate=nnet3-translate GRAPH CASES

GRAPH is a model in protobuf's text form with the word NODE in it; a line of CASES
is a node, without name and output, and the error after a bar.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

ENCODE = ["protoc", "--proto_path=/usr/include/onnx", "--encode=onnx.ModelProto", "onnx.proto"]


def check(options, graph, case, path):
    node, expected = case.rsplit(" | ", 1)
    text = graph.replace("NODE", f'node {{ name: "/under/test" output: "y" {node} }}')
    path.write_bytes(subprocess.run(ENCODE, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout)
    result = subprocess.run([options.translate, "--onnx-to-mlir", path], capture_output=True, text=True)
    message = f"{path}:node '/under/test': error: {expected}\n"
    if (result.returncode, result.stderr) == (1, message):
        return True
    print(f"{node}\nexpected: {message}got {result.returncode}: {result.stderr}")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--translate", required=True)
    parser.add_argument("graph", type=pathlib.Path)
    parser.add_argument("cases", type=pathlib.Path)
    options = parser.parse_args()
    graph, cases = options.graph.read_text(), options.cases.read_text().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        results = [check(options, graph, case, pathlib.Path(folder, "model.onnx")) for case in cases]
    if not all(results):
        return 1
    print(f"{len(results)} nodes are refused as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
