//===- NonlinearComponentOps.td - Nonlinearities -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_NONLINEARCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_NONLINEARCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

def Nnet3_RectifiedLinearOp : Nnet3_NonlinearOp<"rectified_linear", "RectifiedLinear"> {
  let summary = "max(x, 0)";
  let description = [{
    Kaldi: RectifiedLinearComponent. y = max(x, 0).

    Example:

    ```mlir
    nnet3.rectified_linear @relu1 {dim = 36}
    ```
  }];
  let properties = [{Simple | BackpropNeedsOutput | PropagateInPlace |
    StoresStats | (block_dim == dim ? None : InputContiguous)}];
}

def Nnet3_SigmoidOp : Nnet3_NonlinearOp<"sigmoid", "Sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
  let description = [{
    Kaldi: SigmoidComponent. y = 1 / (1 + exp(-x)).

    Example:

    ```mlir
    nnet3.sigmoid @gate {dim = 36}
    ```
  }];
  let properties = [{Simple | BackpropNeedsOutput | PropagateInPlace |
    StoresStats}];
}

def Nnet3_TanhOp : Nnet3_NonlinearOp<"tanh", "Tanh"> {
  let summary = "tanh(x)";
  let description = [{
    Kaldi: TanhComponent. y = tanh(x).

    Example:

    ```mlir
    nnet3.tanh @tanh1 {dim = 36}
    ```
  }];
  let properties = [{Simple | BackpropNeedsOutput | PropagateInPlace |
    StoresStats}];
}

def Nnet3_SoftmaxOp : Nnet3_NonlinearOp<"softmax", "Softmax"> {
  let summary = "softmax of each row";
  let description = [{
    Kaldi: SoftmaxComponent. y_i = max(exp(x_i) / sum_j exp(x_j), 1e-20).

    Example:

    ```mlir
    nnet3.softmax @softmax {dim = 3000}
    ```
  }];
  let properties = [{Simple | PropagateInPlace | BackpropInPlace |
    BackpropNeedsOutput | StoresStats}];
}

def Nnet3_LogSoftmaxOp : Nnet3_NonlinearOp<"log_softmax", "LogSoftmax"> {
  let summary = "log of the softmax of each row";
  let description = [{
    Kaldi: LogSoftmaxComponent. y_i = x_i - log sum_j exp(x_j).

    Example:

    ```mlir
    nnet3.log_softmax @log_softmax {dim = 3000}
    ```
  }];
  let properties = [{Simple | BackpropNeedsOutput | StoresStats}];
}

def Nnet3_NormalizeOp : Nnet3_ComponentOp<"normalize", "Normalize", (ins
    Nnet3_PositiveI64:$input_dim,
    Nnet3_DimOr<"input_dim">:$block_dim,
    DefaultValuedAttr<F32Attr, "1.0f">:$target_rms,
    DefaultValuedAttr<BoolAttr, "false">:$add_log_stddev)> {
  let summary = "scales each row to a given root mean square";
  let description = [{
    Kaldi: NormalizeComponent. For each block of D = block_dim columns (default:
    all): y = x * max(2^-66, x.x / (D target_rms^2))^(-1/2).
    With `add_log_stddev`, the output has one more column for each block, the
    log of the floored root mean square.

    Example:

    ```mlir
    nnet3.normalize @renorm {input_dim = 36, target_rms = 5.000000e-01 : f32}
    ```
  }];
  let outputDim = "input_dim + (add_log_stddev ? input_dim / block_dim : 0)";
  let properties = [{Simple | BackpropNeedsInput | BackpropAdds |
    (add_log_stddev ? None : PropagateInPlace | BackpropInPlace) |
    (block_dim != input_dim ? InputContiguous | OutputContiguous : None)}];
  let limits = [InRange<"target_rms", "Positive">, Divides<"block_dim", "input_dim">];
  let configKeys = (keys Key<"input_dim", name = "dim">, "input_dim",
    "block_dim", "target_rms", "add_log_stddev");
  let fileTokens = (tokens Token<"input_dim", mayBeAbsent = 1>,
    Token<"input_dim", "<Dim>", instead = 1>, Token<"block_dim", ifSet = 1>,
    Token<"target_rms", absent = "1">, Token<"add_log_stddev", absent = "0">,
    Legacy<"<ValueAvg>", "Vector">, Legacy<"<DerivAvg>", "Vector", 1>,
    Legacy<"<Count>", "Double", 1>);
}

def Nnet3_BatchNormOp : Nnet3_ComponentOp<"batch_norm", "BatchNorm", (ins
    Nnet3_PositiveI64:$dim,
    Nnet3_DimOr<"dim">:$block_dim,
    DefaultValuedAttr<F32Attr, "1.0e-3f">:$epsilon,
    DefaultValuedAttr<F32Attr, "1.0f">:$target_rms,
    DefaultValuedAttr<BoolAttr, "false">:$test_mode,
    DefaultValuedAttr<F64Attr, "0.0">:$count,
    OptionalAttr<Nnet3_Tensor>:$stats_mean,
    OptionalAttr<Nnet3_Tensor>:$stats_var)> {
  let summary = "batch normalisation";
  let description = [{
    Kaldi: BatchNormComponent. y = s (x - mean) per column,
    s = target_rms / sqrt(var + epsilon). In training mode, mean and variance
    are computed from the rows of the matrix; in test mode, they are the stored
    ones. With `block_dim`, columns with the same number modulo block_dim share
    them.

    Example:

    ```mlir
    nnet3.batch_norm @batchnorm1 {dim = 36, test_mode = true}
    ```
  }];
  let properties = [{Simple | BackpropNeedsOutput | PropagateInPlace |
    BackpropInPlace |
    (block_dim < dim ? InputContiguous | OutputContiguous : None) |
    (test_mode ? None : UsesMemo | StoresStats)}];
  let tensors = [Statistic<"stats_mean", ["block_dim"]>,
                 Statistic<"stats_var", ["block_dim"]>];
  let limits = [InRange<"epsilon", "Positive">,
                InRange<"target_rms", "Positive">, Divides<"block_dim", "dim">];
  let configKeys = (keys "dim", "block_dim", "epsilon", "target_rms",
    "test_mode");
  let fileTokens = (tokens "dim", "block_dim", "epsilon", "target_rms",
    "test_mode", "count", Token<"stats_mean", empty = "Zeros">,
    Token<"stats_var", empty = "Zeros">);
  let extraClassDeclaration = [{
    /// Whether test mode uses stored statistics; otherwise it takes mean 0 and
    /// variance 1.
    bool hasStatistics() {
      return getStatsMeanAttr() && getStatsVarAttr() &&
             getCount().convertToDouble() > 0;
    }
    /// The scale s of a column with that variance, in test mode.
    double computeScale(double variance) {
      const double floored = variance < 0 ? 0 : variance; // NaN stays
      return getTargetRms().convertToFloat() /
             std::sqrt(floored + getEpsilon().convertToFloat());
    }
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_NONLINEARCOMPONENTOPS_TD
