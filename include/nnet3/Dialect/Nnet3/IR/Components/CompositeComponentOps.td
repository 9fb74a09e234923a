//===- CompositeComponentOps.td - Components of components -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_COMPOSITECOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_COMPOSITECOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

def Nnet3_CompositeOp : Nnet3_UpdatableOp<"composite", "Composite", (ins
    DefaultValuedAttr<ConfinedAttr<I64Attr, [Nnet3_MaxInt32]>,
      "4096">:$max_rows_process),
    ["initializeParameters", "verifyConfiguration"],
    [SymbolTable, NoTerminator, SingleBlock, NoRegionArguments,
     IsolatedFromAbove]> {
  let summary = "simple components one after another";
  let description = [{
    Kaldi: CompositeComponent. Applies the components of its body in their
    order, each to the output of the previous one. They must be simple and not
    random. If `max_rows_process` is positive, larger matrices are processed in
    pieces of at most that number of rows. Components that depend on the rows of
    a minibatch, such as batch norm, see one piece at a time.

    Example:

    ```mlir
    nnet3.composite @bottleneck attributes {max_rows_process = 2048} {
      nnet3.affine @component1 {input_dim = 512, output_dim = 64}
      nnet3.rectified_linear @component2 {dim = 64}
    }
    ```
  }];
  let configKeys = (keys "max_rows_process");
  let keyGroup = "Components";
  let mayLackRate = 1;
  let fileTokens = (tokens "max_rows_process",
    Token<"", "<NumComponents>", "Components">);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let extraClassDeclaration = [{
    /// The components in their order.
    auto getComponents() {
      return getBody().front().getOps<ComponentOpInterface>();
    }
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_COMPOSITECOMPONENTOPS_TD
