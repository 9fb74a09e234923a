//===- DeviceConverter.h - Commands as kernels of a device ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICECONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICECONVERTER_H

#include "CommandConverter.h"
#include "ProductInputs.h"
#include "StageMemory.h"

#include "nnet3/Arithmetic/StageEmission.h"

namespace mlir::nnet3 {

/// Makes matmuls of a device's library of affine commands; other commands
/// become the kernels of CPUs. The scratch memory for rows that a matmul cannot
/// read in place, for accumulators that may not be in the output yet, and for
/// the data of components with several phases is at the start of the arena.
class DeviceConverter : public CommandConverter {
public:
  DeviceConverter(ComputationOp computation, KernelModule &module);

  std::optional<int64_t> getRandomPlace() const override;

protected:
  /// Creates the code of an item of stage number `stage`.
  using EmitStage =
      function_ref<void(StageEmission &, unsigned stage, Value item)>;
  /// Creates a launch for each of `stages`.
  void addStages(const RowOperands &operands, const StagedCommand &command,
                 ArrayRef<KernelStage> stages, EmitStage emit);
  /// All stages of a component's pass; `operands` has what commands have.
  void addStages(StagedKernelInterface component, const StagedCommand &command,
                 int64_t memo, RowOperands operands);
  /// Floats of the arena; null for none.
  Value createFloats(int64_t place, int64_t size);
  /// Adds the state of random numbers, and the number of the command.
  void addDraws(RowOperands &operands, int64_t number);
  void addIndexes(RowOperands &operands, ArrayRef<SmallVector<int64_t>> lists);
  /// Where the statistics are.
  const StatisticsLayout &getLayout() const { return stageMemory.getLayout(); }
  int64_t getStatisticsPlace() const {
    return keptPlace + stageMemory.getStatistics();
  }
  /// Where what self-repair adds is, for components that read it.
  std::optional<int64_t> getRepairs(Operation *component) const {
    auto place = stageMemory.getRepairs(component);
    return place ? std::optional(keptPlace + *place) : std::nullopt;
  }
  /// Where the memo is that a forward pass leaves.
  int64_t getMemo(Value memo) const {
    return keptPlace + stageMemory.getMemo(memo);
  }

private:
  DeviceConverter(ComputationOp computation, KernelModule &module,
                  const StageMemory &stageMemory);

  bool convertStages(PropagateOp op) override;
  void convertAffine(FusedAffineOp op) override;
  void addProduct(PropagateOp op, AffineKernelInterface affine,
                  int64_t numFactors, int64_t factors, RowSpan rows) override;

  /// Where the sums of a command are.
  struct Sums {
    int64_t place = 0, stride = 0;
    /// What the output holds before is what they begin with.
    bool beginWithInit = false;
  };

  /// Commands that do the same to blocks of columns, one behind the other, such
  /// as the heights of a convolution: the first one, and how far it is from one
  /// to the next.
  struct Blocks {
    int64_t count = 1;
    SmallVector<int64_t> inputs; ///< floats, of each input
    int64_t output = 0;
  };

  Blocks getBlocks(FusedAffineOp op);
  bool continuesBlocks(FusedAffineOp first, FusedAffineOp next,
                       const Blocks &blocks) const;
  bool areApart(FusedAffineOp first, FusedAffineOp last) const;
  Sums getSums(FusedAffineOp op);
  bool fusesBias(FusedAffineOp op, const Sums &sums);
  void splice(FusedAffineOp op, const ProductInputs &inputs);
  void readInPlace(FusedAffineOp op, const ProductInputs &inputs,
                   MatrixBatch &input, MatrixBatch &output);
  kernel::MatmulOp addProduct(FusedAffineOp op, const ProductInputs &inputs,
                              const Blocks &blocks, const Sums &sums);
  bool isSingleRow(FusedAffineOp op);
  void addSingleRow(FusedAffineOp op);
  void addProducts(FusedAffineOp op, const Blocks &blocks, const Sums &sums,
                   bool fusesBias);
  void addEpilogue(FusedAffineOp op, const Blocks &blocks, const Sums &sums,
                   std::optional<kernel::Form> form, bool fusesBias);
  void gather(FusedAffineOp op, unsigned input);
  int64_t getBias(FusedAffineOp op);
  bool sharesMemory(Value a, Value b) const;
  /// What is added to the sums before the steps: the init and the bias.
  SmallVector<Value> createAddends(FusedAffineOp op, bool addsInit,
                                   bool addsBias);
  /// The inputs of an epilogue behind `addends`.
  SmallVector<Value> createEpilogueInputs(FusedAffineOp op,
                                          ArrayRef<Value> addends);
  /// An element of the output, from the sum and elements of `numAddends`
  /// addends and of the other inputs.
  Value createEpilogue(OpBuilder &builder, FusedAffineOp op, ValueRange values,
                       unsigned numAddends);

  StageMemory stageMemory;
  int64_t keptPlace; ///< of what stages keep

  Precision precision; ///< of factors of products
  /// Those that were converted with the first of their blocks.
  DenseSet<Operation *> converted;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICECONVERTER_H
