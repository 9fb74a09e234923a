//===- ConvertLstm.cpp - LSTM ---------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An LSTM becomes the components of Kaldi's fast-lstm-layer: an affine
// component for all gates, which reads the previous output, and the
// nonlinearity of the cell. A backward direction reads the next output. The
// states before the first frame are zeros.
//
//===----------------------------------------------------------------------===//

#include "OnnxImporter.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Axis::Kind;

namespace {
/// The weights of one direction. ONNX orders the gates as input, output,
/// forget, cell; Kaldi as input, forget, cell, output.
struct Direction {
  ArrayRef<float> input;     ///< 4 H x I
  ArrayRef<float> recurrent; ///< 4 H x H
  ArrayRef<float> biases;    ///< 8 H, for both; may be empty
  ArrayRef<float> peepholes; ///< 3 H: input, output, forget; may be empty
  bool isBackward;
};

class LstmConversion {
public:
  LstmConversion(OnnxImporter &importer, const OnnxNode &node)
      : importer(importer), builder(importer.getBuilder()), node(node) {}

  LogicalResult run();

private:
  LogicalResult verifyAttributes();
  LogicalResult verifyInputs();
  LogicalResult readWeights();
  FailureOr<OnnxTensor> getWeights(size_t input, ArrayRef<int64_t> shape);
  FailureOr<Descriptor> addDirection(size_t number);
  std::vector<float> getGateMatrix(const Direction &direction) const;
  std::vector<float> getGateBias(const Direction &direction) const;
  std::vector<float> getCellWeights(const Direction &direction) const;
  int64_t getNumDirections() const {
    return node.getString("direction", "forward") == "bidirectional" ? 2 : 1;
  }

  OnnxImporter &importer;
  NetworkBuilder &builder;
  const OnnxNode &node;
  RowTensor input;
  int64_t cellDim = 0;
  OnnxTensor inputWeights, recurrentWeights, biases, peepholes;
};
} // namespace

/// Maps the gates in Kaldi's order to their indices in ONNX's order.
static constexpr int64_t kGates[] = {0, 2, 3, 1};

LogicalResult LstmConversion::verifyAttributes() {
  const StringRef direction = node.getString("direction", "forward");
  if (direction != "forward" && direction != "reverse" &&
      direction != "bidirectional")
    return node.emitError() << "direction " << direction << " is not supported";
  if (const onnx::AttributeProto *activations = node.find("activations"))
    for (auto [i, activation] : llvm::enumerate(activations->strings()))
      if (!StringRef(activation)
               .equals_insensitive(i % 3 == 0 ? "Sigmoid" : "Tanh"))
        return node.emitError()
               << "activation " << activation << " is not supported";
  if (node.find("clip") || node.getInt("input_forget", 0) != 0)
    return node.emitError() << "clip and input_forget are not supported";
  for (size_t i = 1; i < node.getNumOutputs(); ++i)
    if (!importer.getReaders(node.getOutput(i)).empty())
      return node.emitError()
             << "the states of the last frame, '" << node.getOutput(i)
             << "', are no rows and cannot be read";
  return success();
}

LogicalResult LstmConversion::verifyInputs() {
  if (!node.getInput(4).empty())
    return node.emitError() << "lengths of sequences are not supported";
  for (size_t state : {5, 6})
    if (!importer.isZeroOrAbsent(node, state))
      return node.emitError()
             << "starts from the state '" << node.getInput(state)
             << "'; supported are zeros";
  const bool isBatchFirst = node.getInt("layout", 0) == 1;
  const Kind times = isBatchFirst ? Kind::Sequences : Kind::Frames;
  const Kind sequences = isBatchFirst ? Kind::Frames : Kind::Sequences;
  if (!input.axes.are({times, sequences, Kind::Columns}))
    return node.emitError()
           << "expects "
           << (isBatchFirst ? "sequences, frames" : "frames, sequences")
           << " and columns";
  if (input.isCut)
    return node.emitError() << "reads frames that were cut from longer ones, "
                               "which is not supported";
  return success();
}

FailureOr<OnnxTensor> LstmConversion::getWeights(size_t number,
                                                 ArrayRef<int64_t> shape) {
  if (node.getInput(number).empty())
    return OnnxTensor();
  FailureOr<OnnxTensor> weights = importer.getConstant(node, number);
  if (succeeded(weights) &&
      (weights->isInteger || ArrayRef<int64_t>(weights->shape) != shape))
    return node.emitError()
           << "expects weights '" << node.getInput(number) << "' of "
           << shape.back() << " columns for " << cellDim << " cells";
  return weights;
}

LogicalResult LstmConversion::readWeights() {
  FailureOr<OnnxTensor> recurrent = importer.getConstant(node, 2);
  if (failed(recurrent))
    return failure();
  // More cells would make the weights exceed the size of a tensor.
  if (recurrent->shape.size() != 3 || recurrent->shape[2] < 1 ||
      recurrent->shape[2] > (1 << 16))
    return node.emitError() << "expects recurrent weights of 3 dimensions";
  cellDim = recurrent->shape[2];
  const int64_t directions = getNumDirections();
  FailureOr<OnnxTensor> weights[] = {
      getWeights(1, {directions, 4 * cellDim, input.dim}),
      getWeights(2, {directions, 4 * cellDim, cellDim}),
      getWeights(3, {directions, 8 * cellDim}),
      getWeights(7, {directions, 3 * cellDim})};
  OnnxTensor *members[] = {&inputWeights, &recurrentWeights, &biases,
                           &peepholes};
  for (auto [tensor, member] : llvm::zip_equal(weights, members)) {
    if (failed(tensor))
      return failure();
    *member = std::move(*tensor);
  }
  if (inputWeights.reals.empty())
    return node.emitError() << "expects weights of the input";
  return success();
}

/// Returns the gates' input and recurrent weights, one row per gate and cell.
std::vector<float>
LstmConversion::getGateMatrix(const Direction &direction) const {
  std::vector<float> matrix;
  for (int64_t gate : kGates)
    for (int64_t row = gate * cellDim; row < (gate + 1) * cellDim; ++row) {
      llvm::append_range(matrix,
                         direction.input.slice(row * input.dim, input.dim));
      llvm::append_range(matrix,
                         direction.recurrent.slice(row * cellDim, cellDim));
    }
  return matrix;
}

std::vector<float>
LstmConversion::getGateBias(const Direction &direction) const {
  std::vector<float> bias(4 * cellDim, 0);
  if (direction.biases.empty())
    return bias;
  auto next = bias.begin();
  for (int64_t gate : kGates)
    for (int64_t row = gate * cellDim; row < (gate + 1) * cellDim; ++row)
      *next++ = direction.biases[row] + direction.biases[4 * cellDim + row];
  return bias;
}

/// Returns the peephole weights of the input, forget and output gates.
std::vector<float>
LstmConversion::getCellWeights(const Direction &direction) const {
  std::vector<float> weights(3 * cellDim, 0);
  if (direction.peepholes.empty())
    return weights;
  auto next = weights.begin();
  for (int64_t gate : {0, 2, 1})
    next = llvm::copy(direction.peepholes.slice(gate * cellDim, cellDim), next);
  return weights;
}

/// Returns the rows of `node` at the previous or next frame; zeros beyond the
/// ends.
static Descriptor makeRecurrent(const Descriptor &node, int64_t offset) {
  Descriptor result;
  result.kind = Descriptor::Kind::IfDefined;
  result.operands.push_back(makeOffset(node, offset));
  return result;
}

/// Adds one direction and returns its outputs.
FailureOr<Descriptor> LstmConversion::addDirection(size_t number) {
  auto getPart = [&](const OnnxTensor &tensor) {
    const size_t size = tensor.reals.size() / getNumDirections();
    return ArrayRef(tensor.reals).slice(number * size, size);
  };
  const Direction direction = {
      getPart(inputWeights), getPart(recurrentWeights), getPart(biases),
      getPart(peepholes),
      number == 1 || node.getString("direction", "forward") == "reverse"};
  const int64_t offset = direction.isBackward ? input.step : -input.step;
  const int64_t gateInputs = input.dim + cellDim;
  const std::string name = importer.makeName(node);
  const std::string affine = name + ".W_all",
                    nonlinearity = name + ".lstm_nonlin";

  Descriptor state = builder.addPlaceholder(node.getLoc(), cellDim);
  Descriptor output = builder.addPlaceholder(node.getLoc(), cellDim);
  FailureOr<Descriptor> gates = builder.addNode(
      node.getLoc(), affine, "affine",
      {builder.getInt("input_dim", gateInputs),
       builder.getInt("output_dim", 4 * cellDim),
       builder.getTensor(affine, "linear_params", {4 * cellDim, gateInputs},
                         getGateMatrix(direction)),
       builder.getTensor(affine, "bias_params", 4 * cellDim,
                         getGateBias(direction))},
      makeAppend({input.rows, makeRecurrent(output, offset)}));
  if (failed(gates))
    return failure();
  FailureOr<Descriptor> cell =
      builder.addNode(node.getLoc(), nonlinearity, "lstm_nonlin",
                      {builder.getInt("cell_dim", cellDim),
                       builder.getTensor(nonlinearity, "params", {3, cellDim},
                                         getCellWeights(direction))},
                      makeAppend({*gates, makeRecurrent(state, offset)}));
  if (failed(cell))
    return failure();
  builder.replacePlaceholder(
      state, builder.addColumns(node.getLoc(), name + ".c", *cell, 0, cellDim));
  Descriptor result =
      builder.addColumns(node.getLoc(), name + ".m", *cell, cellDim, cellDim);
  builder.replacePlaceholder(output, result);
  return result;
}

LogicalResult LstmConversion::run() {
  FailureOr<RowTensor> rows = importer.getRows(node);
  if (failed(rows))
    return failure();
  input = *rows;
  if (failed(verifyAttributes()) || failed(verifyInputs()) ||
      failed(readWeights()))
    return failure();
  std::vector<Descriptor> outputs;
  for (int64_t i = 0; i < getNumDirections(); ++i) {
    FailureOr<Descriptor> direction = addDirection(i);
    if (failed(direction))
      return failure();
    outputs.push_back(std::move(*direction));
  }
  RowTensor result = input;
  result.dim = getNumDirections() * cellDim;
  result.rows = makeAppend(std::move(outputs));
  const Axis directions = {getNumDirections() == 2 ? Kind::Columns : Kind::Unit,
                           getNumDirections()};
  const Axis cells = {Kind::Columns, cellDim};
  const Axes &axes = input.axes;
  result.axes = node.getInt("layout", 0) == 1
                    ? Axes{axes[0], axes[1], directions, cells}
                    : Axes{axes[0], directions, axes[1], cells};
  importer.set(node.getOutput(), std::move(result));
  return success();
}

LogicalResult mlir::nnet3::convertLstm(OnnxImporter &importer,
                                       const OnnxNode &node) {
  return LstmConversion(importer, node).run();
}
