//===- Parameters.cpp - Parameter matrices of components ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parameters.h"
#include "nnet3/Target/Kaldi/TensorData.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::nnet3;

FailureOr<DoubleMatrix> mlir::nnet3::getParameters(Operation *component,
                                                   StringRef name) {
  std::vector<float> storage;
  std::optional<ArrayRef<float>> values;
  auto tensor = component->getAttrOfType<ElementsAttr>(name);
  if (tensor)
    values = getTensorData(tensor, storage);
  if (!values)
    return emitError(component->getLoc())
           << "component '" << SymbolTable::getSymbolName(component).getValue()
           << "' has no values of its " << name;
  ArrayRef<int64_t> shape = tensor.getShapedType().getShape();
  DoubleMatrix matrix(shape.front(), shape.size() > 1 ? shape.back() : 1);
  llvm::copy(*values, matrix.data.begin());
  return matrix;
}

static ElementsAttr makeTensor(MLIRContext *context, StringRef component,
                               StringRef name, const DoubleMatrix &values,
                               ArrayRef<int64_t> shape) {
  TensorStorage storage;
  llvm::copy(values.data, storage.allocate(shape));
  return storage.take(context, component + "." + name);
}

ElementsAttr mlir::nnet3::makeParameters(MLIRContext *context,
                                         StringRef component, StringRef name,
                                         const DoubleMatrix &values) {
  return makeTensor(context, component, name, values,
                    {values.rows, values.cols});
}

ElementsAttr mlir::nnet3::makeVector(MLIRContext *context, StringRef component,
                                     StringRef name,
                                     const DoubleMatrix &values) {
  return makeTensor(context, component, name, values, {values.rows});
}
