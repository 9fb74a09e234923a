#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains two small models on artificial speech, changes them, and prints what
each change costs and saves.

    surgery.py [--bin=build/bin] [--minutes=10] [--epochs=4]

Speech is noise that changes slowly; a random network of three layers says which
of 24 classes a frame has. The table has, on minutes that no model has seen, the
accuracy of each model and how far its outputs are from those of the whole one;
its parameters and multiply-adds per row; and how many times as fast its library
is: processor time of nnet3-run on the library, the best of alternated runs. The
rows of low rank and some elements are an experiment without a library: no
component has sparse matrices. Their multiply-adds are counted as if there were.
Those of low rank and some columns are components of the network.
"""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile

import numpy

from batches import ROOT, run, write_archive

DIM, CLASSES, CONTEXT = 20, 24, 12
RANDOM = numpy.random.default_rng(1)


def make_speech(minutes):
    """Utterances of 1 to 4 seconds, and the class of each frame."""
    utterances, frames = [], 0
    while frames < minutes * 6000:
        length = int(RANDOM.integers(100, 400))
        noise = RANDOM.standard_normal((length + 40, DIM))
        smooth = numpy.apply_along_axis(numpy.convolve, 0, noise, numpy.ones(5) / 5, "same")
        utterances.append((f"u{len(utterances):05}", 2 * smooth[20:-20]))
        frames += length
    return utterances


def make_labels(utterances):
    random = numpy.random.default_rng(2)
    first = random.standard_normal((7 * DIM, 64)) / numpy.sqrt(7 * DIM)
    second = random.standard_normal((64, 48)) / 8
    third = random.standard_normal((48, CLASSES))
    for _, matrix in utterances:
        padded = numpy.pad(matrix, ((3, 3), (0, 0)), "edge")
        seen = numpy.hstack([padded[i : i + len(matrix)] for i in range(7)])
        yield (numpy.tanh(numpy.tanh(2 * seen @ first) @ second * 2) @ third).argmax(1)


def tdnnf(hidden, bottleneck, layers):
    """A config with factored layers."""
    lines = [f"input-node name=input dim={DIM}"]

    def add(name, component, source):
        lines.append(f"component name={name} {component}")
        lines.append(f"component-node name={name} component={name} input={source}")

    def finish(name, source):
        add(f"{name}.relu", f"type=RectifiedLinearComponent dim={hidden}", source)
        add(f"{name}.norm", f"type=BatchNormComponent dim={hidden}", f"{name}.relu")
        return f"{name}.norm"

    add("first", f"type=NaturalGradientAffineComponent input-dim={3 * DIM} output-dim={hidden}",
        "Append(Offset(input, -1), input, Offset(input, 1))")
    last = finish("first", "first")
    for i in range(layers):
        name = f"tdnnf{i}"
        add(f"{name}.linear", f"type=TdnnComponent input-dim={hidden} output-dim={bottleneck} "
            "use-bias=false time-offsets=-1,0 orthonormal-constraint=-1", last)
        add(f"{name}.affine", f"type=TdnnComponent input-dim={bottleneck} output-dim={hidden} "
            "time-offsets=0,1", f"{name}.linear")
        norm = finish(name, f"{name}.affine")
        add(f"{name}.sum", f"type=NoOpComponent dim={hidden}", f"Sum(Scale(0.66, {last}), {norm})")
        last = f"{name}.sum"
    return "\n".join(lines + finish_config(last, hidden))


def lstmp(cells, projection, layers):
    lines, last, dim, rest = [f"input-node name=input dim={DIM}"], "input", DIM, projection // 2
    for i in range(layers):
        n = f"lstm{i}"
        lines += [
            f"component name={n}.gates type=NaturalGradientAffineComponent input-dim={dim + rest} output-dim={4 * cells}",
            f"component name={n} type=LstmNonlinearityComponent cell-dim={cells}",
            f"component name={n}.rp type=NaturalGradientAffineComponent input-dim={cells} output-dim={projection}",
            f"component name={n}.trunc type=BackpropTruncationComponent dim={cells + rest} recurrence-interval=3",
            f"component-node name={n}.gates component={n}.gates input=Append({last}, IfDefined(Offset({n}.r_trunc, -3)))",
            f"component-node name={n} component={n} input=Append({n}.gates, IfDefined(Offset({n}.c_trunc, -3)))",
            f"dim-range-node name={n}.c input-node={n} dim-offset=0 dim={cells}",
            f"dim-range-node name={n}.m input-node={n} dim-offset={cells} dim={cells}",
            f"component-node name={n}.rp component={n}.rp input={n}.m",
            f"dim-range-node name={n}.r input-node={n}.rp dim-offset=0 dim={rest}",
            f"component-node name={n}.trunc component={n}.trunc input=Append({n}.c, {n}.r)",
            f"dim-range-node name={n}.c_trunc input-node={n}.trunc dim-offset=0 dim={cells}",
            f"dim-range-node name={n}.r_trunc input-node={n}.trunc dim-offset={cells} dim={rest}",
        ]
        last, dim = f"{n}.rp", projection
    return "\n".join(lines + finish_config(last, dim))


def finish_config(last, dim):
    return [
        f"component name=affine type=NaturalGradientAffineComponent input-dim={dim} output-dim={CLASSES}",
        f"component name=softmax type=LogSoftmaxComponent dim={CLASSES}",
        f"component-node name=affine component=affine input={last}",
        "component-node name=softmax component=softmax input=affine",
        "output-node name=output input=softmax\n",
    ]


class Lab:
    """Files of one run, and the programs on them."""

    def __init__(self, options, folder):
        self.options, self.folder, self.libraries = options, folder, {}
        for name, minutes in ("train", options.minutes), ("valid", options.minutes / 5):
            speech = make_speech(minutes)
            write_archive(folder / f"{name}.ark", speech)
            with open(folder / f"{name}.post", "w") as file:
                for (key, _), labels in zip(speech, make_labels(speech)):
                    file.write(key + " " + " ".join(f"[ {label} 1 ]" for label in labels) + "\n")
            self.get_egs(name, "nnet3-get-egs", f"--num-pdfs={CLASSES}", f"ark:{folder}/{name}.ark",
                         f"ark:{folder}/{name}.post")

    def run(self, program, *arguments):
        return run([self.options.bin / program, "--print-args=false", *map(str, arguments)])[2]

    def path(self, name):
        return self.folder / name

    def get_egs(self, name, program, *arguments):
        context = [f"--left-context={CONTEXT}", f"--right-context={CONTEXT}", "--num-frames=20"]
        self.run(program, *context, *arguments, f"ark:{self.folder}/{name}.all")
        self.run("nnet3-shuffle-egs", f"ark:{self.folder}/{name}.all", f"ark:{self.folder}/{name}.mixed")
        self.run("nnet3-merge-egs", "--minibatch-size=1:16", f"ark:{self.folder}/{name}.mixed",
                 f"ark:{self.folder}/{name}.egs")

    def train(self, config, name, egs="train", rate=0.002):
        """Trains from random parameters, with falling rates."""
        epochs = self.options.epochs
        self.path("net.config").write_text(config)
        model = self.path(f"{name}.raw")
        self.run("nnet3-init", "--srand=3", self.path("net.config"), model)
        for epoch in range(epochs):
            self.tune(model, model, rate * 0.1 ** (epoch / max(epochs - 1, 1)), egs)
        return model

    def tune(self, model, result, rate, egs="train"):
        self.run("nnet3-copy", f"--learning-rate={rate}", model, self.path("next.raw"))
        self.run("nnet3-train", "--momentum=0.5", self.path("next.raw"), f"ark:{self.folder}/{egs}.egs", result)
        return result

    def get_accuracy(self, model):
        log = self.run("nnet3-compute-prob", model, f"ark:{self.folder}/valid.egs")
        return float(re.search(r"accuracy for 'output' is (\S+)", log)[1])

    def diff(self, whole, model):
        """Parameters, multiply-adds, and the distance of the outputs."""
        command = [self.options.bin / "nnet3-diff", "--print-args=false", whole, model, f"ark:{self.folder}/valid.ark"]
        text = subprocess.run(command, capture_output=True, text=True, check=True)
        text = text.stdout + text.stderr
        size = re.findall(r"(\d+) parameters, (\d+) multiply-adds", text)[1]
        return int(size[0]), int(size[1]), float(re.search(r"rms error / rms ([^,]+)", text)[1])

    def time_library(self, model):
        """Processor time of the library on the speech, many times over."""
        if model not in self.libraries:
            name = f"lib{len(self.libraries)}"
            subprocess.run([self.options.bin / "nnet3-compile", "--chunk=150", "-o", self.path(name), model],
                           check=True, capture_output=True)
            self.libraries[model] = self.path(f"lib{name}.so")
        table = " ".join([str(self.path("train.ark"))] * 4)
        return run([self.options.bin / "nnet3-run", "--print-args=false", self.libraries[model],
                    f"ark:cat {table} |", "ark:/dev/null"])[0]

    def compare_speed(self, whole, model):
        times = [(self.time_library(whole), self.time_library(model)) for _ in range(3)]
        return min(t for t, _ in times) / min(t for _, t in times)

    def report(self, what, whole, model, library=True, size=None):
        parameters, operations, distance = self.diff(whole, model)
        if size:
            parameters, operations = size
        speed = f"{self.compare_speed(whole, model):.2f}" if library else "-"
        print(f"| {what} | {100 * self.get_accuracy(model):.1f}% | {distance:.3f} | {parameters:,} | "
              f"{operations:,} | {speed} |", flush=True)

    def prune(self, model, keep, result):
        self.run("nnet3-prune", f"--keep={keep}", model, f"ark:{self.folder}/train.ark", self.path(result))
        return self.path(result)

    def double(self, model, result):
        """The mean of a model and a copy of it, all in one network."""
        self.run("nnet3-copy", "--binary=false", model, self.path("text"))
        nodes, rest = self.path("text").read_text().split("<NumComponents>")
        components = re.findall(r"(<ComponentName> )(\S+)( .*?)(?=<ComponentName>|</Nnet3>)", rest, re.S)
        lines = nodes.strip().split("\n")[1:]
        names = "|".join(re.escape(name) for _, name, _ in components)
        copies = [re.sub(rf"(?<![\w.])({names})(?![\w.])", r"\1.copy", line)
                  for line in lines if line.startswith("component-node")]
        output = "output-node name=output input=Sum(Scale(0.5, softmax), Scale(0.5, softmax.copy))"
        lines = [line for line in lines if not line.startswith("output-node")] + copies + [output]
        both = "".join(f"{head}{name}{suffix}{body}" for suffix in ("", ".copy") for head, name, body in components)
        self.path(result).write_text("<Nnet3> \n" + "\n".join(lines) +
                                     f"\n\n<NumComponents> {2 * len(components)} \n{both}</Nnet3>\n")
        return self.path(result)

    def merge(self, model, result):
        """The model with equal layers computed once."""
        commands = [f"nnet3-translate --raw-to-mlir {model}",
                    "nnet3-opt --nnet3-set-test-mode --nnet3-merge-equal-components=inference=true",
                    f"nnet3-translate --mlir-to-raw -o {self.path(result)}"]
        subprocess.run(" | ".join(f"{self.options.bin}/{c}" for c in commands), shell=True, check=True)
        return self.path(result)


def approximate(matrix, rank, share):
    """The matrix as one of low rank plus one with a share of its elements, by
    turns the best of each for what the other leaves."""
    sparse = numpy.zeros_like(matrix)
    count = int(share * matrix.size)
    for _ in range(20):
        u, s, v = numpy.linalg.svd(matrix - sparse, full_matrices=False)
        low = (u[:, :rank] * s[:rank]) @ v[:rank]
        if count == 0:
            break
        rest = matrix - low
        limit = numpy.partition(abs(rest), -count, axis=None)[-count]
        sparse = numpy.where(abs(rest) >= limit, rest, 0)
    return low + sparse, rank * sum(matrix.shape), int(numpy.count_nonzero(sparse))


def split_matrices(lab, model, rank, share, result):
    """Approximates the gates of all LSTMs. Numbers that are stored and
    multiply-adds."""
    lab.run("nnet3-copy", "--binary=false", model, lab.path("text"))
    text = lab.path("text").read_text()
    saved = 0

    def replace(match):
        nonlocal saved
        rows = match[2].strip().split("\n")
        matrix = numpy.array([[float(x) for x in row.split()] for row in rows])
        wanted = int(rank * matrix.size / sum(matrix.shape))
        matrix, low, sparse = approximate(matrix, wanted, share)
        saved += matrix.size - low - sparse
        body = "\n".join("  " + " ".join(f"{x:.9g}" for x in row) for row in matrix)
        return f"{match[1]}[\n{body} ]"

    text = re.sub(r"(<ComponentName> lstm\d\.gates <\w+>.*?<LinearParams>\s*)\[([^]]*)\]", replace, text, flags=re.S)
    lab.path(result).write_text(text)
    parameters, operations, _ = lab.diff(model, model)
    return lab.path(result), (parameters - saved, operations - saved)


def approximate_columns(matrix, rank, count, selectable):
    """The factors of one of low rank, and the columns, of the first `selectable`,
    whose own numbers are added to it, by turns the best of each."""
    numbers = numpy.arange(0)
    added = numpy.zeros_like(matrix)
    for _ in range(20):
        u, s, v = numpy.linalg.svd(matrix - added, full_matrices=False)
        left, right = u[:, :rank] * s[:rank], v[:rank]
        if count == 0:
            break
        rest = matrix - left @ right
        numbers = numpy.sort(numpy.argsort(-(rest[:, :selectable] ** 2).sum(0))[:count])
        added = numpy.zeros_like(matrix)
        added[:, numbers] = rest[:, numbers]
    return left, right, numbers, added[:, numbers]


def format_matrix(matrix):
    return "[\n" + "\n".join("  " + " ".join(f"{x:.9g}" for x in row) for row in matrix) + " ]"


def fixed_affine(name, matrix, bias):
    return (f"<ComponentName> {name} <FixedAffineComponent> <LinearParams> {format_matrix(matrix)}\n"
            f"<BiasParams>  [ {' '.join(f'{x:.9g}' for x in bias)} ]\n</FixedAffineComponent> \n")


def factor_gates(lab, model, rank, share, result):
    """Replaces the gates of all LSTMs by two factors, and by a matrix for some
    columns of the layer's input, as components of the network. Numbers that are
    stored and multiply-adds."""
    lab.run("nnet3-copy", "--binary=false", model, lab.path("text"))
    nodes, rest = lab.path("text").read_text().split("<NumComponents>")
    components = dict(re.findall(r"<ComponentName> (\S+) (.*?)(?=<ComponentName>|</Nnet3>)", rest, re.S))
    lines = nodes.strip().split("\n")[1:]
    saved = 0
    for gates in [name for name in components if name.endswith(".gates")]:
        text = components.pop(gates)
        tensors = re.findall(r"<(?:LinearParams|BiasParams)>\s*\[([^]]*)\]", text)
        matrix = numpy.array([[float(x) for x in row.split()] for row in tensors[0].strip().split("\n")])
        bias = numpy.array(tensors[1].split(), dtype=float)
        at = next(i for i, line in enumerate(lines) if line.startswith(f"component-node name={gates} "))
        last = re.search(r"input=Append\((\S+),", lines[at])[1]
        dim = matrix.shape[1] - lab.rest
        wanted = int(rank * matrix.size / sum(matrix.shape))
        left, right, numbers, own = approximate_columns(matrix, wanted, int(share * dim), dim)
        factors = {f"{gates}.v": (right, numpy.zeros(len(right))), f"{gates}.u": (left, bias)}
        new = [lines[at].replace(gates, f"{gates}.v"),
               f"component-node name={gates}.u component={gates}.u input={gates}.v"]
        total = f"{gates}.u"
        if len(numbers):
            order = [*numbers, *(i for i in range(dim) if i not in set(numbers))]
            components[f"{gates}.order"] = (f"<PermuteComponent> <ColumnMap>  [ {' '.join(map(str, order))} ]\n"
                                            "</PermuteComponent> \n")
            factors[f"{gates}.own"] = own, numpy.zeros(len(own))
            new += [f"component-node name={gates}.order component={gates}.order input={last}",
                    f"dim-range-node name={gates}.chosen input-node={gates}.order dim-offset=0 dim={len(numbers)}",
                    f"component-node name={gates}.own component={gates}.own input={gates}.chosen"]
            total = f"Sum({gates}.u, {gates}.own)"
        lines[at : at + 1] = new
        lines = [line.replace(f"Append({gates},", f"Append({total},") for line in lines]
        saved += matrix.size - sum(weights.size for weights, _ in factors.values())
        for name, (weights, biases) in factors.items():
            components[name] = fixed_affine(name, weights, biases).split(" ", 2)[2]
    body = "".join(f"<ComponentName> {name} {text}" for name, text in components.items())
    lab.path(result).write_text("<Nnet3> \n" + "\n".join(lines) +
                                f"\n\n<NumComponents> {len(components)} \n{body}</Nnet3>\n")
    parameters = lab.diff(model, model)[0] - saved
    return lab.path(result), (parameters, lab.diff(model, lab.path(result))[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--epochs", type=int, default=4)
    options = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ.pop("OPENBLAS_CORETYPE", None)
    print("| model | accuracy | rms error / rms | parameters | multiply-adds per row | library, times as fast |\n"
          + "|---" * 6 + "|")
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(options, pathlib.Path(folder))
        factored = lab.train(tdnnf(256, 64, 4), "tdnnf")
        lab.report("TDNN-F", factored, factored)
        for keep in 0.7, 0.5:
            pruned = lab.prune(factored, keep, f"tdnnf{keep}.raw")
            lab.report(f"TDNN-F, {keep} of the bottlenecks", factored, pruned)
            tuned = lab.tune(pruned, lab.path(f"tuned{keep}.raw"), 0.0002)
            lab.report("the same, trained for one more epoch", factored, tuned)
        doubled = lab.double(factored, "doubled.txt")
        lab.report("TDNN-F, twice in one network", doubled, doubled)
        lab.report("the same, with equal layers merged", doubled, lab.merge(doubled, "merged.raw"))
        recurrent = lab.train(lstmp(192, 96, 2), "lstmp", rate=0.008)
        lab.rest = 96 // 2
        lab.report("LSTMP", recurrent, recurrent)
        for keep in 0.7, 0.5:
            pruned = lab.prune(recurrent, keep, f"lstmp{keep}.raw")
            lab.report(f"LSTMP, {keep} of the cells", recurrent, pruned)
            tuned = lab.tune(pruned, lab.path(f"tunedlstmp{keep}.raw"), 0.0008)
            lab.report("the same, trained for one more epoch", recurrent, tuned)
        for rank, share in (0.5, 0), (0.4, 0.1), (0.3, 0.2):
            what = f"LSTMP, gates of rank {rank}" + (f" and {share} of the elements" if share else "")
            split, size = split_matrices(lab, recurrent, rank, share, f"split{rank}.txt")
            lab.report(what, recurrent, split, library=False, size=size)
        for rank, share in (0.5, 0), (0.4, 0.2), (0.3, 0.4):
            what = f"LSTMP, gates of rank {rank}" + (f" and {share} of the layer's input columns" if share else "")
            split, size = factor_gates(lab, recurrent, rank, share, f"columns{rank}.txt")
            lab.report(f"{what}, as components", recurrent, split, size=size)
        student = lab.train(tdnnf(96, 24, 2), "student")
        lab.report("small TDNN-F", factored, student)
        for temperature in 1, 2:
            lab.get_egs("soft", "nnet3-get-egs-teacher", f"--temperature={temperature}", factored,
                        f"ark:{folder}/train.ark")
            taught = lab.train(tdnnf(96, 24, 2), f"taught{temperature}", "soft")
            lab.report(f"the same, taught by the TDNN-F at temperature {temperature}", factored, taught)


if __name__ == "__main__":
    main()
