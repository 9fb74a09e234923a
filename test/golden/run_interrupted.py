#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills nnet3-train at random points, lets it go on from its checkpoint, and
compares the model and the record with those of a run without interruption.

    run_interrupted.py [--kills=N] [--backend=NAME] --nnet3-train=PROGRAM DIRECTORY CASE...

DIRECTORY has the cases of run_trajectories.py. Each case is run again and again
until it has been killed N times. Prints how often; exit status 1 if bytes differ
or a run fails that was not killed.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Case:
    def __init__(self, options, name, scratch):
        with open(os.path.join(options.directory, name, "case.json")) as file:
            case = json.load(file)
        command = case["runs"][-1]["command"].split()
        self.directory = options.directory
        self.outputs = [os.path.join(scratch, f) for f in ("model", "record")]
        self.resumed = 0
        self.checkpoint = os.path.join(scratch, "checkpoint")
        self.command = [options.nnet3_train, "--print-args=false"]
        self.command.append("--backend=" + options.backend)
        if options.backend == "native":
            cache = os.path.join(scratch, "cache")
            self.command += ["--native-after=5", "--program-cache=" + cache]
        self.command += ["--log=" + self.outputs[1], *command[1:-1], self.outputs[0]]

    def start(self, *options):
        command = [self.command[0], *options, *self.command[1:]]
        return subprocess.Popen(command, cwd=self.directory, stderr=subprocess.PIPE)

    def interrupt(self, how, seconds):
        """Whether the run was still there after some seconds; then it is not
        any more."""
        run = self.start(
            f"--checkpoint={self.checkpoint}", "--checkpoint-minutes=0", "--resume"
        )
        time.sleep(seconds)
        run.send_signal(how)
        log = run.communicate()[1].decode()
        self.resumed += "Going on after" in log
        if run.returncode == -how:
            return True
        if run.returncode != 0:
            sys.exit(f"status {run.returncode}: {log}")
        return False


def check(options, name, draw):
    """How often the case was killed, and in how many runs to the end."""
    with tempfile.TemporaryDirectory() as scratch:
        case = Case(options, name, scratch)
        if options.backend == "native":
            # Compiles the code.
            case.start().communicate()
        began = time.monotonic()
        log = case.start().communicate()[1]
        seconds = time.monotonic() - began
        try:
            expected = [read(path) for path in case.outputs]
        except FileNotFoundError:
            sys.exit(log.decode())
        kills = trained = 0
        # Runs may be killed before their first checkpoint each time.
        while kills < options.kills or (not case.resumed and trained < 100):
            os.remove(case.outputs[0])
            how = draw.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM))
            while case.interrupt(how, draw.uniform(0, seconds)):
                kills += 1
            trained += 1
            if [read(path) for path in case.outputs] != expected:
                sys.exit(f"{name}: other bytes after {kills} kills")
            if os.path.exists(case.checkpoint):
                sys.exit(f"{name}: the checkpoint is still there")
        if not case.resumed:
            sys.exit(f"{name}: no run went on from a checkpoint")
        return kills, trained


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backend", default="interpreter")
    parser.add_argument("--nnet3-train", type=os.path.abspath, required=True)
    parser.add_argument("directory", type=os.path.abspath)
    parser.add_argument("cases", nargs="+")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    total = 0
    for name in options.cases:
        kills, trained = check(options, name, draw)
        print(f"{name}: killed {kills} times in {trained} runs", flush=True)
        total += kills
    print(f"killed {total} times, the same bytes each time")


if __name__ == "__main__":
    main()
