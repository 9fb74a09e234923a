//===- Passes.td - Fusion of commands for generated code ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_FUSION_PASSES_TD
#define NNET3_FUSION_PASSES_TD

include "mlir/Pass/PassBase.td"

/// A pass over computations; it does not change computations with loops.
class Nnet3_CommandPass<string flag>
    : PassBase<flag, "::mlir::nnet3::CommandPass">;

def Nnet3NumberDraws
    : Nnet3_CommandPass<"nnet3-number-draws"> {
  let summary = "number the commands that draw random numbers";
  let description = [{
    Sets the attribute `draw` of each `propagate` of a random component: the
    number of `propagate` commands before it. The random numbers of the runtime
    are a function of `draw`. The pass runs before fusion, so that a library
    draws the same numbers as the interpreter. `store_stats` and `backprop`,
    which decide at random whether they keep statistics, are numbered in the
    same way; `backprop` of components with parameters is not counted.
  }];
}

def Nnet3ExpandComposites
    : Nnet3_CommandPass<"nnet3-expand-composites"> {
  let summary = "expand commands of composite components into their parts";
  let description = [{
    Replaces a `propagate` or `backprop` of a composite component by commands
    for each of its parts, with matrices in between, so that parts are fused as
    other components are. On devices all parts must have generated code; on
    CPUs one is enough, and the runtime runs the other parts. A part runs in
    place if its component allows it.
  }];
  let options = [
    Option<"device", "device", "bool", /*default=*/"false",
      "whether the code is for a device; some components have generated code "
      "for devices only">,
  ];
}

def Nnet3AccumulateDerivatives
    : Nnet3_CommandPass<"nnet3-accumulate-derivatives"> {
  let summary = "let backprop add to a sum of derivatives";
  let description = [{
    If a component adds the derivative of its input to a zeroed matrix of its
    own, and the only reader of this matrix adds it to another one, the
    component adds the derivative there instead: the matrix is neither written
    nor read. Where several nodes read one node, its derivative is such a sum.
  }];
}

def Nnet3FuseAffine
    : Nnet3_CommandPass<"nnet3-fuse-affine"> {
  let summary = "convert propagate of affine components to fused_affine";
  let description = [{
    Converts the `propagate` of each affine component to a `fused_affine` with
    one input per time offset. If the output has several blocks of columns, such
    as the heights of a convolution, each block becomes a `fused_affine`, with
    one input per time offset and slice of consecutive columns. A component that
    adds to its output gets the output as residual, unless the output is still
    zero. Components with more than 64 inputs are not converted.
  }];
}

def Nnet3FuseSplice
    : Nnet3_CommandPass<"nnet3-fuse-splice"> {
  let summary = "read the sources of a splice instead of the splice";
  let description = [{
    If copies of rows fill each block of columns of an input of a
    `fused_affine`, the affine map reads the sources of these copies instead.
    Copies and matrices without remaining readers are removed.
  }];
}

def Nnet3HoistConstantRows
    : Nnet3_CommandPass<"nnet3-hoist-constant-rows"> {
  let summary = "hoist matmuls of input rows that many output rows share";
  let description = [{
    If all rows of a `fused_affine` read the same row of an input, such as an
    i-vector, or a few rows in turn, such as one for each sequence, the matmul
    of these rows, with the bias, is computed once and becomes the initial value
    of the accumulators.
  }];
}

def Nnet3HoistSharedInputs
    : Nnet3_CommandPass<"nnet3-hoist-shared-inputs"> {
  let summary = "hoist matmuls of inputs that several affine maps share";
  let description = [{
    If several `fused_affine` of one component, such as the steps of a
    recurrence, multiply the same rows of an input by the same columns of the
    weights, while their other inputs differ, the matmul of the shared inputs,
    with the bias, is computed once and becomes the initial value of the
    accumulators of each.
  }];
}

def Nnet3OrderSums
    : Nnet3_CommandPass<"nnet3-order-sums"> {
  let summary = "sort the terms of affine maps in an order set by the network";
  let description = [{
    Sorts the inputs of each `fused_affine` into three groups: first the rows
    that neighbouring rows of the output share (`ReplaceIndex` of t, `Round`),
    such as i-vectors; then all others; last the rows of a recurrence that may
    depend on the map itself. Within a group, inputs are sorted by the columns
    of the weights. The groups depend on the network, not on the request. Later
    passes hoist whole groups, from the first one on, so an element of the
    output is computed by the same sum in the same order for every request.
    Inputs that belong to several groups are split where they are out of order.
  }];
  let options = [
    Option<"cut", "cut", "bool", /*default=*/"false",
      "split all inputs where a term of the node's input begins, so that the "
      "same columns share a scale in every request">,
  ];
}

def Nnet3HoistRecurrentAffines
    : Nnet3_CommandPass<"nnet3-hoist-recurrent-affines"> {
  let summary = "hoist matmuls of non-recurrent inputs out of recurrences";
  let description = [{
    The steps of a recurrence multiply columns that depend on the previous step
    and columns that do not by the weights of one component. One `fused_affine`
    multiplies the columns that are available before the first step, for all
    steps at once, and adds the bias; each step adds its rows of the result.

    Steps with many rows are not changed: their matmuls reuse each weight often
    enough, and the result for all steps, which exceeds the caches, would have
    to be written and read again.
  }];
  let options = [
    Option<"maxRows", "max-rows", "int64_t", /*default=*/"16",
           "do not hoist from steps with more rows">,
  ];
}

def Nnet3SplitGathers
    : Nnet3_CommandPass<"nnet3-split-gathers"> {
  let summary = "split gathers of rows into blocks at their producers";
  let description = [{
    Splits a `copy_rows_multi` that gathers blocks of rows of several matrices,
    such as the outputs of the steps of a recurrence. If a `fused_affine` is the
    only reader of the gathered rows, each block gets a `fused_affine` of its
    own after the command that computes it, and nothing is copied. Blocks with
    few rows are not multiplied separately, because each matmul reads all
    weights. Otherwise each block is copied just after it is computed, if the
    gather is the last reader of most source matrices, whose lifetimes then end
    earlier.
  }];
  let options = [
    Option<"minRows", "min-rows", "int64_t", /*default=*/"17",
           "blocks with fewer rows are not multiplied separately">,
    Option<"maxCopiedRows", "max-copied-rows", "int64_t",
           /*default=*/"INT64_MAX",
           "blocks with more rows are not copied at their producers">,
  ];
}

def Nnet3SplitSums
    : Nnet3_CommandPass<"nnet3-split-sums"> {
  let summary = "split affine maps into one for each group of terms";
  let description = [{
    Splits a `fused_affine` with inputs of several groups (`nnet3-order-sums`)
    into one for each group; the result of each is the initial value of the
    accumulators of the next one. With int8, the columns of a row that one
    matmul multiplies share a scale, and a request that hoists a group gives it
    a scale of its own. With one map per group, the scales are the same in every
    request.
  }];
}

def Nnet3FuseEpilogue
    : Nnet3_CommandPass<"nnet3-fuse-epilogue"> {
  let summary = "fuse elementwise components into the epilogues of affine maps";
  let description = [{
    Fuses elementwise components that run in place on the output of a
    `fused_affine`, and a following addition of a scaled matrix, into its
    epilogue. Copies that fill this matrix after the `fused_affine` move before
    it. If several `fused_affine` write blocks of columns of one matrix,
    components that compute the same for each block are fused into all of them.
  }];
}

def Nnet3FoldBatchNorm
    : Nnet3_CommandPass<"nnet3-fold-batch-norm"> {
  let summary = "fold batch norm into the weights of the affine map before it";
  let description = [{
    If the epilogue of a `fused_affine` begins with a scale and an offset of
    each column, such as batch norm in test mode, folds them into the weights
    and the bias: s (W x + b) + o = (s W) x + (s b + o).
  }];
}

def Nnet3FoldBatchNormAhead
    : Pass<"nnet3-fold-batch-norm-ahead", "::mlir::nnet3::NetworkOp"> {
  let summary = "fold a scale and offset into the weights of its readers";
  let description = [{
    If all readers of a node that computes a scale and an offset for each
    column, such as batch norm in test mode, are affine components with a bias,
    folds the scale and the offset into their parameters, and lets them read the
    input of the node: W (s x + o) + b = (W s) x + (W o + b). The readers may
    read the node through `append`, `offset`, `round` and `replace_index`, but
    not through operations that replace missing rows by zeros, because the
    offset does not apply to these. Each component must belong to one node. A
    node that follows an affine component is left to `nnet3-fold-batch-norm`.
  }];
}

def Nnet3BypassIdentities
    : Pass<"nnet3-bypass-identities", "::mlir::nnet3::NetworkOp"> {
  let summary = "bypass nodes that compute the identity";
  let description = [{
    Lets the readers of a node whose component is an identity, such as
    `backprop_truncation` or dropout in test mode, or the readers of some of its
    columns, read the input of the node. A node is bypassed only if the set of
    computable rows stays the same. A node whose input is a sum is not bypassed,
    because each reader would compute the sum.
  }];
}

def Nnet3SplitAffineOutputs
    : Pass<"nnet3-split-affine-outputs", "::mlir::nnet3::NetworkOp"> {
  let summary = "move columns that a recurrence does not read out of it";
  let description = [{
    If a recurrence reads only some columns of an affine component's output,
    moves the other columns, such as the non-recurrent projection of an LSTM, to
    a component and a node of their own. They are then computed for all frames
    at once, and only for the frames that are read. Columns without readers are
    removed. The component must belong to one node.
  }];
}

def Nnet3ComposeAffineMaps
    : Pass<"nnet3-compose-affine-maps", "::mlir::nnet3::NetworkOp"> {
  let summary = "compose affine maps by multiplying their weights";
  let description = [{
    If all readers of an affine map are affine components, such as the first
    layer after LDA, composes the map with its readers:
    W (V x + c) + b = (W V) x + (W c + b), computed in double precision. Terms
    that a reader then reads several times are merged. Maps are composed only if
    that takes fewer multiply-adds per row, where a row that a sequence has only
    once, such as an i-vector, counts as a sixteenth of a row. As with
    `nnet3-fold-batch-norm-ahead`, no row may be missing, and each component
    must belong to one node.

    With `keep-input-maps`, maps that read an input node are not composed, so
    that they can be computed in f32 if other matmuls have a lower precision.
  }];
  let options = [
    Option<"keepInputMaps", "keep-input-maps", "bool", "false",
           "do not compose maps that read an input node">,
  ];
}

def Nnet3OrderImages
    : Pass<"nnet3-order-images", "::mlir::nnet3::NetworkOp"> {
  let summary = "permute images to the order of the weights of convolutions";
  let description = [{
    If y varies fastest in the images of a `convolution`, the channels of a
    pixel are not adjacent, but the weights need them together. The pass inserts
    a permutation before the convolution that makes the channels of a pixel
    adjacent, so that each column of a patch is one slice of consecutive
    columns. Convolutions whose patches consist of few slices are not changed.
  }];
}

#endif // NNET3_FUSION_PASSES_TD
