//===- GoldenCase.h - The reference's cases ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_GOLDENCASE_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_GOLDENCASE_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Kaldi/Matrix/Matrix.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::nnet3::property {

/// The value of an input, or the derivative of an output.
struct Operand {
  std::string node;
  bool isDerivative;
  ::nnet3::kaldi::Matrix values;
};

/// One of the reference's cases.
struct GoldenCase {
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
  RequestOp request;
  std::vector<Operand> operands;
};

/// The names of those of a family, such as "components", in order.
std::vector<std::string> getGoldenCases(const std::string &family);

/// The case `name`; null if something is wrong with its files.
std::unique_ptr<GoldenCase> loadGoldenCase(const std::string &name);

/// Makes it a request for outputs alone, in test mode; false if that fails.
bool makeForward(GoldenCase &test);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_GOLDENCASE_H
