//===- CommandConverter.h - Commands as kernel operations -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONVERTER_H

#include "ArenaPlan.h"
#include "KernelBuilder.h"
#include "PackedWeights.h"
#include "RowTables.h"

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

namespace mlir::nnet3 {

/// What the functions of a module share.
struct KernelModule {
  KernelModule(kernel::TargetAttr target, bool device, Precision precision,
               int64_t parallelFlops)
      : target(target), device(device), precision(precision),
        parallelFlops(parallelFlops), weights(target) {}

  kernel::TargetAttr target;
  /// Kernels for threads of a device: parallel loops of single numbers.
  bool device;
  Precision precision; ///< of products that are large enough
  /// Threads share the rows of products with at least so many floating-point
  /// operations.
  int64_t parallelFlops;
  PackedWeights weights;
  RowTables tables;
  /// Runs of components by the runtime: `component`, `rows` of input and
  /// output, `precomputed`, and `draw` for random ones: which numbers they
  /// draw.
  SmallVector<Attribute> runtimeCalls;
};

/// Makes operations of the kernel dialect of the commands of one computation.
class CommandConverter {
public:
  CommandConverter(ComputationOp computation, KernelModule &module);
  virtual ~CommandConverter() = default;

  /// Fails with an error at a command that has no meaning in a library.
  LogicalResult convert();
  /// The function with the operations.
  KernelBuilder &getKernels() { return kernels; }
  /// Whether each row of a component's output is a block of columns of an input
  /// row, which tables list.
  static bool copiesBlocks(Operation *component);
  const ArenaPlan &getArena() const { return arena; }
  /// Floats of the arena, scratch memory of kernels included.
  virtual int64_t getArenaSize() const { return arena.getSize() + scratchSize; }
  /// What the caller needs to know of the gradient; null without one.
  virtual ArrayAttr getGradients() const { return {}; }
  /// Of statistics that the caller keeps between runs; null without any.
  virtual ArrayAttr getStatistics() const { return {}; }
  /// Where in the arena the state of random numbers is; none if there are none.
  virtual std::optional<int64_t> getRandomPlace() const { return std::nullopt; }
  /// The same of what a training step changes; null without any.
  virtual ArrayAttr getParameters() const { return {}; }

protected:
  /// With `reserved` floats at the beginning of the arena.
  CommandConverter(ComputationOp computation, KernelModule &module,
                   int64_t reserved, const Padding &padding = Padding());

  /// The products, and what happens to their sums.
  virtual void convertAffine(FusedAffineOp op);
  /// Some rows of the input and of the output.
  struct RowSpan {
    int64_t begin, count;
  };
  /// The products of factors of `rows`, which are side by side at `factors`,
  /// and the weights of `affine`, as the first columns of the output.
  virtual void addProduct(PropagateOp op, AffineKernelInterface affine,
                          int64_t numFactors, int64_t factors, RowSpan rows);
  /// Whether it has made kernels for a component of several stages.
  virtual bool convertStages(PropagateOp) { return false; }
  /// The zeros of a matrix, or those of them that somebody wants.
  virtual void fillZeros(AllocMatrixZeroedOp op) {
    kernels.createFill(createMatrix(op.getResult()), 0);
  }
  /// Where the backward pass begins.
  virtual void convertMarker(NoOperationMarkerOp) {}
  /// A command that CPUs have no code for.
  virtual LogicalResult convertUnknown(Operation *op);
  /// What comes behind all commands.
  virtual void finish() {}

  ElementwiseKernelInterface getElementwise(SymbolRefAttr name);
  int64_t getTable(RowTableAttr rows, ValueRange sources, int64_t none);

  /// A view of a matrix.
  Value createMatrix(Value matrix);
  /// Views of the vectors of the steps of an epilogue.
  SmallVector<Value> createStepVectors(FusedAffineOp op);
  /// An element of the output: what the steps of `op` compute from a sum and
  /// from elements of their vectors, plus that of the residual, if there is
  /// one.
  Value createEpilogue(OpBuilder &builder, FusedAffineOp op, Value sum,
                       ValueRange elements);
  /// Views of the first `count` vectors of per-column constants of a component.
  SmallVector<Value> createVectors(ComponentOpInterface component,
                                   unsigned count, int64_t columns);
  /// Ranges of the rows of a matrix at `place`, from `firsts` to `ends`.
  Value createRanges(int64_t place, int64_t stride, int64_t columns,
                     ArrayRef<int64_t> firsts, ArrayRef<int64_t> ends);

  KernelModule &module;
  ComponentTable components;
  ArenaPlan arena;
  KernelBuilder kernels;

private:
  LogicalResult convert(Operation *op);
  /// A component that has no code.
  LogicalResult convertOther(PropagateOp op);
  /// Where one command has `size` floats for itself.
  int64_t getScratch(int64_t size);
  Value createPanels(GemmShape &shape, int64_t place);
  Value createInput(FusedAffineOp op, unsigned number, int64_t first,
                    GemmShape &shape);
  void addReducedViews(FusedAffineOp op, const GemmShape &shape,
                       ArrayRef<ColumnRange> used, GemmViews &views);
  LogicalResult convert(PropagateOp op);
  void convertElementwise(PropagateOp op, ElementwiseKernelInterface component);
  void convertBlocks(PropagateOp op, BlockKernelInterface component);
  void createRow(PropagateOp op, RowKernelInterface row, Value input,
                 Value output, function_ref<void(RowEmission &)> body);
  void convertRow(PropagateOp op, RowKernelInterface row);
  Value createRowInput(PropagateOp op, RowKernelInterface row);
  Value createRanges(PropagateOp op);
  void convertFactor(PropagateOp op, FactorKernelInterface factor);
  void convertFactor(PropagateOp op, FactorKernelInterface factor,
                     RowSpan rows);
  void convertDistribute(PropagateOp op);
  void convertRanges(AddRowRangesOp op);
  template <typename OpTy> void fromRows(OpTy op, bool adds);
  template <typename OpTy> void toRows(OpTy op, float alpha, bool adds);

  ComputationOp computation;
  int64_t reserved;
  int64_t scratchSize = 0; ///< floats behind the matrices
  Operation *current = nullptr;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONVERTER_H
