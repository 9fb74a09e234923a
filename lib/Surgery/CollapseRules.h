//===- CollapseRules.h - Merging two components into one --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_SURGERY_COLLAPSERULES_H
#define LIB_SURGERY_COLLAPSERULES_H

#include "NetworkEdits.h"

namespace mlir::nnet3 {

/// Selects the components that are merged (spec: nnet3bin.md 6).
struct CollapseOptions {
  /// Random components in test mode.
  bool dropout = false;
  bool batchNorm = false;
  bool affine = true;
  bool scale = true;
  /// Reproduces the errors of Kaldi's rules.
  bool reference = false;
};

/// Finds or creates a component that computes the composition of two.
class CollapseRules {
public:
  CollapseRules(NetworkOp network, const CollapseOptions &options)
      : network(network), options(options), builder(network.getContext()) {}

  /// Returns a component that applies `second` to `copies` blocks of columns,
  /// each computed by `first`. Null if there is no rule for the two. Emits an
  /// error if a component has no parameters.
  FailureOr<ComponentOpInterface> combine(ComponentOpInterface first,
                                          ComponentOpInterface second,
                                          int64_t copies);

private:
  using Result = FailureOr<ComponentOpInterface>;

  Result combineDropout(ComponentOpInterface first,
                        ComponentOpInterface second);
  Result combineBatchNorm(ComponentOpInterface first,
                          ComponentOpInterface second);
  Result combineAffine(ComponentOpInterface first, ComponentOpInterface second,
                       int64_t copies);
  Result combineScale(ComponentOpInterface first, ComponentOpInterface second);

  /// Returns the component called `name` if its dims match. Success with null
  /// if there is none; failure if its dims differ.
  Result findCombined(StringRef name, int64_t inputDim, int64_t outputDim);
  /// Copies `component` and inserts the copy after all components.
  Operation *copyComponent(ComponentOpInterface component, StringRef name);

  NetworkOp network;
  CollapseOptions options;
  OpBuilder builder;
};

} // namespace mlir::nnet3

#endif // LIB_SURGERY_COLLAPSERULES_H
