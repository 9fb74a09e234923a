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
/// Compiles the request of the case.
Compiled compile(const Case &test, bool foldSequences = true,
                 bool debugInfo = false);

/// Returns the text of an op.
std::string print(Operation *op);

/// Returns the text of a copy of the computation with expanded row tables and a
/// unique form of index lists, so that equal lists compare equal.
std::string printExpanded(ComputationOp original);

/// Returns the program of a computation with its parameters.
::nnet3::rt::Result<std::shared_ptr<const ::nnet3::rt::Program>>
load(const Case &test, ComputationOp computation);

/// Sets the values of a case's inputs, or the derivatives of its outputs.
::nnet3::rt::Status setInputs(::nnet3::rt::Instance &instance,
                              const std::vector<RandomIo> &list);

/// The outputs by node, row by row; `error` is empty on success.
struct Outputs {
  std::map<std::string, std::vector<float>> values;
  std::string error;
  /// Number of runs of the code, one per block of sequences.
  int64_t numBlocks = 1;
};

/// Runs an instance on the case's inputs.
Outputs run(const Case &test, ::nnet3::rt::Instance &instance);

/// Runs a computation of the case on its inputs; with `poison`, undefined
/// memory is filled with NaN.
Outputs run(const Case &test, ComputationOp computation, bool poison = false);

/// Returns the bytes of a computation's program.
std::string emit(const Case &test, ComputationOp computation);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_EXECUTION_H
