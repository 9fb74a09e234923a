//===- BackwardRuns.cpp - Both passes of an instance ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackwardRuns.h"
#include "DeviceExecution.h"

#include <gtest/gtest.h>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::nnet3::RequestInstance;
namespace rt = ::nnet3::rt;

namespace {

/// Reads the instance's outputs in the form of `BackwardProgram`.
void readOutputs(const Case &test, const RequestInstance &instance,
                 Derivatives &result) {
  auto read = [&](const RandomIo &io, Tensors &tensors, const char *name) {
    auto view = instance.output(io.node);
    ASSERT_TRUE(view.ok()) << view.status().message();
    tensors[name] = {view->data, view->data + int64_t(view->rows) * view->cols};
  };
  for (const RandomIo &io : test.getRequest().outputs)
    read(io, result.outputs, io.node.c_str());
  for (const RandomIo &io : test.getRequest().inputs)
    if (io.hasDeriv)
      read(io, result.of[io.node], kValue);
}

/// Runs both passes once, and adds to the statistics of `model`.
Derivatives runBoth(const Case &test, RequestInstance &instance,
                    rt::Model &model, rt::Model &gradient) {
  auto nodes = NodeTable::get(test.getNetworkOp());
  for (const RandomIo &io : test.getRequest().inputs)
    EXPECT_TRUE(instance.setInput(io.node, getRows(io, *nodes)).ok());
  for (const RandomIo &io : test.getRequest().outputs)
    if (io.hasDeriv)
      EXPECT_TRUE(instance.setInput(io.node, getRows(io, *nodes)).ok());
  gradient.setZero();
  rt::Status status = instance.setStatistics(model, &gradient);
  if (status.ok())
    status = instance.run();
  EXPECT_TRUE(status.ok()) << status.message();
  Derivatives result;
  readOutputs(test, instance, result);
  status = instance.addGradient(gradient);
  if (status.ok())
    status = instance.getStatistics(model, &gradient);
  EXPECT_TRUE(status.ok()) << status.message();
  result.of.merge(readParameters(test, gradient));
  return result;
}

void compareStates(const rt::Model &actual, const rt::Model &expected,
                   double tolerance) {
  const auto numbers = readState(actual);
  for (const auto &[name, tensors] : readState(expected))
    EXPECT_EQ(compareTensors("state of " + name, numbers.at(name), tensors,
                             tolerance),
              "");
}

} // namespace

void mlir::nnet3::property::compareRuns(const Case &test,
                                        ComputationOp computation,
                                        RequestInstance &instance, bool changes,
                                        double tolerance) {
  auto program = BackwardProgram::create(test, computation);
  ASSERT_TRUE(program.ok());
  auto model = rt::Model::create(*load(test, computation));
  auto gradient = rt::Model::create(*load(test, computation));
  ASSERT_TRUE(model.ok() && gradient.ok());
  (*gradient)->setAsGradient();
  Derivatives first;
  for (int i = 0; i < 3; ++i) {
    auto expected = (*program)->run(test.getRequest());
    ASSERT_TRUE(expected.ok()) << expected.status().message();
    const Derivatives actual = runBoth(test, instance, **model, **gradient);
    EXPECT_EQ(compareTensors("output", actual.outputs, expected->outputs, 1e-4),
              "");
    ASSERT_EQ(actual.of.size(), expected->of.size());
    for (const auto &[name, tensors] : expected->of)
      EXPECT_EQ(compareTensors(name, actual.of.at(name), tensors, tolerance),
                "");
    compareStates(**model, (*program)->getModel(), tolerance);
    compareStates(**gradient, (*program)->getGradient(), tolerance);
    if (i == 0)
      first = actual;
    else if (!changes)
      EXPECT_TRUE(actual == first);
  }
}
