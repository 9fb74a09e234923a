//===- Passes.td - Changes of trained networks -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that edit a model between training and use (spec: nnet3bin.md 3 to 6).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_SURGERY_PASSES_TD
#define NNET3_SURGERY_PASSES_TD

include "mlir/Pass/PassBase.td"

/// A pass over a network.
class Nnet3SurgeryPass<string name> : Pass<name, "::mlir::nnet3::NetworkOp">;

/// Names of components; `*` matches any text, also none.
class Nnet3ComponentPattern<string default>
    : Option<"pattern", "name", "std::string", default,
             "names of components; * stands for any text">;

def Nnet3RemoveInputs
    : Option<"removesInputs", "remove-orphan-inputs", "bool", "false",
             "remove input nodes that no output depends on, too">;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

def Nnet3SubtractLogPriors : Nnet3SurgeryPass<"nnet3-subtract-log-priors"> {
  let summary = "make the priors of an acoustic model part of the network";
  let description = [{
    Inserts a component before the output node `output` that subtracts the
    logarithm of each prior, so that log-posteriors become scaled
    log-likelihoods. The priors of the network are removed, so that programs do
    not subtract them again.
  }];
}

def Nnet3RenameNode : Nnet3SurgeryPass<"nnet3-rename-node"> {
  let summary = "give a node another name";
  let description = [{
    Kaldi's edit directive `rename-node`. Does not rename the component.
  }];
  let options = [
    Option<"oldName", "old-name", "std::string", "", "the node">,
    Option<"newName", "new-name", "std::string", "",
           "the new name; no other node may have it">,
  ];
}

def Nnet3RemoveOutputNodes : Nnet3SurgeryPass<"nnet3-remove-output-nodes"> {
  let summary = "remove output nodes";
  let description = [{
    Kaldi's edit directive `remove-output-nodes`. At least one output node must
    remain. `nnet3-remove-orphans` removes the nodes that only the removed nodes
    depended on.
  }];
  let options = [
    Option<"pattern", "name", "std::string", "",
           "names of output nodes; * stands for any text">,
  ];
}

def Nnet3RemoveOrphanNodes : Nnet3SurgeryPass<"nnet3-remove-orphan-nodes"> {
  let summary = "remove nodes that no output depends on";
  let description = [{
    Kaldi's edit directive `remove-orphan-nodes`.
  }];
  let options = [Nnet3RemoveInputs];
}

def Nnet3RemoveOrphanComponents
    : Nnet3SurgeryPass<"nnet3-remove-orphan-components"> {
  let summary = "remove components that no node applies";
  let description = [{
    Kaldi's edit directive `remove-orphan-components`.
  }];
}

def Nnet3RemoveOrphans : Nnet3SurgeryPass<"nnet3-remove-orphans"> {
  let summary = "remove unused nodes, then unused components";
  let description = [{
    Kaldi's edit directive `remove-orphans`: `nnet3-remove-orphan-nodes`, then
    `nnet3-remove-orphan-components`.
  }];
  let options = [Nnet3RemoveInputs];
}

//===----------------------------------------------------------------------===//
// Attributes of components
//===----------------------------------------------------------------------===//

def Nnet3SetLearningRate : Nnet3SurgeryPass<"nnet3-set-learning-rate"> {
  let summary = "set the learning rates of components";
  let description = [{
    Kaldi's edit directive `set-learning-rate`. The learning rate of a component
    becomes `learning-rate` times the component's factor.
  }];
  let options = [
    Nnet3ComponentPattern<"\"*\"">,
    Option<"learningRate", "learning-rate", "double", "0.0",
           "the rate before the factor">,
  ];
}

def Nnet3SetLearningRateFactor
    : Nnet3SurgeryPass<"nnet3-set-learning-rate-factor"> {
  let summary = "set the learning rate factors of components";
  let description = [{
    Kaldi's edit directive `set-learning-rate-factor`. The learning rates are
    not changed.
  }];
  let options = [
    Nnet3ComponentPattern<"\"*\"">,
    Option<"factor", "learning-rate-factor", "double", "1.0", "the factor">,
  ];
}

def Nnet3SetDropoutProportion
    : Nnet3SurgeryPass<"nnet3-set-dropout-proportion"> {
  let summary = "set the dropout proportion of components";
  let description = [{
    Kaldi's edit directive `set-dropout-proportion`, for `dropout`,
    `dropout_mask` and `general_dropout`.
  }];
  let options = [
    Nnet3ComponentPattern<"\"*\"">,
    Option<"proportion", "proportion", "double", "0.0", "between 0 and 1">,
  ];
}

def Nnet3SetBatchNormTestMode
    : Nnet3SurgeryPass<"nnet3-set-batch-norm-test-mode"> {
  let summary = "put batch normalisation in test mode, or out of it";
  let description = [{
    Kaldi: `SetBatchnormTestMode`. Unlike `nnet3-set-test-mode`, the pass does
    not change dropout.
  }];
  let options = [
    Option<"testMode", "test-mode", "bool", "true", "the mode">,
  ];
}

def Nnet3ScaleParameters : Nnet3SurgeryPass<"nnet3-scale-parameters"> {
  let summary = "multiply the parameters and statistics of a network";
  let description = [{
    Kaldi: `ScaleNnet`. Statistics that are averages are not changed; their
    counts are multiplied. A scale of 0 sets all values to zero, also infinite
    values and NaN.
  }];
  let options = [
    Option<"scale", "scale", "double", "1.0", "the factor">,
  ];
}

//===----------------------------------------------------------------------===//
// Replacement of components
//===----------------------------------------------------------------------===//

def Nnet3ConvertToFixedAffine
    : Nnet3SurgeryPass<"nnet3-convert-to-fixed-affine"> {
  let summary = "exclude affine components from training";
  let description = [{
    Kaldi's edit directive `convert-to-fixed-affine`: `affine` and
    `natural_gradient_affine` become `fixed_affine` with the same parameters.
  }];
  let options = [Nnet3ComponentPattern<"\"*\"">];
}

def Nnet3ConvertRepeatedToBlock
    : Nnet3SurgeryPass<"nnet3-convert-repeated-to-block"> {
  let summary = "give blocks of repeated affine components separate weights";
  let description = [{
    Kaldi: `ConvertRepeatedToBlockAffine`. `repeated_affine` and
    `natural_gradient_repeated_affine` become `block_affine`, whose blocks start
    with the same weights and are trained separately.
  }];
}

def Nnet3ReduceRank : Nnet3SurgeryPass<"nnet3-reduce-rank"> {
  let summary = "replace matrices by their best approximations of low rank";
  let description = [{
    Kaldi's edit directive `reduce-rank`. The matrix of each matching affine
    component keeps its `rank` greatest singular values; dims and bias do not
    change. A component with a dim of `rank` or less is not changed, with a
    warning.
  }];
  let options = [
    Nnet3ComponentPattern<"">,
    Option<"rank", "rank", "int64_t", "0", "singular values that are kept">,
  ];
}

def Nnet3ApplySvd : Nnet3SurgeryPass<"nnet3-apply-svd"> {
  let summary = "split affine components into two narrow ones";
  let description = [{
    Kaldi's edit directive `apply-svd`. With the singular value decomposition
    W = U diag(s) V^T, a matching affine component becomes a `linear` one with
    diag(sqrt(s)) V^T, named `_a`, and a `natural_gradient_affine` one with
    U diag(sqrt(s)) and the bias, named `_b`; only the k greatest singular
    values are kept. Each node that applies the component becomes two.

    k is `bottleneck-dim`, or, if `energy-threshold` is positive, the smallest
    number of singular values whose squares have that part of the sum of all
    squares. A component is not changed, with a remark, if k (in + out) is more
    than `shrinkage-threshold` times in * out.

    Unlike in Kaldi, `energy-threshold` chooses k separately for each component,
    and `shrinkage-threshold` may be 1.
  }];
  let options = [
    Nnet3ComponentPattern<"">,
    Option<"bottleneckDim", "bottleneck-dim", "int64_t", "-1",
           "singular values that are kept">,
    Option<"energyThreshold", "energy-threshold", "double", "-1.0",
           "fraction of the sum of squared singular values that is kept">,
    Option<"shrinkageThreshold", "shrinkage-threshold", "double", "1.0",
           "maximum number of parameters, as a fraction of the number before">,
  ];
}

def Nnet3CollapseModel : Nnet3SurgeryPass<"nnet3-collapse-model"> {
  let summary = "merge neighbouring components for inference";
  let description = [{
    Kaldi: `CollapseModel`. If a node reads only rows of one other node, at one
    or more time offsets, their components can be merged into one:

    * `dropout`: `dropout` in test mode is folded into the following weights as
      a factor; the other kinds of dropout are identities;
    * `batch-norm`: batch normalisation in test mode is folded into the
      following component as a scale and an offset;
    * `affine`: two affine components become one, unless the first one has fewer
      outputs than inputs, because then this would add work;
    * `scale`: a fixed scale is folded into the rows of the weights of the
      affine component before it.

    The new component of components `a` and `b` is `a.b`. Components without
    nodes are removed afterwards.

    `reference` reproduces two errors of Kaldi: the factor of dropout of
    proportion p is 1 / (1 - p) instead of 1 - p, and a scale in the input
    (`Scale(0.5, a)`) is ignored, which makes the new bias wrong. Without
    `reference`, such inputs are not merged.
  }];
  let options = [
    Option<"dropout", "dropout", "bool", "false", "merge dropout">,
    Option<"batchNorm", "batch-norm", "bool", "false",
           "merge batch normalisation">,
    Option<"affine", "affine", "bool", "true", "merge affine components">,
    Option<"scale", "scale", "bool", "true", "merge fixed scales">,
    Option<"reference", "reference", "bool", "false",
           "reproduce Kaldi's errors">,
  ];
}

//===----------------------------------------------------------------------===//
// Smaller networks
//===----------------------------------------------------------------------===//

def Nnet3MergeEqualComponents
    : Nnet3SurgeryPass<"nnet3-merge-equal-components"> {
  let summary = "merge equal components and equal nodes";
  let description = [{
    Merges components of one type with equal attributes and parameters into the
    first of them. Then merges nodes that apply one component to the same input,
    and equal ranges of columns, and repeats this for their readers.

    With `inference`, learning rates, other attributes of training, and
    statistics that the forward pass does not need may differ. Random components
    in training mode are not merged, because they draw different numbers.
  }];
  let options = [
    Option<"inference", "inference", "bool", "false",
           "ignore attributes and statistics that only training needs">,
  ];
}

def Nnet3Keep
    : Option<"keep", "keep", "double", "0.7", "fraction that is kept">;
def Nnet3Multiple
    : Option<"multiple", "multiple", "int64_t", "8",
             "the number that is kept is rounded up to a multiple of this">;
def Nnet3Moments
    : Option<"moments", "moments", "std::string", "",
             "table with the second moments of nodes, written by nnet3-prune">;

def Nnet3PruneBottlenecks : Nnet3SurgeryPass<"nnet3-prune-bottlenecks"> {
  let summary = "remove the directions of bottlenecks that contribute least";
  let description = [{
    A bottleneck is a node that applies a matrix (`linear`, `tdnn`, `affine` and
    the like) with fewer outputs than inputs, and whose only readers are
    matrices with more outputs than that, such as `tdnnf2.linear` of TDNN-F
    layers.

    Let M = E[z z^T] be the second moments of the rows z of the node, and G the
    sum of W^T W over the blocks W of its readers' columns. Each eigenvector of
    M^(1/2) G M^(1/2) is a direction of z. Its eigenvalue is the power that the
    direction contributes to the outputs of the readers, if the frames are
    independent. The pass keeps the directions with the greatest eigenvalues: no
    other choice of as many directions changes the outputs of the readers less.
    The matrices of the node and of its readers absorb the change of basis, so
    nothing is added to the network.

    Without `moments`, columns are assumed to be independent with equal power.
  }];
  let options = [
    Option<"pattern", "name", "std::string", "\"*\"",
           "names of nodes; * stands for any text">,
    Nnet3Keep, Nnet3Multiple, Nnet3Moments,
  ];
}

def Nnet3PruneCells : Nnet3SurgeryPass<"nnet3-prune-cells"> {
  let summary = "remove the cells of LSTMs that contribute least";
  let description = [{
    The contribution of a cell of an `lstm_nonlinearity` is the mean square of
    its output times the sum of the squares of the weights that read it. Cells
    with the least contribution are removed from the gates' matrix, the
    peepholes, the recurrent state and the readers. The readers' weights absorb
    the least squares estimate of the removed outputs from the remaining ones,
    computed from the `moments` of the node with the cells' outputs (`lstm1.m`).

    Without `moments`, cells are assumed to be independent with equal power.
  }];
  let options = [
    Option<"pattern", "name", "std::string", "\"*\"",
           "names of nodes; * stands for any text">,
    Nnet3Keep, Nnet3Multiple, Nnet3Moments,
  ];
}

#endif // NNET3_SURGERY_PASSES_TD
