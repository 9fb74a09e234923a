//===- DeviceConverter.cpp - Commands as kernels of a device --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceConverter.h"
#include "KernelWidth.h"
#include "ProductInputs.h"

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Floats that begin a new line of the device's cache.
static int64_t align(int64_t floats) { return llvm::alignTo(floats, 64); }

/// What factors of products may be: where weights are updated, there are not
/// two kinds of them.
static Precision getPrecision(ComputationOp computation,
                              const KernelModule &module) {
  return computation.getBody().getOps<BackpropOp>().empty() ? module.precision
                                                            : Precision::F32;
}

/// Room for the rows that are copied for one product.
static int64_t getGatherSize(FusedAffineOp op, Precision precision) {
  int64_t size = 0;
  for (const ProductInputs &inputs : getProductInputs(op, precision))
    size = std::max(size, inputs.getScratchSize(op));
  return align(size);
}

/// Room for sums that may not be in the output yet, with those of rows that are
/// computed beyond the last one.
static int64_t getSumsSize(FusedAffineOp op, const Padding &padding) {
  Value output = op.getOutput();
  return align(numRows(output) * numCols(output) +
               padding.matrices.lookup(MatrixWindow::get(output).matrix));
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
                              const StageMemory &stageMemory,
                              Precision precision) {
  const Padding padding = getPadding(computation, precision);
  int64_t size = stageMemory.getScratchSize();
  ComponentTable components(computation);
  for (auto op : computation.getBody().getOps<PropagateOp>())
    size = std::max(size, getFactorSize(op, components));
  for (auto op : computation.getBody().getOps<FusedAffineOp>())
    size =
        std::max(size, getGatherSize(op, precision) + getSumsSize(op, padding));
  return size;
}

DeviceConverter::DeviceConverter(ComputationOp computation,
                                 KernelModule &module)
    : DeviceConverter(computation, module, StageMemory(computation)) {}

DeviceConverter::DeviceConverter(ComputationOp computation,
                                 KernelModule &module,
                                 const StageMemory &stageMemory)
    : CommandConverter(
          computation, module,
          getScratchSize(computation, stageMemory,
                         getPrecision(computation, module)) +
              stageMemory.getKeptSize(),
          getPadding(computation, getPrecision(computation, module))),
      stageMemory(stageMemory),
      keptPlace(getScratchSize(computation, stageMemory,
                               getPrecision(computation, module))),
      precision(getPrecision(computation, module)) {}

template <typename KernelTy>
void DeviceConverter::beginSequence(StringRef kind, const KernelTy &kernel,
                                    ArrayRef<int64_t> places) {
  flush();
  sequence = SequenceBuilder(kernel, places);
  createFirst = [this, kind, kernel, places = llvm::to_vector(places)] {
    createLaunch(kind, kernel, places);
  };
}

void DeviceConverter::add(const RowKernel &kernel, ArrayRef<int64_t> places) {
  RowKernel wide = kernel;
  setWidth(wide, places, module.tables);
  if (!sequence.append(wide, places))
    beginSequence("rows", wide, places);
}

void DeviceConverter::add(const EpilogueKernel &kernel,
                          ArrayRef<int64_t> places) {
  EpilogueKernel wide = kernel;
  setWidth(wide, places);
  beginSequence("epilogue", wide, places);
}

void DeviceConverter::flush() {
  if (!createFirst)
    return;
  if (sequence.hasSeveral())
    createLaunch("sequence", sequence.getSequence(), sequence.getPlaces());
  else
    createFirst();
  createFirst = nullptr;
  sequence = SequenceBuilder();
}

LogicalResult DeviceConverter::convertOther(PropagateOp op) {
  StringAttr name =
      SymbolTable::getSymbolName(components.find(op.getComponent()));
  return op.emitOpError("has no code for devices as it is configured: "
                        "component '")
         << name.getValue() << "'";
}

/// A device has room for all.
int64_t DeviceConverter::getFactorRows(int64_t rows, int64_t) const {
  return rows;
}

void DeviceConverter::addProduct(PropagateOp op, AffineKernelInterface affine,
                                 int64_t numFactors, int64_t factors,
                                 RowSpan rows) {
  MatmulShape kernel;
  kernel.rows = rows.count;
  kernel.columns = affine.getWeightRows();
  kernel.depth = kernel.weightsStride = affine.getWeightColumns();
  kernel.inputStride = numFactors * kernel.depth;
  kernel.outputStride = getRowStride(op.getOutput());
  kernel.beta = has(components.getProperties(op.getComponent()),
                    ComponentProperties::PropagateAdds);
  kernel.batches = numFactors;
  if (numFactors > 1) {
    kernel.inputBatch = kernel.depth;
    kernel.outputBatch = kernel.columns;
  }
  addMatmul(kernel,
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
  add(kernel, {0, getTable(table, source, /*none=*/-1)});
  return 0;
}

/// Copies the rows of several inputs to the beginning of the arena, side by
/// side.
int64_t DeviceConverter::splice(FusedAffineOp op, const ProductInputs &inputs) {
  auto sources = op.getInputs().slice(inputs.first, inputs.count);
  const int64_t stride = getRowStride(sources[0]);
  SpliceKernel kernel;
  kernel.rows = numRows(op.getOutput());
  kernel.columns = numCols(sources[0]);
  kernel.parts = inputs.count;
  kernel.batchRows = inputs.rows.rows;
  kernel.rowDistance = inputs.rows.step * stride;
  kernel.batchDistance = inputs.rows.distance * stride;
  kernel.precision = inputs.precision;
  SmallVector<int64_t> places = {0};
  for (auto [i, source] : llvm::enumerate(sources)) {
    auto table = cast<RowTableAttr>(op.getRows()[inputs.first + i]);
    places.push_back(arena.getOffset(source) +
                     getBatches(table)->first * stride);
  }
  setWidth(kernel, places);
  launch("splice", kernel, places);
  return 0;
}

/// Lets `kernel` read the rows of `inputs` where they are; gives the place.
int64_t DeviceConverter::readInPlace(FusedAffineOp op,
                                     const ProductInputs &inputs,
                                     MatmulShape &kernel) {
  Value source = op.getInputs()[inputs.first];
  const int64_t stride = getRowStride(source);
  const RowBatches &rows = inputs.rows;
  kernel.rows = rows.rows;
  kernel.inputStride = rows.step * stride;
  kernel.batches = rows.batches;
  kernel.inputBatch = rows.distance * stride;
  kernel.outputBatch = rows.batches > 1 ? rows.rows * kernel.outputStride : 0;
  if (inputs.kind == ProductInputs::Kind::Overlapping) {
    const OverlappingRows overlapping = getOverlappingRows(inputs, stride);
    kernel.rows = overlapping.rows;
    kernel.batches = overlapping.parts;
    if (kernel.batches > 1) {
      kernel.inputBatch = kernel.inputStride;
      kernel.outputBatch = kernel.outputStride;
    }
    kernel.inputStride *= overlapping.parts;
    kernel.outputStride *= overlapping.parts;
  }
  return arena.getOffset(source) + rows.first * stride;
}

/// The product of some inputs, whose rows are copied if need be, and its
/// places.
MatmulShape DeviceConverter::makeProduct(FusedAffineOp op,
                                         const ProductInputs &inputs,
                                         const Sums &sums,
                                         SmallVectorImpl<int64_t> &places) {
  using Kind = ProductInputs::Kind;
  ComponentOpInterface component = components.find(op.getComponent());
  MatmulShape kernel;
  kernel.rows = numRows(op.getOutput());
  kernel.columns = numCols(op.getOutput());
  kernel.depth = kernel.inputStride = inputs.depth;
  kernel.weightsStride =
      cast<AffineKernelInterface>(component.getOperation()).getWeightColumns();
  kernel.outputStride = sums.stride;
  kernel.beta = inputs.first > 0 || sums.beginWithInit;
  const int64_t place = inputs.kind == Kind::Gathered ? gather(op, inputs.first)
                        : inputs.kind == Kind::Spliced
                            ? splice(op, inputs)
                            : readInPlace(op, inputs, kernel);
  kernel.precision = inputs.precision;
  const int64_t numbers = getNumbersPerWord(inputs.precision);
  kernel.weightsStride = llvm::alignTo(kernel.weightsStride, numbers);
  const int64_t weights =
      module.weights.getMatrix(component, op.getFoldedAttr(), inputs.precision);
  places.assign(
      {weights + op.getColumns()[inputs.first] / numbers, place, sums.place});
  return kernel;
}

int64_t DeviceConverter::getBias(FusedAffineOp op) {
  ComponentOpInterface component = components.find(op.getComponent());
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  return module.weights.getBias(component, op.getFoldedAttr()) +
         affine.getFirstBias(op.getColumns()[0]);
}

/// The products of a command. Blocks are batches of each product already.
static SmallVector<ProductInputs> getInputs(FusedAffineOp op, bool hasBlocks,
                                            Precision precision) {
  if (!hasBlocks)
    return getProductInputs(op, precision);
  SmallVector<ProductInputs> result;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    result.push_back({ProductInputs::Kind::InPlace, unsigned(i), 1,
                      numCols(input),
                      *getBatches(cast<RowTableAttr>(op.getRows()[i]))});
  return result;
}

/// The last product is there in both forms if a library can add the bias.
void DeviceConverter::addProducts(FusedAffineOp op, const Blocks &blocks,
                                  const Sums &sums, bool fusesBias) {
  const auto all = getInputs(op, blocks.count > 1, precision);
  for (const ProductInputs &inputs : all) {
    SmallVector<int64_t> places;
    MatmulShape kernel = makeProduct(op, inputs, sums, places);
    if (blocks.count > 1) {
      kernel.batches = blocks.count;
      kernel.inputBatch = blocks.inputs[inputs.first];
      kernel.outputBatch = blocks.output;
    }
    if (&inputs != &all.back() || !fusesBias) {
      addMatmul(kernel, places);
      continue;
    }
    kernel.form = kernel::Form::Apart;
    addMatmul(kernel, places);
    kernel.form = kernel::Form::Fused;
    places.push_back(getBias(op));
    addMatmul(kernel, places);
  }
}

/// What follows the sums of a command, with its places behind those that are
/// there.
EpilogueKernel DeviceConverter::makeEpilogue(FusedAffineOp op,
                                             const Blocks &blocks,
                                             const Sums &sums, bool fusesBias,
                                             SmallVectorImpl<int64_t> &places) {
  const bool hasSums = places.empty();
  EpilogueKernel kernel;
  kernel.rows = numRows(op.getOutput());
  kernel.period = numCols(op.getOutput());
  kernel.columns = blocks.count * kernel.period;
  kernel.inputStride = sums.stride;
  kernel.outputStride = getRowStride(op.getOutput());
  kernel.bias = op.getBias() && !fusesBias;
  if (kernel.bias)
    places.push_back(getBias(op));
  for (Attribute name : op.getEpilogueSteps()) {
    kernel.steps.push_back(getElementwise(cast<SymbolRefAttr>(name)));
    for (unsigned i = 0; i < kernel.steps.back().getNumKernelVectors(); ++i)
      places.push_back(module.weights.getVector(
          components.find(cast<SymbolRefAttr>(name)), i));
  }
  places.push_back(arena.getOffset(op.getOutput()));
  if (hasSums)
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
  return kernel;
}

void DeviceConverter::addEpilogue(FusedAffineOp op, const Blocks &blocks,
                                  const Sums &sums,
                                  std::optional<kernel::Form> form,
                                  bool fusesBias) {
  SmallVector<int64_t> places;
  EpilogueKernel kernel = makeEpilogue(op, blocks, sums, fusesBias, places);
  kernel.form = form;
  if (!kernel.isIdentity() || sums.place != arena.getOffset(op.getOutput()))
    add(kernel, places);
}

/// Whether each element of the output, a row, is computed from all inputs and
/// from what is added to it alone.
bool DeviceConverter::isSingleRow(FusedAffineOp op) {
  Value output = op.getOutput();
  auto isApart = [&](Value added) {
    return !added || !sharesMemory(added, output) ||
           arena.getOffset(added) == arena.getOffset(output);
  };
  return numRows(output) == 1 && isApart(op.getInit()) &&
         isApart(op.getResidual()) &&
         llvm::all_of(op.getRows(), [](Attribute rows) {
           return getBatches(cast<RowTableAttr>(rows)).has_value();
         });
}

/// One row is a kernel with all that follows: a library's products of matrices
/// are slow for it.
void DeviceConverter::addSingleRow(FusedAffineOp op) {
  ComponentOpInterface component = components.find(op.getComponent());
  const int64_t weights =
      module.weights.getMatrix(component, op.getFoldedAttr());
  SmallVector<int64_t> places, depths;
  for (auto [i, source] : llvm::enumerate(op.getInputs())) {
    const int64_t row = getBatches(cast<RowTableAttr>(op.getRows()[i]))->first;
    depths.push_back(numCols(source));
    places.push_back(weights + op.getColumns()[i]);
    places.push_back(arena.getOffset(source) + row * getRowStride(source));
  }
  EpilogueKernel kernel =
      makeEpilogue(op, Blocks(), Sums(), /*fusesBias=*/false, places);
  kernel.depths = depths;
  kernel.weightsStride =
      cast<AffineKernelInterface>(component.getOperation()).getWeightColumns();
  add(kernel, places);
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
    return {getGatherSize(op, precision), numCols(output), false};
  sums.beginWithInit = isInPlace;
  return sums;
}

/// Whether a library adds the bias with the last product: nothing else may have
/// to be added to the sums before. ReLU is not the library's either: what
/// cuBLASLt makes of NaN there is not documented.
bool DeviceConverter::fusesBias(FusedAffineOp op, const Sums &sums) {
  return op.getBias() && (!op.getInit() || sums.beginWithInit);
}

void DeviceConverter::convertAffine(FusedAffineOp op) {
  if (converted.contains(op))
    return;
  const Blocks blocks = getBlocks(op);
  if (blocks.count == 1 && isSingleRow(op))
    return addSingleRow(op);
  const Sums sums = getSums(op);
  const bool fuses = fusesBias(op, sums);
  addProducts(op, blocks, sums, fuses);
  if (!fuses)
    return addEpilogue(op, blocks, sums, std::nullopt, fuses);
  addEpilogue(op, blocks, sums, kernel::Form::Fused, fuses);
  addEpilogue(op, blocks, sums, kernel::Form::Apart, /*fusesBias=*/false);
}
