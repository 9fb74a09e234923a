// Eight threads share a model; instances have one to three threads.

#include "net.hpp"

#include <cstdio>
#include <thread>

static std::vector<float> runOften(const net::Model &model,
                                   int32_t numThreads) {
  std::vector<net::Matrix> inputs;
  for (const net::Signature &input : model.inputs(0)) {
    inputs.emplace_back(input.rows, input.cols);
    for (size_t i = 0; i < inputs.back().values.size(); ++i)
      inputs.back().values[i] = float(i * 7919 % 1000) / 500 - 1;
  }
  net::Instance instance(model, 0, numThreads);
  std::vector<float> results;
  for (int i = 0; i < 5; ++i)
    for (const net::Matrix &output : instance.run(inputs))
      results.insert(results.end(), output.values.begin(), output.values.end());
  return results;
}

int main() {
  const net::Model model;
  const std::vector<float> expected = runOften(model, 1);
  std::vector<std::vector<float>> results(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < results.size(); ++i)
    threads.emplace_back(
        [&, i] { results[i] = runOften(model, int32_t(1 + i % 3)); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::vector<float> &result : results)
    std::printf("%s\n", result == expected ? "equal" : "DIFFERENT");
}
