//===- Execution.h - Compiles and runs cases --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_EXECUTION_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_EXECUTION_H

#include "Networks/Case.h"

#include "nnet3/Compile/Compile.h"
#include "nnet3/runtime/Runtime.h"

#include <map>

namespace mlir::nnet3::property {

/// A compiled request.
struct Compiled {
  ComputationOp op; ///< null if it cannot be compiled
  std::string diagnostics;
};

/// Compiles `request`, of a case's network, at the end of its module.
Compiled compile(const Case &test, RequestOp request,
                 const CompileOptions &options);
/// The same for the request of the case.
Compiled compile(const Case &test, bool foldSequences = true,
                 bool debugInfo = false);

/// The text of an op.
std::string print(Operation *op);

/// The text of a copy of the computation, with the row tables written out, and
/// one form for lists of Indexes, so that they are compared as what they list.
std::string printExpanded(ComputationOp original);

/// The program of a computation, with its parameters.
::nnet3::rt::Result<std::shared_ptr<const ::nnet3::rt::Program>>
load(const Case &test, ComputationOp computation);

/// Supplies what the inputs of a case, or the derivatives of its outputs, are.
::nnet3::rt::Status setInputs(::nnet3::rt::Instance &instance,
                              const std::vector<RandomIo> &list);

/// The outputs by node, row by row; `error` if something went wrong.
struct Outputs {
  std::map<std::string, std::vector<float>> values;
  std::string error;
  /// Runs of the code that computed them.
  int64_t numBlocks = 1;
};

/// Runs an instance on the case's inputs.
Outputs run(const Case &test, ::nnet3::rt::Instance &instance);

/// Runs a computation of the case on its inputs; with `poison`, memory whose
/// contents are undefined is full of NaN.
Outputs run(const Case &test, ComputationOp computation, bool poison = false);

/// The bytes of the program of a computation.
std::string emit(const Case &test, ComputationOp computation);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_EXECUTION_H
