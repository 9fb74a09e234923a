//===- CutFst.cpp - Cutting frames out of a graph -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/CompactFst.h"

#include "llvm/ADT/STLExtras.h"

using namespace nnet3::kaldi;
using llvm::Twine;

/// Sets the frame of an arc's target state. Returns an error message, or an
/// empty string.
static std::string setTime(size_t source, int32_t target, int32_t time,
                           std::vector<int32_t> &times) {
  if (target <= int64_t(source))
    return ("expects states in the order of frames, but state " +
            Twine(source) + " has an arc to state " + Twine(target))
        .str();
  if (times[target] >= 0 && times[target] != time)
    return ("expects paths of the same length to state " + Twine(target) +
            ", but got " + Twine(times[target]) + " and " + Twine(time) +
            " frames")
        .str();
  times[target] = time;
  return {};
}

std::string nnet3::kaldi::findStateTimes(const CompactFst &graph,
                                         int32_t numFrames,
                                         std::vector<int32_t> &times) {
  if (graph.start != 0)
    return ("expects state 0 as the start of a graph, but got " +
            Twine(graph.start))
        .str();
  times.assign(graph.states.size(), -1);
  times[0] = 0;
  std::string error;
  for (auto [number, state] : llvm::enumerate(graph.states)) {
    const int32_t time = times[number];
    if (time < 0)
      return ("state " + Twine(number) + " of a graph cannot be reached").str();
    if (time > numFrames || (state.final && time != numFrames))
      return ("expects " + Twine(numFrames) +
              " frames on each path of a graph, but got " + Twine(time))
          .str();
    for (const CompactFst::Arc &arc : state.arcs)
      if (error = setTime(number, arc.target, time + 1, times); !error.empty())
        return error;
  }
  return {};
}

/// Adds an arc unless an equal one exists.
static void addOnce(const CompactFst::Arc &arc,
                    std::vector<CompactFst::Arc> &arcs) {
  if (llvm::none_of(arcs, [&](const CompactFst::Arc &other) {
        return other.label == arc.label && other.weight == arc.weight &&
               other.target == arc.target;
      }))
    arcs.push_back(arc);
}

CompactFst nnet3::kaldi::cutFrames(const CompactFst &graph,
                                   llvm::ArrayRef<int32_t> times, int32_t first,
                                   int32_t count) {
  const int32_t end = first + count;
  // All states at the first frame become state 0, those at the end become the
  // final state.
  int32_t numStates = 1;
  std::vector<int32_t> numbers(times.size());
  for (auto [number, time] : llvm::enumerate(times))
    if (time > first && time < end)
      numbers[number] = numStates++;
  CompactFst result;
  result.start = 0;
  result.states.resize(numStates + 1);
  result.states.back().final = 0;
  for (auto [number, time] : llvm::enumerate(times)) {
    if (time < first || time >= end)
      continue;
    CompactFst::State &source = result.states[numbers[number]];
    for (CompactFst::Arc arc : graph.states[number].arcs) {
      const CompactFst::State &target = graph.states[arc.target];
      const bool isLast = times[arc.target] == end;
      if (isLast)
        arc.weight += target.final.value_or(0);
      arc.target = isLast ? numStates : numbers[arc.target];
      if (time == first)
        addOnce(arc, source.arcs);
      else
        source.arcs.push_back(arc);
    }
  }
  result.properties = getProperties(result);
  return result;
}
