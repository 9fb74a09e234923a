//===- GoldenCase.h - Cases of the reference --------------------*- C++ -*-===//
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

/// A case of the reference.
struct GoldenCase {
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
  RequestOp request;
  std::vector<Operand> operands;
};

/// Returns the names of the cases of a family, such as "components", in order.
std::vector<std::string> getGoldenCases(const std::string &family);

/// Returns the case `name`; null if its files are invalid.
std::unique_ptr<GoldenCase> loadGoldenCase(const std::string &name);

/// Changes the request to compute only outputs, in test mode; returns false on
/// failure.
bool makeForward(GoldenCase &test);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_GOLDENCASE_H
