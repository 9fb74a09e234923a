#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares nnet3-compute with Kaldi's.

    benchmarks/peers/kaldi.py [--bin=build/bin] [--utterances=20000]
        [--kaldi-utterances=N] [--frames=10,30] [--repeat=3] NETWORK...

A NETWORK is a config in benchmarks/networks, such as lstmp, with random
parameters. Utterances of random features have as many frames as any number
between the two of --frames. The table has utterances per second of processor
time, on one thread: of Kaldi, chunk by chunk as its nnet3-compute does, and of
nnet3-run in batches, in the interpreter and in machine code, the best of --repeat
alternated runs; how far the outputs are apart; and the largest memory of a run
with all utterances, and with half of them. Kaldi computes the first N
utterances only, where --kaldi-utterances is given.

Kaldi's code comes from the shared libraries of the PyPI package
kaldi-active-grammar, which this script downloads to build/kaldi. Only
kaldi_compute.cpp is built against them.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import batches

PACKAGE = "kaldi-active-grammar==3.2.0"
SUBSAMPLING, CHUNK = 3, 150


def build_kaldi(folder):
    """The path of kaldi_compute, built in a folder that keeps it."""
    libraries = folder / "kaldi_active_grammar.libs"
    program = folder / "kaldi_compute"
    if not libraries.exists():
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, PACKAGE],
                       check=True)
    source = pathlib.Path(__file__).with_name("kaldi_compute.cpp")
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        files = [path for name in ("nnet3", "matrix") for path in libraries.glob(f"libkaldi-{name}-*.so")]
        # The wheel is for the C++ library of manylinux2010.
        subprocess.run(["c++", "-O2", "-std=c++17", "-D_GLIBCXX_USE_CXX11_ABI=0", source, *files, "-o", program,
                        "-Wl,--allow-shlib-undefined", "-Wl,--disable-new-dtags", f"-Wl,-rpath,{libraries}"],
                       check=True)
    return program


def add_statistics(options, model):
    """Gives batch norm a mean of 0 and a variance of 1. Without a count, Kaldi
    draws them."""
    text = model.with_suffix(".txt")
    batches.run([options.bin / "nnet3-copy", "--binary=false", model, text])

    def replace(match):
        values = [" ".join([value] * int(match[2])) for value in "01"]
        return f"{match[1]}1000 <StatsMean>  [ {values[0]} ]\n<StatsVar>  [ {values[1]} ]"

    pattern = r"(<BatchNormComponent> <Dim> (\d+) [^[]*<Count> )0 <StatsMean>[^]]*\]\s*<StatsVar>[^]]*\]"
    text.write_text(re.sub(pattern, replace, text.read_text()))
    batches.run([options.bin / "nnet3-copy", text, model])


def measure(options, kaldi, network):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model, arguments = batches.prepare(options, network, folder)
        add_statistics(options, model)
        ivectors = [folder / "ivectors.ark"] if (folder / "ivectors.ark").exists() else []
        commands = {
            "alone": [kaldi, model, folder / "some.ark", folder / "alone.ark", SUBSAMPLING, CHUNK, *ivectors],
            "batches": [options.bin / "nnet3-run", "--minibatch-size=128", *arguments],
            "native": [options.bin / "nnet3-run", "--minibatch-size=128", "--backend=native", *arguments],
        }
        for name in "batches", "native":
            commands[name] += [model, f"ark:{folder}/all.ark", f"ark:{folder}/{name}.ark"]
        times, memory = {name: [] for name in commands}, {}
        for _ in range(options.repeat):
            for name, command in commands.items():
                time, memory[name], _ = batches.run(list(map(str, command)))
                times[name].append(time)
        half = batches.run([*map(str, commands["batches"][:-2]), f"ark:{folder}/half.ark", "ark:/dev/null"])
        difference = batches.compare(folder)
    best = {name: options.utterances / min(values) for name, values in times.items()}
    best["alone"] *= (options.alone or options.utterances) / options.utterances
    print(f"| {network} | {best['alone']:.1f} | {best['batches']:.1f} | {best['batches'] / best['alone']:.2f} | "
          f"{best['native']:.1f} | {best['native'] / best['alone']:.2f} | {difference:.1e} | "
          f"{memory['batches']:.0f} | {half[1]:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("--utterances", type=int, default=20000)
    parser.add_argument("--kaldi-utterances", type=int, dest="alone")
    parser.add_argument("--frames", default="10,30")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("networks", nargs="+")
    options = parser.parse_args()
    options.backend = "interpreter"
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ.pop("OPENBLAS_CORETYPE", None)
    kaldi = build_kaldi(ROOT / "build/kaldi")
    print("| network | Kaldi, utterances/s | interpreter | times as fast | machine code | times as fast | "
          "largest difference | memory, MB | memory of half, MB |\n" + "|---" * 9 + "|")
    for network in options.networks:
        measure(options, kaldi, network)


if __name__ == "__main__":
    main()
