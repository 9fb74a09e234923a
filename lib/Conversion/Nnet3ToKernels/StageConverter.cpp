//===- StageConverter.cpp - Components of several stages ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceConverter.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Fusion/Passes.h"

using namespace mlir;
using namespace mlir::nnet3;

std::optional<int64_t> DeviceConverter::getRandomPlace() const {
  if (auto place = stageMemory.getRandom())
    return keptPlace + *place;
  return std::nullopt;
}

/// Makes the calls of all stages; `kernel` and `places` have what they have in
/// common, places but for those of vectors, tables and memory.
void DeviceConverter::addStages(Operation *op, StageKernel kernel,
                                ArrayRef<int64_t> gradients, int64_t memo,
                                ArrayRef<int64_t> places) {
  ComponentOpInterface component =
      cast<ComponentOpInterface>(kernel.component.getOperation());
  OperandShapes &operands = kernel.operands;
  operands.numVectors = kernel.component.getNumStageVectors();
  operands.hasMemory = true;
  SmallVector<int64_t> all;
  for (unsigned i = 0; i < operands.numVectors; ++i)
    all.push_back(module.weights.getVector(component, i));
  for (const auto &table : kernel.component.getTables(kernel.command)) {
    all.push_back(module.tables.add(table));
    ++operands.numTables;
  }
  all.append({memo, /*scratch*/ 0});
  llvm::append_range(all, places);
  auto stages = kernel.component.getStages(kernel.command);
  for (auto [number, stage] : llvm::enumerate(stages)) {
    kernel.stage = number;
    kernel.shape = stage;
    if (stage.product)
      addStageProduct(op, component, *stage.product, gradients);
    else if (stage.items > 0)
      launch("stage", kernel, all);
  }
}

void DeviceConverter::addStageProduct(Operation *op,
                                      ComponentOpInterface component,
                                      const StageProduct &product,
                                      ArrayRef<int64_t>) {
  const int64_t weights = module.weights.getMatrix(component, /*folded=*/{});
  auto createMatrix = [&](const StageMatrix &matrix, int64_t columns) {
    return kernels.createBatch({matrix.place, product.rows, matrix.stride},
                               columns);
  };
  kernels.createMatmul(kernel::MatmulFactors::NN,
                       kernels.createWeights(weights, product.depth,
                                             product.columns, product.columns),
                       createMatrix(product.input, product.depth),
                       createMatrix(product.output, product.columns),
                       /*beta=*/0);
}

bool DeviceConverter::convertStages(PropagateOp op) {
  StageKernel kernel;
  kernel.component = getStaged(op, components);
  if (!kernel.component)
    return false;
  kernel.command = getStagedCommand(op);
  kernel.operands.destStride = getRowStride(op.getOutput());
  SmallVector<int64_t> places;
  if (kernel.component.drawsNumbers()) {
    kernel.operands.draws = true;
    places.append({*getRandomPlace(),
                   op->getAttrOfType<IntegerAttr>(kDrawAttr).getInt()});
  }
  places.push_back(arena.getOffset(op.getOutput()));
  if (Value input = op.getInput()) {
    kernel.operands.inputStride = getRowStride(input);
    places.push_back(arena.getOffset(input));
  }
  const int64_t memo =
      op.getMemo() ? getMemo(op.getMemo())
                   : kernel.component.getStageScratchSize(kernel.command);
  addStages(op, kernel, /*gradients=*/{}, memo, places);
  return true;
}
