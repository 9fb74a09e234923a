//===- WeightPacker.cpp - Parameters as kernels read them -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/WeightPacker.h"
#include "ReducedWeights.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Target/Program/ParameterBlob.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "nnet3/runtime/Placement.h"

using namespace mlir;
using namespace mlir::nnet3;
using kernel::PackedAttr;
using kernel::PackedPart;
using mlir::nnet3::AffineKernelInterface;
using mlir::nnet3::BlockKernelInterface;
using mlir::nnet3::ComponentOpInterface;
using mlir::nnet3::ElementwiseKernelInterface;
using mlir::nnet3::getColumnConstants;
using mlir::nnet3::RowKernelInterface;

namespace {
/// What is folded into weights: output column c is multiplied by `scales[c]`,
/// then `offsets[c]` is added.
struct Folded {
  std::vector<float> scales, offsets;
};
} // namespace

static FailureOr<std::vector<float>> getTensor(ComponentOpInterface component,
                                               StringAttr name) {
  auto tensor = component->getAttrOfType<ElementsAttr>(name);
  if (tensor) {
    std::vector<float> values(tensor.getNumElements());
    if (succeeded(copyTensor(tensor, values.data())))
      return values;
  }
  return component->emitError("tensor '")
         << name.getValue() << "' has no values";
}

/// Takes the first `size` floats of `dest`; an error if it has fewer.
static LogicalResult takeFront(Operation *op, int64_t size,
                               MutableArrayRef<float> &dest) {
  if (size > int64_t(dest.size()))
    return op->emitError("has ")
           << size << " packed floats, but there is room for " << dest.size();
  dest = dest.take_front(size);
  return success();
}

/// The kernel vectors of `op`, a component.
static FailureOr<SmallVector<SmallVector<float>>> getVectors(Operation *op) {
  if (!isa<BlockKernelInterface, RowKernelInterface,
           ElementwiseKernelInterface>(op))
    return op->emitError("has no per-column constants");
  auto vectors = getColumnConstants(op);
  if (failed(vectors))
    return op->emitError("has no values");
  return vectors;
}

/// What `op`, an elementwise component or null, does to `columns` columns;
/// where it has more, it does the same to the next ones.
static FailureOr<Folded> getFolded(Operation *op, int64_t columns) {
  Folded folded = {std::vector<float>(columns, 1),
                   std::vector<float>(columns, 0)};
  if (!op)
    return folded;
  auto vectors = getVectors(op);
  if (failed(vectors))
    return failure();
  if (vectors->size() < 2 || int64_t((*vectors)[0].size()) < columns)
    return op->emitError("expects a folded component of ")
           << columns << " columns that scales and adds";
  std::copy_n((*vectors)[0].begin(), columns, folded.scales.begin());
  std::copy_n((*vectors)[1].begin(), columns, folded.offsets.begin());
  return folded;
}

/// Puts the weights of the blocks, which follow each other, side by side.
static void placeBlocks(AffineKernelInterface affine, WeightMatrix &weights) {
  const std::vector<float> given = weights.copy;
  for (size_t i = 0; i < given.size(); ++i)
    weights.copy[i] =
        given[affine.getWeightPlace(i / weights.columns, i % weights.columns)];
}

/// The numbers of `tensor`, if they are in memory as they are needed.
static ArrayRef<float> getNumbers(ElementsAttr tensor) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(tensor);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob ||
      blob->getData().size() != tensor.getNumElements() * sizeof(float) ||
      !llvm::isAddrAligned(llvm::Align(alignof(float)), blob->getData().data()))
    return {};
  return ArrayRef(reinterpret_cast<const float *>(blob->getData().data()),
                  tensor.getNumElements());
}

/// The weights with what is folded into them.
static FailureOr<WeightMatrix> getWeights(ComponentOpInterface component,
                                          const Folded &folded) {
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  StringAttr name = affine.getWeightsName();
  WeightMatrix weights = {
      getNumbers(component->getAttrOfType<ElementsAttr>(name)),
      affine.getWeightColumns()};
  const bool changes =
      affine.hasWeightsPerBlock() ||
      llvm::any_of(folded.scales, [](float scale) { return scale != 1; });
  if (!weights.values.empty() && !changes)
    return weights;
  auto values = getTensor(component, name);
  if (failed(values))
    return failure();
  weights.copy = std::move(*values);
  weights.values = weights.copy;
  if (affine.hasWeightsPerBlock())
    placeBlocks(affine, weights);
  for (auto [i, value] : llvm::enumerate(weights.copy))
    value *= folded.scales[i / weights.columns];
  return weights;
}

/// Panels of `width` outputs, each with one row of outputs per column of the
/// weights; outputs that are not there are zero.
static void packPanels(const WeightMatrix &weights, int64_t width,
                       float *dest) {
  for (int64_t c = 0; c < weights.getRows(); ++c) {
    float *panel = dest + c / width * width * weights.columns + c % width;
    for (auto [k, value] : llvm::enumerate(weights.getRow(c)))
      panel[k * width] = value;
  }
}

/// Pairs of a first column and a count; none without a list.
static ArrayRef<int64_t> getColumns(PackedAttr part) {
  return part.getColumns() ? part.getColumns().asArrayRef()
                           : ArrayRef<int64_t>();
}

/// The columns of a part are some of the weights.
static LogicalResult checkColumns(PackedAttr part, Operation *component,
                                  int64_t columns) {
  ArrayRef<int64_t> ranges = getColumns(part);
  for (size_t i = 0; i < ranges.size(); i += 2)
    if (ranges[i] < 0 || ranges[i + 1] < 0 || ranges[i] > columns ||
        ranges[i + 1] > columns - ranges[i])
      return component->emitError("expects packed columns of weights with ")
             << columns << " columns";
  return success();
}

/// Words in a column of the panels of `part`.
static int64_t getDepth(PackedAttr part, const WeightMatrix &weights) {
  const int64_t numbers = getNumbersPerWord(part.getPrecision());
  return numbers > 1 ? getPackedWords(getColumns(part), numbers)
                     : weights.columns;
}

static LogicalResult packPanels(PackedAttr part, Operation *component,
                                const WeightMatrix &weights,
                                MutableArrayRef<float> &dest) {
  const int64_t rows = weights.getRows();
  const int64_t room = dest.size();
  const int64_t width = part.getNumber();
  if (width < 1 || width > room)
    return component->emitError("expects panels of 1 to ")
           << room << " outputs, but got " << width;
  if (failed(takeFront(component,
                       llvm::alignTo(rows, width) * getDepth(part, weights),
                       dest)))
    return failure();
  const PanelLayout layout = {width, getColumns(part), dest.data(),
                              part.getPlanes()};
  if (part.getPrecision() == Precision::BF16)
    packBf16Panels(weights, layout);
  else if (part.getPrecision() == Precision::FP16)
    packFp16Panels(weights, layout);
  else if (part.getPrecision() == Precision::Int8)
    packInt8Panels(weights, layout);
  else if (part.getPrecision() == Precision::Int16)
    packInt16Panels(weights, layout);
  else
    packPanels(weights, width, dest.data());
  return success();
}

static LogicalResult packWeights(PackedAttr part,
                                 ComponentOpInterface component,
                                 const Folded &folded,
                                 MutableArrayRef<float> &dest) {
  auto weights = getWeights(component, folded);
  if (failed(weights) ||
      failed(checkColumns(part, component, weights->columns)))
    return failure();
  if (part.getPart() == PackedPart::Panels)
    return packPanels(part, component, *weights, dest);
  if (failed(takeFront(component, weights->getRows(), dest)))
    return failure();
  if (part.getPart() == PackedPart::Scales)
    packIntegerScales(*weights, part.getPrecision(), dest.data());
  else
    packIntegerSums(*weights, part.getPrecision(), getColumns(part),
                    dest.data());
  return success();
}

/// A parameter as it is.
static LogicalResult packParameter(ComponentOpInterface component,
                                   StringAttr name,
                                   MutableArrayRef<float> &dest) {
  auto values = getTensor(component, name);
  if (failed(values) || failed(takeFront(component, values->size(), dest)))
    return failure();
  llvm::copy(*values, dest.begin());
  return success();
}

static LogicalResult packVector(ComponentOpInterface component, int64_t number,
                                MutableArrayRef<float> &dest) {
  auto vectors = getVectors(component);
  if (failed(vectors))
    return failure();
  if (number >= int64_t(vectors->size()))
    return component->emitError("has ")
           << vectors->size()
           << " vectors of per-column constants, but got number " << number;
  ArrayRef<float> vector = (*vectors)[number];
  if (failed(takeFront(component, vector.size(), dest)))
    return failure();
  llvm::copy(vector, dest.begin());
  return success();
}

/// A component without a bias has one if something is folded into it.
static LogicalResult packBias(ComponentOpInterface component,
                              const Folded &folded,
                              MutableArrayRef<float> &dest) {
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  const int64_t rows = affine.getWeightRows();
  if (failed(takeFront(component, affine.getNumBiases(), dest)))
    return failure();
  for (int64_t c = 0; c < affine.getNumBiases(); ++c)
    dest[c] = folded.offsets[c % rows];
  if (!affine.getBiasName())
    return success();
  auto bias = getTensor(component, affine.getBiasName());
  if (failed(bias))
    return failure();
  for (auto [c, value] : llvm::enumerate(*bias))
    dest[c] += folded.scales[c % rows] * value;
  return success();
}

static LogicalResult pack(PackedAttr part, ComponentOpInterface component,
                          Operation *foldedOp, MutableArrayRef<float> &dest) {
  if (part.getPart() == PackedPart::Vector)
    return packVector(component, part.getNumber(), dest);
  if (part.getPart() == PackedPart::Parameter)
    return packParameter(component, part.getParameter(), dest);
  auto affine = dyn_cast<AffineKernelInterface>(component.getOperation());
  if (!affine)
    return component->emitError("has no weights to be packed");
  auto folded = getFolded(foldedOp, affine.getWeightRows());
  if (failed(folded))
    return failure();
  return part.getPart() == PackedPart::Bias
             ? packBias(component, *folded, dest)
             : packWeights(part, component, *folded, dest);
}

namespace {
/// Resources that are attributes of components, until the last part that reads
/// them is packed.
class Resources {
public:
  /// Part `number` reads the attributes of `op`, which may be null.
  void addReader(Operation *op, size_t number) {
    forEach(op, [&](AsmResourceBlob *blob) { lastReader[blob] = number; });
  }
  /// Part `number` has read the attributes of `op`, which may be null.
  void release(Operation *op, size_t number) {
    forEach(op, [&](AsmResourceBlob *blob) {
      if (lastReader.lookup(blob) == number)
        *blob = AsmResourceBlob();
    });
  }

private:
  void forEach(Operation *op, function_ref<void(AsmResourceBlob *)> fn) {
    if (op)
      for (NamedAttribute attr : op->getAttrDictionary())
        if (auto tensor = dyn_cast<DenseResourceElementsAttr>(attr.getValue()))
          if (AsmResourceBlob *blob = tensor.getRawHandle().getBlob())
            fn(blob);
  }

  llvm::DenseMap<AsmResourceBlob *, size_t> lastReader;
};
} // namespace

/// Packs all parts to `weights`, and finds the `end` of the last one.
static LogicalResult packAll(kernel::ResourcesOp resources, bool takeParameters,
                             MutableArrayRef<float> weights, int64_t &end) {
  SymbolTableCollection symbols;
  auto parts = llvm::to_vector(resources.getLayout().getAsRange<PackedAttr>());
  auto lookup = [&](SymbolRefAttr name) {
    return name ? symbols.lookupNearestSymbolFrom(resources, name) : nullptr;
  };
  Resources values;
  for (auto [i, part] : llvm::enumerate(parts))
    for (SymbolRefAttr name : {part.getComponent(), part.getFolded()})
      values.addReader(lookup(name), i);
  for (auto [i, part] : llvm::enumerate(parts)) {
    auto component =
        dyn_cast_or_null<ComponentOpInterface>(lookup(part.getComponent()));
    Operation *folded = lookup(part.getFolded());
    if (!component || (part.getFolded() && !folded))
      return resources.emitError("expects packed weights of components, but "
                                 "got ")
             << (component ? part.getFolded() : part.getComponent());
    if (part.getOffset() > int64_t(weights.size()))
      return component->emitError("expects an offset of at most ")
             << weights.size() << " packed floats, but got "
             << part.getOffset();
    MutableArrayRef<float> dest = weights.drop_front(part.getOffset());
    if (failed(pack(part, component, folded, dest)))
      return failure();
    end = std::max(end, part.getOffset() + int64_t(dest.size()));
    if (takeParameters)
      for (Operation *op : {component.getOperation(), folded})
        values.release(op, i);
  }
  return success();
}

FailureOr<ZeroedBytes> mlir::nnet3::packWeights(kernel::ResourcesOp resources,
                                                uint64_t numBytes,
                                                bool takeParameters) {
  ZeroedBytes bytes(numBytes);
  if (!bytes.data())
    return resources.emitError("has no memory for weights of ")
           << numBytes << " bytes";
  auto *floats = reinterpret_cast<float *>(bytes.data());
  const int64_t size = resources.getSize();
  int64_t end = 0;
  if (failed(packAll(resources, takeParameters, MutableArrayRef(floats, size),
                     end)))
    return failure();
  // Libraries would have zeros behind the last part.
  if (size > ::nnet3::rt::alignPlacement(end))
    return resources.emitError("expects no more packed floats than its layout "
                               "has, which are ")
           << end << ", but got " << size;
  return std::move(bytes);
}
