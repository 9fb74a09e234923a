//===- ParallelRows.h - Kernels whose rows threads share --------*- C++ -*-===//
//
// Such a kernel is two functions: one with what computes some of the rows, and
// one that gives it, with the arguments, to the runtime
// (`nnet3lib_parallel_rows`, nnet3/runtime/GeneratedCode.h).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_PARALLELROWS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_PARALLELROWS_H

#include "GemmKernel.h"

namespace mlir::nnet3 {

/// Makes such kernels in one module.
class ParallelRows {
public:
  /// `arguments` are what each kernel has before its places, which are at most
  /// `maxPlaces`. Declares the runtime's function at the beginning of `module`.
  ParallelRows(ModuleOp module, TypeRange arguments, int64_t maxPlaces);

  /// Creates the body of `function`, and the function with the rows behind it.
  void emit(const GemmKernel &kernel, const VectorTarget &target,
            func::FuncOp function);

private:
  func::FuncOp createRows(const GemmKernel &kernel, const VectorTarget &target,
                          func::FuncOp function);
  void createCall(func::FuncOp function, func::FuncOp rows, int64_t count);

  MemRefType places;
  FunctionType rowsType; ///< arguments, places, first and last block
  func::FuncOp runtime;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_PARALLELROWS_H
