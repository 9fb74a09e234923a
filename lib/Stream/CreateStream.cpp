//===- CreateStream.cpp - Creating the stream of a network ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Stream/CreateStream.h"
#include "FirstChunk.h"
#include "OptionChecks.h"
#include "RunningSums.h"
#include "nnet3/Dialect/Nnet3/Analysis/UnusedName.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Networks that need a longer first chunk are not streamed.
static constexpr int64_t kMaxFirstFrames = 4096;

namespace {
/// Builds the stream of one network.
class StreamCreator {
public:
  StreamCreator(SymbolTable &symbols, NetworkOp network, StreamOptions options)
      : symbols(symbols), network(network), options(std::move(options)),
        builder(network) {
    builder.setInsertionPointAfter(network);
  }

  FailureOr<StreamOp> run();

private:
  void roundFixedTimes();
  StringAttr addOutput(const NodeTable &nodes, int32_t node);
  StreamOp create(const NodeTable &nodes, const StreamPlan &plan);
  LogicalResult addChunks(StreamOp stream, const NodeTable &nodes,
                          const StreamPlan &plan);
  void addChunk(StreamOp stream, const NodeTable &nodes, int64_t numFrames,
                bool canBegin);
  RequestOp addRequest(StreamOp stream, const NodeTable &nodes,
                       int64_t numFrames, int64_t numSequences, bool isFirst);

  SymbolTable &symbols;
  NetworkOp network;
  StreamOptions options;
  OpBuilder builder;
};
} // namespace

/// Returns true if rows of the value depend on features: on any input but the
/// i-vector.
static bool dependsOnFeatures(Value value) {
  SmallPtrSet<Operation *, 8> seen;
  SmallVector<Operation *> work = {value.getDefiningOp()};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!seen.insert(op).second)
      continue;
    if (auto input = dyn_cast<InputNodeOp>(op);
        input && input.getName() != "ivector")
      return true;
    for (Value operand : op->getOperands())
      work.push_back(operand.getDefiningOp());
  }
  return false;
}

/// Replaces reads of the i-vector at time 0 by reads at multiples of the
/// i-vector period. A row of features at time 0 is not the same row in each
/// chunk; planStream() rejects reads of it.
void StreamCreator::roundFixedTimes() {
  SmallVector<ReplaceIndexOp> fixed;
  network.walk([&](ReplaceIndexOp op) {
    if (op.getVariable() == IndexVariable::T && op.getValue() == 0 &&
        !dependsOnFeatures(op.getInput()))
      fixed.push_back(op);
  });
  for (ReplaceIndexOp op : fixed) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    op.replaceAllUsesWith(RoundOp::create(builder, op.getLoc(), op.getType(),
                                          op.getInput(),
                                          int32_t(options.ivectorPeriod))
                              .getResult());
    op.erase();
  }
}

/// Adds an output node, with an unused name, for the rows of a component node.
StringAttr StreamCreator::addOutput(const NodeTable &nodes, int32_t node) {
  const std::string name = getUnusedName(network, nodes[node].name + ".next");
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&network.getBody().front());
  Operation *component = nodes[node].op;
  // In a first chunk some rows are before the start of the stream.
  Value rows = IfDefinedOp::create(builder, component->getLoc(),
                                   component->getResult(0));
  OutputNodeOp::create(builder, component->getLoc(), name, rows,
                       Objective::Linear);
  return builder.getStringAttr(name);
}

/// Warns of optional reads of a node.
static void warn(const Node &node, int64_t right, StringRef consequence) {
  emitWarning(node.op->getLoc())
      << consequence << ": node '"
      << node.op->getAttrOfType<StringAttr>("name").getValue()
      << "' reads rows after the right context of " << right
      << (right == 1 ? " frame" : " frames") << " if they are available";
}

StreamOp StreamCreator::create(const NodeTable &nodes, const StreamPlan &plan) {
  const bool dependsOnChunks = plan.chunkDependent >= 0,
             dependsOnEnd = plan.endDependent >= 0;
  if (dependsOnChunks)
    warn(nodes[plan.chunkDependent], plan.right,
         "outputs of the stream depend on where chunks end");
  else if (dependsOnEnd)
    warn(nodes[plan.endDependent], plan.right,
         "the last outputs of an utterance depend on the frames after their "
         "right context, or on the padding there");
  auto stream = StreamOp::create(
      builder, network.getLoc(), (network.getSymName() + "_stream").str(),
      network.getSymName(), plan.left, plan.right,
      options.frameSubsamplingFactor, options.ivectorPeriod, dependsOnChunks,
      dependsOnEnd);
  symbols.insert(stream, std::next(Block::iterator(network)));
  builder.setInsertionPointToStart(&stream.getBody().emplaceBlock());
  for (const RowHistory &history : plan.histories) {
    const Node &node = nodes[history.node];
    StringAttr output;
    if (node.kind == Node::Kind::Component)
      output = addOutput(nodes, history.node);
    StreamStateOp::create(
        builder, node.op->getLoc(), builder.getStringAttr(node.name),
        IndexesAttr::get(builder.getContext(), history.rows), output);
  }
  return stream;
}

RequestOp StreamCreator::addRequest(StreamOp stream, const NodeTable &nodes,
                                    int64_t numFrames, int64_t numSequences,
                                    bool isFirst) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(stream);
  std::string name =
      (network.getSymName() + (isFirst ? "_first" : "_next") + Twine(numFrames))
          .str();
  if (numSequences > 1)
    name += "x" + std::to_string(numSequences);
  auto request =
      RequestOp::create(builder, network.getLoc(), name, network.getSymName(),
                        /*needModelDerivative=*/false,
                        /*storeComponentStats=*/false);
  symbols.insert(request, std::next(Block::iterator(stream)));
  builder.setInsertionPointToStart(&request.getBody().emplaceBlock());
  const Location loc = network.getLoc();
  for (const Node &node : nodes.getNodes()) {
    if (node.kind == Node::Kind::Descriptor)
      continue;
    const SmallVector<Index> rows =
        stream.getInputRows(node.name, numFrames, isFirst);
    if (!rows.empty())
      RequestInputOp::create(builder, loc, node.name,
                             stream.getIndexes(rows, numSequences),
                             /*has_deriv=*/false);
  }
  const auto addOutput = [&](StringRef name, ArrayRef<Index> rows,
                             int64_t shift) {
    RequestOutputOp::create(builder, loc, name,
                            stream.getIndexes(rows, numSequences, shift),
                            /*has_deriv=*/false);
  };
  addOutput("output", stream.getOutputRows(numFrames), 0);
  for (auto state : stream.getBody().getOps<StreamStateOp>())
    if (std::optional<StringRef> output = state.getOutput())
      addOutput(*output, state.getIndexes().expand(), numFrames);
  return request;
}

void StreamCreator::addChunk(StreamOp stream, const NodeTable &nodes,
                             int64_t numFrames, bool canBegin) {
  for (const int64_t numSequences : options.sequences) {
    RequestOp next = addRequest(stream, nodes, numFrames, numSequences,
                                /*isFirst=*/false);
    FlatSymbolRefAttr first;
    if (canBegin)
      first = FlatSymbolRefAttr::get(
          addRequest(stream, nodes, numFrames, numSequences, /*isFirst=*/true));
    builder.setInsertionPointToEnd(&stream.getBody().front());
    StreamChunkOp::create(builder, network.getLoc(), numFrames, numSequences,
                          first, next.getSymName());
  }
}

/// Adds the chunks. If all are too short to begin the stream, adds one that is
/// long enough.
LogicalResult StreamCreator::addChunks(StreamOp stream, const NodeTable &nodes,
                                       const StreamPlan &plan) {
  const FirstChunk firstChunk(nodes, plan);
  bool canBegin = false;
  for (const int64_t numFrames : options.chunks) {
    // If a chunk can begin the stream, so can every longer one.
    canBegin = canBegin || !firstChunk.findMissing(stream, numFrames);
    addChunk(stream, nodes, numFrames, canBegin);
  }
  for (int64_t numFrames = options.chunks.back(); !canBegin;) {
    const int64_t tried = numFrames;
    numFrames *= 2;
    if (numFrames > kMaxFirstFrames) {
      const Cindex row = *firstChunk.findMissing(stream, tried);
      return network.emitError("cannot stream: a first chunk of ")
             << tried << " frames does not compute the row of node '"
             << nodes[row.node].name << "' at time " << row.index.t
             << (nodes[row.node].isOutput ? ", an output"
                                          : ", which later chunks read");
    }
    canBegin = !firstChunk.findMissing(stream, numFrames);
    if (canBegin)
      addChunk(stream, nodes, numFrames, canBegin);
  }
  return success();
}

FailureOr<StreamOp> StreamCreator::run() {
  if (failed(checkOptions(network, options)))
    return failure();
  FailureOr<NodeTable> original = NodeTable::get(network);
  if (failed(original))
    return failure();
  // Compute the context before the network changes.
  FailureOr<NetworkContext> context = computeContext(network, *original);
  if (failed(context) ||
      failed(roundChunks(network, context->modulus, options)))
    return failure();
  if (options.ivectorPeriod == 0)
    options.ivectorPeriod = findIvectorPeriod(*original, options);
  roundFixedTimes();
  FailureOr<NodeTable> nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  const FailureOr<int64_t> right =
      findRightContext(network, *nodes, *context, options);
  if (failed(right))
    return failure();
  context->right = *right;
  const FailureOr<bool> hasSums =
      keepRunningSums(network, *original, *nodes, *context, options);
  if (failed(hasSums))
    return failure();
  if (*hasSums)
    nodes = NodeTable::get(network);
  FailureOr<StreamPlan> plan = planStream(network, *nodes, *context, options);
  if (failed(plan))
    return failure();
  if (failed(checkRows(network, plan->left + plan->right, options)))
    return failure();
  StreamOp stream = create(*nodes, *plan);
  if (failed(addChunks(stream, *nodes, *plan)))
    return failure();
  return stream;
}

FailureOr<StreamOp> mlir::nnet3::createStream(SymbolTable &symbols,
                                              NetworkOp network,
                                              StreamOptions options) {
  return StreamCreator(symbols, network, std::move(options)).run();
}
