//===- GraphModule.h - Interface of the OpenFst module ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_EXAMPLES_OPENFST_GRAPHMODULE_H
#define LIB_TOOLS_EXAMPLES_OPENFST_GRAPHMODULE_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// A weighted acceptor.
struct PlainGraph {
  struct Arc {
    int32_t label;
    float weight;
    int32_t target;
  };
  struct State {
    /// Infinity if the state is not final.
    float final;
    std::vector<Arc> arcs;
  };

  /// -1 if there are no states.
  int64_t start = -1;
  std::vector<State> states;
};

/// Replaces `graph` by its composition with `other`, or by the same language if
/// `other` is null: deterministic, minimal, without epsilons, with states in
/// breadth-first order. Returns an error message, or an empty string.
using SimplifyGraphFn = std::string(PlainGraph &graph, const PlainGraph *other);
constexpr const char *kSimplifyGraph = "nnet3_simplify_graph";

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_OPENFST_GRAPHMODULE_H
