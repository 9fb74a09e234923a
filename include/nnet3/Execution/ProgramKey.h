//===- ProgramKey.h - Keys of compiled programs -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_PROGRAMKEY_H
#define NNET3_EXECUTION_PROGRAMKEY_H

#include "nnet3/Compile/Compile.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Target/Program/ParameterBlob.h"
#include <array>

namespace mlir::nnet3 {

/// A hash of everything that a compiled program depends on. Programs with equal
/// keys are identical bytes.
using ProgramKey = std::array<uint8_t, 32>;

/// The key in hexadecimal digits.
std::string toHex(const ProgramKey &key);

/// The parts of a key, as texts: if they are equal, the programs are equal.
struct ProgramKeyParts {
  /// The compiler and the format of its programs.
  std::string tool;
  std::string network, request, options;

  ProgramKey getKey() const;
};

/// Describes this build of the compiler, because another build may compile
/// other programs.
std::string describeTool();

/// Describes this machine, for which code is compiled.
std::string describeMachine();

/// Describes the nodes, their wiring, and the attributes of components that
/// programs contain. Of parameters, only shapes and offsets in `parameters` are
/// included, because programs do not contain their values.
std::string describeNetwork(NetworkOp network, const ParameterBlob &parameters);

/// Describes the inputs, outputs and flags of a request, without its name.
std::string describeRequest(RequestOp request);

/// Describes the options of compilation and optimisation.
std::string describeOptions(const CompileOptions &compile,
                            OptimizeOptions optimize);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_PROGRAMKEY_H
