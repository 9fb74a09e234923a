# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What computes networks: our libraries, ONNX Runtime, OpenVINO, IREE and XLA,
each in float32 or less with one thread.

A peer has a function `prepare(files, form, sequences)`, which makes the file that
it loads ahead of time, and `load(path, rows)`, which gives a function without
arguments that computes the output of `rows`, one matrix per input with the
sequences below each other.
"""
import logging
import os
import pathlib
import re
import subprocess
import sys

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy


def by_sequence(rows, sequences):
    return {name: matrix.reshape(sequences, -1, matrix.shape[1]) for name, matrix in rows.items()}


class Nnet3:
    """Our libraries."""

    form = ""

    def __init__(self, precision="f32"):
        self.precision, self.is_reduced = precision, precision != "f32"
        self.name = "nnet3" + (f", {precision}" if self.is_reduced else "")

    def prepare(self, files, sequences):
        return files.compile_library(self.precision)

    def load(self, path, rows, sequences):
        from nnet3_library import Library

        library = Library(path, pathlib.Path(path).stem.removeprefix("lib"))
        instance = library.instance(library.requests()[0])
        return lambda: instance.run(rows)["output"]


class OnnxRuntime:
    name, is_reduced = "ONNX Runtime", False

    def __init__(self, form):
        self.form = form

    def prepare(self, files, sequences):
        return files.write_onnx(self.form, sequences)

    def load(self, path, rows, sequences):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        inputs = by_sequence(rows, sequences)
        inputs = {i.name: inputs[i.name].reshape([-1 if type(n) is str else n for n in i.shape])
                  for i in session.get_inputs()}
        return lambda: session.run(["output"], inputs)[0]


class OnnxRuntimeInt8(OnnxRuntime):
    """Weights of 8 bits; activations are quantised as the model runs."""

    name, is_reduced = "ONNX Runtime, int8", True

    def prepare(self, files, sequences):
        from onnxruntime.quantization import QuantType, quantize_dynamic

        # It warns of tensors that it leaves as they are.
        logging.disable(logging.WARNING)
        path = super().prepare(files, sequences)
        quantized = path.replace(".onnx", ".int8.onnx")
        quantize_dynamic(path, quantized, weight_type=QuantType.QInt8, per_channel=True)
        return quantized


class OpenVino:
    def __init__(self, form, precision="f32"):
        self.form, self.precision, self.is_reduced = form, precision, precision != "f32"
        self.name = "OpenVINO" + (f", {precision}" if self.is_reduced else "")

    def prepare(self, files, sequences):
        return files.write_onnx(self.form, sequences)

    def load(self, path, rows, sequences):
        import openvino

        core = openvino.Core()
        model = core.read_model(path)
        inputs = by_sequence(rows, sequences)
        # Sizes that are known are worth something to it.
        ranks = {i.any_name: len(i.partial_shape) for i in model.inputs}
        inputs = {name: matrix if ranks[name] == 3 else matrix[:, 0] for name, matrix in inputs.items() if name in ranks}
        model.reshape({name: list(matrix.shape) for name, matrix in inputs.items()})
        settings = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": self.precision,
                    "PERFORMANCE_HINT": "LATENCY"}
        request = core.compile_model(model, "CPU", settings).create_infer_request()

        def run():
            request.infer(inputs, share_inputs=True)
            return request.get_output_tensor().data

        return run


def read_arguments(path):
    """The function of an MLIR file and the inputs in their order."""
    with open(path) as file:
        line = next(line for line in file if "func.func" in line)
    return re.search(r"@(\w+)", line)[1], re.findall(r'%\w+: tensor<\S+> \{nnet3\.node = "(\w+)"', line)


class Iree:
    name, form, is_reduced = "IREE", "linalg", False

    def prepare(self, files, sequences):
        path = files.write_tensors("linalg", sequences)
        program = path.replace(".mlir", ".vmfb")
        compiler = pathlib.Path(sys.prefix, "bin/iree-compile")
        subprocess.run([compiler, "--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host",
                        "--iree-opt-level=O3", path, "-o", program], check=True)
        return program

    def load(self, path, rows, sequences):
        from iree import runtime

        function, names = read_arguments(path.replace(".vmfb", ".mlir"))
        module = runtime.load_vm_flatbuffer_file(path, driver="local-sync")
        arguments = [rows[name] for name in names]
        return lambda: numpy.asarray(module[function](*arguments))


class Xla:
    """Compiles when it loads."""

    name, form, is_reduced = "XLA", "StableHLO", False

    def prepare(self, files, sequences):
        return files.write_tensors("stablehlo", sequences)

    def load(self, path, rows, sequences):
        import jax

        with open(path) as file:
            text = file.read()
        devices = jax.devices("cpu")[:1]
        program = devices[0].client.compile_and_load(text, devices)
        arguments = [jax.device_put(rows[name], devices[0]) for name in read_arguments(path)[1]]
        return lambda: numpy.asarray(program.execute(arguments)[0])
