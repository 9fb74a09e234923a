//===- Case.cpp - A random network and request ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Case.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

std::unique_ptr<mlir::MLIRContext> mlir::nnet3::property::makeContext() {
  auto context = std::make_unique<mlir::MLIRContext>(
      mlir::MLIRContext::Threading::DISABLED);
  context->loadDialect<Nnet3Dialect, mlir::memref::MemRefDialect>();
  return context;
}

//===----------------------------------------------------------------------===//
// Case
//===----------------------------------------------------------------------===//

std::unique_ptr<Case> Case::generate(mlir::MLIRContext &context, uint64_t seed,
                                     bool training) {
  // Several tests have the same cases.
  static std::map<std::pair<uint64_t, bool>,
                  std::pair<RandomNetwork, RandomRequest>>
      cache;
  std::unique_ptr<Case> test(new Case(context, seed));
  auto [entry, isNew] = cache.try_emplace({seed, training});
  auto &[network, request] = entry->second;
  if (isNew) {
    Random random(seed);
    network = generateNetwork(random, getFamily(seed), training);
    test->network = network;
    test->parse();
    if (!test->error.empty())
      return test;
    request = generateRequest(random, network, test->getNetworkOp());
    if (training) {
      requestDerivatives(random, request, test->getNetworkOp());
      drawValues(random, request, test->getNetworkOp());
    }
  }
  test->network = network;
  test->request = request;
  test->parse();
  return test;
}

std::unique_ptr<Case> Case::create(mlir::MLIRContext &context,
                                   const RandomNetwork &network,
                                   const RandomRequest &request) {
  std::unique_ptr<Case> test(new Case(context, /*seed=*/0));
  test->network = network;
  test->request = request;
  test->parse();
  return test;
}

std::unique_ptr<Case> Case::withRequest(const RandomRequest &other) const {
  std::unique_ptr<Case> test = create(context, network, other);
  test->seed = seed;
  return test;
}

void Case::parse() {
  std::string text = network.text;
  if (!request.outputs.empty())
    text += request.str();
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          error += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

std::string Case::reproducer() const {
  return "seed " + std::to_string(seed) + ", family " + network.family + "\n" +
         network.text + request.str() + request.strValues();
}

NetworkOp Case::getNetworkOp() const {
  return *mlir::ModuleOp(*module).getOps<NetworkOp>().begin();
}

RequestOp Case::getRequestOp() const {
  return *mlir::ModuleOp(*module).getOps<RequestOp>().begin();
}

ReferenceEvaluator Case::makeEvaluator() const {
  ReferenceEvaluator evaluator(getNetworkOp());
  for (const RandomIo &io : request.inputs)
    evaluator.supply(io.node, io.rows,
                     Vector(io.values.begin(), io.values.end()));
  return evaluator;
}

std::vector<Row> Case::getWanted(const ReferenceEvaluator &evaluator) const {
  std::vector<Row> wanted;
  for (const RandomIo &io : request.outputs)
    for (const Index &row : io.rows)
      wanted.push_back({evaluator.find(io.node), row});
  return wanted;
}
