//===- RequestGenerator.cpp - Random requests for a network ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequestGenerator.h"

#include <algorithm>
#include <set>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
using Numbers = std::vector<int>;

//===----------------------------------------------------------------------===//
// Lists of rows
//===----------------------------------------------------------------------===//

namespace {
enum Order { NT, TN, TXN };
} // namespace

/// Returns all (n, t, x) in one of the three row orders of requests.
static std::vector<Index> product(const Numbers &n, const Numbers &t,
                                  const Numbers &x, Order order) {
  std::vector<Index> rows;
  auto add = [&](int n, int t, int x) { rows.push_back({n, t, x}); };
  if (order == NT) {
    for (int a : n)
      for (int b : t)
        for (int c : x)
          add(a, b, c);
  } else if (order == TN) {
    for (int b : t)
      for (int a : n)
        for (int c : x)
          add(a, b, c);
  } else {
    for (int b : t)
      for (int c : x)
        for (int a : n)
          add(a, b, c);
  }
  return rows;
}

/// Returns the distinct values of a variable in order of appearance.
static Numbers valuesOf(const std::vector<Index> &rows, int32_t Index::*var) {
  Numbers values;
  for (const Index &row : rows)
    if (!llvm::is_contained(values, row.*var))
      values.push_back(row.*var);
  return values;
}

static std::string printNumbers(const Numbers &values) {
  std::string text;
  for (size_t i = 0; i < values.size();) {
    // A run of equal positive steps is written as a range.
    int step = i + 1 < values.size() ? values[i + 1] - values[i] : 0;
    size_t end = i + 1;
    while (step > 0 && end < values.size() &&
           values[end] - values[end - 1] == step)
      ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(values[i]);
    if (end - i > 1)
      text += ":" + std::to_string(values[end - 1]) +
              (step > 1 ? ":" + std::to_string(step) : "");
    i = end;
  }
  return text.find(',') == std::string::npos ? text : "[" + text + "]";
}

std::string mlir::nnet3::property::printRows(const std::vector<Index> &rows,
                                             bool ranges) {
  Numbers n = valuesOf(rows, &Index::n), t = valuesOf(rows, &Index::t),
          x = valuesOf(rows, &Index::x);
  static const char *names[] = {"", ", order = tn", ", order = txn"};
  for (Order order : {NT, TN, TXN})
    if (ranges && product(n, t, x, order) == rows)
      return "<n = " + printNumbers(n) + ", t = " + printNumbers(t) +
             ", x = " + printNumbers(x) + names[order] + ">";
  std::string text;
  for (const Index &row : rows)
    text += (text.empty() ? "(" : ", (") + std::to_string(row.n) + ", " +
            std::to_string(row.t) + ", " + std::to_string(row.x) + ")";
  return "<[" + text + "]>";
}

std::string RandomRequest::str() const {
  std::string text = "nnet3.request @request for @net";
  text += modelDerivative ? " need_model_derivative" : "";
  text += storesStats ? " store_component_stats {\n" : " {\n";
  auto add = [&](const char *op, const RandomIo &io) {
    text += std::string("  nnet3.") + op + " \"" + io.node + "\" " + io.text +
            (io.hasDeriv ? " deriv\n" : "\n");
  };
  for (const RandomIo &io : inputs)
    add("request_input", io);
  for (const RandomIo &io : outputs)
    add("request_output", io);
  return text + "}\n";
}

std::string RandomRequest::strValues() const {
  std::string text;
  for (const auto *list : {&inputs, &outputs})
    for (const RandomIo &io : *list) {
      text += "// " + io.node + " = [";
      for (float value : io.values)
        text += " " + toText(value);
      text += " ]\n";
    }
  return text;
}

//===----------------------------------------------------------------------===//
// The generator
//===----------------------------------------------------------------------===//

namespace {
/// Ranges of t and x of the inputs.
struct Cover {
  int firstT, lastT, firstX, lastX;
};

class Generator {
public:
  Generator(Random &random, const RandomNetwork &network, NetworkOp op)
      : random(random), network(network), op(op) {}

  RandomRequest run();

private:
  void chooseSequences();
  void addOutputs();
  void addInputs(const Cover &cover);
  void addComponentInput(const Cover &cover);
  void spoil(RandomIo &io);
  Numbers inputTimes(const RandomNetwork::Input &input, const Cover &cover);
  bool isComputable(const Cover &cover);
  Cover findCover();
  RandomIo makeIo(const std::string &node, std::vector<Index> rows);

  Random &random;
  const RandomNetwork &network;
  NetworkOp op;
  Numbers sequences;
  RandomRequest request;
};
} // namespace

void Generator::chooseSequences() {
  int n = random.between(0, 1);
  for (int i = 0, count = random.between(1, 5); i < count; ++i) {
    sequences.push_back(n);
    n += random.chance(0.8) ? 1 : random.between(2, 4);
  }
  if (random.chance(0.1))
    random.shuffle(sequences);
}

RandomIo Generator::makeIo(const std::string &node, std::vector<Index> rows) {
  std::string text = printRows(rows, random.chance(0.8));
  RandomIo io;
  io.node = node;
  io.rows = std::move(rows);
  io.text = std::move(text);
  return io;
}

void Generator::addOutputs() {
  std::vector<NodeRef> outputs = network.outputs;
  random.shuffle(outputs);
  if (random.chance(0.3))
    outputs.resize(1);
  Order order = Order(random.between(0, 2));
  int first = random.between(-3, 4);
  for (const NodeRef &output : outputs) {
    Numbers times, x = {0};
    int step = random.chance(0.3) ? random.between(2, 3) : 1;
    for (int i = 0, count = random.between(1, 7); i < count; ++i) {
      times.push_back(first);
      first += random.chance(0.1) ? random.between(1, 3) : step;
    }
    if (random.chance(0.1))
      random.shuffle(times);
    if (network.usesX && random.chance(0.7))
      x.push_back(1);
    std::vector<Index> rows = product(sequences, times, x, order);
    if (random.chance(0.1))
      random.shuffle(rows);
    if (random.chance(0.15) && rows.size() > 1)
      rows.erase(rows.begin() + random.between(0, int(rows.size()) - 1));
    request.outputs.push_back(makeIo(output.name, std::move(rows)));
    // The next output's times overlap, or lie apart.
    if (random.chance(0.5))
      first -= random.between(1, 6);
  }
}

Numbers Generator::inputTimes(const RandomNetwork::Input &input,
                              const Cover &cover) {
  if (input.period == 0)
    return {0};
  Numbers times;
  for (int t = cover.firstT - input.period; t <= cover.lastT; ++t)
    if (t % input.period == 0 && t > cover.firstT - input.period)
      times.push_back(t);
  return times;
}

static Numbers range(int first, int last) {
  Numbers values;
  for (int value = first; value <= last; ++value)
    values.push_back(value);
  return values;
}

/// Returns true if the outputs of the first sequence are computable from the
/// inputs in `cover`.
bool Generator::isComputable(const Cover &cover) {
  ReferenceEvaluator evaluator(op);
  int n = sequences.front();
  for (const RandomNetwork::Input &input : network.inputs)
    for (int t : inputTimes(input, cover))
      for (int x = cover.firstX; x <= cover.lastX; ++x)
        evaluator.supply({evaluator.find(input.node.name), {n, t, x}});
  std::set<Row> wanted;
  for (const RandomIo &io : request.outputs)
    for (const Index &row : io.rows)
      wanted.insert({evaluator.find(io.node), {n, row.t, row.x}});
  std::vector<Row> list(wanted.begin(), wanted.end());
  return evaluator.analyze(list) == Outcome::Computable;
}

/// Returns the smallest ranges from which the outputs are computable, if there
/// are any.
Cover Generator::findCover() {
  constexpr int kMost = 20;
  int firstT = 0, lastT = 0;
  bool first = true;
  for (const RandomIo &io : request.outputs)
    for (const Index &row : io.rows) {
      firstT = first ? row.t : std::min(firstT, row.t);
      lastT = first ? row.t : std::max(lastT, row.t);
      first = false;
    }
  int reach = network.usesX ? 3 : 0;
  Cover cover = {firstT - kMost, lastT + kMost, -reach, 1 + reach};
  if (!network.usesX)
    cover.firstX = cover.lastX = 0;
  if (!isComputable(cover))
    return {firstT - 2, lastT + 2, cover.firstX, cover.lastX};
  // More inputs make more rows computable, so each end can be bisected: it is
  // good at `good`, and too far inside at `bad`.
  auto bisect = [&](int Cover::*end, int bad) {
    int good = cover.*end;
    while (std::abs(bad - good) > 1) {
      cover.*end = good + (bad - good) / 2;
      (isComputable(cover) ? good : bad) = cover.*end;
    }
    cover.*end = good;
  };
  bisect(&Cover::firstT, cover.lastT + 1);
  bisect(&Cover::lastT, cover.firstT - 1);
  return cover;
}

/// Removes a row or reorders the rows.
void Generator::spoil(RandomIo &io) {
  if (random.chance(0.08)) {
    random.shuffle(io.rows);
    io.text = printRows(io.rows, true);
  }
  if (random.chance(0.08) && io.rows.size() > 1) {
    io.rows.erase(io.rows.begin() + random.between(0, int(io.rows.size()) - 1));
    io.text = printRows(io.rows, true);
  }
}

void Generator::addInputs(const Cover &cover) {
  Order order = Order(random.between(0, 2));
  for (const RandomNetwork::Input &input : network.inputs) {
    Numbers times = inputTimes(input, cover);
    if (times.empty() || (!request.inputs.empty() && random.chance(0.03)))
      continue;
    std::vector<Index> rows =
        product(sequences, times, range(cover.firstX, cover.lastX), order);
    request.inputs.push_back(makeIo(input.node.name, std::move(rows)));
    spoil(request.inputs.back());
  }
}

/// Adds given rows of a component node.
void Generator::addComponentInput(const Cover &cover) {
  const NodeRef &node = random.pick(network.componentNodes);
  int first = random.between(cover.firstT, cover.lastT);
  int last = random.between(first, cover.lastT);
  request.inputs.push_back(
      makeIo(node.name, product(sequences, range(first, last), {0},
                                Order(random.between(0, 2)))));
  spoil(request.inputs.back());
}

RandomRequest Generator::run() {
  chooseSequences();
  addOutputs();
  Cover cover = findCover();
  // A little more than needed, or too little.
  cover.firstT -= random.between(0, 2);
  cover.lastT += random.between(0, 2);
  if (random.chance(0.1))
    cover.lastT = std::max(cover.firstT, cover.lastT - 2);
  if (random.chance(0.1))
    cover.firstT = std::min(cover.firstT + 2, cover.lastT);
  addInputs(cover);
  if (!network.componentNodes.empty() && random.chance(0.15))
    addComponentInput(cover);
  drawValues(random, request, op);
  return std::move(request);
}

RandomRequest mlir::nnet3::property::generateRequest(
    Random &random, const RandomNetwork &network, NetworkOp op) {
  return Generator(random, network, op).run();
}

RandomRequest
mlir::nnet3::property::makeGradientRequest(std::vector<Index> rows) {
  RandomRequest request;
  request.modelDerivative = true;
  RandomIo io;
  io.hasDeriv = true;
  io.text = printRows(rows, /*ranges=*/true);
  io.rows = std::move(rows);
  io.node = "input";
  request.inputs = {io};
  io.node = "output";
  request.outputs = {io};
  return request;
}
