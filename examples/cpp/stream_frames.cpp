// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads frames from standard input as they come, one on each line, and prints
// an output on each line as soon as it can be computed.
//
//   nnet3-compile --streaming --chunk=6,21 --prefix=net -o net MODEL
//   c++ -std=c++17 -I. -L. -Wl,-rpath,. stream_frames.cpp -lnet -o frames
//   ./frames [IVECTOR...] < FILE

#include "stream.hpp"

#include <cstdio>
#include <iostream>
#include <sstream>

static void print(const std::vector<net::Frame> &outputs) {
  for (const net::Frame &output : outputs) {
    for (const float value : output)
      std::printf("%.8g ", double(value));
    std::printf("\n");
  }
  std::fflush(stdout);
}

static void run(const net::Frame &ivector) {
  const net::Model model;
  const net::Stepper stepper(model);
  if (int32_t(ivector.size()) != stepper.info.ivector_dim)
    throw std::runtime_error("expects an i-vector of " +
                             std::to_string(stepper.info.ivector_dim) +
                             " numbers");
  net::Stream stream(stepper, ivector);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream numbers(line);
    net::Frame frame;
    for (float value; numbers >> value;)
      frame.push_back(value);
    if (int32_t(frame.size()) != stepper.info.input_dim)
      throw std::runtime_error(
          "expects frames of " + std::to_string(stepper.info.input_dim) +
          " numbers, but got " + std::to_string(frame.size()));
    print(stream.push(frame));
  }
  print(stream.finish());
}

int main(int argc, char **argv) {
  net::Frame ivector;
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
