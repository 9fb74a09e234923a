//===- Nnet3Interfaces.td - Interfaces of component ops ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NNET3INTERFACES_TD
#define NNET3_DIALECT_NNET3_IR_NNET3INTERFACES_TD

include "mlir/IR/OpBase.td"

def Nnet3_ComponentOpInterface : OpInterface<"ComponentOpInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    Everything the compiler needs to know of a component type. The defaults
    are right for simple components, whose output row (n, t, x) needs the
    input row (n, t, x) and nothing else.
  }];
  let methods = [
    StaticInterfaceMethod<"Kaldi's name of the type, with its suffix.",
      "::llvm::StringRef", "getKaldiType">,
    InterfaceMethod<"Number of columns of the input.",
      "int64_t", "getComponentInputDim">,
    InterfaceMethod<"Number of columns of the output.",
      "int64_t", "getComponentOutputDim">,
    InterfaceMethod<"Property bits, `compile.md` 1.4.",
      "::mlir::nnet3::ComponentProperties", "getComponentProperties">,
    InterfaceMethod<"The tensors among the attributes, and their shapes.",
      "::llvm::SmallVector<::mlir::nnet3::TensorSpec>", "getTensors", (ins), "",
      [{ return {}; }]>,
    InterfaceMethod<[{
        What the attributes must satisfy beyond their own constraints, such as
        a block dim that divides the dim. Emits the error.
      }], "::llvm::LogicalResult", "verifyConfiguration", (ins), "",
      [{ return ::llvm::success(); }]>,
    InterfaceMethod<[{
        The Indexes, required or optional, that computing the output at
        `output` would like to read. Appends to `inputs`.
      }], "void", "getInputIndexes",
      (ins "::mlir::nnet3::Index":$output,
           "::llvm::SmallVectorImpl<::mlir::nnet3::Index> &":$inputs), "",
      [{ inputs.push_back(output); }]>,
    InterfaceMethod<[{
        Whether the output at `output` can be computed when the inputs for
        which `available` holds exist; monotone in `available`. When it can
        and `used` is given, the inputs it would read are appended there.
      }], "bool", "isComputable",
      (ins "::mlir::nnet3::Index":$output,
           "::llvm::function_ref<bool(::mlir::nnet3::Index)>":$available,
           "::llvm::SmallVectorImpl<::mlir::nnet3::Index> *":$used), "",
      [{
        if (!available(output))
          return false;
        if (used)
          used->push_back(output);
        return true;
      }]>,
    InterfaceMethod<[{
        For components that can do with any of the rows that they would like
        to read: the times of those rows, whose n and x are the output's. Null
        for all other components, and for an output that reads nothing.
      }], "::std::optional<::mlir::nnet3::TimeRange>", "getOptionalTimes",
      (ins "::mlir::nnet3::Index":$output), "",
      [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
        Puts the rows of one step into the order the component wants, and
        inserts blank rows (t = kNoTime) where it wants padding. Only called
        if the properties have `ReordersIndexes`; fails with an error if the
        rows cannot be arranged.
      }], "::llvm::LogicalResult", "reorderIndexes",
      (ins "::mlir::nnet3::IndexRows &":$inputs,
           "::mlir::nnet3::IndexRows &":$outputs), "",
      [{ return ::llvm::success(); }]>,
    InterfaceMethod<[{
        What the kernel needs to know of the rows of one step, as a dictionary
        of integers, i64 arrays and row tables; null if it needs nothing.
      }], "::mlir::DictionaryAttr", "precomputeIndexes",
      (ins "const ::mlir::nnet3::IndexRows &":$inputs,
           "const ::mlir::nnet3::IndexRows &":$outputs,
           "bool":$needBackprop), "",
      [{ return ::mlir::DictionaryAttr(); }]>,
    InterfaceMethod<[{
        Whether `precomputed` is what `precomputeIndexes` gives for some rows,
        so that the kernel reads no row that is not there.
      }], "::llvm::LogicalResult", "verifyPrecomputed",
      (ins "::mlir::nnet3::PrecomputedVerifier &":$precomputed), "",
      [{ return ::mlir::nnet3::detail::verifyNothingPrecomputed(precomputed); }]>,
    InterfaceMethod<[{
        The columns of one block of the output, if each block is a product of
        the input with the component's weights, plus a bias; otherwise 0.
      }], "int64_t", "getAffineDim", (ins), "", [{ return 0; }]>,
    InterfaceMethod<"Multiplications and additions that compute one row.",
      "int64_t", "countMultiplyAdds", (ins), "",
      [{ return ::mlir::nnet3::detail::countWeightUses($_op); }]>,
    InterfaceMethod<[{
        A number M such that shifting all t by a multiple of M shifts the
        Indexes needed by the same amount.
      }], "int64_t", "getTimeModulus", (ins), "", [{ return 1; }]>,
    InterfaceMethod<[{
        Gives the component the parameters it has no values for yet: from the
        file that its `init` keys name, or drawn from the distributions that
        Kaldi uses.
      }], "::llvm::LogicalResult", "initializeParameters",
      (ins "::mlir::nnet3::ParameterInitializer &":$initializer), "",
      [{ return ::llvm::success(); }]>,
  ];
  // A composite component asks the components in its body.
  let verifyWithRegions = 1;
  let verify = [{ return ::mlir::nnet3::detail::verifyComponentOp($_op); }];
}

#endif // NNET3_DIALECT_NNET3_IR_NNET3INTERFACES_TD
