//===- TrainingRecord.h - Training as lines of JSON -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_TRAININGRECORD_H
#define LIB_TOOLS_TRAIN_TRAININGRECORD_H

#include "nnet3/runtime/Trainer.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace mlir::nnet3 {

/// A file with an object of JSON for each minibatch, written as training goes
/// on: `minibatch` counts from 0; `objectives` has `value` and `weight` (to
/// divide it by) of each output; `max_change` has `global` and `component`,
/// what the change of the parameters was multiplied by at most, and `refused`
/// whether it was not finite.
class TrainingRecord {
public:
  /// Writes nothing if `path` is empty. Goes on behind the first `numBytes` of
  /// the file, which it has.
  static llvm::Expected<std::unique_ptr<TrainingRecord>>
  open(llvm::StringRef path, int64_t numBytes = 0);

  /// How many there are in the file.
  int64_t getNumBytes() const { return file ? file->tell() : 0; }

  /// A line about a minibatch.
  void add(int64_t minibatch, const ::nnet3::rt::TrainingStep &step,
           const ::nnet3::rt::MaxChangeCounts &counts);

  /// A line about the updatable components after so many minibatches. `delta`
  /// may be null.
  void addComponents(int64_t numMinibatches, const ::nnet3::rt::Model &model,
                     const ::nnet3::rt::Model *delta,
                     const ::nnet3::rt::MaxChangeCounts &counts);

  /// A line about objectives on other examples after so many minibatches.
  void addValidation(int64_t numMinibatches,
                     llvm::ArrayRef<::nnet3::rt::OutputObjective> objectives);

  /// The error of a write, if there was one.
  llvm::Error close();

private:
  void writeLine(llvm::function_ref<void(llvm::json::OStream &)> attributes);

  std::string path;
  std::unique_ptr<llvm::raw_fd_ostream> file;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_TRAININGRECORD_H
