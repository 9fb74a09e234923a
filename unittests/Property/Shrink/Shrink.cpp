//===- Shrink.cpp - Shrinking failing cases -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shrink.h"

#include <cstdio>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
using Samples = std::vector<Sample>;

std::string Sample::reproducer() const {
  std::string text = "cat > case.mlir <<EOF\n" + network.text + request.str() +
                     request.strValues();
  std::string options = debugInfo ? " debug-info" : "";
  options += foldSequences ? "" : " fold-sequences=false";
  std::string command = getCommand("nnet3-compile", options, passes);
  if (shortcut)
    command =
        "diff <(" + command + ") <(" +
        getCommand(
            "nnet3-shortcut-compile",
            options + " optimize=false passes=" + llvm::join(passes, ","), {}) +
        ")";
  return text + "EOF\n" + command + "\n";
}

//===----------------------------------------------------------------------===//
// Passes and flags
//===----------------------------------------------------------------------===//

static Samples shrinkPasses(const Sample &sample) {
  Samples samples;
  size_t size = sample.passes.size();
  // Half of them first, then one by one.
  for (size_t count : {size / 2, size_t(1)})
    for (size_t begin = 0; count > 0 && count < size && begin < size;
         begin += count) {
      auto &passes = samples.emplace_back(sample).passes;
      passes.erase(passes.begin() + begin,
                   passes.begin() + std::min(size, begin + count));
    }
  for (size_t i = 0; i < size; ++i) {
    static const std::string on = "=true";
    const std::string &pass = sample.passes[i];
    for (size_t at = pass.find(on); at != std::string::npos;
         at = pass.find(on, at + 1))
      samples.emplace_back(sample).passes[i].replace(at, on.size(), "=false");
  }
  return samples;
}

static Samples shrinkFlags(const Sample &sample) {
  Samples samples;
  auto clear = [&](bool flag, auto set) {
    if (flag)
      set(samples.emplace_back(sample));
  };
  clear(sample.debugInfo, [](Sample &s) { s.debugInfo = false; });
  const RandomRequest &request = sample.request;
  clear(request.storesStats, [](Sample &s) { s.request.storesStats = false; });
  clear(request.modelDerivative,
        [](Sample &s) { s.request.modelDerivative = false; });
  for (size_t i = 0; i < request.inputs.size(); ++i)
    clear(request.inputs[i].hasDeriv,
          [&](Sample &s) { s.request.inputs[i].hasDeriv = false; });
  auto clearAll = [](Sample &s) {
    s.request.modelDerivative = false;
    for (auto *list : {&s.request.inputs, &s.request.outputs})
      for (RandomIo &io : *list)
        io.hasDeriv = false;
    for (RandomIo &io : s.request.outputs)
      io.values.clear();
  };
  clear(llvm::any_of(request.outputs, [](auto &io) { return io.hasDeriv; }),
        clearAll);
  for (size_t i = 0; i < request.outputs.size(); ++i)
    clear(request.outputs[i].hasDeriv, [&](Sample &s) {
      s.request.outputs[i].hasDeriv = false;
      s.request.outputs[i].values.clear();
    });
  return samples;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Removes the rows for which `drop` is true, with their values.
static void dropRows(RandomIo &io, llvm::function_ref<bool(Index)> drop) {
  size_t cols = io.values.size() / io.rows.size();
  std::vector<Index> rows;
  std::vector<float> values;
  for (size_t i = 0; i < io.rows.size(); ++i) {
    if (drop(io.rows[i]))
      continue;
    rows.push_back(io.rows[i]);
    values.insert(values.end(), io.values.begin() + i * cols,
                  io.values.begin() + (i + 1) * cols);
  }
  io.rows = std::move(rows);
  io.values = std::move(values);
  io.text = printRows(io.rows, /*ranges=*/true);
}

static Samples shrinkLists(const Sample &sample) {
  Samples samples;
  for (auto list : {&RandomRequest::outputs, &RandomRequest::inputs})
    for (size_t i = 0; i < (sample.request.*list).size(); ++i) {
      auto &shorter = samples.emplace_back(sample).request.*list;
      shorter.erase(shorter.begin() + i);
      if (list == &RandomRequest::outputs && shorter.empty())
        samples.pop_back();
    }
  return samples;
}

static Samples shrinkSequences(const Sample &sample) {
  std::set<int32_t> sequences;
  for (const RandomIo &io : sample.request.outputs)
    for (const Index &row : io.rows)
      sequences.insert(row.n);
  Samples samples;
  for (int32_t n : sequences) {
    if (sequences.size() == 1)
      break;
    RandomRequest &request = samples.emplace_back(sample).request;
    for (auto *list : {&request.inputs, &request.outputs})
      for (RandomIo &io : *list)
        dropRows(io, [&](Index row) { return row.n == n; });
  }
  return samples;
}

/// Removes the last half of the times of an input or output, or a single time.
static Samples shrinkTimes(const Sample &sample) {
  Samples samples;
  for (auto list : {&RandomRequest::outputs, &RandomRequest::inputs})
    for (size_t i = 0; i < (sample.request.*list).size(); ++i) {
      std::set<int32_t> times;
      for (const Index &row : (sample.request.*list)[i].rows)
        times.insert(row.t);
      if (times.size() < 2)
        continue;
      auto drop = [&](llvm::function_ref<bool(int32_t)> isDropped) {
        dropRows((samples.emplace_back(sample).request.*list)[i],
                 [&](Index row) { return isDropped(row.t); });
      };
      int32_t middle = *std::next(times.begin(), times.size() / 2);
      drop([&](int32_t t) { return t >= middle; });
      for (int32_t time : times)
        drop([&](int32_t t) { return t == time; });
    }
  return samples;
}

/// Returns true if removing sequences or times has left an input or output
/// without rows.
static bool hasEmptyList(const RandomRequest &request) {
  auto isEmpty = [](const RandomIo &io) { return io.rows.empty(); };
  return llvm::any_of(request.inputs, isEmpty) ||
         llvm::any_of(request.outputs, isEmpty);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Runs `fails` in a separate process: a smaller sample that crashes has
/// another failure.
static bool failsInChild(const Sample &sample, const Fails &fails) {
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0)
    _exit(fails(sample) ? 1 : 0);
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child &&
         WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

Sample mlir::nnet3::property::shrink(Sample sample, const Fails &fails) {
  // Enough for what the generators make.
  int numLeft = 5000;
  auto step = [&](Samples (*shrinkOne)(const Sample &)) {
    for (Sample &smaller : shrinkOne(sample)) {
      if (hasEmptyList(smaller.request))
        continue;
      if (--numLeft < 0)
        return false;
      if (failsInChild(smaller, fails)) {
        sample = std::move(smaller);
        return true;
      }
    }
    return false;
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (auto *shrinkOne : {shrinkPasses, shrinkSequences, shrinkLists,
                            shrinkTimes, shrinkFlags, shrinkNetwork})
      while (step(shrinkOne))
        smaller = true;
  }
  return sample;
}
