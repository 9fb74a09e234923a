//===- MeasureMoments.cpp - Second moments of nodes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MeasureMoments.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Kaldi/Tables/Tables.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

/// Lets the output of `network` have the columns of `nodes`, one after the
/// other, and removes other outputs.
static LogicalResult replaceOutput(NetworkOp network, ArrayRef<Value> nodes) {
  OutputNodeOp output;
  for (auto node : llvm::to_vector(network.getOps<OutputNodeOp>()))
    if (node.getName() == "output")
      output = node;
    else
      node.erase();
  if (!output)
    return network.emitError("the network has no output node 'output'");
  OpBuilder builder(output);
  Descriptor all;
  all.kind = Descriptor::Kind::Append;
  for (Value node : nodes)
    all.operands.push_back(readDescriptor(node));
  const Descriptor &input = nodes.size() == 1 ? all.operands.front() : all;
  output.getInputMutable().assign(
      buildDescriptor(builder, input, output.getLoc()));
  return success();
}

FailureOr<std::unique_ptr<MomentSums>>
MomentSums::create(NetworkOp network, ArrayRef<Value> nodes, StringRef file,
                   const RunnerOptions &runnerOptions,
                   UtteranceOptions options) {
  auto result = std::make_unique<MomentSums>();
  IRMapping mapping;
  OpBuilder builder(network.getContext());
  result->module = ModuleOp::create(builder, network.getLoc());
  builder.setInsertionPointToStart(result->module->getBody());
  auto copy = cast<NetworkOp>(builder.clone(*network, mapping));
  SmallVector<Value> copies;
  int64_t column = 0;
  for (Value node : nodes) {
    copies.push_back(mapping.lookup(node));
    const int64_t dim = cast<RowsType>(node.getType()).getDim();
    result->sums.push_back(
        {readDescriptor(node).name, column, dim, DoubleMatrix(dim, dim)});
    column += dim;
  }
  if (failed(replaceOutput(copy, copies)))
    return failure();
  // Every frame counts.
  options.compute.chunks.frameSubsamplingFactor = 1;
  auto computer = NetworkComputer::create(copy, file, runnerOptions, options);
  if (failed(computer))
    return failure();
  result->computer = std::move(*computer);
  return result;
}

LogicalResult MomentSums::add(const Utterance &utterance) {
  auto output = computer.utterances->compute(utterance);
  if (failed(output))
    return failure();
  numFrames += output->rows;
  for (Sum &sum : sums) {
    DoubleMatrix columns(sum.dim, output->rows);
    for (int64_t r = 0; r < output->rows; ++r)
      for (int64_t c = 0; c < sum.dim; ++c)
        columns(c, r) = (*output)(r, sum.first + c);
    const DoubleMatrix squares = multiply(columns, transpose(columns));
    for (auto [value, square] : llvm::zip_equal(sum.sum.data, squares.data))
      value += square;
  }
  return success();
}

llvm::Error MomentSums::write(StringRef table,
                              const TableOptions &options) const {
  auto writer = MatrixWriter::open(table, options);
  if (!writer)
    return writer.takeError();
  for (const Sum &sum : sums) {
    Matrix mean(sum.dim, sum.dim);
    for (auto [value, all] : llvm::zip_equal(mean.data, sum.sum.data))
      value = float(all / double(numFrames));
    if (llvm::Error error = (*writer)->write(sum.node, mean))
      return error;
  }
  return (*writer)->close();
}
