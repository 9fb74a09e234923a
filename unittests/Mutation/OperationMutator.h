//===- OperationMutator.h - Random changes of operations --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_MUTATION_OPERATIONMUTATOR_H
#define NNET3_UNITTESTS_MUTATION_OPERATIONMUTATOR_H

#include "Networks/Random.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace mlir::nnet3::mutation {

/// Changes an operation of a module and prints the module in the generic form,
/// which can express any operation. Changes numbers and names in attributes,
/// adds or removes attributes, replaces operands and types, or reorders
/// operations. Prefers operations of our dialects.
class OperationMutator {
public:
  /// An invalid text stays unchanged.
  OperationMutator(const std::string &text, MLIRContext &context);

  /// Returns the text with one change, sometimes two or three; empty if there
  /// is nothing to change.
  std::string mutate(property::Random &random) const;

private:
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::nnet3::mutation

#endif // NNET3_UNITTESTS_MUTATION_OPERATIONMUTATOR_H
