//===- StageConverter.cpp - Components of several stages ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceConverter.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nnet3;

std::optional<int64_t> DeviceConverter::getRandomPlace() const {
  if (auto place = stageMemory.getRandom())
    return keptPlace + *place;
  return std::nullopt;
}

Value DeviceConverter::createFloats(int64_t place, int64_t size) {
  return size ? kernels.createScratch(place, size) : Value();
}

void DeviceConverter::addDraws(RowOperands &operands, int64_t number) {
  operands.random = createFloats(*getRandomPlace(), 3);
  operands.command = kernels.index(number);
}

void DeviceConverter::addIndexes(RowOperands &operands,
                                 ArrayRef<SmallVector<int64_t>> lists) {
  for (const auto &list : lists)
    operands.indexes.push_back(
        kernels.createIndexes(module.tables.add(list), list.size()));
}

void DeviceConverter::addStages(const RowOperands &operands,
                                const StagedCommand &command,
                                ArrayRef<KernelStage> stages, EmitStage emit) {
  OpBuilder &builder = kernels.getBuilder();
  Location loc = kernels.getLoc();
  SmallVector<Value> inputs = operands.getInputs();
  if (operands.stored)
    inputs.push_back(operands.stored);
  for (auto [number, stage] : llvm::enumerate(stages)) {
    if (stage.items == 0)
      continue;
    auto launch = kernel::LaunchOp::create(builder, loc, "stage", inputs);
    setThreads(launch, stage.threads);
    OpBuilder::InsertionGuard guard(builder);
    Block &block = launch.getBody().front();
    builder.setInsertionPointToStart(&block);
    ValueRange arguments = block.getArguments();
    RowOperands inside = operands.replaceInputs(
        operands.stored ? arguments.drop_back() : arguments);
    if (operands.stored)
      inside.stored = arguments.back();
    StageEmission emission(builder, loc, inside, command);
    emission.forEachBelow(
        emission.index(stage.items),
        [&, number = number](Value item) { emit(emission, number, item); });
    kernel::YieldOp::create(builder, loc, ValueRange());
  }
}

void DeviceConverter::addStages(StagedKernelInterface component,
                                const StagedCommand &command, int64_t memo,
                                RowOperands operands) {
  auto op = cast<ComponentOpInterface>(component.getOperation());
  operands.vectors = createVectors(op, component.getNumStageVectors(),
                                   op.getComponentOutputDim());
  addIndexes(operands, component.getTables(command));
  operands.memo = createFloats(memo, component.getMemoSize(command));
  operands.scratch = createFloats(0, component.getStageScratchSize(command));
  addStages(operands, command, component.getStages(command),
            [&](StageEmission &stage, unsigned number, Value item) {
              component.emitStage(stage, command, number, item);
            });
}

bool DeviceConverter::convertStages(PropagateOp op) {
  StagedKernelInterface component = getStaged(op, components);
  if (!component)
    return false;
  const StagedCommand command = getStagedCommand(op);
  RowOperands operands;
  if (component.drawsNumbers())
    addDraws(operands, *op.getDraw());
  operands.stored = createMatrix(op.getOutput());
  if (Value input = op.getInput())
    operands.input = createMatrix(input);
  addStages(component, command,
            op.getMemo() ? getMemo(op.getMemo())
                         : component.getStageScratchSize(command),
            operands);
  return true;
}
