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

/// A file with a JSON object per minibatch, written during training:
/// `minibatch` counts from 0; `objectives` has the `value` and `weight` of each
/// output, whose quotient is the objective; `max_change` has the scales
/// `global` and `component` that limited the change, and `refused` if the
/// change was not finite. A number that is not finite is null.
class TrainingRecord {
public:
  /// Writes nothing if `path` is empty. Keeps the first `numBytes` of the file
  /// and appends to them.
  static llvm::Expected<std::unique_ptr<TrainingRecord>>
  open(llvm::StringRef path, int64_t numBytes = 0);

  /// Returns the number of bytes in the file.
  int64_t getNumBytes() const { return file ? file->tell() : 0; }

  /// Adds a line about a minibatch.
  void add(int64_t minibatch, const ::nnet3::rt::TrainingStep &step,
           const ::nnet3::rt::MaxChangeCounts &counts);

  /// Adds a line about the updatable components after `numMinibatches`
  /// minibatches.
  void addComponents(int64_t numMinibatches, const ::nnet3::rt::Model &model,
                     const ::nnet3::rt::Model &delta,
                     const ::nnet3::rt::MaxChangeCounts &counts);

  /// Adds a line about validation objectives after `numMinibatches`
  /// minibatches.
  void addValidation(int64_t numMinibatches,
                     llvm::ArrayRef<::nnet3::rt::OutputObjective> objectives);

  /// Returns the error of a failed write, if any.
  llvm::Error close();

private:
  void writeLine(llvm::function_ref<void(llvm::json::OStream &)> attributes);

  std::string path;
  std::unique_ptr<llvm::raw_fd_ostream> file;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_TRAININGRECORD_H
