//===- RunnerOptions.h - The command line of nnet3-rt-run -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_RUNNEROPTIONS_H
#define NNET3_RUNTIME_RUNNER_RUNNEROPTIONS_H

#include "nnet3/runtime/Status.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nnet3 {
namespace rt {

/// Pairs of a node's name and a file.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

/// The options of the command line.
struct RunnerOptions {
  bool help = false, version = false;
  /// A pack, a program or a library.
  std::string file;

  // For packs.
  std::string filter;  ///< an extended regular expression; empty: all cases
  std::string backend; ///< empty: all
  std::string json;    ///< a file; empty: none
  unsigned jobs = 1;
  unsigned timeout = 300; ///< seconds per check
  bool list = false, verbose = false;
  bool strict = false; ///< skipped checks count as failures

  // For programs and libraries.
  NamedFiles inputs, outputs;
  std::string request; ///< its name; empty: the first one
  std::string prefix;  ///< empty: the library's name
  std::string weights; ///< a file; empty: NAME.weights beside libNAME.so
  uint64_t seed = 0;   ///< of random components in training mode
  bool tune = false, addChecksum = false;

  static Result<RunnerOptions> parse(int argc, char **argv);
  static const char *helpText();
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_RUNNEROPTIONS_H
