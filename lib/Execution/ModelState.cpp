//===- ModelState.cpp - Models of the runtime as networks -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ModelState.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Target/Kaldi/TensorData.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

namespace {
/// Sets the attributes of a component op and of its parts.
class OpWriter : public rt::AttributeWriter {
public:
  explicit OpWriter(ComponentOpInterface op) : op(op) {}

  void real(const char *fullName, double value) override {
    StringRef name = fullName;
    ComponentOpInterface part = findPart(op, name);
    // A number that training changes has a default value, so its attribute is
    // always present. Otherwise the value is a vector of one element.
    if (auto old = part->getAttrOfType<FloatAttr>(name))
      part->setAttr(name, FloatAttr::get(old.getType(), value));
    else
      vector(fullName, &value, 1);
  }

  void flag(const char *fullName, bool value) override {
    StringRef name = fullName;
    findPart(op, name)->setAttr(name, BoolAttr::get(op.getContext(), value));
  }

  void vector(const char *fullName, const double *values,
              int32_t size) override {
    StringRef name = fullName;
    ComponentOpInterface part = findPart(op, name);
    if (size == 0)
      part->removeAttr(name);
    else
      setTensor(fullName, getShape(part, name, size),
                [&](float *to) { std::copy_n(values, size, to); });
  }

  void doubles(const char *fullName, const double *values,
               int32_t size) override {
    StringRef name = fullName;
    ComponentOpInterface part = findPart(op, name);
    if (size == 0)
      part->removeAttr(name);
    else
      part->setAttr(name, DenseF64ArrayAttr::get(op.getContext(),
                                                 ArrayRef(values, size)));
  }

  void parameter(const char *name, rt::ConstMatrixView values,
                 bool isVector) override {
    SmallVector<int64_t, 2> shape = {values.rows, values.cols};
    setTensor(name, ArrayRef(shape).drop_front(isVector), [&](float *to) {
      for (int64_t row = 0; row < values.rows; ++row)
        to = std::copy_n(values.row(row), values.cols, to);
    });
  }

private:
  /// The runtime stores statistics as vectors, even those that are matrices in
  /// a model file.
  static SmallVector<int64_t, 2> getShape(ComponentOpInterface part,
                                          StringRef name, int64_t size) {
    for (const TensorSpec &spec : part.getTensors())
      if (spec.name == name && ShapedType::getNumElements(spec.shape) == size)
        return spec.shape;
    return {size};
  }

  void setTensor(StringRef fullName, ArrayRef<int64_t> shape,
                 llvm::function_ref<void(float *)> fill) {
    TensorStorage storage;
    fill(storage.allocate(shape));
    std::string component = SymbolTable::getSymbolName(op).getValue().str();
    StringRef name = fullName;
    findPart(op, name)->setAttr(
        name, storage.take(op.getContext(), component + "." + fullName.str()));
  }

  ComponentOpInterface op;
};
} // namespace

namespace mlir::nnet3 {

OwningOpRef<NetworkOp> exportModel(const rt::Model &model, NetworkOp network) {
  OwningOpRef<NetworkOp> result = network.clone();
  int32_t index = 0;
  for (auto component :
       result->getBody().front().getOps<ComponentOpInterface>()) {
    OpWriter writer(component);
    model.exportComponent(index++, writer);
  }
  assert(index == model.numComponents() && "the model is of this network");
  return result;
}

} // namespace mlir::nnet3
