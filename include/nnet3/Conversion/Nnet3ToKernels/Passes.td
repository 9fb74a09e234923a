//===- Passes.td - Computations as functions ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_PASSES_TD
#define NNET3_CONVERSION_NNET3TOKERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3ConvertToKernels
    : Pass<"convert-nnet3-to-kernels", "::mlir::ModuleOp"> {
  let summary = "make functions of computations";
  let description = [{
    Each computation without a backward pass becomes a function of four
    arguments: an arena, in which all of its matrices have fixed places, the
    packed weights, the row tables, and the context of calls into the runtime.
    Each command becomes operations of the kernel dialect on views of the arena
    and of the weights; rows that have no equal distances are in the row tables.
    Components without code are run by the runtime.

    `nnet3.loop` becomes `scf.for` if its rounds become the same operations, with
    offsets that grow by the same amounts from round to round. Other loops, and
    all loops with `device`, are written out.

    The rows of large matrix products are given to the runtime in blocks, which
    threads share if there are any. Each row is computed in the same way
    whatever they are.

    With `device`, matmuls are `kernel.matmul`, which a library of the device
    computes, and what surrounds them is a kernel behind. Kernels on rows that
    follow each other become one where each thread can do its part of all of
    them. Components without code are an error.

    With `training`, computations may have a backward pass and statistics, as
    with `device`, but the kernels are for the module's `kernel.target`, a CPU.
    Matmuls are `kernel.matmul` (`kernel-pack-matmuls`). Between the passes there
    is a `kernel.compute_objectives`.

    With `updates`, for a device or training, the gradient is what a training step adds
    to the parameters, up to learning rates: the runtime preconditions the
    factors of gradients where components ask for that
    (`kernel.precondition`), and computes objectives between the passes
    (`kernel.compute_objectives`). The weights then begin with all parameters
    that are trained, in the order of the network; the
    `parameters` of a computation's `kernel.entry` say where.

    With `precision` other than f32, the weights are packed in that format. For
    bf16 and integers, kernels also convert the rows; fp16 weights are extended to
    f32, and replace int16 where the target has no products of integers of 16 bits.
    Accumulators, biases and epilogues stay f32. Small matmuls that gain nothing
    are computed in f32. The columns of features differ in scale by far. So with
    bf16, components that read an input node are f32. With integers, their weights
    are fp16. With int8, components that read an affine map of an input node are
    int16 or bf16 if the target has products of these, or else have fp16 weights,
    too.
    `component-precisions` chooses for single components: `f32`, `fp16` beside
    bf16 or integers, and `bf16` or `int16` beside `int8`. A device's library
    rounds f32 matrices when it multiplies them, so its kernels are the same for
    any precision.

    `kernel.resources` says what the packed weights are made of, their precision,
    and the row tables. Register tiles and panels are chosen for the module's
    `kernel.target`, which devices do not need.
  }];
  let options = [
    Option<"parallelFlops", "parallel-flops", "int64_t", "4000000",
           "floating-point operations of the smallest matrix product whose "
           "rows threads share">,
    Option<"device", "device", "bool", "false",
           "make kernels for a device, and products for its library">,
    Option<"training", "training", "bool", "false",
           "make kernels of both passes for a CPU">,
    Option<"updates", "updates", "bool", "false",
           "compute the gradient as training steps do">,
    Option<"precision", "precision", "::mlir::nnet3::Precision",
           "::mlir::nnet3::Precision::F32",
           "what the factors of matrix products are",
           [{::llvm::cl::values(
             clEnumValN(::mlir::nnet3::Precision::F32, "f32", "as they are"),
             clEnumValN(::mlir::nnet3::Precision::BF16, "bf16",
                        "rounded to bf16"),
             clEnumValN(::mlir::nnet3::Precision::Int8, "int8",
                        "scaled to integers of 8 bits row by row"),
             clEnumValN(::mlir::nnet3::Precision::Int16, "int16",
                        "scaled to integers of 16 bits row by row"),
             clEnumValN(::mlir::nnet3::Precision::TF32, "tf32",
                        "rounded to tf32, by a device"),
             clEnumValN(::mlir::nnet3::Precision::FP16, "fp16",
                        "weights rounded to fp16; by a device, both factors"))}]>,
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
  let summary = "make the kernels of training steps";
  let description = [{
    Adds to a module the kernels that a device's training steps launch besides
    those of a request: sums, scales, and what natural gradient needs around its
    products. They are the same for all networks: sizes are arguments, and so
    are numbers, as their bits. Each is a loop over 128 blocks of threads; what
    is a sum over all of them is left as 128 parts.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nnet3::kernel::KernelDialect",
    "::mlir::scf::SCFDialect"];
}

#endif // NNET3_CONVERSION_NNET3TOKERNELS_PASSES_TD
