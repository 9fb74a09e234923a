//===- ComponentBase.td - Base classes of component ops ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_COMPONENTBASE_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_COMPONENTBASE_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentFacts.td"
include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.td"
include "nnet3/Dialect/Nnet3/IR/Nnet3Interfaces.td"
include "mlir/IR/SymbolInterfaces.td"

/// A component: a symbol of the network, or of a composite component. Its
/// attributes are the component's configuration, parameters and statistics,
/// named after Kaldi's tokens and config keys. `init` holds the config keys of
/// the initialization. `methods` lists the interface methods that the op defines
/// in C++.
class Nnet3_ComponentOp<string mnemonic, string kaldiName, dag attributes,
                        list<string> methods = [], list<Trait> otherTraits = []>
    : Nnet3_Op<mnemonic, otherTraits>, Nnet3_ComponentFacts {
  let traits = !listconcat([
    Nnet3_NetworkPhase, ParentOneOf<["NetworkOp", "CompositeOp"]>, Symbol,
    DeclareOpInterfaceMethods<Nnet3_ComponentOpInterface,
      !listconcat(["getKaldiType", "getComponentInputDim",
                   "getComponentOutputDim", "getComponentProperties"],
                  !if(!empty(tensors), [], ["getTensors"]),
                  !if(!empty(!filter(tensor, tensors,
                                     !not(!empty(tensor.mean)))),
                      [], ["initializeParameters"]),
                  !if(!empty(limits), [], ["verifyConfiguration"]),
                  !if(!empty(precomputed), [], ["verifyPrecomputed"]),
                  !if(!empty(affineDim), [], ["getAffineDim"]),
                  ownMethods)>], otherTraits);
  let ownMethods = methods;
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

class Nnet3_UpdatableOp<string mnemonic, string kaldiName, dag attributes,
                        list<string> methods = [], list<Trait> otherTraits = []>
    : Nnet3_ComponentOp<mnemonic, kaldiName, !con(attributes, Nnet3_Updatable),
                        methods, otherTraits> {
  let commonKeys = (keys
    Key<"learning_rate", "NonNegative">,
    Key<"learning_rate_factor", "NonNegative">,
    Key<"max_change", "NonNegative">, Key<"l2_regularize", "NonNegative">);
  let commonTokens = (tokens
    Token<"learning_rate_factor", unless = "1">,
    Token<"is_gradient", unless = "0">, Token<"max_change", unless = "0">,
    Token<"l2_regularize", unless = "0">,
    Token<"learning_rate", mayBeAbsent = mayLackRate>);
}

/// Attributes of the nonlinearities (Kaldi's NonlinearComponent): dimensions,
/// self-repair and statistics.
defvar Nnet3_Nonlinear = (ins
  Nnet3_PositiveI64:$dim,
  Nnet3_DimOr<"dim">:$block_dim,
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

class Nnet3_NonlinearOp<string mnemonic, string kaldiName>
    : Nnet3_ComponentOp<mnemonic, kaldiName, Nnet3_Nonlinear> {
  let tensors = [Statistic<"value_avg", ["dim"]>,
                 Statistic<"deriv_avg", ["dim"]>,
                 Statistic<"oderiv_rms", ["dim"]>];
  let limits = [Divides<"block_dim", "dim">];
  let configKeys = (keys "dim", "block_dim", "self_repair_lower_threshold",
    "self_repair_upper_threshold", "self_repair_scale");
  let fileTokens = (tokens "dim", Token<"block_dim", ifSet = 1>,
    Token<"value_avg", empty = "Unset">, Token<"deriv_avg", empty = "Unset">,
    "count", Token<"oderiv_rms", empty = "Unset", mayBeAbsent = 1>,
    Token<"oderiv_count", nested = 1>,
    Token<"num_dims_self_repaired", absent = "0">,
    Token<"num_dims_processed", absent = "0">,
    Token<"self_repair_lower_threshold", ifSet = 1>,
    Token<"self_repair_upper_threshold", ifSet = 1>,
    Token<"self_repair_scale", unless = "0">);
}

//===----------------------------------------------------------------------===//
// Keys and tokens of several components
//===----------------------------------------------------------------------===//

def Nnet3_ParamStddev : InitKey<"param_stddev", "NonNegative",
                                "1 / std::sqrt(double(input_dim))">;
def Nnet3_BiasMean : InitKey<"bias_mean", "Any", "0">;
def Nnet3_BiasStddev : InitKey<"bias_stddev", "NonNegative", "1">;
def Nnet3_SamplesHistory : Key<"num_samples_history", "Positive">;
def Nnet3_Alpha : Key<"alpha", "NonNegative">;
def Nnet3_AlphaIn : Key<"alpha_in", "NonNegative">;
def Nnet3_AlphaOut : Key<"alpha_out", "NonNegative">;
def Nnet3_RankInOut : Token<"rank_in", "<RankInOut>", "IntPair", "rank_out">;

/// The rank of a natural gradient preconditioner; the default is
/// (`dim` + 1) / 2, but at most `most`.
class Nnet3_RankOr<int most, string dim>
    : Nnet3_Or<Nnet3_PositiveI64,
               "std::min<int64_t>(" # most # ", (" # dim # " + 1) / 2)">;

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_COMPONENTBASE_TD
