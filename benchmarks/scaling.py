#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How training by several processes scales over machines.

    scaling.py [--bin=build/bin] [--backend=interpreter] [--gigabits=25]
               [--microseconds=5] [--processes=2] MODEL [DEN-FST] MINIBATCHES

Trains with one process and with several on this machine, with shared minibatches
and with averages of models every 8 minibatches, each several times in turn.
Prints how many times faster several processes are: what all minibatches take
beyond the first ones, with which the network is compiled. Prints what a process
sums with the others for a shared minibatch, and a table that extrapolates to 64
nodes of one process over a network of this bandwidth and latency: a ring of N
nodes sends each byte 2 (N - 1) / N times, in 2 (N - 1) messages for each sum of
more than 64 kB, and 2 log2 N messages for each smaller one. Nothing is taken off
for sums that the backward pass hides.
"""
import argparse
import json
import math
import os
import re
import subprocess
import tempfile
import time

RUNS = 3
# Minibatches of a process between averages.
INTERVAL = 8


def train(options, launcher, files, folder, *extra):
    """Processor seconds, seconds, and the log."""
    backend = [f"--backend={options.backend}"]
    if options.backend == "native":
        backend.append("--native-after=0")
    command = launcher + [f"{options.bin}/nnet3-train", "--print-args=false", *backend,
                          *extra, f"--log={folder}/log.jsonl", *files,
                          f"{folder}/trained.raw"]
    before, start = os.times(), time.time()
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    seconds, after = time.time() - start, os.times()
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return (after.children_user - before.children_user + after.children_system
            - before.children_system, seconds, done.stderr)


def find_traffic(log):
    """Bytes, sums, large sums, and seconds of waiting of process 0."""
    found = re.search(r"has summed (\d+) bytes in (\d+) sums, (\d+) of them large, and "
                      r"waited ([0-9.e+-]+) seconds", log)
    return [float(number) for number in found.groups()]


def find_seconds(runs):
    return min(run[1] for run in runs)


def communicate(options, nodes, traffic):
    """Seconds for the sums of a minibatch."""
    size, sums, large, _ = traffic
    if nodes == 1:
        return 0
    bandwidth = options.gigabits * 1e9 / 8
    messages = large * 2 * (nodes - 1) + (sums - large) * 2 * math.log2(nodes)
    return size * 2 * (nodes - 1) / nodes / bandwidth + messages * options.microseconds * 1e-6


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--backend", default="interpreter")
    parser.add_argument("--gigabits", type=float, default=25, help="bandwidth of a node")
    parser.add_argument("--microseconds", type=float, default=5, help="latency of a message")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np",
                str(options.processes)]
    with tempfile.TemporaryDirectory() as folder:
        def subset(count):
            """A table of the first minibatches."""
            table = f"ark:{folder}/first{count}.ark"
            subprocess.run([f"{options.bin}/nnet3-subset-egs", "--print-args=false",
                            f"--n={count}", "--randomize-order=false", options.files[-1],
                            table], check=True, capture_output=True)
            return [*options.files[:-1], table]

        # Of averages, each process compiles with a minibatch of its own.
        first_files, few_files = subset(1), subset(options.processes)
        first, one, several = [], [], []
        several_first, averaged, averaged_first = [], [], []
        average = f"--averaging-interval={INTERVAL}"
        for _ in range(RUNS):
            first.append(train(options, [], first_files, folder))
            several_first.append(train(options, launcher, first_files, folder))
            averaged_first.append(train(options, launcher, few_files, folder, average))
            averaged.append(train(options, launcher, options.files, folder, average))
            one.append(train(options, [], options.files, folder))
            several.append(train(options, launcher, options.files, folder))
        with open(f"{folder}/log.jsonl") as lines:
            count = sum("objectives" in json.loads(line) for line in lines)
    if count <= options.processes:
        raise SystemExit(f"expects more than {options.processes} minibatches")
    traffic = [value / count for value in find_traffic(several[0][2])]
    single = min(run[0] for run in one)
    waited = min(find_traffic(run[2])[3] for run in several)
    together = min(run[0] for run in several)
    print(f"{count} minibatches; least of {RUNS} runs, in turn")
    print(f"one process: {single:.2f} s of processor time, "
          f"{min(run[1] for run in one):.2f} s")
    print(f"{options.processes} processes: {together:.2f} s of processor time, waiting "
          f"included, {min(run[1] for run in several):.2f} s; process 0 waited {waited:.2f} s")
    alone = (find_seconds(one) - find_seconds(first)) / (count - 1)
    shared = (find_seconds(several) - find_seconds(several_first)) / (count - 1)
    apart = ((find_seconds(averaged) - find_seconds(averaged_first))
             / (count - options.processes))
    print(f"beyond the first minibatches, {options.processes} processes are "
          f"{alone / shared:.2f} times faster with shared minibatches, {alone / apart:.2f} "
          f"times with averages every {INTERVAL} minibatches")
    print(f"a process sums {traffic[0]:.0f} bytes for a minibatch, in {traffic[1]:.0f} sums, "
          f"{traffic[2]:.0f} of them large")
    compute = (single - min(run[0] for run in first)) / (count - 1)
    print(f"\n{options.gigabits:g} Gbit/s, {options.microseconds:g} us; "
          f"a minibatch takes {compute * 1e3:.1f} ms of processor time")
    print("nodes   shared minibatch        minibatch for each node   "
          f"averages every {INTERVAL}")
    print("        ms each   times faster  times faster             times faster")
    for nodes in (1, 2, 4, 8, 16, 32, 64):
        sums = communicate(options, nodes, traffic)
        shared = compute / nodes + sums
        each = compute + sums
        apart = compute + sums / INTERVAL
        print(f"{nodes:5} {shared * 1e3:9.2f} {compute / shared:14.1f} "
              f"{nodes * compute / each:13.1f} {nodes * compute / apart:24.1f}")


if __name__ == "__main__":
    main()
