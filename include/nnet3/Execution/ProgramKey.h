//===- ProgramKey.h - What a compiled program depends on --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_PROGRAMKEY_H
#define NNET3_EXECUTION_PROGRAMKEY_H

#include "nnet3/Compile/Compile.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Target/Program/ParameterBlob.h"
#include <array>

namespace mlir::nnet3 {

/// A hash of everything that a program depends on: programs of equal keys are
/// the same, byte for byte.
using ProgramKey = std::array<uint8_t, 32>;

/// The key in hexadecimal digits.
std::string toHex(const ProgramKey &key);

/// What goes into a key. Texts that differ stand for things that may differ.
struct ProgramKeyParts {
  /// The compiler and the format of its programs.
  std::string tool;
  std::string network, request, options;

  ProgramKey getKey() const;
};

/// This build of the compiler: programs of another one may be others.
std::string describeTool();

/// This machine, for which code is compiled.
std::string describeMachine();

/// The components with all that programs hold of them, the nodes and their
/// wiring. Of parameters only shapes and places in `parameters` count: the
/// values are not part of programs.
std::string describeNetwork(NetworkOp network, const ParameterBlob &parameters);

/// Inputs, outputs, and what is wanted besides; not the request's name.
std::string describeRequest(RequestOp request);

/// How requests are compiled and optimised.
std::string describeOptions(const CompileOptions &compile,
                            OptimizeOptions optimize);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_PROGRAMKEY_H
