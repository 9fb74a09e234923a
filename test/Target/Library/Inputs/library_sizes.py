# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a model for 8 and for 512 sequences, and compares the sizes of the
libraries without their weights."""

import pathlib
import re
import subprocess
import sys

REQUEST = """nnet3.request @request for @{network} {{
  nnet3.request_input "input" <n = 0:{last}, t = -40:79>
{ivector}  nnet3.request_output "output" <n = 0:{last}, t = {times}>
}}
"""
IVECTOR = '  nnet3.request_input "ivector" <n = 0:{last}, t = 0>\n'


def run(tool, *arguments):
    command = [pathlib.Path(sys.argv[1], tool), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def get_size(folder, network, times, num_sequences, options):
    name = re.search(r"nnet3.network @(\S+)", network).group(1)
    last = num_sequences - 1
    ivector = IVECTOR.format(last=last) if '"ivector"' in network else ""
    request = REQUEST.format(network=name, last=last, ivector=ivector, times=times)
    # Behind the network, before the parameters.
    end = network.index("\n}\n") + 1
    source = folder / "in.mlir"
    source.write_text(network[:end] + request + network[end:])
    run("nnet3-compile", source, "--weights=file", *options, "-o", folder / "net")
    return (folder / "libnet.so").stat().st_size


def main():
    model, times, folder = sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
    network = run("nnet3-translate", "--raw-to-mlir", model)
    few, many = (get_size(folder, network, times, n, sys.argv[5:]) for n in (8, 512))
    verdict = "equal" if abs(many - few) <= 0.02 * few else "not equal"
    print(f"{few} and {many} bytes: {verdict}")


main()
