#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs reference cases into one file, which nnet3-rt-run checks.

    pack_cases.py --bin=build/bin [--library=x86-64-v3] DIRECTORY... -o cases.n3cs

The file has of each case of a DIRECTORY (see run_golden.py) the program, the
model, the inputs, what has to come out and how near; for each --library also
the case's forward part as machine code for that CPU of LLVM's, or for cuda, or
with these options of nnet3-compile, all of them linked into one library. A
machine that has nnet3-rt-run and this file needs nothing else. Cases that draw
random numbers have nothing that has to come out: libraries are compared with
the interpreter. Cases of command lines and of errors are not packed: they are
about the tools. The format is
runtime/schema/cases.fbs.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy

import compare
import kaldi_files
import run_golden

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
SCHEMA = os.path.join(ROOT, "runtime", "schema", "cases.fbs")
PIPELINE = "builtin.module(nnet3-compile,nnet3-optimize)"
# As in runtime/include/nnet3/runtime/Container.h.
HEADER = struct.Struct("<4sI7Q")
MAGIC, VERSION = b"N3CP", 1
ALIGNMENT = 64


def checksum(data):
    """checksum() of Container.h."""
    prime = 0x9E3779B97F4A7C15
    mask = (1 << 64) - 1
    blocks = numpy.frombuffer(data, "<u8", len(data) // 64 * 8).reshape(-1, 8)
    lanes = numpy.arange(1, 9, dtype=numpy.uint64)
    factor, shift = numpy.uint64(prime), numpy.uint64(29)
    for words in blocks:
        lanes ^= words
        lanes *= factor
        lanes ^= lanes >> shift
    total = len(data) * prime & mask
    for byte in data[len(data) // 64 * 64 :]:
        total = (total ^ byte) * prime & mask
    for lane in lanes:
        total = (total ^ int(lane)) * prime & mask
        total ^= total >> 32
    return total or 1


class Data:
    """Chunks; equal ones are there once."""

    def __init__(self):
        self.bytes = bytearray()
        self.chunks = []
        self._known = {}

    def add(self, data, known_checksum=None):
        if data not in self._known:
            self.bytes += b"\0" * (-len(self.bytes) % ALIGNMENT)
            self._known[data] = len(self.chunks)
            self.chunks.append(
                {
                    "offset": len(self.bytes),
                    "size": len(data),
                    "checksum": known_checksum or checksum(data),
                }
            )
            self.bytes += data
        return self._known[data]

    def matrix(self, name, values):
        values = numpy.atleast_2d(numpy.asarray(values, "<f4"))
        rows, cols = values.shape
        chunk = self.add(values.tobytes())
        return {"name": name, "rows": rows, "cols": cols, "chunk": chunk}


# ---- Programs ---------------------------------------------------------------


def execute(arguments, directory, data=None):
    result = subprocess.run(
        arguments,
        cwd=directory,
        input=data,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if result.returncode < 0:
        raise ChildProcessError(
            f"{arguments[0]} was ended by signal {-result.returncode}"
        )
    if result.returncode != 0:
        lines = result.stderr.decode(errors="replace").strip().split("\n")
        errors = [line for line in lines if "error: " in line]
        raise compare.Failed((errors or lines)[0])
    return result.stdout


def has_file(directory, case, key):
    return os.path.isfile(os.path.join(directory, case.get(key, "")))


def has_backward_part(directory, case):
    """Whether this copy of the case has anything of it."""
    return has_file(directory, case, "gradient") or any(
        entry["kind"] in ("outderiv", "inderiv")
        and os.path.exists(os.path.join(directory, entry["file"]))
        for entry in case["files"]
    )


def read_request(directory, case):
    with open(os.path.join(directory, case["request"])) as file:
        text = file.read()
    if has_backward_part(directory, case):
        return text
    return re.sub(r"(has-deriv|need-model-derivative)=\S+", "", text)


def make_program(options, directory, case):
    """The program file of the case's request."""
    translate = options.tool("nnet3-translate")
    with tempfile.NamedTemporaryFile("w") as request:
        request.write(read_request(directory, case))
        request.flush()
        text = execute(
            [translate, "--raw-to-mlir", "--request=" + request.name]
            + [case["model"]],
            directory,
        )
    optimize = [options.tool("nnet3-opt"), "-", "--pass-pipeline=" + PIPELINE]
    text = execute(optimize, directory, text)
    return execute([translate, "--mlir-to-program", "-"], directory, text)


def add_program(data, file):
    """The chunks of a program file."""
    _, _, *numbers = HEADER.unpack_from(file)
    at, size, weights_at, weights_size, check, weights_check, _ = numbers
    weights = file[weights_at : weights_at + weights_size]
    return {
        "program": data.add(file[at : at + size], check),
        "weights": data.add(weights, weights_check),
    }


# ---- What has to come out ---------------------------------------------------


def general_bound(bound, tolerance):
    return {"tolerance": max(bound, tolerance)}


def pack_matrices(data, directory, case):
    """Inputs and outputs, derivatives among them, as far as this copy of the
    case has them."""
    inputs, outputs, derivatives = [], [], []
    for entry in case["files"]:
        path = os.path.join(directory, entry["file"])
        if not os.path.exists(path):
            continue
        node, kind = entry["node"], entry["kind"]
        values = kaldi_files.read_matrix(path)
        ignored = entry.get("ignore_columns", [])
        matrix = data.matrix(node, values)
        if kind in run_golden.READ:
            inputs.append(matrix)
            continue
        expected = {"value": matrix, "ignored_columns": ignored}
        tolerance = run_golden.tolerance_of(case, kind, node)
        outputs.append(expected)
        if kind == "output":
            expected.update(general_bound(1e-4, tolerance))
        else:
            expected.update(general_bound(1e-3, tolerance), by_rms=True)
            counted = numpy.delete(values, ignored, axis=1).ravel()
            derivatives.append((expected, counted))
    if derivatives:
        scale = compare.rms(numpy.concatenate([v for _, v in derivatives]))
        for expected, _ in derivatives:
            expected["floor"] = 1e-3 * scale
    return {"inputs": inputs, "outputs": outputs}


class Part:
    """A component, or one of the parts of a composite, as a model has it."""

    def __init__(self, kind, prefix):
        self.kind, self.prefix = kind, prefix
        self.tokens = []

    def exports(self, token):
        """Whether a backward or forward pass may change the statistic."""
        tested = dict(self.tokens).get("TestMode") == ["T"]
        return token in compare.STATISTICS and not tested

    def attribute(self, token):
        """The runtime's name: StatsMean is stats_mean."""
        if token == "Params" and self.kind.endswith("ElementScaleComponent"):
            return self.prefix + "scales"
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", token).lower()
        return self.prefix + name


def parts_of(tokens):
    """The parts of a component that has these tokens; composites nest them."""
    parts, inside, counts = [], [], [0]
    for token, words in tokens:
        if token.endswith("Component") and token.startswith("/"):
            inside.pop()
            counts.pop()
        elif token.endswith("Component"):
            counts[-1] += 1
            prefix = "".join(f"component{n}." for n in counts[1:])
            inside.append(Part(token, prefix))
            counts.append(0)
            parts.append(inside[-1])
        elif inside:  # the end of the model is outside
            inside[-1].tokens.append((token, words))
    return parts


def expected_attribute(data, component, name, words, bounds):
    values = numpy.array(words, numpy.float64).reshape(1, -1)
    value = data.matrix(name, values)
    return {"component": component, "value": value, **bounds}


def pack_gradient(data, path, options, case):
    expected = []
    tolerances = case["tol"].get("gradient", {})
    _, components = run_golden.load_model(options, path)
    for component, tokens in components.items():
        keeps = case["gradient_stats_deterministic"]
        keeps = keeps and not compare.lacks_statistics(tokens)
        # What compare.lacks_statistics() says of our own.
        optional = "w_h" in dict(tokens)
        for part in parts_of(tokens):
            for token, words in part.tokens:
                tolerance = tolerances.get(f"{component}.{token}")
                if tolerance:
                    bounds = general_bound(1e-3, tolerance["tol"])
                    floor = 1e-3 * case["gradient_rms"]
                    bounds.update(by_rms=True, floor=floor)
                elif keeps and part.exports(token):
                    bounds = general_bound(1e-4, 0)
                    bounds["optional"] = optional
                else:
                    continue
                name = part.attribute(token)
                expected.append(
                    expected_attribute(data, component, name, words, bounds)
                )
    return expected


def pack_statistics(data, path, options, model):
    """The lines of a file of statistics. They do not name the part of a
    composite: it is the last one that has the token."""
    expected = []
    _, components = run_golden.load_model(options, model)
    for component, token, words in kaldi_files.read_statistics(path):
        for part in reversed(parts_of(components[component])):
            if token in dict(part.tokens):
                break
        if part.exports(token):
            name, bounds = part.attribute(token), general_bound(1e-4, 0)
            expected.append(
                expected_attribute(data, component, name, words, bounds)
            )
    return expected


def pack_case(data, options, directory, case, program):
    entry = {"name": case["name"], **add_program(data, program)}
    entry.update(pack_matrices(data, directory, case))
    if has_file(directory, case, "gradient"):
        gradient = os.path.join(directory, case["gradient"])
        entry["gradient"] = pack_gradient(data, gradient, options, case)
    entry["draws"] = case.get("draws", False)
    entry["keeps_statistics"] = case["flags"]["store_component_stats"]
    if case.get("stats_deterministic") and has_file(directory, case, "stats"):
        statistics = os.path.join(directory, case["stats"])
        model = os.path.join(directory, case["model"])
        entry["statistics"] = pack_statistics(data, statistics, options, model)
    return entry


# ---- Libraries --------------------------------------------------------------


# As docs/internals/AheadOfTime.md says of libraries in less than f32.
RMS_ERRORS = {"bf16": 0.02, "fp16": 0.002, "int16": 0.01, "int8": 0.1}


def options_of(backend):
    """What nnet3-compile gets for a backend."""
    if backend.startswith("--"):
        return backend.split()
    if backend == "cuda":
        return ["--target=cuda"]
    return ["--target-cpu=" + backend]


def value_of(backend, option, default=None):
    for text in options_of(backend):
        if text.startswith(option + "="):
            return text[len(option) + 1 :]
    return default


def compile_archive(options, backend, number, directory, case, scratch):
    """The case's forward part as an archive, or why there is none."""
    name = f"case{number}"
    try:
        execute(
            [options.tool("nnet3-compile"), "--test-mode=false"]
            + ["--emit=archive", "--request=" + case["request"]]
            + options_of(backend)
            + ["-o", os.path.join(scratch, name), case["model"]],
            directory,
        )
    except compare.Failed as error:
        # Without the file and the line.
        return {"left_out": re.sub(r"^.*?error: ", "", str(error))}
    precision = value_of(backend, "--precision")
    return {"prefix": name, "rms_error": RMS_ERRORS.get(precision, 0)}


def linker_of(options, backend):
    """What links all archives, and what comes behind them."""
    target = value_of(backend, "--target", "cuda")
    libraries = os.path.abspath(os.path.join(options.bin, "../lib"))
    if target == "cuda":
        return ["c++"], [
            os.path.join(libraries, "libnnet3_library.a"),
            "-static-libstdc++",
            "-static-libgcc",
            "-Wl,--gc-sections",
            "-Wl,--exclude-libs,libnnet3_library.a",
            "-Wl,--no-undefined",
            "-Wl,--build-id=none",
            "-lm",
            "-ldl",
            "-pthread",
        ]
    # As nnet3-compile links libraries for other machines.
    folder = os.path.join(libraries, "nnet3", target)
    lld = shutil.which("ld.lld-22") or "ld.lld"
    files = ["nnet3_library.o", "libgcc.a", "libc.so", "libm.so"]
    files = [os.path.join(folder, name) for name in files + ["libpthread.so"]]
    flags = ["--gc-sections", "--no-undefined", "--eh-frame-hdr"]
    return [lld, "--version-script=version"], files + flags


def link_archives(options, backend, found, scratch):
    """One library of all archives."""
    result = os.path.join(scratch, "cases.so")
    archives = [
        os.path.join(scratch, f"lib{entry['prefix']}.a")
        for entry in found
        if "prefix" in entry
    ]
    response = os.path.join(scratch, "archives")
    with open(response, "w") as file:
        file.write("\n".join(archives))
    with open(os.path.join(scratch, "version"), "w") as file:
        file.write("{ global: case*; local: *; };\n")
    linker, behind = linker_of(options, backend)
    whole, no_whole = ("--whole-archive", "--no-whole-archive")
    if linker == ["c++"]:
        whole, no_whole = ("-Wl," + whole, "-Wl," + no_whole)
    execute(
        linker
        + ["-shared", "-s", "-o", result, whole, "@" + response, no_whole]
        + behind,
        scratch,
    )
    with open(result, "rb") as file:
        return file.read()


def add_libraries(data, options, pool, cases, entries):
    libraries = []
    for backend in options.backends:
        with tempfile.TemporaryDirectory() as scratch:
            found = list(
                pool.map(
                    lambda item: compile_archive(
                        options, backend, item[0], *item[1], scratch
                    ),
                    enumerate(cases),
                )
            )
            for entry, library in zip(entries, found):
                library["file"] = len(libraries)
                entry.setdefault("libraries", []).append(library)
            code = b""
            if any("prefix" in library for library in found):
                code = link_archives(options, backend, found, scratch)
            chunk = data.add(code)
            libraries.append({"backend": backend, "chunk": chunk})
    return libraries


# ---- The whole --------------------------------------------------------------


def encode(description):
    """The FlatBuffer."""
    with tempfile.TemporaryDirectory() as scratch:
        text = os.path.join(scratch, "cases.json")
        with open(text, "w") as file:
            json.dump(description, file)
        execute(["flatc", "--binary", "-o", scratch, SCHEMA, text], scratch)
        with open(os.path.join(scratch, "cases.bin"), "rb") as file:
            return file.read()


def write(path, description, data):
    data_at = HEADER.size + len(description)
    padding = -data_at % ALIGNMENT
    header = HEADER.pack(
        MAGIC,
        VERSION,
        HEADER.size,
        len(description),
        data_at + padding,
        len(data),
        checksum(description),
        0,
        0,
    )
    with open(path + ".part", "wb") as file:
        file.write(header + description + b"\0" * padding + data)
    os.rename(path + ".part", path)


class Options(argparse.Namespace):
    def tool(self, name):
        return os.path.join(self.bin, name)

    @property
    def nnet3_translate(self):
        return self.tool("nnet3-translate")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directories", nargs="+", metavar="DIRECTORY")
    parser.add_argument("-o", dest="output", required=True)
    parser.add_argument("--bin", required=True, help="where the tools are")
    parser.add_argument(
        "--library",
        dest="backends",
        action="append",
        default=[],
        help="LLVM's name of a CPU to compile the cases for, or cuda, or "
        "options of nnet3-compile",
    )
    parser.add_argument("--filter", default="", help="regular expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument(
        "--check", action="store_true", help="run nnet3-rt-run on the file"
    )
    parser.add_argument(
        "--checker",
        action="append",
        default=[],
        help="a command that runs nnet3-rt-run, such as by an emulator; the "
        "file becomes its last argument",
    )
    options = parser.parse_args(namespace=Options())
    options.bin = os.path.abspath(options.bin)
    return options


def main():
    options = parse_options()
    found = [
        (kind, directory, case)
        for root in options.directories
        for kind, directory, case in run_golden.find_cases(root)
        if re.search(options.filter, case["name"])
    ]
    cases = [item[1:] for item in found if item[0] is run_golden.run_request]
    if not cases:
        sys.exit("error: there are no such cases")
    data = Data()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        programs = pool.map(lambda case: make_program(options, *case), cases)
        entries = [
            pack_case(data, options, *case, program)
            for case, program in zip(cases, programs)
        ]
        libraries = add_libraries(data, options, pool, cases, entries)
    description = {
        "producer": "pack_cases.py",
        "chunks": data.chunks,
        "libraries": libraries,
        "cases": entries,
    }
    write(options.output, encode(description), bytes(data.bytes))
    size = os.path.getsize(options.output)
    print(
        f"{len(cases)} cases, {size} bytes; not packed: "
        f"{len(found) - len(cases)} of command lines and errors"
    )
    checkers = [shlex.split(text) for text in options.checker]
    if options.check:
        checkers.append([options.tool("nnet3-rt-run")])
    results = [
        subprocess.run(checker + [options.output]).returncode
        for checker in checkers
    ]
    return max(results, default=0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (compare.Failed, OSError, re.error) as failure:
        sys.exit(f"error: {failure}")
