//===- RunRequest.cpp - One request on matrices from files ----------------===//

#include "nnet3/Pipelines/Run.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/Input.h"
#include "nnet3/Target/Kaldi/OutputFile.h"
#include "nnet3/Target/Kaldi/RequestReader.h"

using namespace nnet3;
using namespace mlir;
using namespace mlir::nnet3;
namespace runtime = ::nnet3::runtime;

//===----------------------------------------------------------------------===//
// The request
//===----------------------------------------------------------------------===//

/// Reads the one request in `file`, and puts it behind the network.
static FailureOr<RequestOp> readRequest(StringRef file, NetworkOp network) {
  auto requests = readRequestFile(file, network);
  if (failed(requests))
    return failure();
  if (requests->size() > 1)
    return emitError((*requests)[1].getLoc())
           << "expects one request, but the file has " << requests->size();
  return requests->front();
}

/// Leaves only the forward computation.
static void dropDerivatives(RequestOp request) {
  request.setNeedModelDerivative(false);
  request.setStoreComponentStats(false);
  for (Operation &op : request.getBody().front())
    op.removeAttr("has_deriv");
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

namespace {
class RequestRun {
public:
  RequestRun(NnetRunner &runner, const RunOptions &options)
      : runner(runner), options(options),
        context(runner.getNetwork().getContext()) {}

  LogicalResult run();

private:
  LogicalResult checkNames(RequestOp request);
  LogicalResult readInputs(RequestOp request);
  LogicalResult compute(RequestOp request);
  LogicalResult writeOutputs(const runtime::Instance &instance);

  InFlightDiagnostic emitOptionError() {
    return emitError(UnknownLoc::get(context));
  }

  NnetRunner &runner;
  const RunOptions &options;
  MLIRContext *context;
  /// One per entry of options.inputs.
  std::vector<Matrix> inputs;
};
} // namespace

/// Every input of the request is given, and all names are the request's.
LogicalResult RequestRun::checkNames(RequestOp request) {
  auto isNamed = [](ArrayRef<NamedFile> files, StringRef name) {
    return llvm::any_of(
        files, [&](const NamedFile &file) { return file.name == name; });
  };
  for (auto input : request.getOps<RequestInputOp>())
    if (!isNamed(options.inputs, input.getName()))
      return input.emitError("the request's input '")
             << input.getName()
             << "' is not given: use --input=" << input.getName() << "=MATRIX";
  auto check = [&](ArrayRef<NamedFile> files, StringRef option,
                   auto ops) -> LogicalResult {
    for (const NamedFile &file : files)
      if (llvm::none_of(ops,
                        [&](auto op) { return op.getName() == file.name; }))
        return emitOptionError()
               << "option '--" << option << "': the request "
               << "has no " << option << " '" << file.name << "'";
    return success();
  };
  if (failed(check(options.inputs, "input", request.getOps<RequestInputOp>())))
    return failure();
  return check(options.outputs, "output", request.getOps<RequestOutputOp>());
}

LogicalResult RequestRun::readInputs(RequestOp request) {
  for (const NamedFile &file : options.inputs) {
    auto matrix = readMatrixFile(file.file);
    if (!matrix)
      return emitFileError(context, matrix.takeError());
    for (auto input : request.getOps<RequestInputOp>()) {
      int64_t rows = input.getIndexes().size(), cols = runner.getDim(file.name);
      if (input.getName() == file.name &&
          (matrix->rows != rows || matrix->cols != cols))
        return emitError(FileLineColLoc::get(context, file.file, 1, 1))
               << "expects a " << rows << " x " << cols << " matrix for input '"
               << file.name << "', but got " << matrix->rows << " x "
               << matrix->cols;
    }
    inputs.push_back(std::move(*matrix));
  }
  return success();
}

LogicalResult RequestRun::compute(RequestOp request) {
  // Before the matrices are read: what is wrong with the request itself is the
  // more useful error.
  FailureOr<runtime::Instance *> instance = runner.prepare(request);
  if (failed(instance) || failed(checkNames(request)) ||
      failed(readInputs(request)))
    return failure();
  for (auto [file, matrix] : llvm::zip_equal(options.inputs, inputs)) {
    runtime::Status status = (*instance)->setInput(
        file.name, runtime::ConstMatrixView(matrix.data.data(), matrix.rows,
                                            matrix.cols, matrix.cols));
    if (!status.ok())
      return emitError(request.getLoc()) << status.message();
  }
  runtime::Status status = (*instance)->run();
  if (!status.ok())
    return emitError(request.getLoc()) << status.message();
  return writeOutputs(**instance);
}

LogicalResult RequestRun::writeOutputs(const runtime::Instance &instance) {
  for (const NamedFile &file : options.outputs) {
    auto output = instance.output(file.name);
    if (!output.ok())
      return emitOptionError() << output.status().message();
    Matrix matrix(output->rows, output->cols);
    for (int64_t r = 0; r < matrix.rows; ++r)
      std::copy_n(output->row(r), matrix.cols, matrix.row(r).begin());
    if (failed(emitFileError(
            context, writeMatrixFile(file.file, matrix, options.binary))))
      return failure();
  }
  return success();
}

LogicalResult RequestRun::run() {
  FailureOr<RequestOp> request =
      readRequest(options.request, runner.getNetwork());
  if (failed(request))
    return failure();
  dropDerivatives(*request);
  return compute(*request);
}

namespace nnet3 {

LogicalResult runRequest(NnetRunner &runner, const RunOptions &options) {
  return RequestRun(runner, options).run();
}

} // namespace nnet3
