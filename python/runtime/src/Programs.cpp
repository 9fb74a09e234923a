//===- Programs.cpp - Programs of the interpreter in Python ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bindings.h"
#include "nnet3/runtime/nnet3_runtime.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

using namespace nanobind::literals;
namespace nb = nanobind;

namespace nnet3::python {

static void check(nnet3rt_status status) {
  if (status != NNET3RT_OK)
    throw Error(nnet3rt_last_error());
}

namespace {
/// An input or output matrix of a program.
struct ProgramMatrix {
  std::string name;
  int32_t rows, cols;
  bool isDerivative;
};

struct Program {
  std::shared_ptr<nnet3rt_program> program;
};

class ProgramInstance {
public:
  ProgramInstance(const Program &program, uint64_t seed);
  ~ProgramInstance() { nnet3rt_instance_destroy(instance); }
  ProgramInstance(const ProgramInstance &) = delete;
  ProgramInstance &operator=(const ProgramInstance &) = delete;

  /// Runs the next part of the program on \p inputs.
  void run(const std::map<std::string, InputMatrix> &inputs);
  OutputMatrix getOutput(const std::string &name) const;
  void restart() { check(nnet3rt_instance_restart(instance)); }

private:
  Program program;
  nnet3rt_instance *instance = nullptr;
};
} // namespace

static Program loadProgram(const std::string &path) {
  nnet3rt_program *program = nullptr;
  check(nnet3rt_program_load_file(path.c_str(), nullptr, &program));
  return {{program, nnet3rt_program_destroy}};
}

template <typename Function>
static std::vector<ProgramMatrix> list(const Program &program, int32_t count,
                                       Function *describe) {
  std::vector<ProgramMatrix> result;
  for (int32_t i = 0; i < count; ++i) {
    nnet3rt_io_info info = {};
    info.struct_size = sizeof(info);
    check(describe(program.program.get(), i, &info));
    result.push_back(
        {info.name, info.rows, info.cols, info.is_derivative != 0});
  }
  return result;
}

ProgramInstance::ProgramInstance(const Program &program, uint64_t seed)
    : program(program) {
  nnet3rt_instance_options options = {};
  options.struct_size = sizeof(options);
  options.seed = seed;
  check(nnet3rt_instance_create(program.program.get(), &options, &instance));
}

void ProgramInstance::run(const std::map<std::string, InputMatrix> &inputs) {
  for (const auto &[name, matrix] : inputs)
    check(nnet3rt_instance_set_input(instance, name.c_str(), matrix.data(),
                                     static_cast<int32_t>(matrix.shape(0)),
                                     static_cast<int32_t>(matrix.shape(1)),
                                     matrix.shape(1)));
  nnet3rt_status status;
  {
    nb::gil_scoped_release release;
    status = nnet3rt_instance_run(instance);
  }
  check(status);
}

OutputMatrix ProgramInstance::getOutput(const std::string &name) const {
  const float *data = nullptr;
  int32_t rows = 0, cols = 0;
  int64_t stride = 0;
  check(nnet3rt_instance_get_output(instance, name.c_str(), &data, &rows, &cols,
                                    &stride));
  OutputMatrix result = makeMatrix<float>(rows, cols);
  check(nnet3rt_instance_copy_output(instance, name.c_str(), result.data(),
                                     rows, cols, cols));
  return result;
}

void bindPrograms(nb::module_ &module) {
  nb::class_<ProgramMatrix>(
      module, "ProgramMatrix",
      "A matrix that a program takes or gives, `rows` x `cols`: the value at "
      "the node `name`, or the derivative there if `is_derivative` is true.")
      .def_ro("name", &ProgramMatrix::name)
      .def_ro("rows", &ProgramMatrix::rows)
      .def_ro("cols", &ProgramMatrix::cols)
      .def_ro("is_derivative", &ProgramMatrix::isDerivative);
  nb::class_<Program>(
      module, "Program",
      "A compiled request for the interpreter: commands on matrices of fixed "
      "rows and columns, and the parameters of the network.\n\n"
      "`Program.load()` and `nnet3.compiler.Model.program()` make programs. "
      "Any number of `ProgramInstance` may share one.")
      .def_static("load", loadProgram, "path"_a,
                  "Opens a file of `nnet3-translate --mlir-to-program`.\n\n"
                  "Raises:\n"
                  "    Error: the file cannot be read, or is damaged.")
      .def(
          "inputs",
          [](const Program &self) {
            return list(self, nnet3rt_program_num_inputs(self.program.get()),
                        nnet3rt_program_input_info);
          },
          "The matrices that the program takes: values at input nodes, and "
          "derivatives at output nodes.")
      .def(
          "outputs",
          [](const Program &self) {
            return list(self, nnet3rt_program_num_outputs(self.program.get()),
                        nnet3rt_program_output_info);
          },
          "The matrices that the program gives: values at output nodes, and "
          "derivatives at input nodes.");
  nb::class_<ProgramInstance>(
      module, "ProgramInstance",
      "Memory for one computation of a program. It serves one thread at a "
      "time.\n\n"
      "A program that takes derivatives runs in two parts, the forward and the "
      "backward pass; others run in one.\n\n"
      "Args:\n"
      "    program: a `Program`.\n"
      "    seed: of random components in training mode.")
      .def(nb::init<const Program &, uint64_t>(), "program"_a, "seed"_a = 0)
      .def("run", &ProgramInstance::run, "inputs"_a,
           "Runs the next part of the program; after the last part the first "
           "one is next.\n\n"
           "Args:\n"
           "    inputs: dict from the names of the inputs of this part to "
           "matrices,\n"
           "        rows x cols as in `Program.inputs()`.\n\n"
           "Raises:\n"
           "    Error: an input is missing or unknown, or has other rows or "
           "columns.")
      .def("get_output", &ProgramInstance::getOutput, "name"_a,
           "An output of the parts that have run: a new matrix, rows x cols as "
           "in `Program.outputs()`.")
      .def("restart", &ProgramInstance::restart,
           "Makes the first part the next one, where the backward pass is not "
           "wanted.");
}

} // namespace nnet3::python
