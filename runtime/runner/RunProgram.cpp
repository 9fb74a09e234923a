//===- RunProgram.cpp - A program on matrices from files ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixFile.h"
#include "Run.h"
#include "nnet3/runtime/Runtime.h"

#include <algorithm>
#include <cstdio>

namespace nnet3 {
namespace rt {

static void printList(const Program &program) {
  auto print = [](const char *kind, const IoInfo &info) {
    std::printf("%s %s%.*s: %d x %d\n", kind,
                info.isDerivative ? "derivative of " : "",
                int(info.name.size()), info.name.data(), info.rows, info.cols);
  };
  for (const IoInfo &info : program.inputs())
    print("input", info);
  for (const IoInfo &info : program.outputs())
    print("output", info);
}

/// Reads the inputs and sets them; \p matrices owns the data.
static Status setInputs(Instance &instance, const RunnerOptions &options,
                        std::vector<OwnedMatrix> &matrices) {
  matrices.reserve(options.inputs.size());
  for (const auto &[name, path] : options.inputs) {
    auto matrix = readMatrixFile(path);
    if (!matrix.ok())
      return matrix.status();
    matrices.push_back(std::move(*matrix));
    if (Status error = instance.setInput(name, matrices.back().view());
        !error.ok())
      return error;
  }
  return Status();
}

static Status writeOutputs(const Instance &instance,
                           const RunnerOptions &options) {
  std::vector<ConstMatrixView> values;
  for (const auto &[name, path] : options.outputs) {
    auto value = instance.output(name);
    if (!value.ok())
      return value.status();
    values.push_back(*value);
  }
  for (size_t i = 0; i < values.size(); ++i)
    if (Status error = writeMatrixFile(options.outputs[i].second, values[i]);
        !error.ok())
      return error;
  return Status();
}

Status runProgram(const void *data, uint64_t size,
                  const RunnerOptions &options) {
  if (!options.request.empty() || !options.prefix.empty() ||
      !options.weights.empty() || options.tune || options.addChecksum)
    return invalidArgument(
        "--add-checksum, --request, --prefix, --tune and --weights are for "
        "libraries");
  auto program = Program::load(data, size);
  if (!program.ok())
    return program.status();
  if (options.list) {
    printList(**program);
    return Status();
  }
  InstanceOptions instanceOptions;
  instanceOptions.seed = options.seed;
  auto instance = Instance::create(*program, instanceOptions);
  if (!instance.ok())
    return instance.status();
  std::vector<OwnedMatrix> matrices;
  if (Status error = setInputs(**instance, options, matrices); !error.ok())
    return error;
  const auto &inputs = (*program)->inputs();
  const bool isBackward =
      std::any_of(inputs.begin(), inputs.end(),
                  [](const IoInfo &info) { return info.isDerivative; });
  Status ran = (*instance)->run();
  if (ran.ok() && isBackward)
    ran = (*instance)->run();
  return ran.ok() ? writeOutputs(**instance, options) : ran;
}

} // namespace rt
} // namespace nnet3
