//===- Shrink.h - Makes a case that fails small -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_SHRINK_SHRINK_H
#define NNET3_UNITTESTS_PROPERTY_SHRINK_SHRINK_H

#include "Networks/Case.h"
#include "Optimize/OptimizePasses.h"

#include <functional>

namespace mlir::nnet3::property {

/// A case and the passes to run on it.
struct Sample {
  RandomNetwork network;
  RandomRequest request;
  PassList passes;
  bool debugInfo = false;
  /// The shortcut against the compiler, in place of nothing but the passes.
  bool shortcut = false;
  bool foldSequences = true;

  /// A shell script that makes the file of network and request, and runs the
  /// passes on it; the values of inputs and derivatives are comments.
  std::string reproducer() const;
};

/// Whether a sample fails. One that cannot be computed does not.
using Fails = std::function<bool(const Sample &)>;

/// Leaves out of `sample`, which fails, passes, flags, nodes of the network,
/// outputs, inputs, sequences and times, as long as it still fails. One on
/// which `fails` crashes does not count.
Sample shrink(Sample sample, const Fails &fails);

/// The samples that have one node or descriptor of the network less: one that
/// others read is replaced by what it reads, or by an input.
std::vector<Sample> shrinkNetwork(const Sample &sample);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_SHRINK_SHRINK_H
