# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tensors of a folder of nnet3-translate --model-to-json with the
same model in text.

    read_tensors.py FOLDER MODEL.txt
"""

import json
import pathlib
import sys

import numpy

folder = pathlib.Path(sys.argv[1])
elements = numpy.fromfile(folder / "tensors.bin", "<f4")
module = json.loads((folder / "module.json").read_text())
text = pathlib.Path(sys.argv[2]).read_text()


def tensors(op):
    for name, value in op["attributes"].items():
        if isinstance(value, dict) and "offset" in value:
            yield op["attributes"]["sym_name"], name, value
    for region in op.get("regions", []):
        for block in region:
            for inner in block["operations"]:
                yield from tensors(inner)


end = 0
found = list(tensors(module))
for _, _, tensor in found:
    assert tensor["offset"] == end, tensor
    end += int(numpy.prod(tensor["shape"]))
assert end == len(elements)
print("tensors fill tensors.bin")

parts = {}
for part in text.split("<ComponentName> ")[1:]:
    parts[part.split()[0]] = part
tokens = {"linear_params": "<LinearParams>", "bias_params": "<BiasParams>"}
compared = 0
for component, name, tensor in found:
    if name not in tokens:
        continue
    written = parts[component].split(tokens[name])[1]
    written = written.split("[")[1].split("]")[0].split()
    begin = tensor["offset"]
    numpy.testing.assert_array_equal(
        elements[begin : begin + len(written)], numpy.float32(written)
    )
    compared += 1
assert compared >= 6, compared
print("all elements equal those of the model in text")
