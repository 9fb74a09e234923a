//===- RunExamples.cpp - Computing training examples ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Target/Kaldi/ExampleRequest.h"
#include "nnet3/Tools/Run.h"

#include "llvm/ADT/ScopeExit.h"
#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

namespace {
class ExampleRun {
public:
  ExampleRun(RequestRunner &runner, const RunOptions &options)
      : runner(runner), options(options), network(runner.getNetwork()) {}

  LogicalResult run();

private:
  LogicalResult open();
  FailureOr<RequestInstance *> prepare(const NnetExample &example,
                                       Location loc);
  LogicalResult setInputs(const NnetExample &example, Location loc,
                          RequestInstance &instance);
  LogicalResult compute(StringRef key, const NnetExample &example);
  bool isInput(StringRef name);

  /// Prints the error of a table, which already contains its position.
  LogicalResult check(llvm::Error error) {
    if (!error)
      return success();
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return failure();
  }

  RequestRunner &runner;
  const RunOptions &options;
  NetworkOp network;
  std::unique_ptr<SequentialTableReader<AnyExample>> examples;
  std::unique_ptr<MatrixWriter> writer;
  int64_t numDone = 0;
  /// The inputs of the current example, which the instance borrows.
  std::vector<Matrix> inputs;
};
} // namespace

bool ExampleRun::isInput(StringRef name) {
  return llvm::any_of(network.getOps<InputNodeOp>(),
                      [&](InputNodeOp node) { return node.getName() == name; });
}

LogicalResult ExampleRun::open() {
  TableOptions tableOptions;
  tableOptions.allowScpPipes = options.allowScpPipes;
  tableOptions.warn = [](StringRef message) {
    llvm::errs() << message << "\n";
  };
  auto table =
      SequentialTableReader<AnyExample>::open(options.features, tableOptions);
  if (!table)
    return check(table.takeError());
  examples = std::move(*table);
  auto output = MatrixWriter::open(options.output, tableOptions);
  if (!output)
    return check(output.takeError());
  writer = std::move(*output);
  return success();
}

/// Returns an instance that computes the requested output of an example.
FailureOr<RequestInstance *> ExampleRun::prepare(const NnetExample &example,
                                                 Location loc) {
  OpBuilder builder(network->getBlock(), network->getBlock()->end());
  auto getRole = [&](StringRef name) {
    if (name == options.outputName)
      return IoRole::Output;
    return isInput(name) ? IoRole::Input : IoRole::Unused;
  };
  auto request = createExampleRequest(example, network.getSymName(), getRole,
                                      ExampleRequestOptions(), builder, loc);
  if (failed(request))
    return failure();
  llvm::scope_exit erase([&] { request->erase(); });
  SymbolTableCollection symbolTable;
  if (failed(request->verifySymbolUses(symbolTable)))
    return failure();
  return runner.prepare(*request);
}

LogicalResult ExampleRun::setInputs(const NnetExample &example, Location loc,
                                    RequestInstance &instance) {
  inputs.clear();
  // The instance keeps pointers to the elements.
  inputs.reserve(example.io.size());
  for (const NnetIo &io : example.io) {
    if (!isInput(io.name))
      continue;
    if (int64_t cols = getNumCols(io.features); cols != runner.getDim(io.name))
      return emitError(loc)
             << "the network expects '" << io.name << "' with dimension "
             << runner.getDim(io.name) << ", but got " << cols;
    inputs.push_back(toFull(io.features));
    rt::Status status = instance.setInput(io.name, getView(inputs.back()));
    if (!status.ok())
      return emitError(loc) << status.message();
  }
  return success();
}

LogicalResult ExampleRun::compute(StringRef key, const NnetExample &example) {
  Location loc =
      NameLoc::get(StringAttr::get(network.getContext(), "example " + key));
  auto instance = prepare(example, loc);
  if (failed(instance) || failed(setInputs(example, loc, **instance)))
    return failure();
  rt::Status status = (*instance)->run();
  if (!status.ok())
    return emitError(loc) << status.message();
  auto output = (*instance)->output(options.outputName);
  if (!output.ok())
    return emitError(loc) << output.status().message();
  Matrix matrix(output->rows, output->cols);
  for (int64_t r = 0; r < matrix.rows; ++r)
    std::copy_n(output->row(r), matrix.cols, matrix.row(r).begin());
  if (options.compute.applyExp)
    for (float &value : matrix.data)
      value = std::exp(value);
  ++numDone;
  return check(writer->write(key, matrix));
}

LogicalResult ExampleRun::run() {
  if (failed(open()))
    return failure();
  while (true) {
    llvm::Expected<bool> more = examples->next();
    if (!more)
      return check(more.takeError());
    if (!*more)
      break;
    NnetExample rows = takeRows(std::move(examples->getValue()));
    if (failed(compute(examples->getKey(), rows)))
      return failure();
  }
  llvm::errs() << "Done " << numDone << " examples\n";
  return check(
      numDone > 0 ? writer->close()
                  : makeFileError(options.features, "no example was computed"));
}

LogicalResult mlir::nnet3::runExamples(RequestRunner &runner,
                                       const RunOptions &options) {
  return ExampleRun(runner, options).run();
}
