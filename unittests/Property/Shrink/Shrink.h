//===- Shrink.h - Shrinking failing cases -----------------------*- C++ -*-===//
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
  /// Compares the shortcut with the compiler, instead of only running the
  /// passes.
  bool shortcut = false;
  bool foldSequences = true;

  /// Returns a shell script that writes the file of network and request and
  /// runs the passes on it; values are comments.
  std::string reproducer() const;
};

/// Returns true if a sample fails. Samples that are not computable do not fail.
using Fails = std::function<bool(const Sample &)>;

/// Removes passes, flags, nodes, outputs, inputs, sequences and times from the
/// failing `sample` as long as it still fails. Samples on which `fails` crashes
/// do not count.
Sample shrink(Sample sample, const Fails &fails);

/// Returns the samples with one node or descriptor removed; its readers read
/// its input, or an input node, instead.
std::vector<Sample> shrinkNetwork(const Sample &sample);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_SHRINK_SHRINK_H
