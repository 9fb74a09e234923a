//===- TrainCheckpoint.cpp - Resuming training from checkpoints -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checkpoint.h"
#include "StopSignal.h"
#include "TrainRun.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/Program.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

/// Compares options; the error names the first difference.
static rt::Status compareOptions(const std::vector<std::string> &values,
                                 const std::vector<std::string> &expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (i >= values.size() || values[i] != expected[i])
      return rt::invalidArgument("expects " + expected[i] + ", but it is of " +
                                 (i < values.size() ? values[i] : "less"));
  if (values.size() > expected.size())
    return rt::invalidArgument("it is of " + values[expected.size()]);
  return rt::Status();
}

rt::Status TrainRun::visitState(rt::StateVisitor &visitor) {
  const std::vector<std::string> expected = options.describe();
  std::vector<std::string> values = expected, last{lastExample};
  rt::Status status = visitor.visit("options", values);
  if (status.ok())
    status = compareOptions(values, expected);
  if (status.ok())
    status = visitor.visit("last_example", last);
  if (status.ok())
    status = visitor.visit("examples", numExamples);
  if (status.ok())
    status = visitor.visit("record.bytes", recordBytes);
  if (status.ok())
    status = log.visitState(visitor);
  if (status.ok())
    status = trainer.visitState(visitor);
  if (!status.ok())
    return status;
  if (last.size() != 1 || recordBytes < 0 || numExamples < 0)
    return rt::invalidArgument("the position in the examples is wrong");
  lastExample = last.front();
  return status;
}

LogicalResult TrainRun::resume() {
  auto found =
      readCheckpoint(options.checkpoint, [&](rt::StateVisitor &visitor) {
        return visitState(visitor);
      });
  if (!found)
    return check(found.takeError());
  if (*found)
    printLog(kName, "Going on after " + Twine(numExamples) + " minibatches");
  return success();
}

/// Returns the key of an example and a hash of its content.
static std::string identify(const ExampleQueue::Entry &entry) {
  std::string text = describeStructure(entry.example);
  for (const NnetIo &io : takeRows(entry.example).io) {
    const Matrix full = toFull(io.features);
    text.append(reinterpret_cast<const char *>(full.data.data()),
                full.data.size() * sizeof(float));
  }
  return entry.key + " " + llvm::utohexstr(llvm::xxh3_64bits(text));
}

/// Skips the examples that were used before the checkpoint.
LogicalResult TrainRun::skipTrained(ExampleQueue &queue) {
  std::optional<ExampleQueue::Entry> last;
  const int64_t count = numExamples;
  for (int64_t i = 0; i < count; ++i) {
    auto entry = queue.next();
    if (!entry)
      return check(entry.takeError());
    if (!*entry)
      return check(makeFileError(options.examples,
                                 "expects the " + Twine(count) +
                                     " examples before the checkpoint, but got "
                                     "only " +
                                     Twine(i)));
    last = std::move(*entry);
  }
  if (!last || identify(*last) == lastExample)
    return success();
  return check(makeFileError(options.examples,
                             "example " + Twine(count) + ", '" + last->key +
                                 "', is not the last one before the "
                                 "checkpoint"));
}

/// Writes a checkpoint if one is due or a stop was requested; fails after the
/// latter.
LogicalResult TrainRun::saveIfDue(const ExampleQueue::Entry &latest) {
  if (options.checkpoint.empty())
    return success();
  const bool isStop = stopsEverywhere();
  const double minutes =
      std::chrono::duration<double>(Clock::now() - lastSaved).count() / 60;
  if (!isStop && minutes < options.checkpointMinutes)
    return success();
  recordBytes = record->getNumBytes();
  lastExample = identify(latest);
  if (isMain() && failed(check(writeCheckpoint(options.checkpoint,
                                               [&](rt::StateVisitor &visitor) {
                                                 return visitState(visitor);
                                               }))))
    return failure();
  lastSaved = Clock::now();
  if (!isStop)
    return success();
  // Another process may have received the signal.
  printLog(kName, "Stopped by " +
                      (isStopRequested() ? getStopSignalName() : "a signal") +
                      " after " + Twine(numExamples) +
                      " minibatches; --resume goes on from " +
                      options.checkpoint);
  return failure();
}

LogicalResult TrainRun::removeCheckpoint() {
  if (options.checkpoint.empty())
    return success();
  if (std::error_code error = llvm::sys::fs::remove(options.checkpoint))
    return check(makeFileError(options.checkpoint, error.message()));
  return success();
}
