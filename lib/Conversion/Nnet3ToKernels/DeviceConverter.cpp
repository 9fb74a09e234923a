//===- DeviceConverter.cpp - Commands as kernels of a device --------------===//

#include "DeviceConverter.h"
#include "RowBatches.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Floats that begin a new line of the device's cache.
static int64_t align(int64_t floats) { return llvm::alignTo(floats, 64); }

/// Room for the rows that are gathered for one product.
static int64_t getGatherSize(FusedAffineOp op) {
  int64_t size = 0;
  for (auto [input, rows] : llvm::zip_equal(op.getInputs(), op.getRows()))
    if (!getBatches(cast<RowTableAttr>(rows)))
      size = std::max(size, numRows(op.getOutput()) * numCols(input));
  return align(size);
}

/// Room for the factors that a component multiplies with its weights.
static int64_t getFactorSize(PropagateOp op, ComponentTable &components) {
  Operation *component = components.find(op.getComponent()).getOperation();
  auto factor = dyn_cast<FactorKernelInterface>(component);
  if (!factor)
    return 0;
  return align(numRows(op.getOutput()) * factor.getNumFactors() *
               cast<AffineKernelInterface>(component).getWeightColumns());
}

/// Room for gathered rows and, behind them, for sums; or for a factor; or for
/// what stages leave for the next ones.
static int64_t getScratchSize(ComputationOp computation,
                              const StageMemory &stageMemory) {
  int64_t size = stageMemory.getScratchSize();
  ComponentTable components(computation);
  for (auto op : computation.getBody().getOps<PropagateOp>())
    size = std::max(size, getFactorSize(op, components));
  for (auto op : computation.getBody().getOps<FusedAffineOp>())
    size = std::max(size, getGatherSize(op) + align(numRows(op.getOutput()) *
                                                    numCols(op.getOutput())));
  return size;
}

DeviceConverter::DeviceConverter(ComputationOp computation,
                                 KernelModule &module)
    : DeviceConverter(computation, module, StageMemory(computation)) {}

DeviceConverter::DeviceConverter(ComputationOp computation,
                                 KernelModule &module,
                                 const StageMemory &stageMemory)
    : CommandConverter(computation, module,
                       getScratchSize(computation, stageMemory) +
                           stageMemory.getKeptSize()),
      stageMemory(stageMemory),
      keptPlace(getScratchSize(computation, stageMemory)) {}

LogicalResult DeviceConverter::convertOther(PropagateOp op) {
  StringAttr name =
      SymbolTable::getSymbolName(components.find(op.getComponent()));
  return op.emitOpError("has no code for devices as it is configured: "
                        "component '")
         << name.getValue() << "'";
}

void DeviceConverter::addProduct(PropagateOp op, AffineKernelInterface affine,
                                 int64_t numFactors, int64_t factors) {
  ProductKernel kernel;
  kernel.rows = numRows(op.getOutput());
  kernel.columns = affine.getWeightRows();
  kernel.depth = kernel.weightsStride = affine.getWeightColumns();
  kernel.inputStride = numFactors * kernel.depth;
  kernel.outputStride = getRowStride(op.getOutput());
  kernel.batches = numFactors;
  if (numFactors > 1) {
    kernel.inputBatch = kernel.depth;
    kernel.outputBatch = kernel.columns;
  }
  add(op, kernel,
      {module.weights.getMatrix(components.find(op.getComponent()), {}),
       factors, arena.getOffset(op.getOutput())});
}

bool DeviceConverter::sharesMemory(Value a, Value b) const {
  auto end = [&](Value value) {
    return arena.getOffset(value) + (numRows(value) - 1) * getRowStride(value) +
           numCols(value);
  };
  return arena.getOffset(a) < end(b) && arena.getOffset(b) < end(a);
}

/// Copies the rows of an input to the beginning of the arena.
int64_t DeviceConverter::gather(FusedAffineOp op, unsigned input) {
  auto table = cast<RowTableAttr>(op.getRows()[input]);
  Value source = op.getInputs()[input];
  RowKernel kernel;
  kernel.operation = RowOperation::Copy;
  kernel.rows = numRows(op.getOutput());
  kernel.columns = numCols(source);
  kernel.destStride = kernel.columns;
  add(op, kernel, {0, getTable(table, source, /*none=*/-1)});
  return 0;
}

/// The product of one input, whose rows are gathered if need be, and its
/// places.
ProductKernel DeviceConverter::makeProduct(FusedAffineOp op, unsigned input,
                                           const Sums &sums,
                                           SmallVectorImpl<int64_t> &places) {
  ComponentOpInterface component = components.find(op.getComponent());
  Value source = op.getInputs()[input];
  ProductKernel kernel;
  kernel.columns = numCols(op.getOutput());
  kernel.depth = numCols(source);
  kernel.weightsStride =
      cast<AffineKernelInterface>(component.getOperation()).getWeightColumns();
  kernel.outputStride = sums.stride;
  kernel.beta = input > 0 || sums.beginWithInit;
  int64_t place;
  if (auto batches = getBatches(cast<RowTableAttr>(op.getRows()[input]))) {
    const int64_t stride = getRowStride(source);
    kernel.rows = batches->rows;
    kernel.inputStride = batches->step * stride;
    kernel.batches = batches->batches;
    kernel.inputBatch = batches->distance * stride;
    place = arena.getOffset(source) + batches->first * stride;
  } else {
    kernel.rows = numRows(op.getOutput());
    kernel.inputStride = kernel.depth;
    place = gather(op, input);
  }
  if (kernel.batches > 1)
    kernel.outputBatch = kernel.rows * sums.stride;
  const int64_t weights =
      module.weights.getMatrix(component, op.getFoldedAttr());
  places.assign({weights + op.getColumns()[input], place, sums.place});
  return kernel;
}

int64_t DeviceConverter::getBias(FusedAffineOp op) {
  ComponentOpInterface component = components.find(op.getComponent());
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  return module.weights.getBias(component, op.getFoldedAttr()) +
         affine.getFirstBias(op.getColumns()[0]);
}

/// The last product is there in both forms if something follows it that a
/// library can do.
void DeviceConverter::addProducts(FusedAffineOp op, const Blocks &blocks,
                                  const Sums &sums, const Fused &fused) {
  const unsigned last = op.getInputs().size() - 1;
  for (unsigned i = 0; i <= last; ++i) {
    SmallVector<int64_t> places;
    ProductKernel kernel = makeProduct(op, i, sums, places);
    if (blocks.count > 1) {
      kernel.batches = blocks.count;
      kernel.inputBatch = blocks.inputs[i];
      kernel.outputBatch = blocks.output;
    }
    if (i < last || !(fused.bias || fused.relu)) {
      add(op, kernel, places);
      continue;
    }
    kernel.form = ProductForm::Apart;
    add(op, kernel, places);
    kernel.form = ProductForm::Fused;
    kernel.bias = fused.bias;
    kernel.relu = fused.relu;
    if (fused.bias)
      places.push_back(getBias(op));
    add(op, kernel, places);
  }
}

void DeviceConverter::addEpilogue(FusedAffineOp op, const Blocks &blocks,
                                  const Sums &sums, ProductForm form,
                                  const Fused &fused) {
  EpilogueKernel kernel;
  kernel.rows = numRows(op.getOutput());
  kernel.period = numCols(op.getOutput());
  kernel.columns = blocks.count * kernel.period;
  kernel.inputStride = sums.stride;
  kernel.outputStride = getRowStride(op.getOutput());
  kernel.form = form;
  SmallVector<int64_t> places;
  kernel.bias = op.getBias() && !fused.bias;
  if (kernel.bias)
    places.push_back(getBias(op));
  for (Attribute name : op.getEpilogueSteps().drop_front(fused.relu)) {
    kernel.steps.push_back(getElementwise(cast<SymbolRefAttr>(name)));
    for (unsigned i = 0; i < kernel.steps.back().getNumKernelVectors(); ++i)
      places.push_back(module.weights.getVector(
          components.find(cast<SymbolRefAttr>(name)), i));
  }
  places.push_back(arena.getOffset(op.getOutput()));
  places.push_back(sums.place);
  if (Value init = op.getInit(); init && !sums.beginWithInit) {
    kernel.initRows = numRows(init);
    kernel.initStride = kernel.initRows == 1 ? 0 : getRowStride(init);
    places.push_back(arena.getOffset(init));
  }
  if (Value residual = op.getResidual()) {
    kernel.residualStride = getRowStride(residual);
    kernel.residualScale = op.getResidualScale().convertToFloat();
    places.push_back(arena.getOffset(residual));
  }
  if (!kernel.isIdentity() || sums.place != arena.getOffset(op.getOutput()))
    add(op, kernel, places);
}

DeviceConverter::Sums DeviceConverter::getSums(FusedAffineOp op) {
  Value output = op.getOutput(), init = op.getInit(),
        residual = op.getResidual();
  Sums sums = {arena.getOffset(output), getRowStride(output), false};
  // What the output already holds can be what the sums begin with.
  const bool isInPlace = init && arena.getOffset(init) == sums.place &&
                         getRowStride(init) == sums.stride &&
                         numRows(init) == numRows(output);
  if ((init && !isInPlace && sharesMemory(init, output)) ||
      (residual && sharesMemory(residual, output)))
    return {getGatherSize(op), numCols(output), false};
  sums.beginWithInit = isInPlace;
  return sums;
}

/// Nothing else may have to be added to the sums behind the products: ReLU
/// comes after it.
DeviceConverter::Fused DeviceConverter::getFused(FusedAffineOp op,
                                                 const Sums &sums) {
  if (op.getInit() && !sums.beginWithInit)
    return {};
  Fused fused;
  fused.bias = op.getBias();
  ArrayRef<Attribute> steps = op.getEpilogueSteps();
  fused.relu =
      !steps.empty() &&
      isa<RectifiedLinearOp>(
          components.find(cast<SymbolRefAttr>(steps[0])).getOperation());
  return fused;
}

void DeviceConverter::convertAffine(FusedAffineOp op) {
  if (converted.contains(op))
    return;
  const Blocks blocks = getBlocks(op);
  const Sums sums = getSums(op);
  const Fused fused = getFused(op, sums);
  addProducts(op, blocks, sums, fused);
  if (!fused.bias && !fused.relu)
    return addEpilogue(op, blocks, sums, ProductForm::Always, fused);
  addEpilogue(op, blocks, sums, ProductForm::Fused, fused);
  addEpilogue(op, blocks, sums, ProductForm::Apart, {});
}
