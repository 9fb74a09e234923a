//===- nnet3-rt-run.cpp - Runs and checks without a compiler --------------===//

#include "CasePack.h"
#include "Run.h"
#include "core/Loader.h"

#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>
#include <unistd.h>

using namespace nnet3::runtime;

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
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 1;
}

/// Ends the program with one error, without allocating.
static void handleNoMemory() {
  constexpr std::string_view kMessage = "error: out of memory\n";
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(1);
}

int main(int argc, char **argv) {
  std::set_new_handler(handleNoMemory);
  auto options = RunnerOptions::parse(argc, argv);
  if (!options.ok())
    return fail(options.status().message());
  if (options->help) {
    std::fputs(RunnerOptions::helpText(), stdout);
    return 0;
  }
  auto file = mapFile(options->file);
  if (!file.ok())
    return fail(file.status().message());
  bool isGood = true;
  if (Status error = run(**file, *options, isGood); !error.ok())
    return fail(options->file + ": " + error.message());
  return isGood ? 0 : 1;
}
