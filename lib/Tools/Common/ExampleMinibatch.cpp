//===- ExampleMinibatch.cpp - Examples for the trainer --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/ExampleMinibatch.h"
#include "nnet3/Execution/ChainGraphs.h"
#include "nnet3/Execution/RequestRunner.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

ExampleMinibatch::ExampleMinibatch(
    const NnetExample &example,
    llvm::function_ref<bool(llvm::StringRef)> isInput) {
  for (const NnetIo &io : example.io) {
    if (isInput(io.name))
      minibatch.inputs.push_back({io.name, addFull(io.features)});
    else if (auto *sparse = std::get_if<SparseMatrix>(&io.features))
      minibatch.supervision.push_back({io.name, addSparse(*sparse)});
    else
      minibatch.supervision.push_back({io.name, addFull(io.features)});
  }
}

ExampleMinibatch::ExampleMinibatch(
    const NnetChainExample &example,
    std::shared_ptr<const rt::DenominatorGraph> denominator,
    const rt::ChainTrainingOptions &options,
    std::vector<rt::ChainOutput> chainOutputs,
    llvm::function_ref<bool(llvm::StringRef)> isInput)
    : supervisor(std::in_place, std::move(denominator), options,
                 std::move(chainOutputs)) {
  for (const NnetIo &io : example.inputs)
    if (isInput(io.name))
      minibatch.inputs.push_back({io.name, addFull(io.features)});
  minibatch.supervisor = &*supervisor;
}

rt::ConstMatrixView ExampleMinibatch::addFull(const GeneralMatrix &matrix) {
  if (auto *full = std::get_if<Matrix>(&matrix))
    return getView(*full);
  matrices.push_back(toFull(matrix));
  return getView(matrices.back());
}

rt::SparseMatrixView ExampleMinibatch::addSparse(const SparseMatrix &matrix) {
  SparseRows &rows = sparseRows.emplace_back();
  rows.rowBegin.push_back(0);
  for (const SparseRow &row : matrix.rows) {
    for (auto [column, value] : row) {
      rows.columns.push_back(column);
      rows.values.push_back(value);
    }
    rows.rowBegin.push_back(int64_t(rows.columns.size()));
  }
  return {int32_t(matrix.rows.size()), matrix.cols, rows.rowBegin.data(),
          rows.columns.data(), rows.values.data()};
}

llvm::Expected<std::vector<rt::ChainOutput>>
mlir::nnet3::getChainOutputs(const NnetChainExample &example) {
  std::vector<rt::ChainOutput> outputs;
  for (const ChainSupervision &output : example.outputs) {
    auto supervision = getChainSupervision(output);
    if (!supervision)
      return supervision.takeError();
    outputs.push_back(
        {output.name, std::move(*supervision),
         output.derivativeWeights.value_or(std::vector<float>())});
  }
  return outputs;
}
