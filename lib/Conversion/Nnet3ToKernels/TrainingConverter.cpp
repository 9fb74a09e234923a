//===- TrainingConverter.cpp - Backward passes on a device ----------------===//

#include "TrainingConverter.h"
#include "TimeRows.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

SmallVector<TimeRows> mlir::nnet3::getTimeRows(BackpropOp op) {
  auto precomputed = op.getPrecomputedAttr();
  if (!precomputed)
    return {{0, 1}};
  auto offsets = precomputed.getAs<DenseI64ArrayAttr>("row_offsets");
  const int64_t step = precomputed.getAs<IntegerAttr>("row_stride").getInt();
  return llvm::map_to_vector(offsets.asArrayRef(), [&](int64_t first) {
    return TimeRows{first, step};
  });
}

int64_t TrainingConverter::getGradient(BackpropOp op, StringRef parameter,
                                       int64_t rows, int64_t cols) {
  auto key = std::pair(op.getComponent().getNestedReferences()[0].getAttr(),
                       getParameterName(op, parameter));
  auto [known, isNew] =
      gradients.insert({key, {arena.getSize() + gradientSize, rows, cols}});
  if (isNew)
    gradientSize += llvm::alignTo(rows * cols, 64);
  return known->second.place;
}

/// Parts of a composite component are numbered.
StringAttr TrainingConverter::getParameterName(BackpropOp op,
                                               StringRef parameter) {
  if (op.getComponent().getNestedReferences().size() == 1)
    return StringAttr::get(op.getContext(), parameter);
  Operation *part = components.find(op.getComponent());
  const int64_t number =
      std::distance(part->getBlock()->begin(), part->getIterator());
  return StringAttr::get(op.getContext(),
                         "component" + Twine(number + 1) + "." + parameter);
}

bool TrainingConverter::updates(BackpropOp op) {
  return op.getUpdate() && has(components.getProperties(op.getComponent()),
                               ComponentProperties::Updatable);
}

ArrayAttr TrainingConverter::getGradients() const {
  if (gradients.empty())
    return {};
  SmallVector<Attribute> list;
  for (const auto &[key, gradient] : gradients) {
    Builder builder(key.first.getContext());
    auto number = [&](int64_t value) {
      return builder.getI64IntegerAttr(value);
    };
    NamedAttribute entry[] = {{"component", key.first},
                              {"parameter", key.second},
                              {"place", number(gradient.place)},
                              {"rows", number(gradient.rows)},
                              {"cols", number(gradient.cols)}};
    list.push_back(builder.getDictionaryAttr(entry));
  }
  return ArrayAttr::get(list.front().getContext(), list);
}

/// The gradient begins with zeros.
void TrainingConverter::finish(std::vector<KernelCall> &calls) {
  if (gradients.empty())
    return;
  RowKernel kernel;
  kernel.operation = RowOperation::Fill;
  kernel.rows = 1;
  kernel.columns = gradientSize;
  kernel.destStride = gradientSize;
  kernel.alpha = 0;
  calls.insert(
      calls.begin(),
      {module.kernels.get(kernel), {arena.getSize()}, calls.front().loc});
}

LogicalResult TrainingConverter::convertUnknown(Operation *op) {
  if (auto backprop = dyn_cast<BackpropOp>(op))
    return convertBackward(backprop);
  return DeviceConverter::convertUnknown(op);
}

LogicalResult TrainingConverter::convertBackward(BackpropOp op) {
  ComponentOpInterface component = components.find(op.getComponent());
  Operation *model = component.getOperation();
  if (auto staged = getStaged(op, components))
    return convertStagedBackward(op, staged);
  auto affine = dyn_cast<AffineKernelInterface>(model);
  if (affine && affine.isAffine())
    return convertAffineBackward(op, affine), success();
  auto row = dyn_cast<BackwardKernelInterface>(model);
  if (row && row.hasBackwardKernel())
    return convertRowBackward(op, row), success();
  return op.emitOpError("has no backward pass for devices: component '")
         << op.getComponent().getLeafReference().getValue() << "'";
}

/// The sums of the columns of a block are the gradient of the bias.
void TrainingConverter::addBias(BackpropOp op, AffineKernelInterface affine,
                                int64_t block) {
  BackwardKernel kernel;
  kernel.sum = 0;
  kernel.rows = numRows(op.getOutputDeriv());
  kernel.columns = affine.getWeightRows();
  kernel.derivStride = getRowStride(op.getOutputDeriv());
  kernel.adds = true;
  const int64_t gradient =
      getGradient(op, affine.getBiasName(), 1, affine.getNumBiases());
  add(op, kernel,
      {affine.hasWeightsPerBlock() ? gradient + block * kernel.columns
                                   : gradient,
       arena.getOffset(op.getOutputDeriv()) + block * kernel.columns});
}

/// Where the gradient of the weights of a block is, from column `column` on.
/// The weights of one block are behind those of the other if each has its own,
/// and as wide as its input.
int64_t TrainingConverter::getWeightsGradient(BackpropOp op,
                                              AffineKernelInterface affine,
                                              int64_t block, int64_t column) {
  const int64_t rows = affine.getWeightRows();
  const int64_t columns = affine.getWeightColumns();
  if (!affine.hasWeightsPerBlock())
    return getGradient(op, affine.getWeightsName(), rows, columns) + column;
  const int64_t blocks = affine.getNumBlocks();
  return getGradient(op, affine.getWeightsName(), rows * blocks,
                     columns / blocks) +
         block * rows * (columns / blocks);
}

/// With Y = 1 b^T + sum_i X_i W_i^T: dX_i += dY W_i, dW_i += dY^T X_i.
void TrainingConverter::convertAffineBackward(BackpropOp op,
                                              AffineKernelInterface affine) {
  ComponentOpInterface component = components.find(op.getComponent());
  const Value deriv = op.getOutputDeriv(), inDeriv = op.getInputDeriv(),
              input = op.getInputValue();
  const int64_t width = affine.getWeightRows();
  const int64_t weightColumns = affine.getWeightColumns();
  const SmallVector<TimeRows> times = getTimeRows(op);
  if (inDeriv && !has(components.getProperties(op.getComponent()),
                      ComponentProperties::BackpropAdds))
    fill(inDeriv, 0);
  for (int64_t block = 0; block < affine.getNumBlocks(); ++block) {
    const int64_t from = arena.getOffset(deriv) + block * width;
    ProductKernel kernel;
    kernel.inputStride = getRowStride(deriv);
    kernel.beta = 1;
    for (const AffineTerm &term : affine.getTerms(block)) {
      const TimeRows &rows = times[term.time];
      kernel.columns = term.columns;
      auto place = [&](Value matrix) {
        return arena.getOffset(matrix) + rows.first * getRowStride(matrix) +
               term.input;
      };
      if (updates(op)) {
        kernel.factors = ProductFactors::WeightDerivative;
        kernel.rows = width;
        kernel.depth = numRows(deriv);
        kernel.weightsStride = rows.step * getRowStride(input);
        kernel.outputStride = affine.hasWeightsPerBlock()
                                  ? weightColumns / affine.getNumBlocks()
                                  : weightColumns;
        add(op, kernel,
            {place(input), from,
             getWeightsGradient(op, affine, block, term.weights)});
      }
      if (inDeriv) {
        kernel.factors = ProductFactors::InputDerivative;
        kernel.rows = numRows(deriv);
        kernel.depth = width;
        kernel.weightsStride = weightColumns;
        kernel.outputStride = rows.step * getRowStride(inDeriv);
        const int64_t weights =
            module.weights.getMatrix(component, /*folded=*/{});
        add(op, kernel, {weights + term.weights, from, place(inDeriv)});
      }
    }
    if (updates(op) && affine.getBiasName())
      addBias(op, affine, block);
  }
}

LogicalResult
TrainingConverter::convertStagedBackward(BackpropOp op,
                                         StagedKernelInterface component) {
  const Value deriv = op.getOutputDeriv(), inDeriv = op.getInputDeriv();
  StageKernel kernel;
  kernel.component = component;
  kernel.command = getStagedCommand(op, updates(op));
  if (!op.getMemo() && component.getMemoSize(kernel.command) > 0)
    return op.emitOpError("expects the memo of component '")
           << op.getComponent().getLeafReference().getValue() << "'";
  SmallVector<int64_t> gradients;
  if (updates(op))
    for (const StagedGradient &gradient : component.getStagedGradients())
      gradients.push_back(
          getGradient(op, gradient.name, gradient.rows, gradient.columns));
  OperandShapes &operands = kernel.operands;
  SmallVector<int64_t> places = {inDeriv ? arena.getOffset(inDeriv) : 0,
                                 arena.getOffset(deriv)};
  operands.derivStride = getRowStride(deriv);
  if (inDeriv) {
    operands.destStride = getRowStride(inDeriv);
    operands.adds = addsToInputDerivative(op);
  }
  if (Value input = op.getInputValue()) {
    operands.inputStride = getRowStride(input);
    places.push_back(arena.getOffset(input));
  }
  if (Value output = op.getOutputValue()) {
    operands.outputStride = getRowStride(output);
    places.push_back(arena.getOffset(output));
  }
  addStages(op, kernel, gradients, op.getMemo() ? getMemo(op.getMemo()) : 0,
            places);
  return success();
}

bool TrainingConverter::addsToInputDerivative(BackpropOp op) {
  return has(components.getProperties(op.getComponent()),
             ComponentProperties::BackpropAdds) &&
         !(MatrixWindow::get(op.getInputDeriv()) ==
           MatrixWindow::get(op.getOutputDeriv()));
}

BackwardKernel
TrainingConverter::makeBackwardKernel(BackpropOp op,
                                      BackwardKernelInterface component,
                                      SmallVectorImpl<int64_t> &places) {
  const Value deriv = op.getOutputDeriv();
  BackwardKernel kernel;
  kernel.component = component;
  kernel.rows = numRows(deriv);
  kernel.derivStride = getRowStride(deriv);
  for (unsigned i = 0; i < kernel.getNumVectors(); ++i)
    places.push_back(
        module.weights.getVector(components.find(op.getComponent()), i));
  places.append({/*what is written*/ 0, arena.getOffset(deriv)});
  if (Value input = op.getInputValue()) {
    kernel.inputStride = getRowStride(input);
    places.push_back(arena.getOffset(input));
  }
  if (Value output = op.getOutputValue()) {
    kernel.outputStride = getRowStride(output);
    places.push_back(arena.getOffset(output));
  }
  return kernel;
}

/// The sums come first: the rows may be written over what they are of.
void TrainingConverter::convertRowBackward(BackpropOp op,
                                           BackwardKernelInterface component) {
  const Value deriv = op.getOutputDeriv(), inDeriv = op.getInputDeriv();
  SmallVector<int64_t> places;
  BackwardKernel kernel = makeBackwardKernel(op, component, places);
  const size_t dest = kernel.getNumVectors();
  if (updates(op)) {
    kernel.adds = true;
    const SmallVector<StringRef> names = component.getSums();
    for (auto [number, name] : llvm::enumerate(names)) {
      kernel.sum = number;
      kernel.columns = component.getSumColumns(number);
      const int64_t row = llvm::count(ArrayRef(names).take_front(number), name);
      places[dest] =
          getGradient(op, name, llvm::count(names, name), kernel.columns) +
          row * kernel.columns;
      add(op, kernel, places);
    }
  }
  if (!inDeriv)
    return;
  if (!component.hasInputDerivative()) {
    if (!addsToInputDerivative(op) && numRows(inDeriv) > 0)
      fill(inDeriv, 0);
    return;
  }
  kernel.sum = std::nullopt;
  kernel.columns = std::max(numCols(inDeriv), numCols(deriv));
  kernel.destStride = getRowStride(inDeriv);
  kernel.adds = addsToInputDerivative(op);
  places[dest] = arena.getOffset(inDeriv);
  add(op, kernel, places);
}
