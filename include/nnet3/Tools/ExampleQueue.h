//===- ExampleQueue.h - Examples that are read ahead ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_EXAMPLEQUEUE_H
#define NNET3_TOOLS_EXAMPLEQUEUE_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/Tables/Tables.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace mlir::nnet3 {

/// Reads a table of examples on a thread of its own, a few of them ahead.
class ExampleQueue {
public:
  struct Entry {
    std::string key;
    ::nnet3::kaldi::AnyExample example;
    /// How much of the table had been read behind it, where that is known.
    std::optional<double> fraction;
  };

  static llvm::Expected<std::unique_ptr<ExampleQueue>>
  open(llvm::StringRef rspecifier, const ::nnet3::kaldi::TableOptions &options);

  ~ExampleQueue();

  /// Takes the next example; none at the end.
  llvm::Expected<std::optional<Entry>> next();

private:
  using Reader =
      ::nnet3::kaldi::SequentialTableReader<::nnet3::kaldi::AnyExample>;

  explicit ExampleQueue(std::unique_ptr<Reader> reader);

  void readAll();
  /// Waits for room; false if nobody wants more.
  bool push(Entry entry);

  std::unique_ptr<Reader> reader;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Entry> entries;
  /// What the table complained about.
  std::optional<llvm::Error> error;
  bool atEnd = false, abandoned = false;
  std::thread thread;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_EXAMPLEQUEUE_H
