//===- NoThreads.cpp - A system without threads ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ThreadPool.h"

namespace nnet3 {
namespace rt {

class ThreadPool::Workers {};

ThreadPool::~ThreadPool() = default;

std::unique_ptr<ThreadPool> ThreadPool::create(int32_t) { return nullptr; }

bool ThreadPool::isHere() const { return true; }

void ThreadPool::run(const RangeTask &task, int64_t size) { task.run(0, size); }

} // namespace rt
} // namespace nnet3
