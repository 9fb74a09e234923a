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

/// Changes one operation of a module and prints it in the generic form, in
/// which any operation can be written: a number or a name in an attribute, one
/// attribute more or less, an operand or a type that is another one's, another
/// order of operations. Operations of our own dialects are chosen more often.
class OperationMutator {
public:
  /// Nothing is changed in a text that is not valid.
  OperationMutator(const std::string &text, MLIRContext &context);

  /// The text with one change, sometimes two or three; empty if there is
  /// nothing to change.
  std::string mutate(property::Random &random) const;

private:
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::nnet3::mutation

#endif // NNET3_UNITTESTS_MUTATION_OPERATIONMUTATOR_H
