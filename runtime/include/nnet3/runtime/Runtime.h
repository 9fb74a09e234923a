//===- Runtime.h - C++ interface of the nnet3 runtime ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin layer under nnet3_runtime.h, for the tools of this project, which are
// built together with the runtime. Thread rules as there: programs are
// immutable and shared, an instance serves one thread at a time.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_RUNTIME_H
#define NNET3_RUNTIME_RUNTIME_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/RandomDraws.h"
#include "nnet3/runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nnet3 {
namespace rt {

/// How a program is loaded.
struct LoadOptions {
  /// Weights to use in place of the program's own; borrowed until the last user
  /// of the program is gone. Aligned to 4 bytes.
  const void *weights = nullptr;
  uint64_t weightsSize = 0;
  /// Kept until then; may own the weights.
  std::shared_ptr<const void> keepAlive;
  /// Instances that would need more bytes are refused at load time.
  uint64_t maxArenaBytes = uint64_t(16) << 30;
};

/// One matrix that a program takes or gives. Pointers belong to the program.
struct IoInfo {
  std::string_view name;
  /// In inputs: the derivative of an output node. In outputs: that of an input
  /// node.
  bool isDerivative = false;
  /// Objective of an output node: quadratic, or linear.
  bool isQuadratic = false;
  int32_t rows = 0;
  int32_t cols = 0;
  /// Each row's index, `rows` entries; null where not known.
  const int32_t *n = nullptr;
  const int32_t *t = nullptr;
  const int32_t *x = nullptr;
};

struct ProgramData;

/// A verified, immutable program.
class Program {
public:
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  /// Loads a program file in memory, or a bare FlatBuffer (schema/program.fbs).
  /// \p data is borrowed: where weights in it are used, as long as the program
  /// is; otherwise for the call.
  static Result<std::shared_ptr<const Program>>
  load(const void *data, uint64_t size, const LoadOptions &options = {});

  /// The same for a file, which stays mapped as long as the program is used.
  static Result<std::shared_ptr<const Program>>
  loadFile(const std::string &path, const LoadOptions &options = {});

  const std::vector<IoInfo> &inputs() const;
  const std::vector<IoInfo> &outputs() const;
  /// Bytes of matrices and scratch that each instance allocates.
  uint64_t arenaBytes() const;
  int32_t numCommands() const;
  /// Command \p index in the notation of the reference's debug print, such as
  /// `m2(0:3, :) += 0.5 * m1`.
  std::string commandText(int32_t index) const;

  /// The runtime's own; defined in core/ProgramData.h.
  const ProgramData &data() const { return *impl; }

private:
  explicit Program(std::unique_ptr<ProgramData> data);
  std::unique_ptr<ProgramData> impl;
};

/// What a trace function is told.
struct TraceEvent {
  /// Before the command, or after it.
  bool after = false;
  int32_t command = 0;
  /// Program::commandText() of the command.
  std::string_view text;
  /// Duration; 0 before the command.
  double seconds = 0;
  /// The matrices that the command writes, as they are now. Before the command
  /// those are left out that do not exist yet. Rows scattered to several
  /// matrices (CopyToRowsMulti, AddToRowsMulti) are not listed.
  const ConstMatrixView *written = nullptr;
  size_t numWritten = 0;
};

class Exchange;
class Model;

/// How an instance runs.
struct InstanceOptions {
  /// Fill matrices whose contents are undefined with NaN.
  bool poison = false;
  /// Seed of random components in training mode: the numbers depend on it, on
  /// the count of runs, the number of the propagate command among its like, and
  /// the element (Philox 4x32-10).
  uint64_t seed = 0;
  RandomDraws randomDraws = RandomDraws::Normal;
  /// Parameters to use in place of the program's; receives the statistics. May
  /// change between runs. Null: the program's own, and no statistics are kept.
  /// Both models are borrowed, and of the same network as the program.
  Model *model = nullptr;
  /// What backprop commands update. Null: derivatives of parameters are not
  /// computed.
  Model *gradient = nullptr;
  /// Whether store_stats commands do anything.
  bool storeStats = true;
  /// Sums over the processes that have parts of the same minibatch; backward
  /// passes leave the sum of all processes' gradients. Borrowed; null for one
  /// process.
  Exchange *exchange = nullptr;
  /// Called before and after each command, when set.
  std::function<void(const TraceEvent &)> trace;
};

struct InstanceData;

/// The memory that one run at a time needs.
class Instance {
public:
  ~Instance();
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;

  static Result<std::unique_ptr<Instance>>
  create(std::shared_ptr<const Program> program,
         const InstanceOptions &options = {});

  /// Supplies the value of input \p name for the next run. \p value is borrowed
  /// until that run has returned, and not written.
  Status setInput(std::string_view name, ConstMatrixView value);

  /// Runs the next part of the program. A program without derivatives has one
  /// part; one with derivatives has two: the forward pass, and the backward
  /// pass, which takes the derivatives of the outputs. Every input of the part
  /// must have been supplied. After the last part the first one follows.
  /// Allocates nothing.
  Status run();

  /// The next part is the first one again.
  void restart();

  /// From now on random numbers depend on \p seed, and runs are counted from 0.
  void setSeed(uint64_t seed);

  /// The value of output \p name, once the part that computes it has run; valid
  /// until the first part runs again.
  Result<ConstMatrixView> output(std::string_view name) const;

  const Program &program() const;

private:
  explicit Instance(std::unique_ptr<InstanceData> data);
  std::unique_ptr<InstanceData> impl;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNTIME_H
