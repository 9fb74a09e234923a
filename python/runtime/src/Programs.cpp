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
/// A matrix that a program takes or gives.
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

  /// Runs the next part of the program on the matrices that it takes.
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
  nb::class_<ProgramMatrix>(module, "ProgramMatrix")
      .def_ro("name", &ProgramMatrix::name)
      .def_ro("rows", &ProgramMatrix::rows)
      .def_ro("cols", &ProgramMatrix::cols)
      .def_ro("is_derivative", &ProgramMatrix::isDerivative);
  nb::class_<Program>(module, "Program")
      .def_static("load", loadProgram, "path"_a)
      .def("inputs",
           [](const Program &self) {
             return list(self, nnet3rt_program_num_inputs(self.program.get()),
                         nnet3rt_program_input_info);
           })
      .def("outputs", [](const Program &self) {
        return list(self, nnet3rt_program_num_outputs(self.program.get()),
                    nnet3rt_program_output_info);
      });
  nb::class_<ProgramInstance>(module, "ProgramInstance")
      .def(nb::init<const Program &, uint64_t>(), "program"_a, "seed"_a = 0)
      .def("run", &ProgramInstance::run, "inputs"_a)
      .def("get_output", &ProgramInstance::getOutput, "name"_a)
      .def("restart", &ProgramInstance::restart);
}

} // namespace nnet3::python
