//===- KernelDeviceOps.td - Operations of devices and runtime -*- tablegen -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELDEVICEOPS_TD
#define NNET3_DIALECT_KERNEL_IR_KERNELDEVICEOPS_TD

include "nnet3/Dialect/Kernel/IR/KernelAttributes.td"
include "nnet3/Dialect/Kernel/IR/KernelTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_LaunchOp : Kernel_Op<"launch", [
    IsolatedFromAbove, Kernel_Outlined, MemoryEffects<[MemRead, MemWrite]>,
    SingleBlock]> {
  let summary = "code that a device runs in blocks of threads";
  let description = [{
    The region is the code of a kernel. Its arguments are the inputs: memory,
    offsets in memory, and views; the region may load and store their elements.
    Each iteration of the outermost `scf.parallel` is a block of `threads`
    threads, which share the iterations of each `scf.parallel` inside. `kind`
    names the function that `kernel-outline` makes.

    Example:

    ```mlir
    kernel.launch "fill" ins(%arena, %at : memref<288xf32>, index) threads 32 {
    ^bb0(%memory: memref<288xf32>, %begin: index):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c20 = arith.constant 20 : index
      %zero = arith.constant 0.0 : f32
      scf.parallel (%row) = (%c0) to (%c1) step (%c1) {
        scf.parallel (%c) = (%c0) to (%c20) step (%c1) {
          %to = arith.addi %begin, %c : index
          memref.store %zero, %memory[%to] : memref<288xf32>
        }
      }
      kernel.yield
    }
    ```
  }];
  let arguments = (ins StrAttr:$kind,
    Variadic<Kernel_LaunchOperand>:$inputs,
    ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<1024>]>:$threads);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind `ins` `(` $inputs `:` type($inputs) `)` `threads` $threads
    $body attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::StringRef":$kind,
      "::mlir::ValueRange":$inputs)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getArgument(unsigned number) {
      return getBody().getArgument(number);
    }
  }];
}

def Kernel_MatmulOp : Kernel_Op<"matmul", [Kernel_Outlined]> {
  let summary = "a matmul by a device's library";
  let description = [{
    Y := op(X) op(W) + `beta` Y + bias. X is `input`, W `weights` and Y
    `output`. `factors` says which of X and W is transposed: none (`nn`), W
    (`nt`) or X (`tn`). X and Y are batches of matrices, which share W.

    With a precision of 16 bits, each float of X and W holds two values of
    neighbouring columns. With tf32, X and W are f32 in memory and are rounded
    when they are multiplied.

    A matmul with a `form` runs only if the device's library adds the bias
    (`fused`), or only if it does not (`apart`).

    Example:

    ```mlir
    kernel.matmul nt weights(%w : memref<32x20xf32, strided<[20, 1], offset: ?>>) ins(%x : memref<1x36x20xf32, strided<[0, 20, 1], offset: ?>>) outs(%y : memref<1x36x32xf32, strided<[0, 32, 1], offset: ?>>) beta 1.000000e+00
    ```
  }];
  let arguments = (ins Kernel_MatmulFactorsAttr:$factors,
    Arg<Kernel_Matrix, "", [MemRead]>:$weights,
    Arg<Kernel_RowGroups, "", [MemRead]>:$input,
    Arg<Kernel_RowGroups, "", [MemRead, MemWrite]>:$output,
    Arg<Optional<Kernel_Vector>, "", [MemRead]>:$bias,
    DefaultValuedAttr<F32Attr, "0.0f">:$beta,
    DefaultValuedAttr<Kernel_PrecisionAttr,
                      "::mlir::nnet3::kernel::Precision::F32">:$precision,
    OptionalAttr<Kernel_FormAttr>:$form);
  let assemblyFormat = [{
    $factors `weights` `(` $weights `:` type($weights) `)`
    `ins` `(` $input `:` type($input) `)`
    `outs` `(` $output `:` type($output) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)? (`beta` $beta^)?
    (`precision` $precision^)? (`form` $form^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of products in the sum of an element of the output.
    int64_t getDepth();
  }];
}

def Kernel_PreconditionOp : Kernel_Op<"precondition", [Kernel_Outlined]> {
  let summary = "lets the runtime precondition rows of a training step";
  let description = [{
    Multiplies `rows` by the inverse of the runtime's estimate of their
    covariance (natural gradient), and scales them to the sum of squares that
    they had before. The preconditioner is number `number` of `component`; for a
    composite component, of part `part`. With `two_sided`, preconditioner
    `number` + 1 does the same to the columns.

    Example:

    ```mlir
    kernel.precondition %rows component "affine1" number 0 two_sided : memref<36x20xf32, strided<[20, 1], offset: ?>>
    ```
  }];
  let arguments = (ins Arg<Kernel_Matrix, "", [MemRead, MemWrite]>:$rows,
    StrAttr:$component, ConfinedAttr<I64Attr, [IntNonNegative]>:$number,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$part,
    UnitAttr:$two_sided);
  let assemblyFormat = [{
    $rows `component` $component `number` $number (`part` $part^)?
    (`two_sided` $two_sided^)? `:` type($rows) attr-dict
  }];
}

def Kernel_PreconditionProductOp : Kernel_Op<"precondition_product", [
    Kernel_Outlined]> {
  let summary = "lets the runtime precondition one operand of a matmul";
  let description = [{
    Preconditions the rows X like `kernel.precondition`, but only implicitly,
    for the matmul X^T Y with the same number of rows Y: X is not changed, Y is
    multiplied by the scale, and the matmul of the preconditioned rows is
    X^T Y + B^T S. `basis` is B and `sums` is S. They have few rows, because
    preconditioning changes X by a matrix of low rank. Each row of X may consist
    of several groups of columns. If this is the only matmul for the gradients
    of the component, the runtime may multiply these by the scale instead of Y,
    when it reads them.

    Example:

    ```mlir
    kernel.precondition_product %x with(%y : memref<36x21xf32, strided<[24, 1], offset: ?>>) outs(%b, %s : memref<80x160xf32, strided<[160, 1], offset: ?>>, memref<80x21xf32, strided<[21, 1], offset: ?>>) component "affine1" number 1 : memref<36x160xf32, strided<[160, 1], offset: ?>>
    ```
  }];
  let arguments = (ins Arg<Kernel_MatrixOrGroups, "", [MemRead]>:$rows,
    Arg<Kernel_Matrix, "", [MemRead, MemWrite]>:$others,
    Arg<Kernel_Matrix, "", [MemWrite]>:$basis,
    Arg<Kernel_Matrix, "", [MemWrite]>:$sums,
    StrAttr:$component, ConfinedAttr<I64Attr, [IntNonNegative]>:$number,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$part);
  let assemblyFormat = [{
    $rows `with` `(` $others `:` type($others) `)`
    `outs` `(` $basis `,` $sums `:` type($basis) `,` type($sums) `)`
    `component` $component `number` $number (`part` $part^)? `:` type($rows)
    attr-dict
  }];
  let hasVerifier = 1;
}

def Kernel_AllreduceOp : Kernel_Op<"allreduce", [Kernel_Outlined]> {
  let summary = "lets the runtime sum numbers over processes";
  let description = [{
    Replaces the f64 numbers in `numbers`, each of which takes two floats, by
    their sums over the processes that compute parts of the same minibatch.

    Example:

    ```mlir
    kernel.allreduce %sums : memref<514xf32, strided<[1], offset: ?>>
    ```
  }];
  let arguments = (ins Arg<Kernel_Vector, "", [MemRead, MemWrite]>:$numbers);
  let assemblyFormat = "$numbers `:` type($numbers) attr-dict";
  let hasVerifier = 1;
}

def Kernel_SumGradientOp : Kernel_Op<"sum_gradient", [Kernel_Outlined]> {
  let summary = "lets the runtime begin to sum a gradient over processes";
  let description = [{
    `gradient`, that of `parameter` of `component`, is complete. The runtime adds
    it, times the learning rate, to the change of the parameter, and begins to
    sum that over the processes that compute parts of the same minibatch. The
    operations behind this one run meanwhile.

    Example:

    ```mlir
    kernel.sum_gradient %gradient component "affine1" parameter "linear_params" : memref<20x36xf32, strided<[36, 1], offset: ?>>
    ```
  }];
  let arguments = (ins Arg<Kernel_Matrix, "", [MemRead]>:$gradient,
    StrAttr:$component, StrAttr:$parameter);
  let assemblyFormat = [{
    $gradient `component` $component `parameter` $parameter `:` type($gradient)
    attr-dict
  }];
}

def Kernel_ComputeObjectivesOp : Kernel_Op<"compute_objectives", [
    Kernel_Outlined, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "lets the runtime compute objectives of a training step";
  let description = [{
    The runtime computes the objectives and their derivatives with respect to
    the outputs of the request, between the forward and the backward pass.

    Example:

    ```mlir
    kernel.compute_objectives
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // NNET3_DIALECT_KERNEL_IR_KERNELDEVICEOPS_TD
