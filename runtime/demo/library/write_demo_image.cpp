//===- write_demo_image.cpp - Writes the constants of the demo library ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// write_demo_image FILE writes the metadata and the weights as C arrays, which
// a C compiler compiles. nnet3-compile writes them to the object file directly.
//
//===----------------------------------------------------------------------===//

#include "nnet3/runtime/Container.h"
#include "test/support/DemoNetwork.h"

#include <cinttypes>
#include <cstdio>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

static void writeArray(FILE *file, const char *name,
                       const std::vector<uint8_t> &bytes) {
  std::fprintf(file,
               "static const unsigned char %s[]\n"
               "    __attribute__((aligned(64))) = {",
               name);
  for (size_t i = 0; i < bytes.size(); ++i)
    std::fprintf(file, "%s%u,", i % 16 == 0 ? "\n    " : "", bytes[i]);
  std::fprintf(file, "\n};\n");
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? std::fopen(argv[1], "w") : nullptr;
  if (!file) {
    std::fprintf(stderr, "usage: write_demo_image FILE\n");
    return 1;
  }
  LibraryWriter writer = demoNetwork();
  const std::vector<uint8_t> metadata = writer.finish();
  writeArray(file, "demo_metadata", metadata);
  writeArray(file, "demo_weights", writer.weights);
  std::fprintf(file,
               "static const uint64_t demo_metadata_checksum = %" PRIu64 "u;\n",
               checksum(metadata.data(), metadata.size()));
  return std::fclose(file) == 0 ? 0 : 1;
}
