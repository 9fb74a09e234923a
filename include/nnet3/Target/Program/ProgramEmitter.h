//===- ProgramEmitter.h - Computations as runtime programs ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Serialises a computation for the runtime (runtime/schema/program.fbs).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_PROGRAM_PROGRAMEMITTER_H
#define NNET3_TARGET_PROGRAM_PROGRAMEMITTER_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Target/Program/ParameterBlob.h"

namespace mlir::nnet3 {

/// Emits the FlatBuffer of `computation`. `parameters` must be those of its
/// network. With a `request`, the program's inputs and outputs have the Index
/// of each row. Equal computations give equal bytes.
///
/// Emits an error at the command if its component lacks parameters, or if the
/// runtime does not support the command.
FailureOr<std::string> emitProgram(ComputationOp computation,
                                   const ParameterBlob &parameters,
                                   RequestOp request = nullptr);

/// Writes a program file: header, `program` as emitProgram returns it, weights.
void writeProgramFile(llvm::StringRef program, const ParameterBlob &parameters,
                      llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_PROGRAM_PROGRAMEMITTER_H
