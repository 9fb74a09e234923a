//===- CommandBase.td - Base class of commands -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMMANDBASE_TD
#define NNET3_DIALECT_NNET3_IR_COMMANDBASE_TD

include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.td"
include "nnet3/Dialect/Nnet3/IR/Nnet3Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Nnet3_CommandOp<string mnemonic, list<Trait> traits = []>
    : Nnet3_Op<mnemonic, !listconcat(
        [Nnet3_CommandPhase, ParentOneOf<["ComputationOp", "LoopOp"]>],
        traits)> {
  let opDocGroup = Nnet3_CommandDocs;
}

#endif // NNET3_DIALECT_NNET3_IR_COMMANDBASE_TD
