// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a request of a library made by nnet3-compile --prefix=net on features,
// and prints the outputs; both are matrices in Kaldi's text form.
//
//   nnet3-compile --chunk=30 --prefix=net -o net MODEL
//   c++ -std=c++17 -I. run_features.cpp -L. -lnet -Wl,-rpath,. -o run_features
//   ./run_features chunk30 input=features.txt ivector=ivector.txt

#include "net.hpp"

#include <cstdio>
#include <fstream>
#include <map>

/// Reads `[ 1 2 <newline> 3 4 ]` as the matrix that the library asks for.
static net::Matrix read(const std::string &path, const net::Signature &wanted) {
  net::Matrix matrix(wanted.rows, wanted.cols);
  std::ifstream file(path);
  std::string bracket;
  file >> bracket;
  for (float &value : matrix.values)
    file >> value;
  std::string end;
  if (bracket != "[" || !(file >> end) || end != "]")
    throw std::runtime_error(path + ": expects a matrix of " +
                             std::to_string(wanted.rows) + " rows and " +
                             std::to_string(wanted.cols) + " columns");
  return matrix;
}

static void print(const std::string &name, const net::Matrix &matrix) {
  std::printf("%s [", name.c_str());
  for (size_t i = 0; i < matrix.values.size(); ++i)
    std::printf("%s%g", i % size_t(matrix.cols) == 0 ? "\n  " : " ",
                double(matrix.values[i]));
  std::printf(" ]\n");
}

static void run(const std::string &name,
                const std::map<std::string, std::string> &files) {
  const net::Model model;
  const int32_t request = model.find(name);
  std::vector<net::Matrix> inputs;
  for (const net::Signature &input : model.inputs(request)) {
    const auto file = files.find(input.name);
    if (file == files.end())
      throw std::runtime_error("input '" + input.name + "' is not given");
    inputs.push_back(read(file->second, input));
  }
  const std::vector<net::Signature> outputs = model.outputs(request);
  net::Instance instance(model, request);
  const std::vector<net::Matrix> results = instance.run(inputs);
  for (size_t i = 0; i < results.size(); ++i)
    print(outputs[i].name, results[i]);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: run_features REQUEST INPUT=FILE...\n");
    return 1;
  }
  std::map<std::string, std::string> files;
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    if (equals == std::string::npos) {
      std::fprintf(stderr, "expects INPUT=FILE, but got %s\n", argv[i]);
      return 1;
    }
    files[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  try {
    run(argv[1], files);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
