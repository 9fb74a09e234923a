//===- nnet3-rt-run.cpp - Runs and checks programs and libraries ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrintableText.h"
#include "Run.h"
#include "core/Loader.h"
#include "runner/check/CasePack.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>
#include <unistd.h>

using namespace nnet3::rt;

static bool isLibrary(const MappedFile &file) {
  return file.size >= 4 && std::memcmp(file.data,
                                       "\x7f"
                                       "ELF",
                                       4) == 0;
}

static Status run(const MappedFile &file, const RunnerOptions &options,
                  bool &isGood) {
  if (isCasePack(file.data, file.size))
    return runPack(file.data, file.size, options, isGood);
  if (isLibrary(file))
    return runLibrary(options);
  return runProgram(file.data, file.size, options);
}

static int fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", makePrintable(message).c_str());
  return 1;
}

/// Ends the program with an error message, without allocating.
static void handleNoMemory() {
  constexpr std::string_view kMessage = "error: out of memory\n";
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(1);
}

/// Returns the exit status: success if \p isGood and the standard output could
/// be written.
static int finish(bool isGood) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return fail(std::string("cannot write the standard output: ") +
                std::strerror(errno));
  return isGood ? 0 : 1;
}

int main(int argc, char **argv) {
  std::set_new_handler(handleNoMemory);
  // Make writes beyond the file size limit fail with an error.
  std::signal(SIGXFSZ, SIG_IGN);
  auto options = RunnerOptions::parse(argc, argv);
  if (!options.ok())
    return fail(options.status().message());
  if (options->help || options->version) {
    std::fputs(options->help ? RunnerOptions::helpText()
                             : "nnet3-mlir " NNET3_VERSION "\n",
               stdout);
    return finish(/*isGood=*/true);
  }
  auto file = mapFile(options->file);
  if (!file.ok())
    return fail(file.status().message());
  bool isGood = true;
  if (Status error = run(**file, *options, isGood); !error.ok())
    return fail(options->file + ": " + error.message());
  return finish(isGood);
}
