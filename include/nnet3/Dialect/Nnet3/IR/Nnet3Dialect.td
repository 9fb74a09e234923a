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
    One dialect with three groups of operations, one per phase of a program's
    life:

    * *network* operations describe a neural network the way Kaldi's nnet3
      config files do: components, nodes, and the descriptors that wire them;
    * *request* operations say which rows (indexes n, t, x) of which inputs
      exist and which outputs are wanted;
    * *command* operations are the straight-line matrix program that computes
      the request.

    The pass `nnet3-compile` goes from a network and a request to a
    computation.
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
  The glue between nodes: which rows of which nodes a node reads.
}]>;
def Nnet3_ComponentDocs : Nnet3_DocGroup<"Components", [{
  One operation per Kaldi component type. Attributes are named after Kaldi's
  tokens and config keys; X is the input matrix, Y the output matrix, one row
  per frame.
}]>;
def Nnet3_RequestDocs : Nnet3_DocGroup<"Requests", "">;
def Nnet3_CommandDocs : Nnet3_DocGroup<"Computations and commands", [{
  What an executor does, one operation per command.
}]>;

class Nnet3_Op<string mnemonic, list<Trait> traits = []>
    : Op<Nnet3_Dialect, mnemonic, traits>;

#endif // NNET3_DIALECT_NNET3_IR_NNET3DIALECT_TD
