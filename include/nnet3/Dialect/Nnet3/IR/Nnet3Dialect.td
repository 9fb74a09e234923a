//===- Nnet3Dialect.td - The nnet3 dialect -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NNET3DIALECT_TD
#define NNET3_DIALECT_NNET3_IR_NNET3DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Nnet3_Dialect : Dialect {
  let name = "nnet3";
  let cppNamespace = "::mlir::nnet3";
  let summary = "Kaldi nnet3 networks, requests and computations";
  let description = [{
    The dialect has three groups of operations, one for each phase of
    compilation:

    * *network* operations describe a neural network like Kaldi's nnet3 config
      files: components, nodes, and the descriptors that connect them;
    * *request* operations list the rows (indexes n, t, x) of inputs that are
      given and the rows of outputs that are requested;
    * *command* operations form the straight-line program of matrix commands
      that computes a request.

    The pass `nnet3-compile` compiles a network and a request to a computation.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

/// Operations that make up a network.
def Nnet3_NetworkPhase : NativeOpTrait<"NetworkPhase"> {
  let cppNamespace = "::mlir::nnet3";
}
/// Operations that make up a request.
def Nnet3_RequestPhase : NativeOpTrait<"RequestPhase"> {
  let cppNamespace = "::mlir::nnet3";
}
/// Operations that make up a computation.
def Nnet3_CommandPhase : NativeOpTrait<"CommandPhase"> {
  let cppNamespace = "::mlir::nnet3";
}

/// Sections of the dialect reference.
class Nnet3_DocGroup<string text, string details> : OpDocGroup {
  let summary = text;
  let description = details;
}
def Nnet3_NodeDocs : Nnet3_DocGroup<"Networks and nodes", "">;
def Nnet3_DescriptorDocs : Nnet3_DocGroup<"Descriptors", [{
  Descriptors determine which rows of which nodes a node reads.
}]>;
def Nnet3_ComponentDocs : Nnet3_DocGroup<"Components", [{
  One operation per Kaldi component type. Attributes are named after Kaldi's
  tokens and config keys; X is the input matrix, Y the output matrix, one row
  per frame.
}]>;
def Nnet3_RequestDocs : Nnet3_DocGroup<"Requests", "">;
def Nnet3_CommandDocs : Nnet3_DocGroup<"Computations and commands", [{
  A computation is a list of commands, one operation each, which an executor
  runs in their order.
}]>;

class Nnet3_Op<string mnemonic, list<Trait> traits = []>
    : Op<Nnet3_Dialect, mnemonic, traits>;

#endif // NNET3_DIALECT_NNET3_IR_NNET3DIALECT_TD
