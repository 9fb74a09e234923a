#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds a model to the page: compiles it for WebAssembly, and lists it in
models.json.

    add_model.py [OPTIONS] NAME MODEL [OPTION OF nnet3-compile]...

The files are models/NAME/net.* in the folder of the page. There is code with and
without relaxed SIMD, and one file of weights for both.
"""
import argparse
import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))


def compile_model(options, extra, output):
    subprocess.run(
        [os.path.join(options.bin, "nnet3-compile"), "--streaming"]
        + ["--target=wasm32", "--prefix=net", "-o", output]
        + extra
        + [options.model],
        check=True,
    )


def compile_both(options, extra, folder):
    """Compiles the model; all files are there, or none."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as scratch:
        strict = os.path.join(scratch, "net")
        relaxed = os.path.join(scratch, "relaxed")
        compile_model(options, extra, strict)
        flags = ["--target-features=+relaxed-simd"]
        compile_model(options, extra + flags, relaxed)
        if not filecmp.cmp(strict + ".weights", relaxed + ".weights", False):
            sys.exit("error: the weights with relaxed SIMD are others")
        os.makedirs(folder, exist_ok=True)
        for extension in ("wasm", "mjs", "d.mts", "weights"):
            shutil.move(f"{strict}.{extension}", f"{folder}/net.{extension}")
        shutil.move(relaxed + ".wasm", f"{folder}/net.relaxed.wasm")


def read_text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError:
        sys.exit(f"error: {path}: is not text in UTF-8")


def make_entry(options):
    place = f"models/{options.name}/net"
    entry = {
        "name": options.title or options.name,
        "module": place + ".mjs",
        "relaxed": place + ".relaxed.wasm",
    }
    path = options.mfcc_config or options.fbank_config
    kind = "fbank" if options.fbank_config else "mfcc"
    entry["features"] = {"kind": kind, "config": read_text(path) if path else ""}
    if options.max_frames:
        entry["maxFrames"] = options.max_frames
    if options.labels:
        entry["labels"] = read_text(options.labels).splitlines()
    return entry


def update_list(folder, entry):
    path = os.path.join(folder, "models.json")
    entries = json.loads(read_text(path)) if os.path.exists(path) else []
    entries = [e for e in entries if e["module"] != entry["module"]] + [entry]
    with open(path + ".part", "w") as file:
        json.dump(entries, file, indent=1)
        file.write("\n")
    os.replace(path + ".part", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("name", help="of a folder")
    parser.add_argument("model")
    parser.add_argument(
        "--bin",
        default=os.path.join(HERE, "../../build/bin"),
        help="where nnet3-compile is",
    )
    parser.add_argument("--folder", default=HERE, help="of the page")
    parser.add_argument("--title", help="for the list")
    configs = parser.add_mutually_exclusive_group()
    configs.add_argument("--mfcc-config", metavar="FILE")
    configs.add_argument("--fbank-config", metavar="FILE")
    parser.add_argument("--labels", help="file with a class in each line")
    parser.add_argument(
        "--max-frames", type=int, help="longest chunk that the page computes"
    )
    options, extra = parser.parse_known_args()
    if not any(option.startswith("--chunk") for option in extra):
        extra.append("--chunk=6,21")
    entry = make_entry(options)  # before the compiler works in vain
    models = os.path.join(options.folder, "models")
    os.makedirs(models, exist_ok=True)
    try:
        compile_both(options, extra, os.path.join(models, options.name))
    finally:
        if not os.listdir(models):
            os.rmdir(models)
    update_list(options.folder, entry)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError:
        sys.exit(1)  # nnet3-compile has said what is wrong
    except OSError as failure:
        sys.exit(f"error: {failure.filename}: {failure.strerror}")
