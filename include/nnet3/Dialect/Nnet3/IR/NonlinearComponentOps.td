//===- NonlinearComponentOps.td - Nonlinearities -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NONLINEARCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_NONLINEARCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/ComponentBase.td"

def Nnet3_RectifiedLinearOp : Nnet3_ComponentOp<"rectified_linear",
    "RectifiedLinear", Nnet3_Nonlinear,
    ["getTensors", "verifyConfiguration"]> {
  let summary = "max(x, 0)";
  let description = [{
    Kaldi: RectifiedLinearComponent. y = max(x, 0).

    Example:

    ```mlir
    nnet3.rectified_linear @relu1 {dim = 36}
    ```
  }];
}

def Nnet3_SigmoidOp : Nnet3_ComponentOp<"sigmoid", "Sigmoid",
    Nnet3_Nonlinear,
    ["getTensors", "verifyConfiguration"]> {
  let summary = "1 / (1 + exp(-x))";
  let description = [{
    Kaldi: SigmoidComponent. y = 1 / (1 + exp(-x)).

    Example:

    ```mlir
    nnet3.sigmoid @gate {dim = 36}
    ```
  }];
}

def Nnet3_TanhOp : Nnet3_ComponentOp<"tanh", "Tanh", Nnet3_Nonlinear,
    ["getTensors", "verifyConfiguration"]> {
  let summary = "tanh(x)";
  let description = [{
    Kaldi: TanhComponent. y = tanh(x).

    Example:

    ```mlir
    nnet3.tanh @tanh1 {dim = 36}
    ```
  }];
}

def Nnet3_SoftmaxOp : Nnet3_ComponentOp<"softmax", "Softmax",
    Nnet3_Nonlinear,
    ["getTensors", "verifyConfiguration"]> {
  let summary = "softmax of each row";
  let description = [{
    Kaldi: SoftmaxComponent. y_i = max(exp(x_i) / sum_j exp(x_j), 1e-20).

    Example:

    ```mlir
    nnet3.softmax @softmax {dim = 3000}
    ```
  }];
}

def Nnet3_LogSoftmaxOp : Nnet3_ComponentOp<"log_softmax", "LogSoftmax",
    Nnet3_Nonlinear,
    ["getTensors", "verifyConfiguration"]> {
  let summary = "log of the softmax of each row";
  let description = [{
    Kaldi: LogSoftmaxComponent. y_i = x_i - log sum_j exp(x_j).

    Example:

    ```mlir
    nnet3.log_softmax @log_softmax {dim = 3000}
    ```
  }];
}

def Nnet3_NormalizeOp : Nnet3_ComponentOp<"normalize", "Normalize", (ins
    Nnet3_PositiveI64:$input_dim,
    OptionalAttr<Nnet3_PositiveI64>:$block_dim,
    DefaultValuedAttr<F32Attr, "1.0f">:$target_rms,
    DefaultValuedAttr<BoolAttr, "false">:$add_log_stddev),
    ["verifyConfiguration"]> {
  let summary = "scales each row to a given root mean square";
  let description = [{
    Kaldi: NormalizeComponent. For each block of block_dim columns (default:
    all), D of them: y = x * max(2^-66, x.x / (D target_rms^2))^(-1/2);
    with `add_log_stddev` one more column per block, the log of the floored
    root mean square.

    Example:

    ```mlir
    nnet3.normalize @renorm {input_dim = 36, target_rms = 5.000000e-01 : f32}
    ```
  }];
}

def Nnet3_BatchNormOp : Nnet3_ComponentOp<"batch_norm", "BatchNorm", (ins
    Nnet3_PositiveI64:$dim,
    OptionalAttr<Nnet3_PositiveI64>:$block_dim,
    DefaultValuedAttr<F32Attr, "1.0e-3f">:$epsilon,
    DefaultValuedAttr<F32Attr, "1.0f">:$target_rms,
    DefaultValuedAttr<BoolAttr, "false">:$test_mode,
    DefaultValuedAttr<F64Attr, "0.0">:$count,
    OptionalAttr<Nnet3_Tensor>:$stats_mean,
    OptionalAttr<Nnet3_Tensor>:$stats_var),
    ["getTensors", "verifyConfiguration"]> {
  let summary = "batch normalisation";
  let description = [{
    Kaldi: BatchNormComponent. y = s (x - mean) per column,
    s = target_rms / sqrt(var + epsilon); mean and variance are those of the
    rows at hand, or in test mode the stored ones. With `block_dim`, columns
    are taken modulo block_dim.

    Example:

    ```mlir
    nnet3.batch_norm @batchnorm1 {dim = 36, test_mode = true}
    ```
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_NONLINEARCOMPONENTOPS_TD
