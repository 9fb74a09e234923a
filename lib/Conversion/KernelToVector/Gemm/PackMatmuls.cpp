//===- PackMatmuls.cpp - Lower matmuls to packs and GEMMs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"
#include "nnet3/Conversion/KernelToVector/GemmShape.h"
#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Dialect/Kernel/IR/CreateView.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELPACKMATMULS
#include "nnet3/Conversion/KernelToVector/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {

/// A matrix in memory.
struct Matrix {
  Value memory;
  int64_t place, rows, columns, stride;

  /// Returns matrix `number` of a view of several; nothing if its offset is not
  /// constant.
  static std::optional<Matrix> get(Value view, int64_t number = 0);
};

/// The second factor of a matmul and whether packing transposes it.
struct Factor {
  Matrix matrix;
  bool isTransposed;

  int64_t getColumns() const {
    return isTransposed ? matrix.rows : matrix.columns;
  }
  int64_t getDepth() const {
    return isTransposed ? matrix.columns : matrix.rows;
  }
  /// Equal for factors that are packed to the same panels.
  auto getKey() const {
    return std::tuple(matrix.place, matrix.rows, matrix.columns, matrix.stride,
                      isTransposed);
  }
};

/// Packs the weights of one function's matmuls.
class Packer {
public:
  Packer(func::FuncOp function, TargetAttr target, int64_t arenaSize)
      : function(function), target(target), arena(function.getArgument(0)),
        weights(function.getArgument(1)), builder(function),
        size(llvm::alignTo(arenaSize, kUnit)) {}

  LogicalResult run();
  /// Size in floats of the arena with the panels after it.
  int64_t getArenaSize() const { return size + scratchSize; }

private:
  static constexpr int64_t kUnit = 16;
  using Key = decltype(std::declval<Factor>().getKey());

  std::optional<Factor> getFactor(MatmulOp op);
  void findFewestRows(ArrayRef<MatmulOp> ops);
  void placeShared(ArrayRef<MatmulOp> ops);
  LogicalResult convert(MatmulOp op);
  void multiply(MatmulOp op, const Matrix &input, const Matrix &output,
                Value panels, const GemmShape &shape);
  Value createView(Value memory, int64_t place, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> strides) {
    Location loc = function.getLoc();
    return kernel::createView(
        builder, loc, memory,
        arith::ConstantIndexOp::create(builder, loc, place), sizes, strides);
  }
  Value createRows(const Matrix &matrix) {
    return createView(matrix.memory, matrix.place,
                      {matrix.rows, matrix.columns}, {matrix.stride, 1});
  }
  Value createPanels(int64_t place, int64_t count, int64_t depth,
                     int64_t width) {
    return createView(arena, place, {count, depth, width},
                      {depth * width, width, 1});
  }
  int64_t getPanelsSize(const Factor &factor) const {
    const int64_t width = getTile(factor).getPanelWidth(target);
    return llvm::alignTo(
        llvm::alignTo(factor.getColumns(), width) * factor.getDepth(), kUnit);
  }
  GemmTile getTile(const Factor &factor) const {
    return GemmTile::get(target, Precision::F32, factor.getColumns(),
                         factor.getDepth(), fewestRows.at(factor.getKey()));
  }

  func::FuncOp function;
  TargetAttr target;
  Value arena, weights;
  OpBuilder builder;
  int64_t size, scratchSize = 0;
  /// The fewest rows that each factor is multiplied with.
  std::map<Key, int64_t> fewestRows;
  /// Offsets of the panels of weights that several matmuls read, and the keys
  /// of those that are packed already.
  std::map<Key, int64_t> shared;
  std::set<Key> packed;
};

struct KernelPackMatmuls
    : public kernel::impl::KernelPackMatmulsBase<KernelPackMatmuls> {
  void runOnOperation() override;

private:
  LogicalResult pack(EntryOp entry, TargetAttr target);
};

} // namespace

std::optional<Matrix> Matrix::get(Value view, int64_t number) {
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  if (!cast)
    return std::nullopt;
  auto place = getConstantIntValue(cast.getMixedOffsets().front());
  if (!place)
    return std::nullopt;
  auto type = llvm::cast<MemRefType>(cast.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  ArrayRef<int64_t> shape = type.getShape().take_back(2);
  if (type.getRank() > 2)
    *place += number * strides.front();
  return Matrix{cast.getSource(), *place, shape[0], shape[1],
                strides[strides.size() - 2]};
}

std::optional<Factor> Packer::getFactor(MatmulOp op) {
  auto matrix = Matrix::get(op.getWeights());
  if (!matrix)
    return std::nullopt;
  return Factor{*matrix, op.getFactors() == MatmulFactors::NT};
}

void Packer::findFewestRows(ArrayRef<MatmulOp> ops) {
  for (MatmulOp op : ops)
    if (auto factor = getFactor(op)) {
      const int64_t rows = op.getOutput().getType().getShape().end()[-2];
      int64_t &fewest =
          fewestRows.try_emplace(factor->getKey(), rows).first->second;
      fewest = std::min(fewest, rows);
    }
}

/// Weights are constant while the function runs, so their panels can be shared.
void Packer::placeShared(ArrayRef<MatmulOp> ops) {
  std::map<Key, int64_t> counts;
  for (MatmulOp op : ops) {
    auto factor = getFactor(op);
    if (!factor || factor->matrix.memory != weights)
      continue;
    if (++counts[factor->getKey()] != 2)
      continue;
    shared[factor->getKey()] = size;
    size += getPanelsSize(*factor);
  }
}

void Packer::multiply(MatmulOp op, const Matrix &input, const Matrix &output,
                      Value panels, const GemmShape &shape) {
  Value to = createRows(output);
  Value from = createRows(input);
  if (op.getFactors() == MatmulFactors::TN)
    from = createView(input.memory, input.place, {input.columns, input.rows},
                      {1, input.stride});
  const bool adds = op.getBeta().convertToFloat() != 0;
  auto gemm =
      GemmOp::create(builder, op.getLoc(), from, ArrayRef<int64_t>{0}, panels,
                     op.getBias(), adds ? to : Value(),
                     /*epilogue_inputs=*/ValueRange(), /*scratch=*/Value(),
                     /*scales=*/Value(), /*sums=*/Value(), to,
                     shape.getTileRows(), Precision::F32,
                     /*parallel=*/target.getThreads() > 1);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&gemm.getEpilogue(), {},
                                     {builder.getF32Type()}, {op.getLoc()});
  YieldOp::create(builder, op.getLoc(), block->getArguments());
}

LogicalResult Packer::convert(MatmulOp op) {
  auto factor = getFactor(op);
  const int64_t batches = op.getInput().getType().getDimSize(0);
  if (!factor || !Matrix::get(op.getInput()) || !Matrix::get(op.getOutput()))
    return op.emitOpError("expects views at constant offsets");
  if (op.getPrecision() != Precision::F32)
    return op.emitOpError("expects f32");
  builder.setInsertionPoint(op);
  GemmShape shape;
  shape.columns = factor->getColumns();
  shape.depth = factor->getDepth();
  shape.rows = Matrix::get(op.getOutput())->rows;
  shape.tile = getTile(*factor);
  shape.shareOutRows();
  const int64_t width = shape.tile.getPanelWidth(target);
  auto known = shared.find(factor->getKey());
  const bool isShared =
      known != shared.end() && factor->matrix.memory == weights;
  const int64_t place = isShared ? known->second : size;
  const int64_t scratch = isShared ? 0 : getPanelsSize(*factor);
  Value panels = createPanels(place, llvm::divideCeil(shape.columns, width),
                              shape.depth, width);
  if (!isShared || packed.insert(factor->getKey()).second)
    PackOp::create(builder, op.getLoc(), factor->isTransposed,
                   createRows(factor->matrix), panels);
  for (int64_t i = 0; i < batches; ++i)
    multiply(op, *Matrix::get(op.getInput(), i),
             *Matrix::get(op.getOutput(), i), panels, shape);
  scratchSize = std::max(scratchSize, scratch);
  op.erase();
  return success();
}

LogicalResult Packer::run() {
  SmallVector<MatmulOp> ops;
  function.walk([&](MatmulOp op) { ops.push_back(op); });
  findFewestRows(ops);
  placeShared(ops);
  for (MatmulOp op : ops)
    if (failed(convert(op)))
      return failure();
  return success();
}

/// The arena and the weights have the same type.
static void resize(func::FuncOp function, int64_t size) {
  auto floats =
      MemRefType::get({size}, Float32Type::get(function.getContext()));
  for (unsigned i : {0, 1})
    function.getArgument(i).setType(floats);
  function.setFunctionType(
      FunctionType::get(function.getContext(),
                        function.getBody().getArgumentTypes(), TypeRange()));
}

LogicalResult KernelPackMatmuls::pack(EntryOp entry, TargetAttr target) {
  auto function =
      getOperation().lookupSymbol<func::FuncOp>(entry.getFunction());
  if (!function || function.isExternal())
    return success();
  if (function.getNumArguments() < 2 ||
      !isArena(function.getArgumentTypes()[0]) ||
      !isArena(function.getArgumentTypes()[1]))
    return function.emitOpError("expects an arena and weights");
  Packer packer(function, target, entry.getArenaSize());
  if (failed(packer.run()))
    return failure();
  entry.setArenaSize(packer.getArenaSize());
  const int64_t before =
      cast<MemRefType>(function.getArgumentTypes()[0]).getDimSize(0);
  resize(function, std::max(before, packer.getArenaSize()));
  return success();
}

void KernelPackMatmuls::runOnOperation() {
  auto target = getOperation()->getAttrOfType<TargetAttr>(kTargetAttr);
  if (!target) {
    emitError(getOperation().getLoc())
        << "expects '" << kTargetAttr << "', the target of the kernels";
    return signalPassFailure();
  }
  for (auto entry : getOperation().getOps<EntryOp>())
    if (failed(pack(entry, target)))
      return signalPassFailure();
}
