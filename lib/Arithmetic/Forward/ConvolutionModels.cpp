//===- ConvolutionModels.cpp - Components that multiply blocks ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of the output is computed by matmuls on slices of the input: one for
// each run of columns that are adjacent in the input and in the weights.
//
//===----------------------------------------------------------------------===//

#include "ColumnSlices.h"
#include "KernelModels.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Appends `term` to `terms`, merged with the last one if it continues that.
static void add(SmallVectorImpl<AffineTerm> &terms, const AffineTerm &term) {
  if (!terms.empty()) {
    AffineTerm &last = terms.back();
    if (last.time == term.time && last.input + last.columns == term.input &&
        last.weights + last.columns == term.weights) {
      last.columns += term.columns;
      return;
    }
  }
  terms.push_back(term);
}

namespace {

/// Base class of the components of this file.
template <typename Model, typename OpTy>
struct BlocksModel : public AffineKernelInterface::ExternalModel<Model, OpTy> {
  bool readsWholeRows(Operation *) const { return false; }
};

/// One output block for each height (spec: components.md 6.11). Filters vary
/// fastest, so neighbouring heights form one term.
struct TimeHeightConvolutionModel
    : public BlocksModel<TimeHeightConvolutionModel, TimeHeightConvolutionOp> {
  SmallVector<AffineTerm> getTerms(Operation *op, int64_t block) const {
    auto conv = cast<TimeHeightConvolutionOp>(op);
    const int64_t filters = conv.getNumFiltersIn();
    ArrayRef<int64_t> offsets = conv.getOffsets();
    SmallVector<AffineTerm> terms;
    int64_t time = 0;
    for (int64_t i = 0; i < conv.getNumOffsets(); ++i) {
      if (i > 0 && offsets[2 * i] != offsets[2 * i - 2])
        ++time;
      const int64_t height =
          block * int64_t(conv.getHeightSubsampleOut()) + offsets[2 * i + 1];
      if (height >= 0 && height < int64_t(conv.getHeightIn()))
        add(terms, {time, height * filters, i * filters, filters});
    }
    return terms;
  }
};

/// An affine map for each block (spec: components.md 6.40).
struct BlockAffineModel : public BlocksModel<BlockAffineModel, BlockAffineOp> {
  int64_t getWeightColumns(Operation *op) const {
    return cast<BlockAffineOp>(op).getInputDim();
  }
  bool hasWeightsPerBlock(Operation *) const { return true; }
  SmallVector<AffineTerm> getTerms(Operation *op, int64_t block) const {
    auto affine = cast<BlockAffineOp>(op);
    const int64_t columns = affine.getInputDim() / affine.getNumBlocks();
    return {{0, block * columns, block * columns, columns}};
  }
};

/// RepeatedAffine: the same affine map for each block (spec: components.md
/// 6.41).
template <typename OpTy>
struct RepeatedModel : public BlocksModel<RepeatedModel<OpTy>, OpTy> {
  SmallVector<AffineTerm> getTerms(Operation *op, int64_t block) const {
    auto repeated = cast<OpTy>(op);
    const int64_t columns = repeated.getInputDim() / repeated.getNumRepeats();
    return {{0, block * columns, 0, columns}};
  }
};

/// One output block for each position of the filters (spec: components.md
/// 6.43).
struct ConvolutionModel : public BlocksModel<ConvolutionModel, ConvolutionOp> {
  SmallVector<AffineTerm> getTerms(Operation *op, int64_t block) const {
    auto conv = cast<ConvolutionOp>(op);
    const int64_t height = conv.getInputYDim(), depth = conv.getInputZDim();
    const int64_t filterX = conv.getFiltXDim(), filterY = conv.getFiltYDim();
    const int64_t stepsY =
        (height - filterY) / int64_t(conv.getFiltYStep()) + 1;
    const int64_t firstX = block / stepsY * int64_t(conv.getFiltXStep());
    const int64_t firstY = block % stepsY * int64_t(conv.getFiltYStep());
    const bool isZFastest = conv.getInputVectorizationOrder() == "zyx";
    SmallVector<AffineTerm> terms;
    for (int64_t i = 0; i < filterX * filterY * depth; ++i) {
      const int64_t z = i % depth, y = firstY + i / depth % filterY;
      const int64_t x = firstX + i / depth / filterY;
      add(terms,
          {0,
           height * depth * x + (isZFastest ? depth * y + z : height * z + y),
           i, 1});
    }
    return terms;
  }
};

/// If a patch consists of too many slices for separate matmuls, the patches are
/// copied side by side and multiplied by one matmul.
struct ConvolutionPatches
    : public FactorKernelInterface::ExternalModel<ConvolutionPatches,
                                                  ConvolutionOp> {
  int64_t getNumFactors(Operation *op) const {
    return cast<AffineKernelInterface>(op).getNumBlocks();
  }
  void emitFactor(Operation *op, RowEmission &row) const {
    getPatches(op).emitCopy(row, /*list=*/0,
                            [&](Value c) { return row.load(c); });
  }

  /// Returns the input column of each patch column.
  static ColumnSlices getPatches(Operation *op) {
    auto affine = cast<AffineKernelInterface>(op);
    SmallVector<int64_t> columns;
    for (int64_t block = 0; block < affine.getNumBlocks(); ++block)
      for (const AffineTerm &term : affine.getTerms(block))
        llvm::append_range(columns,
                           llvm::seq(term.input, term.input + term.columns));
    return ColumnSlices(columns);
  }
};

/// The bias of a convolution on patches.
struct ConvolutionBias
    : public RowKernelInterface::ExternalModel<ConvolutionBias, ConvolutionOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  unsigned getNumColumnConstants(Operation *) const { return 1; }
  FailureOr<SmallVector<SmallVector<float>>>
  getColumnConstants(Operation *op) const {
    auto bias = getTensorVector(op, "bias_params", getOutputDim(op));
    if (failed(bias))
      return failure();
    return SmallVector<SmallVector<float>>{*bias};
  }
  SmallVector<SmallVector<int64_t>> getKernelIndexes(Operation *op) const {
    return {ConvolutionPatches::getPatches(op).begins};
  }
  void emitRow(Operation *op, RowEmission &row) const {
    ScalarArithmetic &a = row;
    row.forEach(getOutputDim(op), [&](Value c) {
      row.store(a.add(row.loadStored(c), row.loadVector(0, c)), c);
    });
  }

private:
  static int64_t getOutputDim(Operation *op) {
    return cast<ConvolutionOp>(op).getComponentOutputDim();
  }
};

} // namespace

void mlir::nnet3::attachConvolutionModels(MLIRContext &context) {
  TimeHeightConvolutionOp::attachInterface<TimeHeightConvolutionModel>(context);
  BlockAffineOp::attachInterface<BlockAffineModel>(context);
  RepeatedAffineOp::attachInterface<RepeatedModel<RepeatedAffineOp>>(context);
  NaturalGradientRepeatedAffineOp::attachInterface<
      RepeatedModel<NaturalGradientRepeatedAffineOp>>(context);
  ConvolutionOp::attachInterface<ConvolutionModel, ConvolutionPatches,
                                 ConvolutionBias>(context);
}
