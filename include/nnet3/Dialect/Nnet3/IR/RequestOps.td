//===- RequestOps.td - Requests ----------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_REQUESTOPS_TD
#define NNET3_DIALECT_NNET3_IR_REQUESTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

def Nnet3_RequestOp : Nnet3_Op<"request", [
    Nnet3_RequestPhase, Symbol, IsolatedFromAbove, NoTerminator, SingleBlock,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let opDocGroup = Nnet3_RequestDocs;
  let summary = "the given rows of inputs and the requested rows of outputs";
  let description = [{
    Kaldi: `ComputationRequest`. The body lists inputs and outputs.
    `need_model_derivative` requests the gradient or update of the updatable
    components, `store_component_stats` their activation statistics.
    `min_outputs` is the smallest number of output times that are exact if the
    input after them is padded (`nnet3-record-padding`). With `blocks_of 4`, the
    request is computed for four sequences at a time; its rows must be ordered
    by sequence.

    Example:

    ```mlir
    nnet3.request @chunk for @net {
      nnet3.request_input "input" <n = 0:7, t = -3:12>
      nnet3.request_output "output" <n = 0:7, t = 0:9:3>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$network,
                       UnitAttr:$need_model_derivative,
                       UnitAttr:$store_component_stats,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive,
                           IntMaxValue<2147483647>]>>:$min_outputs,
                       OptionalAttr<ConfinedAttr<I64Attr,
                           [IntPositive]>>:$block_size);
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::llvm::StringRef":$network,
                   "bool":$needModelDerivative, "bool":$storeComponentStats), [{
      build($_builder, $_state, name, network, needModelDerivative,
            storeComponentStats, /*min_outputs=*/::mlir::IntegerAttr(),
            /*block_size=*/::mlir::IntegerAttr());
    }]>
  ];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `for` $network
    (`need_model_derivative` $need_model_derivative^)?
    (`store_component_stats` $store_component_stats^)?
    (`min_outputs` $min_outputs^)?
    (`blocks_of` $block_size^)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the sequences, if all inputs and outputs list the same times for
    /// one sequence after the other; otherwise an empty list.
    ::llvm::ArrayRef<int32_t> getSequences();
    /// Number of runs of a computation of `block_size` sequences; 1 without
    /// blocks.
    int64_t getNumBlocks();
    /// Whether the request asks for outputs only, not for derivatives or
    /// statistics.
    bool isForward();
  }];
}

class Nnet3_RequestIoOp<string mnemonic>
    : Nnet3_Op<mnemonic, [Nnet3_RequestPhase, HasParent<"RequestOp">]> {
  let opDocGroup = Nnet3_RequestDocs;
  let arguments = (ins StrAttr:$name, Nnet3_IndexesAttr:$indexes,
                       UnitAttr:$has_deriv);
  let assemblyFormat = "$name $indexes (`deriv` $has_deriv^)? attr-dict";
}

def Nnet3_RequestInputOp : Nnet3_RequestIoOp<"request_input"> {
  let summary = "the rows that the caller supplies of a node";
  let description = [{
    The node is an input node, or a component node whose values the caller
    supplies. `deriv` requests the derivative with respect to these rows.

    Example:

    ```mlir
    nnet3.request @r for @net {
      nnet3.request_input "input" <t = -3:12> deriv
      nnet3.request_output "output" <t = 0> deriv
    }
    ```
  }];
}

def Nnet3_RequestOutputOp : Nnet3_RequestIoOp<"request_output"> {
  let summary = "the rows that the caller requests of an output node";
  let description = [{
    With `deriv`, the caller supplies the derivative of the objective with
    respect to these rows.

    Example:

    ```mlir
    nnet3.request @r for @net {
      nnet3.request_input "input" <t = -3:12>
      nnet3.request_output "output" <[(0, 0), (1, 5)]> deriv
    }
    ```
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_REQUESTOPS_TD
