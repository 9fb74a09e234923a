//===- ComponentBase.td - What component ops share ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTBASE_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTBASE_TD

include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.td"
include "nnet3/Dialect/Nnet3/IR/Nnet3Interfaces.td"
include "mlir/IR/SymbolInterfaces.td"

/// Kaldi's sizes are 32-bit; ours then never overflow in sums and products.
def Nnet3_MaxInt32 : IntMaxValue<2147483647>;
def Nnet3_PositiveI64 : ConfinedAttr<I64Attr, [IntPositive, Nnet3_MaxInt32]>;
def Nnet3_NonNegativeI64
    : ConfinedAttr<I64Attr, [IntNonNegative, Nnet3_MaxInt32]>;

class Nnet3_Default<Attr attr, string value> : DefaultValuedAttr<attr, value>;

/// A component: a symbol of the network, or of a composite component. Its attributes are the component's
/// configuration, parameters and statistics, named after Kaldi's tokens and
/// config keys. `init` holds the config keys that only matter for drawing
/// initial parameters.
class Nnet3_ComponentOp<string mnemonic, string kaldiName, dag attributes,
                        list<string> methods = [], list<Trait> traits = []>
    : Nnet3_Op<mnemonic, !listconcat([
        Nnet3_NetworkPhase, ParentOneOf<["NetworkOp", "CompositeOp"]>, Symbol,
        DeclareOpInterfaceMethods<Nnet3_ComponentOpInterface,
          !listconcat(["getKaldiType", "getComponentInputDim",
                       "getComponentOutputDim", "getComponentProperties"], methods)>],
        traits)> {
  let opDocGroup = Nnet3_ComponentDocs;
  let arguments = !con((ins SymbolNameAttr:$sym_name), attributes,
                       (ins OptionalAttr<DictionaryAttr>:$init));
  let assemblyFormat = "$sym_name attr-dict";
  string kaldiType = kaldiName # "Component";
  let extraClassDefinition = [{
    ::llvm::StringRef $cppClass::getKaldiType() { return "}] # kaldiType # [{"; }
  }];
}

/// Attributes of updatable components.
defvar Nnet3_Updatable = (ins
  DefaultValuedAttr<F32Attr, "0.001f">:$learning_rate,
  DefaultValuedAttr<F32Attr, "1.0f">:$learning_rate_factor,
  DefaultValuedAttr<F32Attr, "0.0f">:$max_change,
  DefaultValuedAttr<F32Attr, "0.0f">:$l2_regularize,
  DefaultValuedAttr<BoolAttr, "false">:$is_gradient);

/// Attributes of the nonlinearities (Kaldi's NonlinearComponent): dimensions,
/// self-repair and statistics.
defvar Nnet3_Nonlinear = (ins
  Nnet3_PositiveI64:$dim,
  OptionalAttr<Nnet3_PositiveI64>:$block_dim,
  OptionalAttr<F32Attr>:$self_repair_lower_threshold,
  OptionalAttr<F32Attr>:$self_repair_upper_threshold,
  DefaultValuedAttr<F32Attr, "0.0f">:$self_repair_scale,
  OptionalAttr<Nnet3_Tensor>:$value_avg,
  OptionalAttr<Nnet3_Tensor>:$deriv_avg,
  DefaultValuedAttr<F64Attr, "0.0">:$count,
  OptionalAttr<Nnet3_Tensor>:$oderiv_rms,
  DefaultValuedAttr<F64Attr, "0.0">:$oderiv_count,
  DefaultValuedAttr<F64Attr, "0.0">:$num_dims_self_repaired,
  DefaultValuedAttr<F64Attr, "0.0">:$num_dims_processed);

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTBASE_TD
