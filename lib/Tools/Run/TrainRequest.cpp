//===- TrainRequest.cpp - Training steps on matrices from files -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequestInput.h"
#include "RequestOptions.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/Run.h"

#include "llvm/Support/FormatVariadic.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

namespace {
class RequestTraining {
public:
  RequestTraining(const Runners &runners, const RunOptions &options,
                  RequestOp request)
      : runner(*runners.backend), trainer(*runners.trainer), options(options),
        request(request) {}

  LogicalResult run();

private:
  LogicalResult read();
  LogicalResult add(const NamedFile &file, IndexesAttr indexes, StringRef kind);
  LogicalResult train();
  LogicalResult write();

  LogicalResult check(const rt::Status &status) {
    return status.ok() ? success()
                       : LogicalResult(request.emitError(status.message()));
  }

  RequestRunner &runner;
  RequestTrainer &trainer;
  const RunOptions &options;
  RequestOp request;
  std::shared_ptr<const rt::Program> program;
  std::vector<Matrix> matrices; ///< borrowed by the minibatch
  rt::Minibatch minibatch;
  std::unique_ptr<OutputFile> file;
};
} // namespace

LogicalResult RequestTraining::read() {
  matrices.reserve(options.inputs.size() + options.outputDerivs.size());
  for (const NamedFile &file : options.inputs)
    for (auto input : request.getOps<RequestInputOp>())
      if (input.getName() == file.name) {
        auto matrix = readRequestMatrix(file, input.getIndexes(),
                                        runner.getDim(file.name), "input");
        if (failed(matrix))
          return failure();
        matrices.push_back(std::move(*matrix));
        minibatch.inputs.push_back({file.name, getView(matrices.back())});
      }
  for (const NamedFile &file : options.outputDerivs)
    for (auto output : request.getOps<RequestOutputOp>())
      if (output.getName() == file.name) {
        auto matrix = readRequestMatrix(file, output.getIndexes(),
                                        runner.getDim(file.name),
                                        "the supervision of output");
        if (failed(matrix))
          return failure();
        matrices.push_back(std::move(*matrix));
        minibatch.supervision.push_back({file.name, getView(matrices.back())});
      }
  return success();
}

/// Prints one line per step.
static void print(int32_t number, const rt::TrainingStep &step) {
  llvm::errs() << "step " << number << ":";
  for (const rt::OutputObjective &output : step.objectives)
    llvm::errs() << llvm::formatv(" {0} {1:f6} over {2:f0}", output.name,
                                  output.objective.value,
                                  output.objective.weight);
  llvm::errs() << (step.refused ? " (infinite change, not applied)\n" : "\n");
}

LogicalResult RequestTraining::train() {
  for (int32_t i = 0; i < options.trainingSteps; ++i) {
    auto step = trainer.train(program, minibatch);
    if (!step.ok())
      return check(step.status());
    print(i + 1, *step);
  }
  return success();
}

LogicalResult RequestTraining::write() {
  auto model = trainer.getModel();
  if (!model.ok())
    return check(model.status());
  OwningOpRef<NetworkOp> network = exportModel(**model, runner.getNetwork());
  MLIRContext *context = request.getContext();
  if (failed(writeModel(*network, file->getStream(), options.binary)) ||
      failed(emitFileError(context, file->flush())))
    return failure();
  return emitFileError(context, file->commit());
}

LogicalResult RequestTraining::run() {
  auto prepared = trainer.prepare(request);
  if (failed(prepared) || failed(checkOptions(request, options)))
    return failure();
  program = std::move(*prepared);
  if (failed(read()))
    return failure();
  auto opened = OutputFile::create(options.trainedModel);
  if (!opened)
    return emitFileError(request.getContext(), opened.takeError());
  file = std::move(*opened);
  if (failed(train()))
    return failure();
  return write();
}

LogicalResult mlir::nnet3::trainRequest(const Runners &runners,
                                        const RunOptions &options) {
  auto request =
      readOnlyRequest(options.request, runners.backend->getNetwork());
  if (failed(request))
    return failure();
  return RequestTraining(runners, options, *request).run();
}
