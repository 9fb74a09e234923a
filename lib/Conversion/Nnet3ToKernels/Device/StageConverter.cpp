//===- StageConverter.cpp - Components in grid-wide phases ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageConverter.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nnet3;

std::optional<int64_t> StageConverter::getRandomPlace() const {
  if (auto place = memory.stages.getRandom())
    return memory.scratchSize + *place;
  return std::nullopt;
}

Value StageConverter::createFloats(int64_t place, int64_t size) {
  return size ? context.kernels.createScratch(place, size) : Value();
}

Value StageConverter::createRepairs(Operation *component) {
  auto place = memory.stages.getRepairs(component);
  return place ? createFloats(
                     memory.scratchSize + *place,
                     cast<StatisticsKernelInterface>(component).getNumRepairs())
               : Value();
}

void StageConverter::addDraws(RowOperands &operands, int64_t number) {
  operands.random = createFloats(*getRandomPlace(), 4);
  operands.command = context.kernels.index(number);
}

void StageConverter::addIndexes(RowOperands &operands,
                                ArrayRef<SmallVector<int64_t>> lists) {
  for (const auto &list : lists)
    operands.indexes.push_back(context.kernels.createIndexes(
        context.module.tables.add(list), list.size()));
}

void StageConverter::addStages(const RowOperands &operands,
                               const StagedCommand &command,
                               ArrayRef<KernelStage> stages, EmitStage emit) {
  OpBuilder &builder = context.kernels.getBuilder();
  Location loc = context.kernels.getLoc();
  SmallVector<Value> inputs = operands.getInputs();
  if (operands.stored)
    inputs.push_back(operands.stored);
  const bool isSerial = !context.module.threads;
  for (auto [number, stage] : llvm::enumerate(stages)) {
    if (stage.numReduced > 0) {
      kernel::AllreduceOp::create(builder, loc,
                                  createFloats(0, 2 * stage.numReduced));
      continue;
    }
    const int64_t items =
        isSerial ? stage.serialItems.value_or(stage.items) : stage.items;
    if (items == 0)
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
    emission.setForOneThread(isSerial);
    emission.forEachBelow(
        emission.index(items),
        [&, number = number](Value item) { emit(emission, number, item); });
    kernel::YieldOp::create(builder, loc, ValueRange());
  }
}

void StageConverter::addStages(StagedKernelInterface component,
                               const StagedCommand &command, int64_t memo,
                               RowOperands operands) {
  auto op = cast<ComponentOpInterface>(component.getOperation());
  operands.vectors = context.createVectors(op, component.getNumStageVectors(),
                                           op.getComponentOutputDim());
  addIndexes(operands, component.getTables(command));
  operands.memo = createFloats(memo, component.getMemoSize(command));
  operands.scratch = createFloats(0, component.getStageScratchSize(command));
  addStages(operands, command, component.getStages(command),
            [&](StageEmission &stage, unsigned number, Value item) {
              component.emitStage(stage, command, number, item);
            });
}

bool StageConverter::convert(PropagateOp op) {
  StagedKernelInterface component = getStaged(op, context.components);
  if (!component)
    return false;
  const StagedCommand command = getStagedCommand(op, context.module.isShared);
  RowOperands operands;
  if (component.drawsNumbers())
    addDraws(operands, *op.getDraw());
  operands.stored = context.createMatrix(op.getOutput());
  if (Value input = op.getInput())
    operands.input = context.createMatrix(input);
  addStages(component, command,
            op.getMemo() ? getMemo(op.getMemo())
                         : component.getStageScratchSize(command),
            operands);
  return true;
}
