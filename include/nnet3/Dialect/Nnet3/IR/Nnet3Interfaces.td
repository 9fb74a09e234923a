//===- Nnet3Interfaces.td - Interfaces of component ops ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NNET3INTERFACES_TD
#define NNET3_DIALECT_NNET3_IR_NNET3INTERFACES_TD

include "mlir/IR/OpBase.td"

def Nnet3_ComponentOpInterface : OpInterface<"ComponentOpInterface"> {
  let cppNamespace = "::mlir::nnet3";
  let description = [{
    The properties of a component type that the compiler uses. The default
    implementations are right for simple components, whose output row (n, t, x)
    depends on the input row (n, t, x) only.
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
        Checks conditions that involve several attributes, such as a block dim
        that divides the dim. Emits an error if one is violated.
      }], "::llvm::LogicalResult", "verifyConfiguration", (ins), "",
      [{ return ::llvm::success(); }]>,
    InterfaceMethod<[{
        Appends to `inputs` the Indexes of all input rows, required or optional,
        that the output row at `output` depends on.
      }], "void", "getInputIndexes",
      (ins "::mlir::nnet3::Index":$output,
           "::llvm::SmallVectorImpl<::mlir::nnet3::Index> &":$inputs), "",
      [{ inputs.push_back(output); }]>,
    InterfaceMethod<[{
        Whether the output row at `output` is computable from the input rows for
        which `available` returns true. More available rows never make a row not
        computable. If the row is computable and `used` is not null, appends the
        Indexes of the input rows that it reads to `used`.
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
        For components that need only one of several input rows, no matter which
        one, returns the times of these rows; their n and x are those of the
        output row. Returns nullopt for all other components, and for an output
        row that reads no input row.
      }], "::std::optional<::mlir::nnet3::TimeRange>", "getOptionalTimes",
      (ins "::mlir::nnet3::Index":$output), "",
      [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
        Sorts the rows of one step into the order that the component requires,
        and inserts blank rows (t = kNoTime) for padding. Called only if the
        properties have `ReordersIndexes`. Fails with an error if no order
        satisfies the component.
      }], "::llvm::LogicalResult", "reorderIndexes",
      (ins "::mlir::nnet3::IndexRows &":$inputs,
           "::mlir::nnet3::IndexRows &":$outputs), "",
      [{ return ::llvm::success(); }]>,
    InterfaceMethod<[{
        Returns the data that the kernel needs about the rows of one step, as a
        dictionary of integers, i64 arrays and row tables; null if it needs
        none. With `needBackprop` it is that of the backward pass. Data about
        the times of rows is relative to an integer `first_time`.
      }], "::mlir::DictionaryAttr", "precomputeIndexes",
      (ins "const ::mlir::nnet3::IndexRows &":$inputs,
           "const ::mlir::nnet3::IndexRows &":$outputs,
           "bool":$needBackprop), "",
      [{ return ::mlir::DictionaryAttr(); }]>,
    InterfaceMethod<[{
        Checks that `precomputed` could be a result of `precomputeIndexes`, so
        that the kernel does not access rows out of bounds.
      }], "::llvm::LogicalResult", "verifyPrecomputed",
      (ins "::mlir::nnet3::PrecomputedVerifier &":$precomputed), "",
      [{ return ::mlir::nnet3::detail::verifyNothingPrecomputed(precomputed); }]>,
    InterfaceMethod<[{
        Returns the number of columns of one block of the output, if each block
        is the matmul of the input and the component's weights, plus a bias;
        otherwise 0.
      }], "int64_t", "getAffineDim", (ins), "", [{ return 0; }]>,
    InterfaceMethod<"Number of multiply-adds for one output row.",
      "int64_t", "countMultiplyAdds", (ins), "",
      [{ return ::mlir::nnet3::detail::countWeightUses($_op); }]>,
    InterfaceMethod<[{
        Returns a number M such that the input rows of an output row are shifted
        by the same time as the output row, for all shifts by multiples of M.
      }], "int64_t", "getTimeModulus", (ins), "", [{ return 1; }]>,
    InterfaceMethod<[{
        Initializes the parameters that have no values yet: from the file that
        the `init` keys name, or with random numbers of the distributions that
        Kaldi uses.
      }], "::llvm::LogicalResult", "initializeParameters",
      (ins "::mlir::nnet3::ParameterInitializer &":$initializer), "",
      [{ return ::llvm::success(); }]>,
  ];
  // The verifier of a composite component calls methods of the components in
  // its body.
  let verifyWithRegions = 1;
  let verify = [{ return ::mlir::nnet3::detail::verifyComponentOp($_op); }];
}

#endif // NNET3_DIALECT_NNET3_IR_NNET3INTERFACES_TD
