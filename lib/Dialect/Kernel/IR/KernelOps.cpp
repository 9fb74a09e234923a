//===- KernelOps.cpp - Operations of the kernel dialect -------------------===//

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3::kernel;

LogicalResult IndexedRowsOp::verify() {
  const int64_t size = getTable().getType().getDimSize(0);
  const int64_t rows = getType().getNumRows();
  if (rows <= size)
    return success();
  return emitOpError("expects a table of at least ")
         << rows << " entries, but got " << size;
}

//===----------------------------------------------------------------------===//
// MapOp
//===----------------------------------------------------------------------===//

void MapOp::build(
    OpBuilder &builder, OperationState &state, ValueRange inputs,
    ValueRange outputs, bool accumulate,
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)> body) {
  state.addOperands(inputs);
  state.addOperands(outputs);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {int32_t(inputs.size()),
                                    int32_t(outputs.size())};
  properties.accumulate = accumulate ? builder.getUnitAttr() : UnitAttr();
  Region *region = state.addRegion();
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(
      region, {}, SmallVector<Type>(inputs.size(), builder.getF32Type()),
      SmallVector<Location>(inputs.size(), state.location));
  YieldOp::create(builder, state.location,
                  body(builder, state.location, block->getArguments()));
}

int64_t MapOp::getNumRows() {
  return getShape(getOutputs().front().getType()).first;
}

int64_t MapOp::getNumColumns() {
  return getShape(getOutputs().front().getType()).second;
}

/// Whether an input of type `type` has an element for each of those of `rows`
/// x `columns` (see the op's description).
static bool spreads(Type type, int64_t rows, int64_t columns) {
  if (isVectorView(type))
    return cast<MemRefType>(type).getDimSize(0) == columns;
  auto [inputRows, inputColumns] = getShape(type);
  return (inputColumns == columns || inputColumns == 1) &&
         (inputRows == rows || (isMatrixView(type) && rows % inputRows == 0));
}

/// The region: one scalar per input, element-wise operations, one scalar per
/// output.
static LogicalResult verifyBody(MapOp op) {
  Block &block = op.getBody().front();
  if (block.getNumArguments() != op.getInputs().size() ||
      !llvm::all_of(block.getArgumentTypes(),
                    [](Type type) { return type.isF32(); }))
    return op.emitOpError("expects a region with an f32 for each of ")
           << op.getInputs().size() << " inputs";
  for (Operation &inner : block.without_terminator())
    if (!inner.hasTrait<OpTrait::ConstantLike>() &&
        !OpTrait::hasElementwiseMappableTraits(&inner))
      return inner.emitOpError("does not compute element by element, as the "
                               "region of kernel.map expects");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().size() != op.getOutputs().size())
    return op.emitOpError("expects a region that yields an f32 for each of ")
           << op.getOutputs().size() << " outputs";
  return success();
}

LogicalResult MapOp::verify() {
  if (getOutputs().empty())
    return emitOpError("expects an output");
  const int64_t rows = getNumRows(), columns = getNumColumns();
  for (Type type : getOutputs().getTypes())
    if (getShape(type) != std::pair(rows, columns))
      return emitOpError("expects outputs of ")
             << rows << "x" << columns << ", but got " << type;
  for (Type type : getInputs().getTypes())
    if (!spreads(type, rows, columns))
      return emitOpError("expects inputs for outputs of ")
             << rows << "x" << columns << ", but got " << type;
  return verifyBody(*this);
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Kernel/IR/KernelOps.cpp.inc"
