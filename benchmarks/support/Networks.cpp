//===- Networks.cpp - The benchmark networks ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Networks.h"

#include "nnet3/Compile/Compile.h"
#include "nnet3/Compile/Context.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Target/Kaldi/Config.h"

#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

ArrayRef<StringRef>(mlir::nnet3::benchmarks::getNetworkNames)() {
  static constexpr StringRef names[] = {"seed",  "tdnn", "tdnnf", "lstmp",
                                        "blstm", "cnn",  "attn",  "xvector"};
  return names;
}

int32_t(mlir::nnet3::benchmarks::getChunkFrames)(StringRef name) {
  return name == "xvector" ? 200 : 150;
}

int32_t(mlir::nnet3::benchmarks::getFrameSubsamplingFactor)(StringRef name) {
  return name == "seed" ? 1 : 3;
}

[[noreturn]] static void fail(const Twine &message) {
  llvm::errs() << message << "\n";
  std::exit(1);
}

/// Returns the extra frames on the left and right beyond the network's context:
/// recurrences need them to warm up, and attention reads them if they are
/// given.
static std::pair<int32_t, int32_t> getExtraFrames(StringRef name) {
  return llvm::StringSwitch<std::pair<int32_t, int32_t>>(name)
      .Case("lstmp", {40, 0})
      .Case("blstm", {40, 40})
      .Case("attn", {24, 12})
      .Default({0, 0});
}

/// Returns a config without natural gradient.
static std::string removeNaturalGradient(StringRef config) {
  std::string result;
  for (StringRef line : llvm::split(config, '\n')) {
    auto [before, after] = line.split("type=NaturalGradientAffineComponent");
    if (before.size() < line.size())
      result += (before + "type=AffineComponent" + after).str();
    else
      result += line;
    if (line.contains("type=TdnnComponent") ||
        line.contains("type=LinearComponent"))
      result += " use-natural-gradient=false";
    result += "\n";
  }
  return result;
}

Network::Network(StringRef name, bool trains, bool naturalGradient)
    : context(MLIRContext::Threading::DISABLED), trains(trains),
      factor(getFrameSubsamplingFactor(name)), pools(name == "xvector"),
      extraLeft(getExtraFrames(name).first),
      extraRight(getExtraFrames(name).second) {
  context.loadDialect<Nnet3Dialect>();
  std::string path = (NNET3_BENCHMARK_NETWORKS "/" + name + ".config").str();
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    fail(path + ": " + buffer.getError().message());
  std::string config = (*buffer)->getBuffer().str();
  if (!naturalGradient)
    config = removeNaturalGradient(config);
  module = mlir::nnet3::importConfigs({{config, path}}, &context);
  if (!module)
    fail("cannot import " + path);
  network = *module->getOps<NetworkOp>().begin();
  if (failed(mlir::nnet3::initializeParameters(network, /*seed=*/1)))
    fail("cannot initialise " + path);
  if (trains)
    return;
  Builder builder(&context);
  for (Operation &op : network.getBody().front())
    if (isa<BatchNormOp>(op))
      op.setAttr("test_mode", builder.getBoolAttr(true));
}

RequestOp Network::makeRequest(int32_t sequences, int32_t frames) {
  FailureOr<NodeTable> nodes = NodeTable::get(network);
  if (failed(nodes))
    fail("cannot read the network");
  FailureOr<NetworkContext> size = computeContext(network, *nodes);
  if (failed(size))
    fail("the network has no context");

  auto range = [](int32_t first, int32_t last, int32_t step) {
    SmallVector<int32_t> values;
    for (int32_t value = first; value <= last; value += step)
      values.push_back(value);
    return values;
  };
  auto rows = [&](ArrayRef<int32_t> t) {
    return IndexesAttr::get(&context, range(0, sequences - 1, 1), t, {0},
                            RowOrder::NT, {});
  };
  int32_t last = (frames - 1) / factor * factor;
  SmallVector<int32_t> input =
      pools
          ? range(0, frames - 1, 1)
          : range(-size->left - extraLeft, last + size->right + extraRight, 1);
  SmallVector<int32_t> output = pools ? range(0, 0, 1) : range(0, last, factor);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  Location loc = builder.getUnknownLoc();
  auto request = RequestOp::create(builder, loc, "request",
                                   network.getSymName(), trains, trains);
  builder.setInsertionPointToStart(&request.getBody().emplaceBlock());
  RequestInputOp::create(builder, loc, "input", rows(input), false);
  if (nodes->find("ivector") >= 0)
    RequestInputOp::create(builder, loc, "ivector", rows({0}), false);
  RequestOutputOp::create(builder, loc, "output", rows(output), trains);
  return request;
}

ComputationOp mlir::nnet3::benchmarks::compile(NetworkOp network,
                                               RequestOp request) {
  OpBuilder builder(request);
  FailureOr<NodeTable> nodes = NodeTable::get(network);
  if (failed(nodes))
    fail("cannot read the network");
  FailureOr<ComputationOp> computation =
      compileRequest(builder, network, *nodes, request);
  if (failed(computation))
    fail("cannot compile the request");
  PassManager manager(network.getContext(), ComputationOp::getOperationName());
  // Like the tools: the verifier takes longer than the passes.
  manager.enableVerifier(false);
  addOptimizePasses(manager, OptimizeOptions());
  if (failed(manager.run(*computation)))
    fail("cannot optimise the computation");
  return *computation;
}
