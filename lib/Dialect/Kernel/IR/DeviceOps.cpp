//===- DeviceOps.cpp - Operations for devices -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

void LaunchOp::build(OpBuilder &builder, OperationState &state, StringRef kind,
                     ValueRange inputs) {
  state.addOperands(inputs);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.kind = builder.getStringAttr(kind);
  properties.threads = builder.getI64IntegerAttr(1);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(state.addRegion(), {}, inputs.getTypes(),
                      SmallVector<Location>(inputs.size(), state.location));
}

LogicalResult LaunchOp::verify() {
  Block &block = getBody().front();
  if (block.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("expects a region with arguments of types ")
           << getInputs().getTypes();
  auto yield = dyn_cast<kernel::YieldOp>(block.getTerminator());
  if (!yield || !yield.getValues().empty())
    return emitOpError("expects a region that yields nothing");
  if (getKind().empty())
    return emitOpError("expects a name of its kind");
  WalkResult walked = getBody().walk([&](Operation *op) {
    if (op == yield || !isa_and_nonnull<KernelDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError("is not allowed in the code of a kernel");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// MatmulOp
//===----------------------------------------------------------------------===//

int64_t MatmulOp::getDepth() {
  ArrayRef<int64_t> input = getInput().getType().getShape();
  return getFactors() == MatmulFactors::TN
             ? input[1]
             : input[2] * getNumbersPerWord(getPrecision());
}

LogicalResult MatmulOp::verify() {
  const Precision precision = getPrecision();
  if (!isForGpu(precision) ||
      (hasHalves(precision) && getFactors() != MatmulFactors::NT))
    return emitOpError("does not compute in ") << getPrecisionName(precision);
  ArrayRef<int64_t> weights = getWeights().getType().getShape();
  ArrayRef<int64_t> input = getInput().getType().getShape();
  ArrayRef<int64_t> output = getOutput().getType().getShape();
  const bool isInputTransposed = getFactors() == MatmulFactors::TN;
  const bool areWeightsTransposed = getFactors() == MatmulFactors::NT;
  const int64_t rows = input[isInputTransposed ? 2 : 1];
  const int64_t depth = input[isInputTransposed ? 1 : 2];
  const int64_t columns = weights[areWeightsTransposed ? 0 : 1];
  if (weights[areWeightsTransposed ? 1 : 0] != depth)
    return emitOpError("expects weights for sums of ")
           << depth << " terms, but got " << getWeights().getType();
  if (output[0] != input[0] || output[1] != rows || output[2] != columns)
    return emitOpError("expects an output of ")
           << input[0] << "x" << rows << "x" << columns << ", but got "
           << getOutput().getType();
  if (getBias() && getBias().getType().getDimSize(0) != columns)
    return emitOpError("expects a bias of ")
           << columns << " values, but got " << getBias().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// PreconditionProductOp
//===----------------------------------------------------------------------===//

LogicalResult AllreduceOp::verify() {
  if (getNumbers().getType().getDimSize(0) % 2)
    return emitOpError("expects two floats for each number, but got ")
           << getNumbers().getType();
  return success();
}

LogicalResult PreconditionProductOp::verify() {
  ArrayRef<int64_t> rows = getRows().getType().getShape(),
                    others = getOthers().getType().getShape();
  if (rows[0] != others[0])
    return emitOpError("expects equal numbers of rows, but got ")
           << getOthers().getType() << " for " << getRows().getType();
  const int64_t rank = getBasis().getType().getShape()[0];
  auto check = [&](StringRef name, MemRefType type,
                   int64_t columns) -> LogicalResult {
    if (type.getShape() == ArrayRef<int64_t>({rank, columns}) &&
        type.getStridesAndOffset().first.front() == columns)
      return success();
    return emitOpError("expects ")
           << name << " of " << rank << "x" << columns
           << " without gaps between rows, but got " << type;
  };
  const int64_t columns = ShapedType::getNumElements(rows.drop_front());
  return success(succeeded(check("a basis", getBasis().getType(), columns)) &&
                 succeeded(check("sums", getSums().getType(), others[1])));
}
