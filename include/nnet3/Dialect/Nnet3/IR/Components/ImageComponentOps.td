//===- ImageComponentOps.td - Images within a row ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_IMAGECOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_IMAGECOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

/// The order of the dimensions of an image in a row.
def Nnet3_VectorizationOrder : StringBasedAttr<CPred<[{
    ::llvm::isa<::mlir::StringAttr>($_self) &&
    (::llvm::cast<::mlir::StringAttr>($_self) == "zyx" ||
     ::llvm::cast<::mlir::StringAttr>($_self) == "yzx")}]>,
    "either zyx or yzx">;

defvar Nnet3_InputImage = (ins
  Nnet3_PositiveI64:$input_x_dim, Nnet3_PositiveI64:$input_y_dim,
  Nnet3_PositiveI64:$input_z_dim);

def Nnet3_ConvolutionOp : Nnet3_UpdatableOp<"convolution", "Convolution",
    !con(Nnet3_InputImage, (ins
    Nnet3_PositiveI64:$filt_x_dim, Nnet3_PositiveI64:$filt_y_dim,
    Nnet3_PositiveI64:$filt_x_step, Nnet3_PositiveI64:$filt_y_step,
    DefaultValuedStrAttr<Nnet3_VectorizationOrder, "zyx">
      :$input_vectorization_order,
    Nnet3_PositiveI64:$num_filters,
    OptionalAttr<Nnet3_Tensor>:$filter_params,
    OptionalAttr<Nnet3_Tensor>:$bias_params)),
    ["verifyConfiguration"]> {
  let summary = "convolution over an image within each row";
  let description = [{
    Kaldi: ConvolutionComponent. A row is an image of input_x_dim x
    input_y_dim pixels of input_z_dim channels, in which z ("zyx") or y
    ("yzx") varies fastest and x slowest. The filters, num_filters rows of
    filt_x_dim x filt_y_dim x input_z_dim weights (`filter_params`, z fastest,
    x slowest), are applied at every filt_x_step and filt_y_step pixels. The
    result of a filter is in output column (x_step ny + y_step) num_filters +
    filter, where ny is the number of steps along y. `bias_params` has one value
    per filter.

    Example:

    ```mlir
    nnet3.convolution @conv {filt_x_dim = 3, filt_x_step = 1, filt_y_dim = 2, filt_y_step = 2, input_x_dim = 11, input_y_dim = 8, input_z_dim = 3, num_filters = 16}
    ```
  }];
  let properties = [{Simple | Updatable | BackpropNeedsInput | BackpropAdds |
    PropagateAdds}];
  let affineDim = "num_filters";
  let inputDim = "multiply(input_x_dim, input_y_dim, input_z_dim)";
  let outputDim = [{multiply(1 + (input_x_dim - filt_x_dim) / filt_x_step,
    1 + (input_y_dim - filt_y_dim) / filt_y_step, num_filters)}];
  let tensors = [
    Parameter<"filter_params",
      ["num_filters", "multiply(filt_x_dim, filt_y_dim, input_z_dim)"], "0",
      "param_stddev">,
    Parameter<"bias_params", ["num_filters"], "0", "bias_stddev">];
  let configKeys = (keys FileKey<"matrix", "Filters">, "input_x_dim",
    "input_y_dim", "input_z_dim", "filt_x_dim", "filt_y_dim", "filt_x_step",
    "filt_y_step", "input_vectorization_order", "num_filters",
    InitKey<"param_stddev", "NonNegative",
      "1 / std::sqrt(double(multiply(filt_x_dim, filt_y_dim, input_z_dim)))">,
    Nnet3_BiasStddev);
  // The second gradient flag counts (spec: quirk Q10).
  let fileTokens = (tokens "input_x_dim", "input_y_dim", "input_z_dim",
    "filt_x_dim", "filt_y_dim", "filt_x_step", "filt_y_step",
    Token<"input_vectorization_order", "<InputVectorization>", "Choice",
      "yzx zyx">,
    "filter_params", "bias_params", Token<"is_gradient", mayBeAbsent = 1>);
}

def Nnet3_MaxpoolingOp : Nnet3_ComponentOp<"maxpooling", "Maxpooling",
    !con(Nnet3_InputImage, (ins
    Nnet3_PositiveI64:$pool_x_size, Nnet3_PositiveI64:$pool_y_size,
    Nnet3_PositiveI64:$pool_z_size, Nnet3_PositiveI64:$pool_x_step,
    Nnet3_PositiveI64:$pool_y_step, Nnet3_PositiveI64:$pool_z_step)),
    ["verifyConfiguration"]> {
  let summary = "maximum over the pools of an image within each row";
  let description = [{
    Kaldi: MaxpoolingComponent. A row is an image as in `nnet3.convolution`,
    with z fastest. The output has the maximum over each box of
    pool_x_size x pool_y_size x pool_z_size pixels, with one box every
    pool_x_step, pool_y_step and pool_z_step pixels, in the same order.

    Example:

    ```mlir
    nnet3.maxpooling @pool {input_x_dim = 9, input_y_dim = 4, input_z_dim = 16, pool_x_size = 3, pool_x_step = 3, pool_y_size = 2, pool_y_step = 2, pool_z_size = 1, pool_z_step = 1}
    ```
  }];
  let properties = [{Simple | BackpropNeedsInput | BackpropNeedsOutput |
    BackpropAdds}];
  let inputDim = "multiply(input_x_dim, input_y_dim, input_z_dim)";
  let outputDim = [{multiply(1 + (input_x_dim - pool_x_size) / pool_x_step,
    1 + (input_y_dim - pool_y_size) / pool_y_step,
    1 + (input_z_dim - pool_z_size) / pool_z_step)}];
  let configKeys = (keys "input_x_dim", "input_y_dim", "input_z_dim",
    "pool_x_size", "pool_y_size", "pool_z_size", "pool_x_step", "pool_y_step",
    "pool_z_step");
  let fileTokens = (tokens "input_x_dim", "input_y_dim", "input_z_dim",
    "pool_x_size", "pool_y_size", "pool_z_size", "pool_x_step", "pool_y_step",
    "pool_z_step");
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_IMAGECOMPONENTOPS_TD
