//===- ExampleQueue.h - Prefetching of examples -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_EXAMPLEQUEUE_H
#define NNET3_TOOLS_COMMON_EXAMPLEQUEUE_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/Tables/Tables.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace mlir::nnet3 {

/// Reads a table of examples on its own thread, a few examples ahead.
class ExampleQueue {
public:
  struct Entry {
    std::string key;
    ::nnet3::kaldi::AnyExample example;
    /// The fraction of the table that was read after this example, if known.
    std::optional<double> fraction;
  };

  static llvm::Expected<std::unique_ptr<ExampleQueue>>
  open(llvm::StringRef rspecifier, const ::nnet3::kaldi::TableOptions &options);

  ~ExampleQueue();

  /// Takes the next example; nullopt at the end.
  llvm::Expected<std::optional<Entry>> next();

private:
  using Reader =
      ::nnet3::kaldi::SequentialTableReader<::nnet3::kaldi::AnyExample>;

  explicit ExampleQueue(std::unique_ptr<Reader> reader);

  void readAll();
  /// Blocks while the queue is full; returns false if the consumer has stopped.
  bool push(Entry entry);

  std::unique_ptr<Reader> reader;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Entry> entries;
  /// The error of the table, if any.
  std::optional<llvm::Error> error;
  bool atEnd = false, abandoned = false;
  std::thread thread;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_EXAMPLEQUEUE_H
