//===- DeviceExecution.cpp - Cases on the fake device ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceExecution.h"

#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::nnet3::RequestInstance;

::nnet3::rt::ConstMatrixView
mlir::nnet3::property::getRows(const RandomIo &io, const NodeTable &nodes) {
  const int64_t columns = nodes[nodes.find(io.node)].dim;
  return {io.values.data(), int32_t(io.values.size() / columns),
          int32_t(columns), columns};
}

Outputs mlir::nnet3::property::runOnce(const Case &test,
                                       RequestInstance &instance) {
  auto nodes = NodeTable::get(test.getNetworkOp());
  for (const RandomIo &io : test.getRequest().inputs) {
    auto status = instance.setInput(io.node, getRows(io, *nodes));
    if (!status.ok())
      return {{}, status.message()};
  }
  auto status = instance.run();
  if (!status.ok())
    return {{}, status.message()};
  Outputs result;
  for (const RandomIo &io : test.getRequest().outputs) {
    auto output = instance.output(io.node);
    if (!output.ok())
      return {{}, output.status().message()};
    result.values[io.node] = {output->data,
                              output->data + output->rows * output->cols};
  }
  return result;
}

OptimizeOptions
mlir::nnet3::property::getDeviceOptimization(int32_t compressionLevel) {
  OptimizeOptions options;
  options.allocateFromOther = false;
  options.extendMatrices = false;
  options.memoryCompressionLevel = compressionLevel;
  return options;
}

std::unique_ptr<mlir::nnet3::test::GpuEmulator>
mlir::nnet3::property::makeEmulator(uint64_t seed) {
  if (!std::getenv("NNET3_EMULATE_THREADS"))
    return nullptr;
  return std::make_unique<mlir::nnet3::test::GpuEmulator>(seed);
}

void mlir::nnet3::property::expectNoFindings(
    const mlir::nnet3::test::GpuEmulator *emulator) {
  if (!emulator)
    return;
  for (const std::string &finding : emulator->getFindings())
    ADD_FAILURE() << finding;
}

Outputs mlir::nnet3::property::runThreeTimes(const Case &test,
                                             RequestInstance &instance) {
  Outputs first = runOnce(test, instance);
  for (int i = 0; i < 2 && first.error.empty(); ++i) {
    Outputs again = runOnce(test, instance);
    if (again.values != first.values || !again.error.empty())
      return {{}, "the graph computes other numbers"};
  }
  return first;
}
