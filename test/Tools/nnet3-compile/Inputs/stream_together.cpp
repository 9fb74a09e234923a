// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of examples/cpp that are computed together get what each gets alone,
// also if they are saved and loaded on the way, and if they begin again.

#include "stream.hpp"

#include <cstdio>
#include <cstdlib>

static net::Frame makeFrame(int32_t dim, int number) {
  net::Frame frame(static_cast<size_t>(dim));
  for (size_t i = 0; i < frame.size(); ++i)
    frame[i] = float((number * 7919 + int(i) * 104729) % 2000) / 1000 - 1;
  return frame;
}

/// The stream as another process would go on with it.
static net::Stream move(const net::Stepper &stepper,
                        const net::Stream &stream) {
  const std::string saved = stream.save();
  std::string damaged = saved;
  damaged.back() ^= 1;
  for (const std::string &wrong :
       {damaged, saved.substr(1), saved.substr(0, 5)})
    try {
      net::Stream::load(stepper, wrong);
      std::fprintf(stderr, "took damaged bytes\n");
      std::exit(1);
    } catch (const std::runtime_error &) {
    }
  return net::Stream::load(stepper, saved);
}

int main() {
  const net::Model model;
  const net::Stepper stepper(model);
  const net_stream_info &info = stepper.info;
  constexpr int kStreams = 7;
  std::vector<net::Stream> streams, alone;
  for (int i = 0; i < kStreams; ++i) {
    streams.emplace_back(stepper, makeFrame(info.ivector_dim, i));
    alone.emplace_back(stepper, makeFrame(info.ivector_dim, i));
  }
  size_t numOutputs = 0, numDifferent = 0;
  for (int t = 0; t < 100; ++t) {
    // Stream i has no frame at every i + 2nd time.
    std::vector<net::Stream *> chosen;
    std::vector<net::Frame> frames;
    std::vector<std::vector<net::Frame>> expected;
    for (int i = 0; i < kStreams; ++i)
      if (t % (i + 2) != 0) {
        chosen.push_back(&streams[size_t(i)]);
        frames.push_back(makeFrame(info.input_dim, 100 * i + t));
        expected.push_back(alone[size_t(i)].push(frames.back()));
        if (t % (i + 11) == 0)
          alone[size_t(i)] = move(stepper, alone[size_t(i)]);
      }
    const auto outputs = net::pushAll(chosen, frames);
    for (size_t i = 0; i < chosen.size(); ++i) {
      numOutputs += outputs[i].size();
      numDifferent += outputs[i] != expected[i];
    }
  }
  for (size_t i = 0; i < kStreams; ++i)
    numDifferent += streams[i].finish() != alone[i].finish();
  streams[0].reset(makeFrame(info.ivector_dim, 1));
  net::Stream again(stepper, makeFrame(info.ivector_dim, 1));
  for (int t = 0; t < 50; ++t)
    numDifferent += streams[0].push(makeFrame(info.input_dim, t)) !=
                    again.push(makeFrame(info.input_dim, t));
  if (numOutputs > 0 && numDifferent == 0)
    return 0;
  std::fprintf(stderr, "%zu of %zu outputs differ\n", numDifferent, numOutputs);
  return 1;
}
