//===- Passes.td - Computations as functions ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_PASSES_TD
#define NNET3_CONVERSION_NNET3TOKERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3ConvertToKernels
    : Pass<"convert-nnet3-to-kernels", "::mlir::ModuleOp"> {
  let summary = "convert computations to functions of kernel operations";
  let description = [{
    Converts each computation without a backward pass to a function of four
    arguments: the arena, in which each matrix has a fixed offset, the packed
    weights, the row tables, and the context for calls of the runtime. Each
    command becomes operations of the kernel dialect on views of the arena and
    of the weights. Rows without a constant stride are listed in the row tables.
    The runtime runs components without generated code.

    `nnet3.loop` becomes `scf.for` if all iterations become the same operations
    and each offset grows by a constant amount per iteration. Other loops, and
    all loops with `device`, are unrolled.

    The runtime distributes the rows of large matmuls among its threads in
    blocks. The result of a row does not depend on the blocks.

    With `device`, matmuls become `kernel.matmul`, which a library of the device
    computes, followed by a kernel for the epilogue. Consecutive kernels on the
    same rows are fused if each thread can compute its part of all of them.
    Components without generated code are an error.

    With `training`, computations may have a backward pass and statistics, as
    with `device`, but the kernels are for the module's `kernel.target`, a CPU.
    Matmuls become `kernel.matmul` (`kernel-pack-matmuls`). A
    `kernel.compute_objectives` separates the forward and the backward pass.

    With `updates`, for `device` or `training`, the gradient is the update of a
    training step before it is multiplied by the learning rate: the runtime
    preconditions the factors of gradients if the component uses natural
    gradient (`kernel.precondition`), and computes objectives between the passes
    (`kernel.compute_objectives`). The weights then begin with all trained
    parameters in the order of the network; the `parameters` of a computation's
    `kernel.entry` have their offsets.

    With `shared`, for `training` or `updates`, processes compute parts of a
    minibatch: `kernel.allreduce` sums what batch norm sums over rows, and
    a `kernel.sum_gradient` follows the last operation that adds to a gradient.

    With `precision` other than f32, the weights are packed in that format. For
    bf16 and integers, kernels also convert the input rows. fp16 weights are
    extended to f32; they replace int16 if the target has no instruction that
    multiplies and adds int16. Accumulators, biases and epilogues remain f32.
    Small matmuls that gain nothing are computed in f32. The columns of features
    differ widely in scale. Components that read an input node are therefore
    computed in f32 with bf16, and with fp16 weights with integers. With int8,
    components that read an affine map of an input node are computed in int16 or
    bf16 if the target has instructions for these, or else with fp16 weights.
    `component-precisions` chooses the precision of single components: `f32`;
    `fp16` if the others have bf16 or integers; `bf16` or `int16` if the others
    have `int8`. A device's library rounds f32 matrices when it multiplies them,
    so the kernels of a device are the same for any precision.

    `kernel.resources` has the layout and precision of the packed weights, and
    the row tables. Register tiles and panels are chosen for the module's
    `kernel.target`, which devices do not need.
  }];
  let options = [
    Option<"parallelFlops", "parallel-flops", "int64_t", "4000000",
           "floating-point operations of the smallest matmul whose rows "
           "threads share">,
    Option<"device", "device", "bool", "false",
           "make kernels for a device, and matmuls for its library">,
    Option<"training", "training", "bool", "false",
           "make kernels of both passes for a CPU">,
    Option<"updates", "updates", "bool", "false",
           "compute the updates of training steps instead of plain gradients">,
    Option<"shared", "shared", "bool", "false",
           "other processes compute parts of the same minibatch">,
    Option<"precision", "precision", "::mlir::nnet3::Precision",
           "::mlir::nnet3::Precision::F32",
           "number format of the operands of matmuls",
           [{::llvm::cl::values(
             clEnumValN(::mlir::nnet3::Precision::F32, "f32", "not rounded"),
             clEnumValN(::mlir::nnet3::Precision::BF16, "bf16",
                        "rounded to bf16"),
             clEnumValN(::mlir::nnet3::Precision::Int8, "int8",
                        "scaled to 8-bit integers, with a scale for each row"),
             clEnumValN(::mlir::nnet3::Precision::Int16, "int16",
                        "scaled to 16-bit integers, with a scale for each row"),
             clEnumValN(::mlir::nnet3::Precision::TF32, "tf32",
                        "rounded to tf32, on devices only"),
             clEnumValN(::mlir::nnet3::Precision::FP16, "fp16",
                        "fp16 weights; on devices, both operands"))}]>,
    ListOption<"componentPrecisions", "component-precisions", "std::string",
               "components with another precision, each as NAME:PRECISION">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nnet3::kernel::KernelDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def Nnet3MakeUpdateKernels
    : Pass<"nnet3-make-update-kernels", "::mlir::ModuleOp"> {
  let summary = "add the kernels for the updates of training steps";
  let description = [{
    Adds to a module the kernels that training steps on a device launch besides
    those of a request: reductions, scalings, and the work around the matmuls of
    natural gradient. The kernels are the same for all networks: sizes are
    arguments, and numbers are passed as their bits. Each kernel is a loop over
    128 blocks of threads; a sum over all blocks is stored as 128 partial sums.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nnet3::kernel::KernelDialect",
    "::mlir::scf::SCFDialect"];
}

#endif // NNET3_CONVERSION_NNET3TOKERNELS_PASSES_TD
