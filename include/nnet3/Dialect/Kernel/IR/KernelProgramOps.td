//===- KernelProgramOps.td - Programs for their callers ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELPROGRAMOPS_TD
#define NNET3_DIALECT_KERNEL_IR_KERNELPROGRAMOPS_TD

include "nnet3/Dialect/Kernel/IR/KernelProgramAttributes.td"
include "mlir/IR/SymbolInterfaces.td"

class Kernel_ProgramOp<string mnemonic, list<Trait> traits = []>
    : Kernel_Op<mnemonic, !listconcat([HasParent<"::mlir::ModuleOp">],
                                      traits)>;

def Kernel_EntryOp : Kernel_ProgramOp<"entry", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the interface of the function of a computation";
  let description = [{
    The function `function` runs a computation in an arena of `arena_size`
    floats. The caller writes the `inputs` to the arena before a run, and reads
    the `outputs` and the `gradients` after it; it writes and reads the
    `statistics`. `parameters` are in the weights. With `constants`, the weights
    have nothing else: the function can read the parameters of a model where
    they are. `random` is the offset of the state of random numbers in the
    arena. With `steps`, the caller executes these instead of the function,
    which no longer exists (`kernel-split-at-steps`).
    The lowerings to the LLVM dialect do not change this operation.

    Example:

    ```mlir
    kernel.entry @chunk_computation arena 288 inputs [#kernel.io<node = "input", offset = 0, rows = 3, cols = 4>] outputs [#kernel.io<node = "output", offset = 16, rows = 3, cols = 4>]
    func.func private @chunk_computation(memref<288xf32>, memref<288xf32>, memref<1xi32>, !llvm.ptr)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$function,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$arena_size,
    Kernel_ListOf<Kernel_IoAttr>:$inputs,
    Kernel_ListOf<Kernel_IoAttr>:$outputs,
    OptionalAttr<Kernel_ListOf<Kernel_GradientAttr>>:$gradients,
    OptionalAttr<Kernel_ListOf<Kernel_ParameterAttr>>:$parameters,
    OptionalAttr<Kernel_ConstantsAttr>:$constants,
    OptionalAttr<Kernel_ListOf<Kernel_StatisticAttr>>:$statistics,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$random,
    OptionalAttr<Kernel_ListOf<Kernel_StepAttr>>:$steps);
  let assemblyFormat = [{
    $function `arena` $arena_size `inputs` $inputs `outputs` $outputs
    (`gradients` $gradients^)? (`parameters` $parameters^)?
    (`constants` $constants^)? (`statistics` $statistics^)?
    (`random` $random^)? (`steps` $steps^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The entry of function `name` of `module`; null if there is none.
    static EntryOp find(::mlir::ModuleOp module, ::mlir::StringRef name);
  }];
}

/// The nnet3 dialect's `#nnet3.row_table`.
def Kernel_RowTable : Attr<
    CPred<"::llvm::isa<::mlir::nnet3::RowTableAttr>($_self)">, "row table"> {
  let storageType = "::mlir::nnet3::RowTableAttr";
  let returnType = "::mlir::nnet3::RowTableAttr";
  let convertFromStorage = "$_self";
}

def Kernel_ResourcesOp : Kernel_ProgramOp<"resources"> {
  let summary = "what all functions of a module share";
  let description = [{
    The functions read packed weights of `size` floats, whose parts `layout`
    lists. `calls` are the calls of the runtime, to which `kernel.run_component`
    refers by position. `row_tables` concatenates the entries of all row tables:
    offsets in the arena, numbers of rows or columns, or none. `precision` is
    the number format of large matmuls. A module has one such operation. The
    lowerings to the LLVM dialect do not change it.

    Example:

    ```mlir
    kernel.resources weights 48 layout [#kernel.packed<component = @net::@affine, part = panels, offset = 0, number = 4>] calls [#kernel.call<component = @net::@norm, input_rows = 3, output_rows = 3>] row_tables <[8 x +64](0:32:16, _)>
    ```
  }];
  let arguments = (ins
    // Four tebibytes.
    ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1099511627776>]>:$size,
    Kernel_ListOf<Kernel_PackedAttr>:$layout,
    Kernel_ListOf<Kernel_CallAttr>:$calls,
    OptionalAttr<Kernel_RowTable>:$row_tables,
    DefaultValuedAttr<Kernel_PrecisionAttr,
                      "::mlir::nnet3::kernel::Precision::F32">:$precision);
  let assemblyFormat = [{
    `weights` $size `layout` $layout `calls` $calls
    (`row_tables` $row_tables^)? (`precision` $precision^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The resources of `module`; null if it has none.
    static ResourcesOp find(::mlir::ModuleOp module);
    /// Returns the entries of all row tables; -1 for an entry without a value.
    std::vector<int32_t> getRowTableEntries();
  }];
}

#endif // NNET3_DIALECT_KERNEL_IR_KERNELPROGRAMOPS_TD
