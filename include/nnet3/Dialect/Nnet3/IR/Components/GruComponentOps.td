//===- GruComponentOps.td - Gated recurrent units ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_GRUCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_GRUCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

/// Statistics and self-repair of the candidate h.
defvar Nnet3_GruRepair = (ins
  OptionalAttr<Nnet3_Tensor>:$value_avg,
  OptionalAttr<Nnet3_Tensor>:$deriv_avg,
  DefaultValuedAttr<F64Attr, "0.0">:$self_repair_total,
  DefaultValuedAttr<F64Attr, "0.0">:$count,
  DefaultValuedAttr<F32Attr, "0.2f">:$self_repair_threshold,
  DefaultValuedAttr<F32Attr, "1.0e-5f">:$self_repair_scale,
  DefaultValuedAttr<F32Attr, "4.0f">:$alpha);

defvar Nnet3_GruTokens = (tokens Token<"value_avg", empty = "Zeros">,
  Token<"deriv_avg", empty = "Zeros">, "self_repair_total", "count",
  "self_repair_threshold", "self_repair_scale", "alpha");

def Nnet3_GruNonlinearityOp : Nnet3_UpdatableOp<"gru_nonlinearity",
    "GruNonlinearity", !con((ins Nnet3_PositiveI64:$cell_dim,
    Nnet3_DimOr<"cell_dim">:$recurrent_dim,
    OptionalAttr<Nnet3_Tensor>:$w_h), Nnet3_GruRepair, (ins
    DefaultValuedAttr<Nnet3_PositiveI64, "20">:$rank_in,
    DefaultValuedAttr<Nnet3_PositiveI64, "80">:$rank_out,
    DefaultValuedAttr<Nnet3_PositiveI64, "4">:$update_period)),
    ["verifyConfiguration"]> {
  let summary = "the gated part of a GRU, with its recurrent matrix";
  let description = [{
    Kaldi: GruNonlinearityComponent, C = cell_dim, R = recurrent_dim (default
    C). Input blocks z (C columns), r (R), hpart (C), c_prev (C), s_prev (R);
    if R = C, s_prev is absent and c_prev serves as both. `w_h` is C x R:

    h = tanh(hpart + (r (.) s_prev) w_h^T), c = (1 - z) (.) h + z (.) c_prev.
    Output [h, c].

    Example:

    ```mlir
    nnet3.gru_nonlinearity @gru {cell_dim = 512, recurrent_dim = 128}
    ```
  }];
  let inputDim = "recurrent_dim == cell_dim ? 4 * cell_dim : 3 * cell_dim + 2 * recurrent_dim";
  let outputDim = "2 * cell_dim";
  let properties = [{Simple | Updatable | BackpropNeedsInput |
    BackpropNeedsOutput | BackpropAdds}];
  let tensors = [Parameter<"w_h", ["cell_dim", "recurrent_dim"], "0",
                   "param_stddev">,
                 ZeroStatistic<"value_avg", ["cell_dim"]>,
                 ZeroStatistic<"deriv_avg", ["cell_dim"]>];
  let preconditioning = "Factors";
  let configKeys = (keys "cell_dim", "recurrent_dim",
    "self_repair_threshold", "self_repair_scale",
    InitKey<"param_stddev", "NonNegative", "1 / std::sqrt(double(cell_dim))">,
    Nnet3_Alpha, Key<"rank_in", otherFlags = "NegativeIsDefault">,
    Key<"rank_out", otherFlags = "NegativeIsDefault">, "update_period");
  let fileTokens = !con((tokens "cell_dim", "recurrent_dim",
    Token<"w_h", "<w_h>">), Nnet3_GruTokens,
    (tokens Nnet3_RankInOut, "update_period"));
}

def Nnet3_OutputGruNonlinearityOp : Nnet3_UpdatableOp<
    "output_gru_nonlinearity", "OutputGruNonlinearity",
    !con((ins Nnet3_PositiveI64:$cell_dim, OptionalAttr<Nnet3_Tensor>:$w_h),    Nnet3_GruRepair, (ins
    DefaultValuedAttr<Nnet3_PositiveI64, "8">:$rank,
    DefaultValuedAttr<Nnet3_PositiveI64, "10">:$update_period))> {
  let summary = "the elementwise part of a GRU with an output gate";
  let description = [{
    Kaldi: OutputGruNonlinearityComponent, C = cell_dim. Input blocks z,
    hpart, c_prev of C columns; `w_h` is a vector of C:

    h = tanh(hpart + w_h (.) c_prev), c = (1 - z) (.) h + z (.) c_prev.
    Output [h, c].

    Example:

    ```mlir
    nnet3.output_gru_nonlinearity @opgru {cell_dim = 512}
    ```
  }];
  let inputDim = "3 * cell_dim";
  let outputDim = "2 * cell_dim";
  let properties = [{Simple | Updatable | BackpropNeedsInput |
    BackpropNeedsOutput | BackpropAdds}];
  let tensors = [Parameter<"w_h", ["cell_dim"], "param_mean", "param_stddev">,
                 ZeroStatistic<"value_avg", ["cell_dim"]>,
                 ZeroStatistic<"deriv_avg", ["cell_dim"]>];
  let preconditioning = "Terms";
  let configKeys = (keys "cell_dim", "self_repair_threshold",
    "self_repair_scale", InitKey<"param_mean", "Any", "0">,
    InitKey<"param_stddev", "NonNegative", "1">, Nnet3_Alpha, "rank",
    "update_period");
  let fileTokens = !con((tokens "cell_dim", Token<"w_h", "<w_h>">),
    Nnet3_GruTokens, (tokens "rank", "update_period"));
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_GRUCOMPONENTOPS_TD
