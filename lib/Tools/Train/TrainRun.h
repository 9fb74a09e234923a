//===- TrainRun.h - Training on a table of examples -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_TRAINRUN_H
#define LIB_TOOLS_TRAIN_TRAINRUN_H

#include "Parallel/ProcessGroup.h"
#include "TrainOptions.h"
#include "TrainingLog.h"
#include "TrainingRecord.h"
#include "nnet3/Execution/RequestTrainer.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/ExampleQueue.h"
#include "nnet3/Tools/Common/ExampleRequests.h"

#include <chrono>

namespace mlir::nnet3 {

/// Trains on a table of examples.
class TrainRun {
public:
  /// `group` is null for a single process.
  TrainRun(NetworkOp network, NnetRunner &interpreter, RequestTrainer &trainer,
           const TrainOptions &options, ProcessGroup *group)
      : network(network), trainer(trainer), options(options), group(group),
        examples(interpreter, options.chain), log(options.printInterval) {}

  LogicalResult run();

  /// Passes all state that minibatches change to the visitor.
  ::nnet3::rt::Status visitState(::nnet3::rt::StateVisitor &visitor);

private:
  static constexpr llvm::StringRef kName = "nnet3-train";

  using Program = std::shared_ptr<const ::nnet3::rt::Program>;
  using Clock = std::chrono::steady_clock;

  // Defined in TrainCheckpoint.cpp.
  LogicalResult resume();
  LogicalResult skipTrained(ExampleQueue &queue);
  LogicalResult saveIfDue(const ExampleQueue::Entry &latest);
  LogicalResult removeCheckpoint();

  // Defined in Parallel/TrainRounds.cpp.
  bool isMain() const { return !group || group->getNumber() == 0; }
  bool stopsEverywhere() const;
  void printTraffic() const;
  LogicalResult checkPositions();
  FailureOr<std::optional<::nnet3::kaldi::AnyExample>>
  takeShare(const ::nnet3::kaldi::AnyExample &example, Location loc);
  LogicalResult trainRounds(ExampleQueue &queue);
  LogicalResult trainRound(ExampleQueue &queue,
                           std::optional<ExampleQueue::Entry> &latest);
  LogicalResult averageRound(ArrayRef<::nnet3::rt::TrainingStep> steps,
                             std::optional<double> fraction);

  LogicalResult trainAll();
  LogicalResult trainOnAll(ExampleQueue &queue);
  LogicalResult finishMinibatches(const ExampleQueue::Entry &latest,
                                  int64_t numBefore);
  LogicalResult recordModel();
  LogicalResult validate(const ::nnet3::rt::Model &model);
  FailureOr<::nnet3::rt::TrainingStep>
  step(StringRef key, const ::nnet3::kaldi::AnyExample &example);
  LogicalResult train(const ExampleQueue::Entry &entry);
  void report(const ::nnet3::rt::TrainingStep &step,
              std::optional<double> fraction);
  FailureOr<Program> prepare(const ::nnet3::kaldi::AnyExample &example,
                             Location loc);
  LogicalResult findNames();
  LogicalResult write();
  LogicalResult check(llvm::Error error) {
    return emitFileError(network.getContext(), std::move(error));
  }

  NetworkOp network;
  RequestTrainer &trainer;
  const TrainOptions &options;
  ProcessGroup *group;
  ExampleRequests examples;
  TrainingLog log;
  std::vector<std::string> componentNames;
  /// By structure of the example.
  llvm::StringMap<Program> programs;
  std::vector<ExampleQueue::Entry> validation;
  std::unique_ptr<::nnet3::kaldi::OutputFile> file;
  std::unique_ptr<TrainingRecord> record;
  /// Examples of the table on which all processes together have trained.
  int64_t numExamples = 0;
  /// Size of the record at the checkpoint from which training resumes.
  int64_t recordBytes = 0;
  /// Identifies the last example before the checkpoint.
  std::string lastExample;
  Clock::time_point lastSaved = Clock::now();
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_TRAINRUN_H
