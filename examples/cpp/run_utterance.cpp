// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the frames of an utterance from standard input, one on each line, and
// prints its outputs; without input lines, lists the chunks of the library.
//
//   nnet3-compile --chunk=150,50 --prefix=net -o net MODEL
//   c++ -std=c++17 -I. -L. -Wl,-rpath,. run_utterance.cpp -lnet -o utterance
//   ./utterance [IVECTOR...] < FILE

#include "utterance.hpp"

#include <cstdio>
#include <iostream>
#include <sstream>

static void list(const net::Model &model) {
  for (const net::Chunk &chunk : net::listChunks(model))
    std::printf("%s: %d frames, an output every %d, context %d left %d right\n",
                model.name(chunk.request).c_str(), chunk.frames, chunk.step,
                chunk.left, chunk.right);
}

static void run(const std::vector<float> &ivector) {
  const net::Model model;
  net::Matrix features(0, 0);
  for (std::string line; std::getline(std::cin, line); ++features.rows) {
    std::istringstream numbers(line);
    for (float value; numbers >> value;)
      features.values.push_back(value);
  }
  if (features.rows == 0)
    return list(model);
  features.cols = int32_t(features.values.size()) / features.rows;
  const net::Matrix output = net::UtteranceRunner(model).run(features, ivector);
  for (size_t i = 0; i < output.values.size(); ++i)
    std::printf("%.8g%s", double(output.values[i]),
                (i + 1) % size_t(output.cols) ? " " : "\n");
}

int main(int argc, char **argv) {
  std::vector<float> ivector;
  for (int i = 1; i < argc; ++i)
    ivector.push_back(std::strtof(argv[i], nullptr));
  try {
    run(ivector);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
