//===- ProcessGroup.h - Processes of a training run -------------*- C++ -*-===//
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
  /// Return the number of processes and the number of this one, also while
  /// setAlone(true) is in effect.
  virtual int32_t getNumProcesses() const = 0;
  virtual int32_t getNumber() const = 0;
  /// Returns the number of this process on its machine.
  virtual int32_t getLocalNumber() const = 0;

  /// If `each` is true, each process trains on the whole minibatch, and sums
  /// are not exchanged.
  virtual void setAlone(bool each) = 0;

  /// The data that this process has sent to sums, and its waiting time.
  struct Traffic {
    int64_t bytes = 0, sums = 0;
    /// Sums of more than 64 kB, whose computation is divided among the
    /// processes.
    int64_t largeSums = 0;
    double seconds = 0;
  };
  virtual Traffic getTraffic() const = 0;

  /// Returns the texts of all processes by process number.
  virtual std::vector<std::string> gather(const std::string &text) = 0;

  /// Aborts all processes.
  [[noreturn]] virtual void abort(int status) = 0;
};

/// The symbol that the MPI module exports; it creates the group.
using CreateProcessGroupFn = ProcessGroup *();
constexpr const char *kCreateProcessGroup = "nnet3_create_process_group";

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_PARALLEL_PROCESSGROUP_H
