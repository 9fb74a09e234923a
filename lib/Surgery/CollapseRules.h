//===- CollapseRules.h - Two components as one ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_SURGERY_COLLAPSERULES_H
#define LIB_SURGERY_COLLAPSERULES_H

#include "NetworkEdits.h"

namespace mlir::nnet3 {

/// Which components are merged (spec: nnet3bin.md 6).
struct CollapseOptions {
  /// Random components in test mode.
  bool dropout = false;
  bool batchNorm = false;
  bool affine = true;
  bool scale = true;
  /// With the errors of Kaldi's rules.
  bool reference = false;
};

/// Finds or creates a component that does the work of two.
class CollapseRules {
public:
  CollapseRules(NetworkOp network, const CollapseOptions &options)
      : network(network), options(options), builder(network.getContext()) {}

  /// The component that computes what `second` computes of `copies` blocks of
  /// columns, each of which `first` has computed; null if there is no rule for
  /// the two. Emits an error if they have no parameters.
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

  /// The component called `name`, if it has the dims of what is to be combined;
  /// a null component if there is none, failure if it has others.
  Result findCombined(StringRef name, int64_t inputDim, int64_t outputDim);
  /// A copy of `component` behind all components.
  Operation *copyComponent(ComponentOpInterface component, StringRef name);

  NetworkOp network;
  CollapseOptions options;
  OpBuilder builder;
};

} // namespace mlir::nnet3

#endif // LIB_SURGERY_COLLAPSERULES_H
