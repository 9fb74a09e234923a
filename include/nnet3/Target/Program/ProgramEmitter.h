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

/// The FlatBuffer of `computation`. `parameters` must come from its network.
/// With a `request`, the program's inputs and outputs say which Index each row
/// is. The same computation gives the same bytes.
///
/// Fails, with an error at the command, if a component it uses lacks parameters
/// or if the runtime has no such command.
FailureOr<std::string> emitProgram(ComputationOp computation,
                                   const ParameterBlob &parameters,
                                   RequestOp request = nullptr);

/// Writes a program file: header, `program` as emitProgram returns it, weights.
void writeProgramFile(llvm::StringRef program, const ParameterBlob &parameters,
                      llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_PROGRAM_PROGRAMEMITTER_H
