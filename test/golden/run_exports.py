#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the forward part of reference cases in the form of another compiler,
computes them there, and compares the results.

    run_exports.py --bin=build/bin --venv=DIR [--filter=REGEX] [--every=N]
                   FORM DIRECTORY

FORM is onnx (ONNX Runtime; two sequences at once: that of the case, and zeros),
linalg (mlir-runner), iree (linalg, compiled by IREE), stablehlo (jaxlib) or onnx-streams (the looped
cases, chunk by chunk in ONNX Runtime). With --every, one case of N is taken. Cases that the compiler refuses to write are
counted by the reason. Prints 'N passed, M failed, K refused'; exit status 1 if
any failed, 77 where the PyPI packages of exports.requirements cannot be
installed in the environment DIR.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = HERE / "exports.requirements"
LLVM = pathlib.Path("/usr/lib/llvm-22")
LOWERING = [
    "--one-shot-bufferize=bufferize-function-boundaries", "--convert-linalg-to-loops", "--convert-scf-to-cf",
    "--expand-strided-metadata", "--lower-affine", "--convert-math-to-llvm", "--convert-math-to-libm",
    "--convert-arith-to-llvm", "--finalize-memref-to-llvm", "--convert-func-to-llvm", "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
]


def enter_environment(folder):
    """Goes on in an environment that has the packages."""
    python = folder / "bin/python3"
    if pathlib.Path(sys.prefix).resolve() == folder.resolve():
        return
    known = folder / "requirements.txt"
    if not known.exists() or known.read_text() != REQUIREMENTS.read_text():
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--clear", folder], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS]
        if subprocess.run(install).returncode != 0:
            sys.exit(77)
        known.write_text(REQUIREMENTS.read_text())
    os.execv(python, [python, *sys.argv])


class Refused(Exception):
    pass


def execute(command, **options):
    """What a command prints. An error of ours that says that something is
    not supported on tensors is a refusal."""
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode == 0:
        return result.stdout
    message = result.stderr.strip().split("\n")[0]
    if result.returncode == 1 and re.search("not supported on tensors|no counterpart", message):
        raise Refused(re.sub(r"^.*?error: |'[^']*' ?", "", message))
    raise RuntimeError(f"{pathlib.Path(command[0]).name}, exit {result.returncode}: {message}")


def compile_case(options, directory, case, emit, path):
    execute([options.bin / "nnet3-compile", f"--emit={emit}", "--test-mode=false", "--request=" + case["request"],
             "-o", path, case["model"]], cwd=directory)


def translate(options, directory, case, scratch, form):
    compile_case(options, directory, case, "network", f"{scratch}/net.mlir")
    path = f"{scratch}/net.{form}"
    execute([options.bin / "nnet3-translate", f"--mlir-to-{form}", "--test-mode=false", f"{scratch}/net.mlir",
             "-o", path])
    return path


def run_onnx(options, directory, case, scratch, inputs):
    import numpy, onnx, onnxruntime

    path = translate(options, directory, case, scratch, "onnx")
    onnx.checker.check_model(path, full_check=True)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    names = [i.name for i in session.get_inputs()]
    outputs = session.run(None, {n: numpy.stack([inputs[n], numpy.zeros_like(inputs[n])]) for n in names})
    return {o.name: value[0] for o, value in zip(session.get_outputs(), outputs)}


def get_signature(text):
    """The name of the function, and the names and types of its arguments and
    its results."""
    line = re.search(r"func\.func (?:public )?@(\S+?)\((.*)\) -> (.*) \{$", text, re.M)
    parts = [re.findall(r'(tensor<\S+>) \{nnet3\.node = "([^"]*)"', part) for part in line.groups()[1:]]
    return line[1], *([(name, type) for type, name in part] for part in parts)


def run_linalg(options, directory, case, scratch, inputs):
    import numpy

    path = f"{scratch}/net.mlir"
    compile_case(options, directory, case, "linalg", path)
    text = pathlib.Path(path).read_text()
    function, arguments, results = get_signature(text)
    body, values = [], []
    for i, (name, type) in enumerate(arguments):
        digits = inputs[name].astype("<f4").tobytes().hex().upper()
        body.append(f'%in{i} = arith.constant dense<"0x{digits}"> : {type}')
        values.append(f"%in{i}")
    types = [type for _, type in results]
    body.append(f"%out:{len(results)} = func.call @{function}({', '.join(values)}) : "
                f"({', '.join(type for _, type in arguments)}) -> ({', '.join(types)})")
    for i, type in enumerate(types):
        body += [f"%u{i} = tensor.cast %out#{i} : {type} to tensor<*xf32>",
                 f"func.call @printMemrefF32(%u{i}) : (tensor<*xf32>) -> ()"]
    main = ("func.func private @printMemrefF32(tensor<*xf32>)\nfunc.func @main() {\n" + "\n".join(body) +
            "\nreturn\n}\n")
    end = text.rstrip().rindex("}")
    pathlib.Path(path).write_text(text[:end] + main + text[end:])
    lowered = execute([LLVM / "bin/mlir-opt", path, *LOWERING])
    libraries = ",".join(f"{LLVM}/lib/libmlir_{name}runner_utils.so" for name in ("", "c_"))
    printed = execute([LLVM / "bin/mlir-runner", "-e", "main", "--entry-point-result=void",
                       f"--shared-libs={libraries}"], input=lowered)
    outputs = {}
    for (name, _), matrix in zip(results, printed.split("Unranked Memref")[1:]):
        rows, columns = map(int, re.search(r"sizes = \[(\d+), (\d+)\]", matrix).groups())
        data = matrix.split("data =")[1].replace("[", " ").replace("]", " ").replace(",", " ")
        outputs[name] = numpy.array(data.split(), dtype=float).reshape(rows, columns)
    return outputs


def run_iree(options, directory, case, scratch, inputs):
    import numpy
    from iree import runtime

    path = f"{scratch}/net.mlir"
    compile_case(options, directory, case, "linalg", path)
    function, arguments, results = get_signature(pathlib.Path(path).read_text())
    program = f"{scratch}/net.vmfb"
    execute([pathlib.Path(sys.prefix) / "bin/iree-compile", "--iree-hal-target-backends=llvm-cpu",
             "--iree-llvmcpu-target-cpu=host", path, "-o", program])
    module = runtime.load_vm_flatbuffer_file(program, driver="local-sync")
    outputs = module[function](*(inputs[name] for name, _ in arguments))
    if not isinstance(outputs, (list, tuple)):
        outputs = [outputs]
    return {name: numpy.asarray(output) for (name, _), output in zip(results, outputs)}


def run_stablehlo(options, directory, case, scratch, inputs):
    import jax, numpy

    text = pathlib.Path(translate(options, directory, case, scratch, "stablehlo")).read_text()
    _, arguments, results = get_signature(text)
    devices = jax.devices("cpu")[:1]
    program = devices[0].client.compile_and_load(text, devices)
    outputs = program.execute([jax.device_put(inputs[name], devices[0]) for name, _ in arguments])
    return {name: numpy.asarray(output) for (name, _), output in zip(results, outputs)}


def run_stream(options, directory, case, scratch):
    """All chunks of a stream, one after the other: an output is a state of the
    next chunk."""
    import onnxruntime
    import run_golden
    import kaldi_files
    import numpy

    arguments = [f"--chunk={case['chunk_size']}", f"--frame-subsampling-factor={case['frame_subsampling_factor']}",
                 *(option.replace("-context-begin=", "-context=") for option in case["options"])]
    execute([options.bin / "nnet3-compile", "--emit=network", "--streaming", *arguments, "-o", f"{scratch}/net.mlir",
             case["model"]], cwd=directory)
    sessions = {}
    for kind in "first", "next":
        path = f"{scratch}/{kind}.onnx"
        execute([options.bin / "nnet3-translate", "--mlir-to-onnx", f"--onnx-request=network_{kind}{case['chunk_size']}",
                 f"{scratch}/net.mlir", "-o", path])
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        settings.log_severity_level = 3
        sessions[kind] = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    sequences, states = case["num_sequences"], {}
    for chunk in range(case["chunks"]):
        session = sessions["first" if chunk == 0 else "next"]
        given = dict(states)
        files = [entry for entry in case["files"] if entry["chunk"] == chunk]
        read = {entry["node"]: kaldi_files.read_matrix(os.path.join(directory, entry["file"])) for entry in files}
        for entry in files:
            if entry["kind"] == "input":
                matrix = read[entry["node"]].astype("f4")
                given[entry["node"]] = matrix.reshape(sequences, -1, matrix.shape[1])
        names = [i.name for i in session.get_inputs()]
        outputs = dict(zip([o.name for o in session.get_outputs()],
                           session.run(None, {name: given[name] for name in names})))
        states = {name[len("new_") :]: value for name, value in outputs.items() if name.startswith("new_")}
        for entry in files:
            if entry["kind"] == "output":
                expected = read[entry["node"]]
                run_golden.compare.compare(f"{entry['node']} of chunk {chunk}",
                                           outputs[entry["node"]].reshape(expected.shape), expected, 0)


FORMS = {"onnx": run_onnx, "linalg": run_linalg, "iree": run_iree, "stablehlo": run_stablehlo, "onnx-streams": run_stream}


def check_case(options, directory, case, scratch):
    import kaldi_files
    import run_golden

    if options.form == "onnx-streams":
        return run_stream(options, directory, case, scratch)
    matrices = {
        kind: {entry["node"]: (entry, kaldi_files.read_matrix(os.path.join(directory, entry["file"])))
               for entry in case["files"] if entry["kind"] == kind}
        for kind in ("input", "output")
    }
    inputs = {node: matrix.astype("f4") for node, (_, matrix) in matrices["input"].items()}
    outputs = FORMS[options.form](options, directory, case, scratch, inputs)
    for node, (entry, expected) in matrices["output"].items():
        run_golden.compare.compare(node, outputs[node], expected, run_golden.tolerance_of(case, "output", node),
                                   entry.get("ignore_columns", ()))


def run_case(options, directory, case):
    with tempfile.TemporaryDirectory() as scratch:
        try:
            check_case(options, directory, case, scratch)
        except Refused as reason:
            return "refused", case["name"], str(reason)
        except Exception as error:
            return "failed", case["name"], str(error)
    return "passed", case["name"], ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("form", choices=FORMS)
    parser.add_argument("directory")
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--venv", type=pathlib.Path, required=True)
    parser.add_argument("--filter", default="", help="regular expression")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    enter_environment(options.venv)
    import run_golden

    options.bin = options.bin.resolve()
    if options.form == "onnx-streams":
        paths = sorted(pathlib.Path(options.directory, "looped").glob("*/case.json"))
        cases = [(path.parent, json.loads(path.read_text())) for path in paths]
    else:
        cases = [(directory, case) for kind, directory, case in run_golden.find_cases(options.directory)
                 if kind is run_golden.run_request and "request" in case and re.search(options.filter, case["name"])]
    counts, reasons = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for outcome, name, detail in pool.map(lambda case: run_case(options, *case), cases[:: options.every]):
            counts[outcome] += 1
            if outcome == "failed":
                print(f"failed: {name}: {detail}", flush=True)
            elif outcome == "refused":
                reasons[detail] += 1
    for reason, count in reasons.most_common():
        print(f"refused {count}: {reason}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['refused']} refused")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
