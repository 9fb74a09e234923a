//===- NativeNetwork.h - A network as a library -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_NATIVENETWORK_H
#define NNET3_BENCHMARKS_NATIVENETWORK_H

#include "Networks.h"
#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/runtime/nnet3lib.h"

#include <string>
#include <vector>

namespace mlir::nnet3::benchmarks {

/// Compiles `module` to a library with the prefix `net`. Exits with a message
/// after an error.
void writeLibrary(ModuleOp module, const std::string &path,
                  Precision precision = Precision::F32);

/// A request of a network, compiled to a library and loaded, with inputs of 0.1
/// everywhere. Exits with a message after an error.
class NativeNetwork {
public:
  NativeNetwork(Network &network, RequestOp request,
                Precision precision = Precision::F32);
  ~NativeNetwork();
  NativeNetwork(const NativeNetwork &) = delete;

  /// Returns the seconds from the network to the library on disk.
  double getCompileSeconds() const { return compileSeconds; }
  /// Returns the bytes of the library's arena.
  uint64_t getInstanceBytes() const { return instanceBytes; }
  uint64_t getWeightsBytes() const { return weightsBytes; }
  /// Returns the path of the library.
  const std::string &getPath() const { return path; }
  void run();
  /// Makes another instance with `numThreads` threads.
  void setThreads(int32_t numThreads);

  /// Closes the library; only load() may follow.
  void unload();
  /// Opens the library and makes an instance.
  void load();

private:
  template <typename Fn> Fn *find(const char *name);
  void check(nnet3lib_status status);

  std::string path;
  double compileSeconds = 0;
  uint64_t instanceBytes = 0, weightsBytes = 0;
  void *handle = nullptr;
  nnet3lib_model *model = nullptr;
  nnet3lib_instance *instance = nullptr;
  decltype(nnet3lib_instance_run) *runInstance = nullptr;
  std::vector<std::vector<float>> data;
  std::vector<nnet3lib_input> inputs;
};

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_NATIVENETWORK_H
