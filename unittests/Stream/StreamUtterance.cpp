//===- StreamUtterance.cpp - Utterances for stream tests ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamUtterance.h"

#include "nnet3/Compile/Context.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

using namespace mlir;
using namespace mlir::nnet3;
using ::nnet3::kaldi::Matrix;

Matrix UtteranceInput::take(llvm::ArrayRef<Index> rows, int64_t start) const {
  const int64_t numSequences = values.rows / numRows;
  Matrix taken(rows.size() * numSequences, values.cols);
  for (int64_t n = 0; n < numSequences; ++n)
    for (auto [number, row] : llvm::enumerate(rows))
      llvm::copy(values.row(n * numRows + (start + row.t - first) / step),
                 taken.row(n * rows.size() + number).begin());
  return taken;
}

OwningOpRef<RequestOp>
mlir::nnet3::makeUtteranceRequest(StreamOp stream, int64_t numFrames,
                                  int64_t numSequences,
                                  std::optional<int64_t> lastOutput) {
  OpBuilder builder(stream.getContext());
  const Location loc = stream.getLoc();
  OwningOpRef<RequestOp> request = RequestOp::create(
      builder, loc, "utterance", stream.getNetwork(), false, false);
  builder.setInsertionPointToStart(&request->getBody().emplaceBlock());
  const auto dropAfter = [&](SmallVector<Index> &rows, int64_t right) {
    if (lastOutput)
      llvm::erase_if(
          rows, [&](const Index &row) { return row.t > *lastOutput + right; });
  };
  auto network = stream->getParentOfType<ModuleOp>().lookupSymbol<NetworkOp>(
      stream.getNetwork());
  for (auto node : network.getBody().getOps<InputNodeOp>()) {
    auto rows = stream.getNewRows(node.getName(), numFrames, /*isFirst=*/true);
    if (node.getName() == "input")
      dropAfter(rows, stream.getRight());
    if (!rows.empty())
      RequestInputOp::create(builder, loc, node.getName(),
                             stream.getIndexes(rows, numSequences),
                             /*has_deriv=*/false);
  }
  auto outputs = stream.getOutputRows(numFrames);
  dropAfter(outputs, 0);
  RequestOutputOp::create(builder, loc, "output",
                          stream.getIndexes(outputs, numSequences),
                          /*has_deriv=*/false);
  return request;
}

llvm::StringMap<UtteranceInput>
mlir::nnet3::makeUtteranceInputs(RequestOp request, const RequestRunner &runner,
                                 int64_t numSequences,
                                 property::Random &random) {
  llvm::StringMap<UtteranceInput> inputs;
  for (auto io : request.getBody().getOps<RequestInputOp>()) {
    const auto rows = io.getIndexes().expand();
    UtteranceInput &input = inputs[io.getName()];
    input.numRows = rows.size() / numSequences;
    input.first = rows.front().t;
    input.step = input.numRows > 1 ? rows[1].t - rows[0].t : 1;
    input.values = Matrix(rows.size(), runner.getDim(io.getName()));
    for (float &value : input.values.data)
      value = float(random.real(-1, 1));
  }
  return inputs;
}

std::optional<StreamOptions>
mlir::nnet3::makeStreamOptions(NetworkOp network, property::Random &random) {
  const auto nodes = NodeTable::get(network);
  if (failed(nodes))
    return std::nullopt;
  StreamOptions options;
  const int64_t factor = random.between(1, 3);
  const int64_t unit = saturatingLcm(nodes->getModulus(), factor);
  if (unit > 64)
    return std::nullopt;
  for (const int64_t count : {1, random.between(2, 4), random.between(5, 12)})
    options.chunks.push_back(count * unit);
  options.frameSubsamplingFactor = factor;
  options.ivectorPeriod = 0;
  options.extraLeftContextInitial = random.between(0, 3);
  options.allowChunkedRecurrence = random.chance(0.5);
  return options;
}
