//===- ConvertElementwise.cpp - Elementwise and row-wise nodes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OnnxImporter.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Axis::Kind;

/// Adds a component with `tensor`'s rows as input, and replaces them by its
/// node.
static LogicalResult addNode(OnnxImporter &importer, const OnnxNode &node,
                             RowTensor &tensor, const Twine &name,
                             StringRef step,
                             ArrayRef<NamedAttribute> attributes) {
  FailureOr<Descriptor> rows = importer.getBuilder().addNode(
      node.getLoc(), name, step, attributes, tensor.rows);
  if (failed(rows))
    return failure();
  tensor.rows = std::move(*rows);
  return success();
}

/// Calls addNode() and sets the node's output to the result.
static LogicalResult apply(OnnxImporter &importer, const OnnxNode &node,
                           RowTensor input, const Twine &name, StringRef step,
                           ArrayRef<NamedAttribute> attributes) {
  if (failed(addNode(importer, node, input, name, step, attributes)))
    return failure();
  importer.set(node.getOutput(), std::move(input));
  return success();
}

/// Applies a component whose only attribute is its dim.
static LogicalResult applySimple(OnnxImporter &importer, const OnnxNode &node,
                                 const RowTensor &input, StringRef step) {
  std::string name = importer.makeName(node);
  if (!StringRef(name).starts_with_insensitive(node.getKind()))
    name += ("." + step).str();
  return apply(importer, node, input, name, step,
               importer.getBuilder().getInt("dim", input.dim));
}

LogicalResult mlir::nnet3::convertActivation(OnnxImporter &importer,
                                             const OnnxNode &node) {
  FailureOr<RowTensor> input = importer.getRows(node);
  return failed(input)
             ? failure()
             : applySimple(importer, node, *input, node.getKind().lower());
}

LogicalResult mlir::nnet3::convertSoftmax(OnnxImporter &importer,
                                          const OnnxNode &node) {
  FailureOr<RowTensor> input = importer.getRows(node);
  if (failed(input))
    return failure();
  const bool isOld = importer.getOpset() < 13;
  std::optional<size_t> axis =
      input->axes.resolve(node.getInt("axis", isOld ? 1 : -1));
  // Older opsets normalise over this and all following axes.
  if (!axis || axis != input->axes.find(Kind::Columns) ||
      (isOld && *axis + 1 != input->axes.size()))
    return node.emitError() << "expects an axis that is the columns";
  return applySimple(importer, node, *input,
                     node.getKind() == "Softmax" ? "softmax" : "log-softmax");
}

LogicalResult mlir::nnet3::convertIdentity(OnnxImporter &importer,
                                           const OnnxNode &node) {
  const OnnxValue *value = importer.find(node, 0);
  if (!value)
    return failure();
  importer.set(node.getOutput(), OnnxValue(*value));
  return success();
}

/// Returns true if an input is a constant that is false.
static bool isFalse(OnnxImporter &importer, const OnnxNode &node,
                    size_t input) {
  FailureOr<OnnxTensor> tensor = importer.getConstant(node, input);
  return succeeded(tensor) && tensor->isZero();
}

LogicalResult mlir::nnet3::convertDropout(OnnxImporter &importer,
                                          const OnnxNode &node) {
  // The third input is true in training mode.
  if (!importer.isZeroOrAbsent(node, 2) &&
      (importer.isRows(node, 2) || !isFalse(importer, node, 2)))
    return node.emitError() << "training mode is not supported";
  return convertIdentity(importer, node);
}

/// Networks compute in float32, so casts between real types are dropped.
LogicalResult mlir::nnet3::convertCast(OnnxImporter &importer,
                                       const OnnxNode &node) {
  using Proto = onnx::TensorProto;
  const int64_t type = node.getInt("to", Proto::UNDEFINED);
  const bool isReal = type == Proto::FLOAT || type == Proto::DOUBLE ||
                      type == Proto::FLOAT16 || type == Proto::BFLOAT16;
  const bool isInteger = type == Proto::INT64 || type == Proto::INT32;
  if (importer.isRows(node, 0) || importer.isZeroTensor(node, 0)) {
    if (!isReal)
      return node.emitError() << "is supported to real numbers only";
    return convertIdentity(importer, node);
  }
  FailureOr<OnnxTensor> tensor = importer.getConstant(node, 0);
  if (failed(tensor))
    return failure();
  if (!isReal && !isInteger)
    return node.emitError() << "is supported to numbers only";
  if (isReal && llvm::any_of(tensor->integers, [](int64_t size) {
        return size == kFreeSequences || size == kFreeFrames;
      }))
    return node.emitError() << "of sizes that are free is not supported";
  if (isReal && tensor->isInteger)
    tensor->reals.assign(tensor->integers.begin(), tensor->integers.end());
  // The integers are sizes, which are small.
  if (isInteger && !tensor->isInteger)
    for (float x : tensor->reals) {
      if (!(std::abs(x) < 1e9f))
        return node.emitError() << "of " << x << " gives no size";
      tensor->integers.push_back(int64_t(x));
    }
  tensor->isInteger = isInteger;
  importer.set(node.getOutput(), std::move(*tensor));
  return success();
}

//===----------------------------------------------------------------------===//
// Scales and biases
//===----------------------------------------------------------------------===//

/// Repeats a single value for all columns.
static std::vector<float> repeat(std::vector<float> values, int64_t dim) {
  if (values.size() == 1)
    values.assign(dim, values.front());
  return values;
}

/// Adds `bias` to the columns, as a fixed component.
static LogicalResult addBias(OnnxImporter &importer, const OnnxNode &node,
                             const RowTensor &input, std::vector<float> bias) {
  NetworkBuilder &builder = importer.getBuilder();
  const std::string name = importer.makeName(node) + ".bias";
  return apply(importer, node, input, name, "fixed-bias",
               {builder.getInt("dim", input.dim),
                builder.getTensor(name, "bias", input.dim,
                                  repeat(std::move(bias), input.dim))});
}

/// Multiplies the columns by `scales`, as a fixed component.
static LogicalResult scaleColumns(OnnxImporter &importer, const OnnxNode &node,
                                  const RowTensor &input,
                                  ArrayRef<float> scales) {
  NetworkBuilder &builder = importer.getBuilder();
  const std::string name = importer.makeName(node) + ".scale";
  return apply(importer, node, input, name, "fixed-scale",
               {builder.getInt("dim", input.dim),
                builder.getTensor(name, "scales", input.dim, scales)});
}

static void scaleRows(RowTensor &tensor, double factor) {
  if (tensor.rows.kind == Descriptor::Kind::Scale) {
    tensor.rows.alpha *= factor;
    return;
  }
  Descriptor scaled;
  scaled.kind = Descriptor::Kind::Scale;
  scaled.alpha = factor;
  scaled.operands.push_back(std::move(tensor.rows));
  tensor.rows = std::move(scaled);
}

namespace {
/// The constants of a batch normalisation, one per column.
struct Normalization {
  std::vector<float> scales, offsets, mean, variance;

  bool isScaled() const {
    return llvm::any_of(scales, [](float x) { return x != 1; }) ||
           llvm::any_of(offsets, [](float x) { return x != 0; });
  }
};
} // namespace

static FailureOr<Normalization>
getNormalization(OnnxImporter &importer, const OnnxNode &node, int64_t dim) {
  Normalization result;
  std::vector<float> *vectors[] = {&result.scales, &result.offsets,
                                   &result.mean, &result.variance};
  for (auto [i, vector] : llvm::enumerate(vectors)) {
    FailureOr<OnnxTensor> tensor = importer.getConstant(node, i + 1);
    if (failed(tensor))
      return failure();
    if (tensor->isInteger || tensor->size() != dim)
      return node.emitError() << "expects tensor '" << node.getInput(i + 1)
                              << "' to have " << dim << " elements";
    *vector = std::move(tensor->reals);
  }
  return result;
}

/// Kaldi's batch norm has no scale and offset; a trained component after it
/// applies them.
LogicalResult mlir::nnet3::convertBatchNorm(OnnxImporter &importer,
                                            const OnnxNode &node) {
  FailureOr<RowTensor> input = importer.getRows(node);
  if (failed(input))
    return failure();
  if (node.getInt("training_mode", 0) != 0)
    return node.emitError() << "training mode is not supported";
  if (input->axes.find(Kind::Columns) != size_t(1))
    return node.emitError() << "expects the columns as dimension 1";
  const int64_t dim = input->dim;
  FailureOr<Normalization> values = getNormalization(importer, node, dim);
  if (failed(values))
    return failure();
  const double epsilon = node.getFloat("epsilon", 1e-5);
  if (!(epsilon > 0))
    return node.emitError() << "expects a positive epsilon";
  NetworkBuilder &builder = importer.getBuilder();
  const std::string name = importer.makeName(node);
  const std::string norm = name + ".batchnorm", scale = name + ".so";
  if (failed(addNode(
          importer, node, *input, norm, "batchnorm",
          {builder.getInt("dim", dim), builder.getReal("epsilon", epsilon),
           builder.getBool("test_mode", true), builder.getCount(1),
           builder.getTensor(norm, "stats_mean", dim, values->mean),
           builder.getTensor(norm, "stats_var", dim, values->variance)})))
    return failure();
  if (!values->isScaled()) {
    importer.set(node.getOutput(), std::move(*input));
    return success();
  }
  // Kaldi's component raises smaller scales to 1e-4.
  if (llvm::any_of(values->scales, [](float x) { return std::abs(x) < 1e-4f; }))
    return node.emitError() << "has a scale below 1e-4, which is not supported";
  return apply(importer, node, *input, scale, "so",
               {builder.getInt("dim", dim),
                builder.getTensor(scale, "scales", dim, values->scales),
                builder.getTensor(scale, "offsets", dim, values->offsets)});
}

//===----------------------------------------------------------------------===//
// Operators with two operands
//===----------------------------------------------------------------------===//

/// Returns two row operands, shifted to the same times. The first one has the
/// axes and times of the result.
static FailureOr<std::pair<RowTensor, RowTensor>>
getRowPair(OnnxImporter &importer, const OnnxNode &node) {
  FailureOr<RowTensor> a = importer.getRows(node, 0);
  if (failed(a))
    return failure();
  FailureOr<RowTensor> b = importer.getRows(node, 1);
  if (failed(b))
    return failure();
  if (!a->axes.match(b->axes) || a->dim != b->dim)
    return node.emitError() << "expects operands of the same shape, or one "
                               "that is a constant";
  if (a->step != b->step)
    return node.emitError() << "expects operands with frames at the same "
                               "distance, but got distances of "
                            << a->step << " and " << b->step;
  // If frames were cut, as for a bypass, those frames determine the times.
  const int64_t origin = b->isCut ? b->origin : a->origin;
  a->rows = makeOffset(std::move(a->rows), a->origin - origin);
  b->rows = makeOffset(std::move(b->rows), b->origin - origin);
  a->origin = origin;
  a->isCut &= b->isCut;
  return std::pair(std::move(*a), std::move(*b));
}

/// Returns the number of the constant input if the other input is rows.
static std::optional<size_t> findConstant(OnnxImporter &importer,
                                          const OnnxNode &node) {
  for (size_t i : {0, 1})
    if (!importer.isRows(node, i) && importer.isRows(node, 1 - i))
      return i;
  return std::nullopt;
}

/// Returns the values of input `constant`, and the rows of the other input.
static FailureOr<std::pair<std::vector<float>, RowTensor>>
getColumnsAndRows(OnnxImporter &importer, const OnnxNode &node,
                  size_t constant) {
  FailureOr<RowTensor> rows = importer.getRows(node, 1 - constant);
  if (failed(rows))
    return failure();
  FailureOr<OnnxTensor> tensor = importer.getConstant(node, constant);
  if (failed(tensor))
    return failure();
  auto columns = rows->axes.getColumns(*tensor);
  if (!columns)
    return node.emitError() << "expects constant '" << node.getInput(constant)
                            << "' to have one element, or one per column";
  return std::pair(std::move(*columns), std::move(*rows));
}

LogicalResult mlir::nnet3::convertSum(OnnxImporter &importer,
                                      const OnnxNode &node) {
  const bool subtracts = node.getKind() == "Sub";
  if (auto constant = findConstant(importer, node)) {
    auto operands = getColumnsAndRows(importer, node, *constant);
    if (failed(operands))
      return failure();
    auto &[bias, rows] = *operands;
    if (subtracts && *constant == 0)
      scaleRows(rows, -1);
    else if (subtracts)
      for (float &value : bias)
        value = -value;
    return addBias(importer, node, rows, std::move(bias));
  }
  auto operands = getRowPair(importer, node);
  if (failed(operands))
    return failure();
  auto &[a, b] = *operands;
  if (subtracts)
    scaleRows(b, -1);
  Descriptor sum;
  sum.kind = Descriptor::Kind::Sum;
  sum.operands = {std::move(a.rows), std::move(b.rows)};
  a.rows = std::move(sum);
  // Convolutions read the sum at several times, so a node computes it once.
  return applySimple(importer, node, a, "noop");
}

LogicalResult mlir::nnet3::convertProduct(OnnxImporter &importer,
                                          const OnnxNode &node) {
  if (!importer.isRows(node, 0) && !importer.isRows(node, 1))
    return convertProductOfSizes(importer, node);
  const bool divides = node.getKind() == "Div";
  if (auto constant = findConstant(importer, node);
      constant && !(divides && *constant == 0)) {
    auto operands = getColumnsAndRows(importer, node, *constant);
    if (failed(operands))
      return failure();
    auto &[scales, rows] = *operands;
    if (divides)
      for (float &value : scales)
        value = 1 / value;
    if (scales.size() != 1)
      return scaleColumns(importer, node, rows, scales);
    scaleRows(rows, scales.front());
    importer.set(node.getOutput(), std::move(rows));
    return success();
  }
  if (divides)
    return node.emitError() << "expects a divisor that is a constant";
  auto operands = getRowPair(importer, node);
  if (failed(operands))
    return failure();
  auto &[a, b] = *operands;
  a.rows = makeAppend({std::move(a.rows), std::move(b.rows)});
  NetworkBuilder &builder = importer.getBuilder();
  return apply(importer, node, a, importer.makeName(node) + ".product",
               "product",
               {builder.getInt("input_dim", 2 * a.dim),
                builder.getInt("output_dim", a.dim)});
}
