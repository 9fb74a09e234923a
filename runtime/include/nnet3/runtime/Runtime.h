//===- Runtime.h - C++ interface of the nnet3 runtime ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layer below nnet3_runtime.h, for the tools of this project, which are
// built together with the runtime. The thread rules are the same: programs are
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

/// Options of loading a program.
struct LoadOptions {
  /// Weights to use in place of the program's own; borrowed until the last user
  /// of the program is gone. Aligned to 4 bytes.
  const void *weights = nullptr;
  uint64_t weightsSize = 0;
  /// Held as long as `weights` is borrowed; may own the weights.
  std::shared_ptr<const void> keepAlive;
  /// Programs whose instances need more bytes are rejected by load().
  uint64_t maxArenaBytes = uint64_t(16) << 30;
};

/// An input or output matrix of a program. The program owns what pointers refer
/// to.
struct IoInfo {
  std::string_view name;
  /// For inputs: the derivative of an output node. For outputs: the derivative
  /// of an input node.
  bool isDerivative = false;
  /// Whether the objective of an output node is quadratic instead of linear.
  bool isQuadratic = false;
  int32_t rows = 0;
  int32_t cols = 0;
  /// Index (n, t, x) of each row, `rows` entries; null if not known.
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
  /// \p data is borrowed for the call, or as long as the program lives if its
  /// weights are used.
  static Result<std::shared_ptr<const Program>>
  load(const void *data, uint64_t size, const LoadOptions &options = {});

  /// Maps and loads a program file. It stays mapped as long as the program
  /// lives.
  static Result<std::shared_ptr<const Program>>
  loadFile(const std::string &path, const LoadOptions &options = {});

  const std::vector<IoInfo> &inputs() const;
  const std::vector<IoInfo> &outputs() const;
  /// Bytes of matrices and scratch buffers that each instance allocates.
  uint64_t arenaBytes() const;
  int32_t numCommands() const;
  /// Command \p index in the notation of Kaldi's debug output, such as
  /// `m2(0:3, :) += 0.5 * m1`.
  std::string commandText(int32_t index) const;

  /// Internal; defined in core/ProgramData.h.
  const ProgramData &data() const { return *impl; }

private:
  explicit Program(std::unique_ptr<ProgramData> data);
  std::unique_ptr<ProgramData> impl;
};

/// The argument of a trace function.
struct TraceEvent {
  /// False: called before the command. True: called after it.
  bool after = false;
  int32_t command = 0;
  /// Program::commandText() of the command.
  std::string_view text;
  /// Duration; 0 before the command.
  double seconds = 0;
  /// The current contents of the matrices that the command writes. Before the
  /// command, matrices that are not allocated yet are omitted. Rows scattered
  /// to several matrices (CopyToRowsMulti, AddToRowsMulti) are not listed.
  const ConstMatrixView *written = nullptr;
  size_t numWritten = 0;
};

class Exchange;
class Model;

/// Options of an instance.
struct InstanceOptions {
  /// Fill matrices whose contents are undefined with NaN.
  bool poison = false;
  /// Seed of random components in training mode. Random numbers (Philox
  /// 4x32-10) depend on the seed, the number of the run, the number of the
  /// propagate command among those that draw, and the element.
  uint64_t seed = 0;
  RandomDraws randomDraws = RandomDraws::Normal;
  /// Parameters to use in place of the program's; receives the statistics. May
  /// change between runs. Null: the program's own, without statistics. This
  /// model and `gradient` are borrowed and of the same network as the program.
  Model *model = nullptr;
  /// The model that backprop commands update. Null: derivatives of parameters
  /// are not computed.
  Model *gradient = nullptr;
  /// Whether store_stats commands are executed.
  bool storeStats = true;
  /// All-reduce over processes that have parts of the same minibatch; a
  /// backward pass then computes the sum of the gradients of all processes.
  /// Borrowed; null for one process.
  Exchange *exchange = nullptr;
  /// Called before and after each command, when set.
  std::function<void(const TraceEvent &)> trace;
};

struct InstanceData;

/// The memory of one run at a time.
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

  /// Makes the first part the next one.
  void restart();

  /// Sets the seed of later runs, and counts runs from 0 again.
  void setSeed(uint64_t seed);

  /// Returns output \p name, once the part that computes it has run; valid
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
