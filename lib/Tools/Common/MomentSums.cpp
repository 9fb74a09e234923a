//===- MomentSums.cpp - Second moments of rows ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/MomentSums.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Kaldi/Tables/Tables.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

/// Makes the output of `network` the appended columns of `rows`, and removes
/// other outputs.
static LogicalResult replaceOutput(NetworkOp network, const Descriptor &rows) {
  OutputNodeOp output;
  for (auto node : llvm::to_vector(network.getOps<OutputNodeOp>()))
    if (node.getName() == "output")
      output = node;
    else
      node.erase();
  if (!output)
    return network.emitError("the network has no output node 'output'");
  OpBuilder builder(output);
  output.getInputMutable().assign(
      buildDescriptor(builder, rows, output.getLoc()));
  return success();
}

/// Returns the rows as a descriptor of the copied network; `mapping` maps nodes
/// to their copies.
static FailureOr<Descriptor> describe(const MomentRows &rows,
                                      const IRMapping &mapping) {
  Descriptor all;
  all.kind = Descriptor::Kind::Append;
  for (int64_t time : rows.timeOffsets) {
    Descriptor shifted;
    shifted.kind = Descriptor::Kind::Offset;
    shifted.operands = {readDescriptor(mapping.lookup(rows.rows))};
    shifted.t = int32_t(time);
    all.operands.push_back(std::move(shifted));
  }
  return normalize(all, [&](LocationAttr loc) {
    return emitError(loc ? Location(loc) : rows.rows.getLoc());
  });
}

FailureOr<std::unique_ptr<MomentSums>>
MomentSums::create(NetworkOp network, ArrayRef<MomentRows> rows, StringRef file,
                   const RunnerOptions &runnerOptions,
                   UtteranceOptions options) {
  auto result = std::make_unique<MomentSums>();
  IRMapping mapping;
  OpBuilder builder(network.getContext());
  result->module = ModuleOp::create(builder, network.getLoc());
  builder.setInsertionPointToStart(result->module->getBody());
  auto copy = cast<NetworkOp>(builder.clone(*network, mapping));
  Descriptor all;
  all.kind = Descriptor::Kind::Append;
  int64_t column = 0;
  for (const MomentRows &some : rows) {
    auto descriptor = describe(some, mapping);
    if (failed(descriptor))
      return failure();
    const int64_t dim = cast<RowsType>(some.rows.getType()).getDim() *
                        int64_t(some.timeOffsets.size());
    result->sums.push_back(
        {readDescriptor(some.rows).name, column, dim, DoubleMatrix(dim, dim)});
    column += dim;
    all.operands.push_back(std::move(*descriptor));
  }
  auto input = normalize(all, [&](LocationAttr) { return copy.emitError(); });
  if (failed(input) || failed(replaceOutput(copy, *input)))
    return failure();
  // Without subsampling, so that every frame counts.
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

DoubleMatrix MomentSums::getMean(size_t i) const {
  DoubleMatrix mean = sums[i].sum;
  for (double &value : mean.data)
    value /= double(numFrames);
  return mean;
}

llvm::Error MomentSums::write(StringRef table,
                              const TableOptions &options) const {
  auto writer = MatrixWriter::open(table, options);
  if (!writer)
    return writer.takeError();
  for (auto [i, sum] : llvm::enumerate(sums)) {
    Matrix mean(sum.dim, sum.dim);
    llvm::copy(getMean(i).data, mean.data.begin());
    if (llvm::Error error = (*writer)->write(sum.node, mean))
      return error;
  }
  return (*writer)->close();
}
