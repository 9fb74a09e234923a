#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the JSON of Google Benchmark (standard input) as one table."""

import json
import sys

COLUMNS = ("commands", "MB", "vs_gemm", "gflops", "gradient", "natural")


def main():
    benchmarks = json.load(sys.stdin)["benchmarks"]
    print(f"{'benchmark':32} {'ms':>9}" +
          "".join(f" {column:>9}" for column in COLUMNS))
    for entry in benchmarks:
        if entry.get("error_occurred"):
            print(f"{entry['name']:32} {entry['error_message']}")
            continue
        name = entry["name"].split("/iterations:")[0].removesuffix("/manual_time")
        line = f"{name:32} {entry['real_time']:9.3f}"
        for column in COLUMNS:
            value = entry.get(column)
            line += f" {value:9.4g}" if value is not None else " " * 10
        print(line)
    print("vs_gemm: the executor's time over that of its matrix products alone, "
          "through the same BLAS in the same run; of train, forward and backward "
          "without update")
    print("gradient: train with the parameters' gradient, over the products with "
          "those of the weights' gradient")
    print("natural: the whole training step with natural gradient, over the same "
          "products")


if __name__ == "__main__":
    main()
