//===- KernelProgramAttributes.td - Parts of programs ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELPROGRAMATTRIBUTES_TD
#define NNET3_DIALECT_KERNEL_IR_KERNELPROGRAMATTRIBUTES_TD

include "nnet3/Dialect/Kernel/IR/KernelAttributes.td"

/// An attribute that prints its parameters as `name = value`.
class Kernel_StructAttr<string name, string mnemonicName, dag params>
    : AttrDef<Kernel_Dialect, name> {
  let mnemonic = mnemonicName;
  let parameters = params;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
/// A list of such attributes.
class Kernel_ListOf<Attr element>
    : TypedArrayAttrBase<element, "list of " # element.summary>;

def Kernel_IoAttr : Kernel_StructAttr<"Io", "io", (ins
    "::mlir::StringAttr":$node, "int64_t":$offset, "int64_t":$rows,
    "int64_t":$cols)> {
  let summary = "inputs or outputs";
  let description = [{
    An input or an output: the name of its node, and the offset of its rows in
    the arena. The rows are contiguous.

    Example: `#kernel.io<node = "input", offset = 0, rows = 36, cols = 20>`.
  }];
}

def Kernel_GradientAttr : Kernel_StructAttr<"Gradient", "gradient", (ins
    "::mlir::StringAttr":$component, "::mlir::StringAttr":$parameter,
    "int64_t":$offset, "int64_t":$rows, "int64_t":$cols)> {
  let summary = "gradients";
  let description = [{
    The gradient of a parameter, and its offset in the arena.

    Example: `#kernel.gradient<component = "affine1", parameter =
    "linear_params", offset = 64, rows = 32, cols = 20>`.
  }];
}

def Kernel_ParameterAttr : Kernel_StructAttr<"Parameter", "parameter", (ins
    "::mlir::StringAttr":$component, "::mlir::StringAttr":$parameter,
    "int64_t":$offset, "int64_t":$size)> {
  let summary = "trained parameters";
  let description = [{
    A parameter that training steps change, and its offset in the weights.

    Example: `#kernel.parameter<component = "affine1", parameter =
    "bias_params", offset = 0, size = 32>`.
  }];
}

def Kernel_ConstantsAttr : Kernel_StructAttr<"Constants", "constants", (ins
    "int64_t":$first, "int64_t":$offset, "int64_t":$size)> {
  let summary = "weights in the arena";
  let description = [{
    The packed weights from `first` on, `size` floats, which are no parameters.
    The caller copies them to the arena, at `offset`, before the first run;
    before each run, it computes those that derive from parameters.

    Example: `#kernel.constants<first = 4096, offset = 128, size = 32>`.
  }];
}

def Kernel_StatisticAttr : Kernel_StructAttr<"Statistic", "statistic", (ins
    "::mlir::StringAttr":$component, "bool":$gradient, "int64_t":$offset,
    "int64_t":$size)> {
  let summary = "statistics";
  let description = [{
    Statistics that the caller keeps between runs, in double precision, and
    their offset in the arena. With `gradient`, they belong to the gradient of
    the component.

    Example: `#kernel.statistic<component = "tanh1", gradient = false,
    offset = 128, size = 16>`.
  }];
}

def Kernel_PackedPart : I32EnumAttr<"PackedPart", "a part of the weights", [
      I32EnumAttrCase<"Panels", 0, "panels">,
      I32EnumAttrCase<"Scales", 1, "scales">,
      I32EnumAttrCase<"Sums", 2, "sums">, I32EnumAttrCase<"Bias", 3, "bias">,
      I32EnumAttrCase<"Parameter", 4, "parameter">,
      I32EnumAttrCase<"Vector", 5, "vector">]> {
  let cppNamespace = "::mlir::nnet3::kernel";
  let genSpecializedAttr = 0;
}

def Kernel_PackedAttr : Kernel_StructAttr<"Packed", "packed", (ins
    "::mlir::SymbolRefAttr":$component, EnumParameter<Kernel_PackedPart>:$part,
    "int64_t":$offset, DefaultValuedParameter<"int64_t", "0">:$number,
    OptionalParameter<"::mlir::SymbolRefAttr">:$folded,
    DefaultValuedParameter<"::mlir::nnet3::kernel::Precision",
        "::mlir::nnet3::kernel::Precision::F32">:$precision,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$columns,
    OptionalParameter<"::mlir::StringAttr">:$parameter,
    DefaultValuedParameter<"bool", "false">:$planes,
    OptionalParameter<"::mlir::FloatAttr">:$error)> {
  let summary = "packed parts";
  let description = [{
    A part of the packed weights: its component and its offset. `number` is the
    width of a panel or the number of a vector of per-column constants. `folded`
    is a component whose scales and offsets are folded into the weights. Panels
    below f32, and the scales and sums of integers, have the `precision` of the
    weights. For panels and sums, `columns` lists columns of the weights as
    pairs of a first column and a count. `parameter` is the name of a parameter
    that is stored unpacked. With `planes`, a row of int8 or fp16 panels stores
    the first halves of all words before the second halves, and a half word of
    int8 is 256 times its second integer, plus the first one, plus 128. `error`
    is the rms error of the network's output, relative to the rms of the output,
    if it was measured with only this component in `precision`.

    Example: `#kernel.packed<component = @net::@affine1, part = panels,
    offset = 0, number = 16>`.
  }];
}

def Kernel_CallAttr : Kernel_StructAttr<"Call", "call", (ins
    "::mlir::SymbolRefAttr":$component, "int64_t":$input_rows,
    "int64_t":$output_rows,
    OptionalParameter<"::mlir::DictionaryAttr">:$precomputed,
    OptionalParameter<"std::optional<int64_t>">:$draw)> {
  let summary = "calls of the runtime";
  let description = [{
    A call of the runtime's kernel of a component. `precomputed` has the data
    that the component computed from the indexes of its rows. `draw` selects the
    random numbers of the call.

    Example: `#kernel.call<component = @net::@norm, input_rows = 3,
    output_rows = 3>`.
  }];
}

def Kernel_ProductAttr : Kernel_StructAttr<"Product", "product", (ins
    "int64_t":$offset, "int64_t":$cols, "int64_t":$stride, "int64_t":$basis,
    "int64_t":$sums, "int64_t":$rank,
    DefaultValuedParameter<"int64_t", "1">:$groups,
    DefaultValuedParameter<"int64_t", "0">:$distance)> {
  let summary = "the matmul for which a step preconditions rows";
  let description = [{
    The operands of a `kernel.precondition_product` besides the rows. The other
    rows are at `offset` in the arena, with `cols` columns and a stride of
    `stride` floats; `basis` and `sums` are the offsets of the results, which
    have `rank` rows each. The rows of the step are one of `groups` groups of
    columns, of the same size and `distance` floats apart.

    Example: `#kernel.product<offset = 128, cols = 21, stride = 24, basis = 512,
    sums = 1024, rank = 8>`.
  }];
}

def Kernel_StepAttr : Kernel_StructAttr<"Step", "step", (ins
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$function,
    OptionalParameter<"::mlir::StringAttr">:$component,
    DefaultValuedParameter<"int64_t", "0">:$number,
    OptionalParameter<"std::optional<int64_t>">:$part,
    DefaultValuedParameter<"bool", "false">:$two_sided,
    DefaultValuedParameter<"int64_t", "0">:$offset,
    DefaultValuedParameter<"int64_t", "0">:$rows,
    DefaultValuedParameter<"int64_t", "0">:$cols,
    DefaultValuedParameter<"int64_t", "0">:$stride,
    OptionalParameter<"::mlir::nnet3::kernel::ProductAttr">:$product,
    DefaultValuedParameter<"bool", "false">:$allreduce,
    OptionalParameter<"::mlir::StringAttr">:$parameter)> {
  let summary = "steps";
  let description = [{
    A step of a computation. With `function`, it is a call of that function.
    With `component`, the caller executes a `kernel.precondition` with
    preconditioner `number` of the component, or of part `part` of a composite
    component, on the rows at `offset` in the arena with a stride of
    `stride` floats, and with `two_sided` also on their columns. With `product`,
    it executes a `kernel.precondition_product`, and with `parameter` a
    `kernel.sum_gradient`. With `allreduce`, it executes a `kernel.allreduce` on
    the `cols` floats at `offset`. Without any of these, the caller computes the
    objectives and their derivatives (`kernel.compute_objectives`).

    Example: `#kernel.step<component = "affine1", number = 1, offset = 64,
    rows = 36, cols = 20, stride = 20>`.
  }];
}

def Kernel_BlockAttr : Kernel_StructAttr<"Block", "block", (ins
    "int64_t":$threads, DefaultValuedParameter<"bool", "false">:$warps,
    OptionalParameter<"::mlir::nnet3::kernel::FormAttr">:$form)> {
  let summary = "how a device runs a function";
  let description = [{
    The attribute `kernel.block` of a function that is a device kernel. Each
    iteration of the outermost loop is a block of `threads` threads or, with
    `warps`, one of `threads` / 32 warps of a block. A kernel with a `form` runs
    only if the device's library computes the epilogue of a matmul (`fused`), or
    only if it does not (`apart`).

    Example: `#kernel.block<threads = 64, warps = true, form = apart>`.
  }];
}

#endif // NNET3_DIALECT_KERNEL_IR_KERNELPROGRAMATTRIBUTES_TD
