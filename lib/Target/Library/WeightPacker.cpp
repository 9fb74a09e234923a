//===- WeightPacker.cpp - Parameters as kernels read them -----------------===//

#include "nnet3/Target/Library/WeightPacker.h"
#include "ReducedWeights.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Target/Program/ParameterBlob.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace nnet3;
using namespace mlir;
using mlir::nnet3::AffineKernelInterface;
using mlir::nnet3::ComponentOpInterface;
using mlir::nnet3::getKernelVectors;

int64_t(::nnet3::getPackedWeightsSize)(ModuleOp module) {
  auto size = module->getAttrOfType<IntegerAttr>("nnet3.packed_weights_size");
  return size ? size.getInt() : 0;
}

namespace {
/// One entry of the layout.
struct Part {
  explicit Part(DictionaryAttr entry)
      : component(entry.getAs<SymbolRefAttr>("component")),
        kind(entry.getAs<StringAttr>("part").getValue()),
        place(entry.getAs<IntegerAttr>("place").getInt()),
        number(entry.getAs<IntegerAttr>("number").getInt()),
        folded(entry.getAs<SymbolRefAttr>("folded")) {
    if (auto name = entry.getAs<StringAttr>("precision"))
      precision = name.getValue();
    name = entry.getAs<StringAttr>("name");
    if (auto ranges = entry.getAs<DenseI64ArrayAttr>("columns"))
      columns = ranges.asArrayRef();
  }

  SymbolRefAttr component;
  StringRef kind;
  int64_t place, number;
  SymbolRefAttr folded; ///< null for none
  StringAttr name;      ///< of a parameter as it is
  StringRef precision = "f32";
  ArrayRef<int64_t> columns; ///< first and number of some, one after the other
};

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

/// What `op`, an elementwise component or null, does to `columns` columns;
/// where it has more, it does the same to the next ones.
static FailureOr<Folded> getFolded(Operation *op, int64_t columns) {
  Folded folded = {std::vector<float>(columns, 1),
                   std::vector<float>(columns, 0)};
  if (!op)
    return folded;
  auto vectors = getKernelVectors(op);
  if (failed(vectors))
    return op->emitError("has no values");
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

static LogicalResult packWeights(const Part &part,
                                 ComponentOpInterface component,
                                 const Folded &folded, float *dest) {
  auto weights = getWeights(component, folded);
  if (failed(weights))
    return failure();
  const PanelLayout layout = {part.number, part.columns, dest};
  if (part.kind == "scales")
    packInt8Scales(*weights, dest);
  else if (part.kind == "sums")
    packInt8Sums(*weights, part.columns, dest);
  else if (part.precision == "bf16")
    packBf16Panels(*weights, layout);
  else if (part.precision == "fp16")
    packFp16Panels(*weights, layout);
  else if (part.precision == "int8")
    packInt8Panels(*weights, layout);
  else
    packPanels(*weights, part.number, dest);
  return success();
}

/// A parameter as it is.
static LogicalResult packParameter(ComponentOpInterface component,
                                   StringAttr name, float *dest) {
  auto values = getTensor(component, name);
  if (failed(values))
    return failure();
  llvm::copy(*values, dest);
  return success();
}

static LogicalResult packVector(ComponentOpInterface component, int64_t number,
                                float *dest) {
  auto vectors = getKernelVectors(component);
  if (failed(vectors))
    return component->emitError("has no values");
  llvm::copy((*vectors)[number], dest);
  return success();
}

/// A component without a bias has one if something is folded into it.
static LogicalResult packBias(ComponentOpInterface component,
                              const Folded &folded, float *dest) {
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  const int64_t rows = affine.getWeightRows();
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

static LogicalResult pack(const Part &part, ComponentOpInterface component,
                          Operation *foldedOp, float *dest) {
  if (part.kind == "vector")
    return packVector(component, part.number, dest);
  if (part.kind == "parameter")
    return packParameter(component, part.name, dest);
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  auto folded = getFolded(foldedOp, affine.getWeightRows());
  if (failed(folded))
    return failure();
  return part.kind == "bias" ? packBias(component, *folded, dest)
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

LogicalResult(::nnet3::packWeights)(ModuleOp module,
                                    MutableArrayRef<float> weights,
                                    bool takeParameters) {
  SymbolTableCollection symbols;
  auto layout = module->getAttrOfType<ArrayAttr>("nnet3.packed_weights");
  auto parts = llvm::map_to_vector(layout.getAsRange<DictionaryAttr>(),
                                   [](DictionaryAttr e) { return Part(e); });
  auto lookup = [&](SymbolRefAttr name) {
    return name ? symbols.lookupNearestSymbolFrom(module, name) : nullptr;
  };
  Resources resources;
  for (auto [i, part] : llvm::enumerate(parts))
    for (SymbolRefAttr name : {part.component, part.folded})
      resources.addReader(lookup(name), i);
  for (auto [i, part] : llvm::enumerate(parts)) {
    auto component = cast<ComponentOpInterface>(lookup(part.component));
    Operation *folded = lookup(part.folded);
    if (failed(pack(part, component, folded, weights.data() + part.place)))
      return failure();
    if (takeParameters)
      for (Operation *op : {component.getOperation(), folded})
        resources.release(op, i);
  }
  return success();
}
