//===- RunRequest.cpp - Computing one request -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequestInput.h"
#include "RequestOptions.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/Common/Comparison.h"
#include "nnet3/Tools/Run.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

namespace {
class RequestRun {
public:
  RequestRun(const Runners &runners, const RunOptions &options,
             RequestOp request)
      : runner(*runners.backend), interpreter(runners.interpreter),
        referenceRunner(runners.reference.get()), options(options),
        request(request), context(request.getContext()) {}

  LogicalResult run();

private:
  /// Returns true if machine code computes the derivatives.
  bool isCompiled() const { return interpreter && &runner != interpreter; }
  LogicalResult createModels();
  LogicalResult createInstances();
  LogicalResult createTrainingInstance();
  LogicalResult readMatrix(const NamedFile &file, IndexesAttr indexes,
                           StringRef kind);
  LogicalResult readInputs();
  LogicalResult compute();
  LogicalResult compare();
  LogicalResult openOutputs();
  LogicalResult writeMatrix(StringRef name, llvm::raw_ostream &os);
  LogicalResult writeModel(const rt::Model &model, llvm::raw_ostream &os);
  LogicalResult writeOutputs();

  LogicalResult check(const rt::Status &status) {
    return status.ok() ? success()
                       : LogicalResult(request.emitError(status.message()));
  }

  RequestRunner &runner;
  NnetRunner *interpreter;
  RequestRunner *referenceRunner;
  const RunOptions &options;
  RequestOp request;
  MLIRContext *context;

  /// The program, if there is a backward pass or statistics.
  std::shared_ptr<const rt::Program> program;
  /// The trained model and its gradient; null if not needed. They outlive the
  /// instance.
  std::unique_ptr<rt::Model> model, gradient;
  std::unique_ptr<RequestInstance> instance;
  /// The instance to compare with, or null.
  std::unique_ptr<RequestInstance> reference;
  /// The inputs, which the instances borrow.
  std::vector<Matrix> inputs;
  /// The open files of options.outputs, inputDerivs, modelDeriv and modelStats,
  /// before they are renamed.
  std::vector<std::unique_ptr<OutputFile>> files;
};
} // namespace

/// Creates the models, with statistics of zero.
LogicalResult RequestRun::createModels() {
  auto create = [&](std::unique_ptr<rt::Model> &result) -> LogicalResult {
    auto created = rt::Model::create(program);
    if (!created.ok())
      return check(created.status());
    result = std::move(*created);
    return success();
  };
  if (failed(create(model)))
    return failure();
  if (request.getStoreComponentStats())
    model->zeroStatistics();
  if (options.modelDeriv.empty())
    return success();
  if (failed(create(gradient)))
    return failure();
  gradient->setZero();
  gradient->setAsGradient();
  return success();
}

LogicalResult RequestRun::createTrainingInstance() {
  auto loaded = interpreter->load(request);
  if (failed(loaded))
    return failure();
  program = std::move(*loaded);
  if (failed(createModels()))
    return failure();
  if (isCompiled()) {
    auto made = runner.makeInstance(request);
    if (failed(made))
      return failure();
    instance = std::move(*made);
    return success();
  }
  rt::InstanceOptions instanceOptions;
  instanceOptions.model = model.get();
  instanceOptions.gradient = gradient.get();
  auto made =
      interpreter->instantiate(program, request.getLoc(), instanceOptions);
  if (failed(made))
    return failure();
  instance = std::make_unique<InterpreterInstance>(std::move(*made));
  return success();
}

LogicalResult RequestRun::createInstances() {
  auto make = [&](RequestRunner &runner,
                  std::unique_ptr<RequestInstance> &instance) -> LogicalResult {
    auto made = runner.makeInstance(request);
    if (failed(made))
      return failure();
    instance = std::move(*made);
    return success();
  };
  if (options.trains())
    return createTrainingInstance();
  if (failed(make(runner, instance)))
    return failure();
  return referenceRunner ? make(*referenceRunner, reference) : success();
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Reads the value or derivative of a node and passes it to the instances.
LogicalResult RequestRun::readMatrix(const NamedFile &file, IndexesAttr indexes,
                                     StringRef kind) {
  auto matrix =
      readRequestMatrix(file, indexes, runner.getDim(file.name), kind);
  if (failed(matrix))
    return failure();
  inputs.push_back(std::move(*matrix));
  rt::ConstMatrixView value = getView(inputs.back());
  if (reference && failed(check(reference->setInput(file.name, value))))
    return failure();
  return check(instance->setInput(file.name, value));
}

LogicalResult RequestRun::readInputs() {
  for (const NamedFile &file : options.inputs)
    for (auto input : request.getOps<RequestInputOp>())
      if (input.getName() == file.name &&
          failed(readMatrix(file, input.getIndexes(), "input")))
        return failure();
  for (const NamedFile &file : options.outputDerivs)
    for (auto output : request.getOps<RequestOutputOp>())
      if (output.getName() == file.name &&
          failed(readMatrix(file, output.getIndexes(),
                            "the derivative of output")))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Opens all outputs before the computation, which would be wasted if opening
/// failed.
LogicalResult RequestRun::openOutputs() {
  std::vector<StringRef> names;
  for (const auto *list : {&options.outputs, &options.inputDerivs})
    for (const NamedFile &file : *list)
      names.push_back(file.file);
  for (const std::string *model : {&options.modelDeriv, &options.modelStats})
    if (!model->empty())
      names.push_back(*model);
  for (StringRef name : names) {
    auto file = OutputFile::create(name);
    if (!file)
      return emitFileError(context, file.takeError());
    files.push_back(std::move(*file));
  }
  return success();
}

LogicalResult RequestRun::writeMatrix(StringRef name, llvm::raw_ostream &os) {
  auto output = instance->output(name);
  if (!output.ok())
    return check(output.status());
  Matrix matrix(output->rows, output->cols);
  for (int64_t r = 0; r < matrix.rows; ++r)
    std::copy_n(output->row(r), matrix.cols, matrix.row(r).begin());
  KaldiWriter writer(os, options.binary);
  writer.writeHeader();
  writer.writeMatrix(matrix);
  return success();
}

LogicalResult RequestRun::writeModel(const rt::Model &model,
                                     llvm::raw_ostream &os) {
  OwningOpRef<NetworkOp> network = exportModel(model, runner.getNetwork());
  return mlir::nnet3::writeModel(*network, os, options.binary);
}

/// Writes the outputs. Renames the files only after all have been written.
LogicalResult RequestRun::writeOutputs() {
  auto file = files.begin();
  for (const auto *list : {&options.outputs, &options.inputDerivs})
    for (const NamedFile &named : *list)
      if (failed(writeMatrix(named.name, (*file++)->getStream())))
        return failure();
  if (gradient && failed(writeModel(*gradient, (*file++)->getStream())))
    return failure();
  if (!options.modelStats.empty() &&
      failed(writeModel(*model, (*file++)->getStream())))
    return failure();
  for (const auto &written : files)
    if (failed(emitFileError(context, written->flush())))
      return failure();
  for (const auto &written : files)
    if (failed(emitFileError(context, written->commit())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The whole run
//===----------------------------------------------------------------------===//

/// Runs the forward pass and, if there is one, the backward pass; machine code
/// computes both at once.
LogicalResult RequestRun::compute() {
  if (isCompiled() && model &&
      failed(check(instance->setStatistics(*model, gradient.get()))))
    return failure();
  if (failed(check(instance->run())))
    return failure();
  if (isCompiled() && model)
    return failure(
        (gradient && failed(check(instance->addGradient(*gradient)))) ||
        failed(check(instance->getStatistics(*model, gradient.get()))));
  bool isBackward =
      program && llvm::any_of(program->inputs(), [](const rt::IoInfo &info) {
        return info.isDerivative;
      });
  return isBackward ? check(instance->run()) : success();
}

LogicalResult RequestRun::compare() {
  if (!reference)
    return success();
  if (failed(check(reference->run())))
    return failure();
  for (auto output : request.getOps<RequestOutputOp>()) {
    auto expected = reference->output(output.getName());
    auto actual = instance->output(output.getName());
    if (!expected.ok() || !actual.ok())
      return check(expected.ok() ? actual.status() : expected.status());
    Comparison comparison;
    comparison.add(*expected, *actual);
    comparison.print(llvm::errs(), output.getName(),
                     options.describeComparison());
  }
  return success();
}

LogicalResult RequestRun::run() {
  // Create the instances before checking the options: an error in the request
  // itself is more useful.
  if (failed(createInstances()) || failed(checkOptions(request, options)))
    return failure();
  if (failed(readInputs()) || failed(openOutputs()) || failed(compute()) ||
      failed(compare()))
    return failure();
  return writeOutputs();
}

namespace mlir::nnet3 {

LogicalResult runRequest(const Runners &runners, const RunOptions &options) {
  FailureOr<RequestOp> request =
      readOnlyRequest(options.request, runners.backend->getNetwork());
  if (failed(request))
    return failure();
  dropUnwanted(*request, options);
  return RequestRun(runners, options, *request).run();
}

} // namespace mlir::nnet3
