//===- ExampleQueue.cpp - Reading examples ahead --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/ExampleQueue.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

/// Reading is much faster than training, so a longer queue would only use more
/// memory.
static constexpr size_t kMostAhead = 4;

llvm::Expected<std::unique_ptr<ExampleQueue>>
ExampleQueue::open(llvm::StringRef rspecifier, const TableOptions &options) {
  auto reader = Reader::open(rspecifier, options);
  if (!reader)
    return reader.takeError();
  return std::unique_ptr<ExampleQueue>(new ExampleQueue(std::move(*reader)));
}

ExampleQueue::ExampleQueue(std::unique_ptr<Reader> reader)
    : reader(std::move(reader)), thread([this] { readAll(); }) {}

ExampleQueue::~ExampleQueue() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    abandoned = true;
  }
  changed.notify_all();
  thread.join();
  if (error)
    llvm::consumeError(std::move(*error));
}

bool ExampleQueue::push(Entry entry) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return abandoned || entries.size() < kMostAhead; });
  if (abandoned)
    return false;
  entries.push_back(std::move(entry));
  changed.notify_all();
  return true;
}

void ExampleQueue::readAll() {
  llvm::Expected<bool> more = reader->next();
  while (more && *more &&
         push({reader->getKey().str(), std::move(reader->getValue()),
               reader->getFractionRead()}))
    more = reader->next();
  std::lock_guard<std::mutex> lock(mutex);
  if (!more)
    error.emplace(more.takeError());
  atEnd = true;
  changed.notify_all();
}

llvm::Expected<std::optional<ExampleQueue::Entry>> ExampleQueue::next() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return atEnd || !entries.empty(); });
  if (!entries.empty()) {
    std::optional<Entry> entry = std::move(entries.front());
    entries.pop_front();
    changed.notify_all();
    return entry;
  }
  if (!error)
    return std::optional<Entry>();
  llvm::Error taken = std::move(*error);
  error.reset();
  return taken;
}
