//===- KernelOps.cpp - Operations of the kernel dialect -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarRegions.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

LogicalResult NarrowOp::verify() {
  const MemRefType from = getMatrix().getType(), to = getType();
  const int64_t numbers = 32 / to.getElementTypeBitWidth();
  if (to.getDimSize(0) == from.getDimSize(0) &&
      to.getDimSize(1) == numbers * from.getDimSize(1) &&
      to.getStridesAndOffset().first[0] ==
          numbers * from.getStridesAndOffset().first[0])
    return success();
  return emitOpError("expects ")
         << numbers << " numbers of " << to.getElementType()
         << " for each f32 of " << from << ", but got " << to;
}

/// Returns the scalar type of an operand of a map.
static Type getScalarType(Type operand) {
  auto memref = dyn_cast<MemRefType>(operand);
  return memref ? memref.getElementType()
                : Float32Type::get(operand.getContext());
}

static SmallVector<Type> getScalarTypes(TypeRange operands) {
  return llvm::map_to_vector(operands, getScalarType);
}

LogicalResult kernel::verifyScalars(Operation *op, Block &block,
                                    ArrayRef<Type> inputs,
                                    ArrayRef<Type> outputs) {
  if (!llvm::equal(block.getArgumentTypes(), inputs))
    return op->emitOpError("expects a region with arguments of types (")
           << inputs << ")";
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  for (Operation &inner : block.without_terminator())
    if ((!inner.hasTrait<OpTrait::ConstantLike>() &&
         !OpTrait::hasElementwiseMappableTraits(&inner)) ||
        !llvm::all_of(inner.getResultTypes(), isScalar))
      return inner.emitOpError("does not compute element by element, as the "
                               "regions of kernel operations do");
  auto yield = dyn_cast<kernel::YieldOp>(block.getTerminator());
  if (!yield || !llvm::equal(yield.getValues().getTypes(), outputs))
    return op->emitOpError("expects a region that yields (") << outputs << ")";
  return success();
}

void kernel::buildScalars(
    OpBuilder &builder, OperationState &state, ArrayRef<Type> types,
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block =
      builder.createBlock(state.addRegion(), {}, types,
                          SmallVector<Location>(types.size(), state.location));
  kernel::YieldOp::create(builder, state.location,
                          body(builder, state.location, block->getArguments()));
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
  properties.alignment = builder.getI64IntegerAttr(1);
  buildScalars(builder, state, getScalarTypes(inputs.getTypes()), body);
}

int64_t MapOp::getNumRows() {
  return getShape(getOutputs().front().getType()).first;
}

int64_t MapOp::getNumColumns() {
  return getShape(getOutputs().front().getType()).second;
}

/// Whether an input of type `type` can be broadcast to `rows` x `columns` (see
/// the op's description).
static bool spreads(Type type, int64_t rows, int64_t columns) {
  if (isVectorView(type))
    return columns % cast<MemRefType>(type).getDimSize(0) == 0;
  if (isRowGroupsView(type)) {
    ArrayRef<int64_t> shape = cast<MemRefType>(type).getShape();
    return shape[0] * shape[1] == rows && shape[2] == columns;
  }
  auto [inputRows, inputColumns] = getShape(type);
  return (inputColumns == columns || inputColumns == 1) &&
         (inputRows == rows || (isMatrixView(type) && rows % inputRows == 0));
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
  if (getAccumulate() && llvm::any_of(getOutputs().getTypes(), isNarrowView))
    return emitOpError("accumulates f32 alone");
  if (columns % getAlignment())
    return emitOpError("expects multiples of ")
           << getAlignment() << " columns, but got " << columns;
  return verifyScalars(*this, getBody().front(),
                       getScalarTypes(getInputs().getTypes()),
                       getScalarTypes(getOutputs().getTypes()));
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Kernel/IR/KernelOps.cpp.inc"
