//===- Passes.td - Fusion of commands for generated code ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_FUSION_PASSES_TD
#define NNET3_FUSION_PASSES_TD

include "mlir/Pass/PassBase.td"

/// Leaves computations with loops as they are.
class Nnet3_CommandPass<string flag>
    : PassBase<flag, "::mlir::nnet3::CommandPass">;

def Nnet3NumberDraws
    : Nnet3_CommandPass<"nnet3-number-draws"> {
  let summary = "say which numbers random components draw";
  let description = [{
    Gives each `propagate` of a random component the attribute `draw`: how
    many `propagate` commands come before it. What the runtime draws is a
    function of that, so commands are counted before fusion: a library draws the
    numbers that the interpreter draws. `store_stats` and `backprop`, which draw
    whether they keep statistics, are counted likewise; `backprop` of components
    with parameters does not count.
  }];
}

def Nnet3ExpandComposites
    : Nnet3_CommandPass<"nnet3-expand-composites"> {
  let summary = "commands for the parts of composite components";
  let description = [{
    The forward pass of a composite component becomes one `propagate` for each
    of its parts, with matrices in between, if parts have generated code, so that
    they are fused as other components are; on CPUs the runtime runs the others.
    A part that can works in place.
  }];
  let options = [
    Option<"device", "device", "bool", /*default=*/"false",
      "whether the code is for a device; some components have code for devices "
      "alone">,
  ];
}

def Nnet3FuseAffine
    : Nnet3_CommandPass<"nnet3-fuse-affine"> {
  let summary = "make fused commands of affine components";
  let description = [{
    The forward pass of each component that multiplies with a matrix becomes a
    `fused_affine` with one input per time offset, or one for each block of the
    output that has the same weights, such as the heights of a convolution, with
    one input per time offset and stretch of neighbouring columns. A component
    that adds to its output has the output as residual, unless nothing but zeros
    has been written there. Components with more than 64 inputs stay as they are.
  }];
}

def Nnet3FuseSplice
    : Nnet3_CommandPass<"nnet3-fuse-splice"> {
  let summary = "read rows where they are, not from a splice";
  let description = [{
    Where an input of a `fused_affine` was put together by copies of rows, block
    of columns by block of columns, the affine map reads from the sources of the
    copies. Copies and matrices that nothing reads any more are removed.
  }];
}

def Nnet3HoistConstantRows
    : Nnet3_CommandPass<"nnet3-hoist-constant-rows"> {
  let summary = "multiply a row that many rows share once";
  let description = [{
    Where the rows of a `fused_affine` have the same row of an input, such as
    an i-vector, or a few rows in turn, such as those of several sequences, the
    products of these rows and the bias are computed once, and are what the sums
    begin with.
  }];
}

def Nnet3HoistSharedInputs
    : Nnet3_CommandPass<"nnet3-hoist-shared-inputs"> {
  let summary = "multiply inputs that several maps share once";
  let description = [{
    Where several `fused_affine` of one component, such as the steps of a
    recurrence, have the same rows of an input for the same columns of the
    weights, while their other inputs differ, the products of the shared ones
    and the bias are computed once, and are what the sums of each begin with.
  }];
}

def Nnet3OrderSums
    : Nnet3_CommandPass<"nnet3-order-sums"> {
  let summary = "add up the terms of affine maps in the order of the network";
  let description = [{
    Sorts the inputs of each `fused_affine`: first the rows that neighbouring
    rows of the output share (`ReplaceIndex` of t, `Round`), such as i-vectors,
    last the rows of a recurrence that may depend on the map itself, and by
    the columns of the weights within each of these groups. The network decides
    the groups, not the request. An element of the output is therefore the same
    sum in every request, in one order, whatever passes behind this one multiply
    ahead: they take whole groups, from the first one on. Inputs that belong to
    several groups are cut where they are out of order.
  }];
  let options = [
    Option<"cut", "cut", "bool", /*default=*/"false",
      "cut all inputs where a term of the node's input begins, so that the same "
      "columns are rounded together in every request">,
  ];
}

def Nnet3HoistRecurrentAffines
    : Nnet3_CommandPass<"nnet3-hoist-recurrent-affines"> {
  let summary = "multiply the inputs of a recurrence at once";
  let description = [{
    The steps of a recurrence multiply columns that depend on the step before
    and columns that do not with the weights of one component. Those that are
    there before the first step are multiplied for all steps by one
    `fused_affine`, with the bias; each step adds its rows of the product.

    Steps of many rows stay as they are: their products use each weight often
    enough, and the product for all steps, which is larger than the caches, is
    neither written nor read.
  }];
  let options = [
    Option<"maxRows", "max-rows", "int64_t", /*default=*/"16",
           "steps with more rows stay as they are">,
  ];
}

def Nnet3SplitGathers
    : Nnet3_CommandPass<"nnet3-split-gathers"> {
  let summary = "gather rows where they are computed";
  let description = [{
    Where blocks of rows of several matrices are put together, such as what the
    steps of a recurrence give, for a `fused_affine` and nothing else, each
    block is multiplied where it has been computed, and nothing is copied. Else
    each block is copied there, if what most are part of is only kept for that,
    and so takes memory no longer. Blocks of few rows are not multiplied by
    themselves, for the weights would be read again and again.
  }];
  let options = [
    Option<"minRows", "min-rows", "int64_t", /*default=*/"17",
           "blocks with fewer rows are not multiplied by themselves">,
    Option<"maxCopiedRows", "max-copied-rows", "int64_t",
           /*default=*/"INT64_MAX",
           "blocks with more rows are not copied where they are computed">,
  ];
}

def Nnet3SplitSums
    : Nnet3_CommandPass<"nnet3-split-sums"> {
  let summary = "make one affine map for each group of terms";
  let description = [{
    A `fused_affine` with inputs of several groups (`nnet3-order-sums`) becomes
    one for each group, which begins with the sums of the group before. For int8:
    the columns of a row that are multiplied together share a scale, and a
    request that multiplies a group ahead gives it one of its own.
  }];
}

def Nnet3FuseEpilogue
    : Nnet3_CommandPass<"nnet3-fuse-epilogue"> {
  let summary = "compute elementwise components where affine maps end";
  let description = [{
    Elementwise components that work on the output of a `fused_affine`, and
    the sum with a scaled matrix behind them, become its epilogue. Copies
    that put this matrix together behind the `fused_affine` move in front of
    it. Where several write blocks of columns, components that do the same
    to each block become the epilogue of all of them.
  }];
}

def Nnet3FoldBatchNorm
    : Nnet3_CommandPass<"nnet3-fold-batch-norm"> {
  let summary = "scale the weights instead of what they give";
  let description = [{
    Where the epilogue of a `fused_affine` begins with a scale and an offset of
    each column, such as batch norm in test mode, they go into the weights and
    the bias: s (W x + b) + o = (s W) x + (s b + o).
  }];
}

def Nnet3FoldBatchNormAhead
    : Pass<"nnet3-fold-batch-norm-ahead", "::mlir::nnet3::NetworkOp"> {
  let summary = "scale the weights that read what is scaled";
  let description = [{
    Where nothing but affine components with a bias reads a node that scales
    columns and adds to them, such as batch norm in test mode, they read what is
    in front of it, and their parameters do its work:
    W (s x + o) + b = (W s) x + (W o + b). They may read it through `append`,
    `offset`, `round` and `replace_index`, not where a row may be missing: there
    the input is zero, and so would be the offset. Each component must belong to
    one node. A node behind an affine component stays for
    `nnet3-fold-batch-norm`.
  }];
}

def Nnet3BypassIdentities
    : Pass<"nnet3-bypass-identities", "::mlir::nnet3::NetworkOp"> {
  let summary = "read what is in front of identities";
  let description = [{
    A node whose component does nothing, such as `backprop_truncation` or
    dropout in test mode, is left out where that makes no row be there that
    would be missing, or the other way round: what reads it, or some columns of
    it, reads its input. Not where its input is a sum, which would be computed
    for each reader.
  }];
}

def Nnet3SplitAffineOutputs
    : Pass<"nnet3-split-affine-outputs", "::mlir::nnet3::NetworkOp"> {
  let summary = "compute outside of a recurrence what it does not read";
  let description = [{
    Where a recurrence reads some columns of an affine component's output and
    the others are only read outside, such as the non-recurrent projection of an
    LSTM, these become a component and a node of their own, computed for all
    frames at once, and for no others than those that are read. Columns that
    nothing reads are dropped. The component must belong to one node.
  }];
}

def Nnet3ComposeAffineMaps
    : Pass<"nnet3-compose-affine-maps", "::mlir::nnet3::NetworkOp"> {
  let summary = "multiply the weights of affine maps with each other";
  let description = [{
    Where nothing but affine components reads an affine map, such as LDA in
    front of the first layer, and that takes fewer multiply-adds per row, they
    read what it reads: W (V x + c) + b = (W V) x + (W c + b), computed in
    double. Terms that a reader then reads several times are one. Rows of which
    a sequence has one, such as i-vectors, count a sixteenth. As with
    `nnet3-fold-batch-norm-ahead`, no row may be missing, and each component
    must belong to one node.

    With `keep-input-maps`, maps whose rows have columns of an input node stay,
    so that they can be computed in f32 where all else has fewer bits.
  }];
  let options = [
    Option<"keepInputMaps", "keep-input-maps", "bool", "false",
           "leave maps of features as they are">,
  ];
}

def Nnet3OrderImages
    : Pass<"nnet3-order-images", "::mlir::nnet3::NetworkOp"> {
  let summary = "give convolutions images in the order of their weights";
  let description = [{
    A convolution within rows whose images have y fastest reads each pixel of a
    patch from another place. A permutation in front of it puts the channels of
    a pixel side by side, as the weights have them, so that a column of a patch
    is one stretch. Convolutions whose patches are few stretches stay as they
    are.
  }];
}

#endif // NNET3_FUSION_PASSES_TD
