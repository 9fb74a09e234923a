//===- StateVisitor.h - What training carries from step to step -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever has a state shows it to a visitor, which saves or replaces it: both
// from one description.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_STATEVISITOR_H
#define NNET3_RUNTIME_STATEVISITOR_H

#include "nnet3/runtime/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

/// Names are different for all that one visitor sees. After an error what has
/// been visited is of no use.
class StateVisitor {
public:
  virtual ~StateVisitor() = default;

  virtual Status visit(const std::string &name, int64_t &value) = 0;
  virtual Status visit(const std::string &name, double &value) = 0;
  /// \p count floats, which remain as many.
  virtual Status visit(const std::string &name, float *values,
                       int64_t count) = 0;
  /// Vectors that may get another size.
  virtual Status visit(const std::string &name, std::vector<float> &values) = 0;
  virtual Status visit(const std::string &name,
                       std::vector<double> &values) = 0;
  virtual Status visit(const std::string &name,
                       std::vector<int64_t> &values) = 0;
  virtual Status visit(const std::string &name,
                       std::vector<std::string> &values) = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_STATEVISITOR_H
