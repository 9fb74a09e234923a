//===- RowOps.cpp - Functions of whole rows -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Verifies that the table of \p op has an entry for each row of its result.
template <typename OpTy> static LogicalResult verifyTable(OpTy op) {
  const int64_t size = op.getTable().getType().getDimSize(0);
  const int64_t rows = op.getType().getNumRows();
  if (rows <= size)
    return success();
  return op.emitOpError("expects a table of at least ")
         << rows << " entries, but got " << size;
}

LogicalResult IndexedRowsOp::verify() { return verifyTable(*this); }
LogicalResult RowRangesOp::verify() { return verifyTable(*this); }

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Verifies a region whose arguments are `numIndexes` indexes and which yields
/// `numYielded` numbers of one of `types`.
static LogicalResult verifyRegion(Operation *op, size_t numIndexes,
                                  size_t numYielded, ArrayRef<Type> types) {
  Block &block = op->getRegion(0).front();
  if (block.getNumArguments() != numIndexes ||
      !llvm::all_of(block.getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }))
    return op->emitOpError("expects a region with ")
           << numIndexes << " arguments of type index";
  auto yield = dyn_cast<kernel::YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().size() != numYielded)
    return op->emitOpError("expects a region that yields ")
           << numYielded << " values";
  for (Type type : yield.getValues().getTypes())
    if (!llvm::is_contained(types, type))
      return op->emitOpError("expects a region that yields ")
             << types.front() << ", but got " << type;
  return success();
}

LogicalResult ForColumnsOp::verify() {
  ArrayRef<int64_t> sizes = getSizes();
  if (sizes.empty() || sizes.size() > 2 ||
      !llvm::all_of(sizes, [](int64_t size) { return isDim(size); }))
    return emitOpError("expects one or two sizes, each from 1 to 2^31 - 1");
  return verifyRegion(*this, sizes.size(), /*numYielded=*/0, {});
}

LogicalResult ReduceColumnsOp::verify() {
  if (!isDim(getSize()))
    return emitOpError("expects a size from 1 to 2^31 - 1, but got ")
           << getSize();
  return verifyRegion(*this, 1, 1, Float32Type::get(getContext()));
}

LogicalResult DotColumnsOp::verify() {
  if (!isDim(getSize()))
    return emitOpError("expects a size from 1 to 2^31 - 1, but got ")
           << getSize();
  for (Operation &op : getBody().front())
    if (op.getNumRegions())
      return op.emitOpError("is not allowed in inner products");
  return verifyRegion(*this, 1, 2 * getNumResults(),
                      Float32Type::get(getContext()));
}

LogicalResult SumRangeOp::verify() {
  if (cast<ForColumnsOp>((*this)->getParentOp()).getSizes().back() != 1)
    return emitOpError("expects a loop over single columns around it");
  return verifyRegion(
      *this, 1, 1,
      {Float32Type::get(getContext()), Float64Type::get(getContext())});
}

LogicalResult SumRowsOp::verify() {
  Block &block = getBody().front();
  auto type = getRows().getType();
  auto row = MemRefType::get(
      type.getDimSize(1), type.getElementType(),
      StridedLayoutAttr::get(getContext(), ShapedType::kDynamic, {1}));
  if (block.getNumArguments() != 1 || block.getArgument(0).getType() != row)
    return emitOpError("expects a region with one argument of type ") << row;
  auto yield = dyn_cast<kernel::YieldOp>(block.getTerminator());
  if (!yield || getNumResults() == 0 ||
      yield.getValues().size() != getNumResults())
    return emitOpError("expects a region that yields ")
           << std::max(1u, getNumResults()) << " values";
  return success();
}

LogicalResult kernel::SoftmaxOp::verify() {
  if (getValues().empty() || getValues().size() != getNumResults())
    return emitOpError("expects as many results as values, and one or more, "
                       "but got ")
           << getNumResults() << " and " << getValues().size();
  return success();
}

//===----------------------------------------------------------------------===//
// MapRowsOp
//===----------------------------------------------------------------------===//

void MapRowsOp::build(OpBuilder &builder, OperationState &state,
                      ValueRange inputs, Value output, int64_t parts) {
  state.addOperands(inputs);
  state.addOperands(output);
  state.getOrAddProperties<Properties>().parts =
      builder.getI64IntegerAttr(parts);
  SmallVector<Type> types = {builder.getIndexType()};
  for (Value operand : state.operands)
    types.push_back(getArgumentType(operand.getType()));
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(state.addRegion(), {}, types,
                      SmallVector<Location>(types.size(), state.location));
}

Type MapRowsOp::getArgumentType(Type type) {
  MLIRContext *context = type.getContext();
  auto make = [&](ArrayRef<int64_t> shape, Type element,
                  ArrayRef<int64_t> strides) {
    return MemRefType::get(
        shape, element,
        StridedLayoutAttr::get(context, ShapedType::kDynamic, strides));
  };
  if (auto ranges = dyn_cast<RowRangesType>(type))
    return make({ShapedType::kDynamic, ranges.getNumColumns()},
                Float32Type::get(context), {ranges.getStride(), 1});
  auto memref = cast<MemRefType>(type);
  auto strides = memref.getStridesAndOffset().first;
  if (memref.getRank() == 1)
    return make(memref.getShape(), memref.getElementType(), {1});
  return make(memref.getShape().drop_front(), memref.getElementType(),
              ArrayRef(strides).drop_front());
}

int64_t MapRowsOp::getPartColumns() {
  return getOutput().getType().getDimSize(1) / getParts();
}

/// Whether `memory` is an argument of the region of an operation on rows.
static bool isArgument(Value memory) {
  auto argument = dyn_cast<BlockArgument>(memory);
  return argument && isa<MapRowsOp, ReduceRowsOp, SumRowsOp>(
                         argument.getOwner()->getParentOp());
}

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

/// Whether `op` is an elementwise operation on scalars.
static bool isScalarCode(Operation *op) {
  return (op->hasTrait<OpTrait::ConstantLike>() ||
          OpTrait::hasElementwiseMappableTraits(op)) &&
         op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

/// Verifies an operation in the region of `kernel.reduce_rows`, or, outside of
/// its own loops, of `kernel.map_rows`.
static LogicalResult verifyInner(Operation *op) {
  if (isa<kernel::YieldOp, scf::YieldOp>(op) || isScalarCode(op))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op);
      loop && loop.getLowerBound().getType().isIndex() &&
      llvm::all_of(loop.getResultTypes(), isScalar))
    return success();
  if (auto sum = dyn_cast<SumRowsOp>(op))
    return isArgument(sum.getRows())
               ? success()
               : op->emitOpError("expects rows that are an argument");
  if (auto load = dyn_cast<memref::LoadOp>(op);
      load && isArgument(load.getMemRef()))
    return success();
  if (auto dim = dyn_cast<memref::DimOp>(op);
      dim && isArgument(dim.getSource()) && dim.getConstantIndex() == 0)
    return success();
  return op->emitOpError("is not allowed in a function of rows");
}

/// Verifies an operation in the region of `map`, at any depth.
static LogicalResult verifyInner(MapRowsOp map, Operation *op) {
  if (isa<ForColumnsOp, ReduceColumnsOp, DotColumnsOp, SumRangeOp,
          kernel::SoftmaxOp>(op))
    return success();
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    if (store.getMemRef() != map.getOutputRow())
      return op->emitOpError("expects the row of the output");
    if (op->getParentOfType<ForColumnsOp>() ||
        op->getParentOfType<ReduceColumnsOp>())
      return success();
    return op->emitOpError("expects a loop over columns around it");
  }
  return verifyInner(op);
}

/// Verifies each operation in `region`, then calls `inner` for it.
static LogicalResult
verifyRegion(Region &region, function_ref<LogicalResult(Operation *)> inner) {
  // MLIR verifies nested operations after the operation around them. Loops are
  // verified before their bodies, which use the loop's sizes.
  WalkResult walked = region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    return failed(op->getName().verifyInvariants(op)) || failed(inner(op))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

/// Whether an input has rows, rather than one vector for all of them.
static bool hasRows(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return !memref || memref.getRank() > 1;
}

/// Verifies that the inputs of an operation have `rows` rows.
static LogicalResult verifyInputs(Operation *op, TypeRange types,
                                  int64_t rows) {
  for (Type type : types)
    if (hasRows(type) && getShape(type).first != rows)
      return op->emitOpError("expects inputs of ")
             << rows << " rows, but got " << type;
  return success();
}

/// Verifies a region whose arguments are an index and one for each operand.
static LogicalResult verifyArguments(Operation *op, TypeRange operands) {
  SmallVector<Type> types = {IndexType::get(op->getContext())};
  for (Type type : operands)
    types.push_back(MapRowsOp::getArgumentType(type));
  if (llvm::equal(op->getRegion(0).getArgumentTypes(), types))
    return success();
  return op->emitOpError("expects a region with arguments of types ") << types;
}

LogicalResult MapRowsOp::verify() {
  auto [rows, columns] = getShape(getOutput().getType());
  if (columns % getParts())
    return emitOpError("expects parts that divide ")
           << columns << " columns, but got " << getParts();
  if (failed(verifyInputs(*this, getInputs().getTypes(), rows)) ||
      failed(verifyArguments(*this, getOperandTypes())))
    return failure();
  Block &block = getBody().front();
  auto yield = dyn_cast<kernel::YieldOp>(block.getTerminator());
  if (!yield || !yield.getValues().empty())
    return emitOpError("expects a region that yields nothing");
  return verifyRegion(getBody(),
                      [&](Operation *op) { return verifyInner(*this, op); });
}

//===----------------------------------------------------------------------===//
// ReduceRowsOp
//===----------------------------------------------------------------------===//

int64_t ReduceRowsOp::getNumRows() {
  return getShape(*llvm::find_if(getInputs().getTypes(), hasRows)).first;
}

int64_t ReduceRowsOp::getNumColumns() {
  return getShape(getOutputs().front().getType()).second;
}

int64_t ReduceRowsOp::getNumSlices() {
  return getShape(getOutputs().front().getType()).first;
}

LogicalResult ReduceRowsOp::verify() {
  if (llvm::none_of(getInputs().getTypes(), hasRows))
    return emitOpError("expects an input with rows");
  if (getOutputs().empty())
    return emitOpError("expects one output or more");
  for (Type type : getOutputs().getTypes())
    if (getShape(type) != getShape(getOutputs().front().getType()))
      return emitOpError("expects outputs of one shape, but got ") << type;
  if (getNumSlices() > getNumRows())
    return emitOpError("expects at most ")
           << getNumRows() << " slices, one for each row, but got "
           << getNumSlices();
  if (!isDim(getBlocks()) || !isDim(getBlocks() * getNumColumns()))
    return emitOpError("expects blocks of columns up to 2^31 - 1 in all, but "
                       "got ")
           << getBlocks();
  if (failed(verifyInputs(*this, getInputs().getTypes(), getNumRows())) ||
      failed(verifyArguments(*this, getInputs().getTypes())))
    return failure();
  auto yield = dyn_cast<kernel::YieldOp>(getBody().front().getTerminator());
  if (!yield || yield.getValues().size() != getOutputs().size() ||
      !llvm::all_of(yield.getValues().getTypes(),
                    [](Type type) { return type.isF32(); }))
    return emitOpError("expects a region that yields an f32 for each of ")
           << getOutputs().size() << " outputs";
  return verifyRegion(getBody(), [](Operation *op) { return verifyInner(op); });
}
