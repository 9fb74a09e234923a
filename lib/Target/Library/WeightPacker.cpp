//===- WeightPacker.cpp - Parameters as kernels read them -----------------===//

#include "nnet3/Target/Library/WeightPacker.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Target/Program/ParameterBlob.h"

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
        number(entry.getAs<IntegerAttr>("number").getInt()) {}

  SymbolRefAttr component;
  StringRef kind;
  int64_t place, number;
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

/// Panels of `width` outputs, each with one row of outputs per column of the
/// weights; outputs that are not there are zero.
static LogicalResult packPanels(ComponentOpInterface component, int64_t width,
                                float *dest) {
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  auto weights = getTensor(component, affine.getWeightsName());
  if (failed(weights))
    return failure();
  const int64_t depth = affine.getWeightColumns();
  const int64_t columns = component.getComponentOutputDim();
  for (int64_t c = 0; c < columns; ++c) {
    const float *row = weights->data() + c * depth;
    float *panel = dest + c / width * width * depth + c % width;
    for (int64_t k = 0; k < depth; ++k)
      panel[k * width] = row[k];
  }
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

static LogicalResult packBias(ComponentOpInterface component, float *dest) {
  auto affine = cast<AffineKernelInterface>(component.getOperation());
  auto bias = getTensor(component, affine.getBiasName());
  if (failed(bias))
    return failure();
  llvm::copy(*bias, dest);
  return success();
}

LogicalResult(::nnet3::packWeights)(ModuleOp module,
                                    MutableArrayRef<float> weights) {
  llvm::fill(weights, 0.0f);
  SymbolTableCollection symbols;
  auto layout = module->getAttrOfType<ArrayAttr>("nnet3.packed_weights");
  for (auto entry : layout.getAsRange<DictionaryAttr>()) {
    Part part(entry);
    auto component = symbols.lookupNearestSymbolFrom<ComponentOpInterface>(
        module, part.component);
    float *dest = weights.data() + part.place;
    LogicalResult packed =
        part.kind == "panels" ? packPanels(component, part.number, dest)
        : part.kind == "bias" ? packBias(component, dest)
                              : packVector(component, part.number, dest);
    if (failed(packed))
      return failure();
  }
  return success();
}
