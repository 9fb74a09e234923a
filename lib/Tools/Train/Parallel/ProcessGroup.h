//===- ProcessGroup.h - The processes of one training -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_PARALLEL_PROCESSGROUP_H
#define LIB_TOOLS_TRAIN_PARALLEL_PROCESSGROUP_H

#include "nnet3/runtime/Exchange.h"

#include <string>
#include <vector>

namespace mlir::nnet3 {

/// The processes that `mpirun` has started. Process 0 writes files and logs.
class ProcessGroup : public ::nnet3::rt::Exchange {
public:
  /// How many there are and which this is, whether or not they sum.
  virtual int32_t getNumProcesses() const = 0;
  virtual int32_t getNumber() const = 0;

  /// While `each` is true, each process has the whole minibatch, and is alone
  /// as far as sums go.
  virtual void setAlone(bool each) = 0;

  /// What this process has given to sums, and how long it has waited for them.
  struct Traffic {
    int64_t bytes = 0, sums = 0;
    /// Sums of more than 64 kB, which are cut up between processes.
    int64_t largeSums = 0;
    double seconds = 0;
  };
  virtual Traffic getTraffic() const = 0;

  /// The texts of all processes, in the order of their numbers.
  virtual std::vector<std::string> gather(const std::string &text) = 0;

  /// Ends all processes.
  [[noreturn]] virtual void abort(int status) = 0;
};

/// What the module for MPI exports under this name; it makes the group.
using CreateProcessGroupFn = ProcessGroup *();
constexpr const char *kCreateProcessGroup = "nnet3_create_process_group";

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_PARALLEL_PROCESSGROUP_H
