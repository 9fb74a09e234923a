//===- Replay.cpp - Runs a fuzz target on files ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main function of a fuzz target without libFuzzer: runs the target on all
// given files and on the files in given folders.
//
//===----------------------------------------------------------------------===//
#include "FuzzTarget.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fs = std::filesystem;

/// Returns the files of `path`, sorted; only those that end in `suffix` unless
/// that is empty.
static std::vector<fs::path> listFiles(const fs::path &path,
                                       const std::string &suffix) {
  if (!fs::is_directory(path))
    return {path};
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file() &&
        (suffix.empty() || entry.path().extension() == suffix))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

static bool replay(const fs::path &file) {
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(stream)),
                          std::istreambuf_iterator<char>());
  if (!stream) {
    std::fprintf(stderr, "cannot read %s\n", file.c_str());
    return false;
  }
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()),
                         bytes.size());
  return true;
}

/// Arguments are files and folders; `--suffix=.mlir` restricts the folders
/// after it.
int main(int argc, char **argv) {
  std::string suffix;
  size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.rfind("--suffix=", 0) == 0) {
      suffix = argument.substr(9);
      continue;
    }
    for (const fs::path &file : listFiles(argument, suffix)) {
      if (!replay(file))
        return 1;
      ++count;
    }
  }
  std::printf("%zu inputs\n", count);
  return count > 0 ? 0 : 1;
}
