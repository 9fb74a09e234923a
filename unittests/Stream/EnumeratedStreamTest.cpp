//===- EnumeratedStreamTest.cpp - States against listed rows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state from the index maps equals that of looped.md 4: every row of an
// utterance that is computed for the outputs of a chunk or an earlier one, and
// read by a row that is computed for a later chunk.
//
//===----------------------------------------------------------------------===//

#include "GoldenStream.h"
#include "PropertyTest.h"

#include "nnet3/Compile/ComputationGraph.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Stream/CreateStream.h"

#include "mlir/IR/Diagnostics.h"
#include <set>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

using Rows = std::set<Cindex>;

/// Lists the rows of the chunks of a stream, one after another.
class ListedChunks {
public:
  ListedChunks(const NodeTable &nodes, StreamOp stream, int64_t numFrames)
      : nodes(nodes), stream(stream), numFrames(numFrames) {}

  /// Computes the next chunk from its frames and those before, and the rows
  /// that earlier chunks have computed. False if that cannot be.
  bool addChunk();
  int64_t getTime() const { return numChunks * numFrames; }

  /// What has been computed, inputs included.
  Rows computed;
  /// What the rows of the latest chunk read.
  Rows reads;

private:
  void addReads(const ComputationGraph &graph, const Cindex &row);

  const NodeTable &nodes;
  StreamOp stream;
  int64_t numFrames, numChunks = 0;
};

} // namespace

void ListedChunks::addReads(const ComputationGraph &graph, const Cindex &row) {
  llvm::SmallVector<int32_t> used;
  graph.getUsedRows(graph.find(row), used);
  for (const int32_t id : used) {
    const Cindex &source = graph.getCindex(id);
    const Node::Kind kind = nodes[source.node].kind;
    if (kind == Node::Kind::Input || kind == Node::Kind::Component)
      reads.insert(source);
    else
      addReads(graph, source);
  }
}

bool ListedChunks::addChunk() {
  const int64_t begin = getTime();
  ++numChunks;
  for (const char *name : {"input", "ivector"})
    if (const int32_t node = nodes.find(name); node >= 0)
      for (const Index &row : stream.getNewRows(name, getTime(), true))
        computed.insert({node, row});
  ComputationGraph graph(nodes);
  for (const Cindex &row : computed)
    graph.addInput(row);
  const int32_t output = nodes.find("output");
  for (const Index &row : stream.getOutputRows(getTime()))
    if (row.t >= begin)
      graph.addOutput({output, row});
  if (!graph.computeFeedForward()) {
    graph.compute();
    for (int32_t id = 0; id < graph.size(); ++id)
      if (nodes[graph.getCindex(id).node].isOutput &&
          graph.getComputable(id) != Computable::Yes)
        return false;
    graph.prune();
  }
  reads.clear();
  for (int32_t id = 0; id < graph.size(); ++id) {
    const Cindex &row = graph.getCindex(id);
    const Node &node = nodes[row.node];
    const bool hasMatrix = node.kind == Node::Kind::Component || node.isOutput;
    if (!graph.isKept(id) || graph.isInput(id) || !hasMatrix)
      continue;
    addReads(graph, row);
    if (!node.isOutput)
      computed.insert(row);
  }
  return true;
}

/// Returns the rows kept after the fourth chunk, with times relative to its
/// end; none if the stream is not computable.
static std::optional<Rows> listState(const NodeTable &nodes, StreamOp stream,
                                     int64_t numFrames) {
  ListedChunks chunks(nodes, stream, numFrames);
  for (int i = 0; i < 4; ++i)
    if (!chunks.addChunk())
      return std::nullopt;
  const Rows earlier = chunks.computed;
  const int64_t time = chunks.getTime();
  Rows kept;
  for (int i = 0; i < 2; ++i) {
    if (!chunks.addChunk())
      return std::nullopt;
    for (Cindex row : chunks.reads)
      if (earlier.count(row)) {
        row.index.t -= time;
        kept.insert(row);
      }
  }
  return kept;
}

static Rows getState(const NodeTable &nodes, StreamOp stream) {
  Rows rows;
  for (auto state : stream.getBody().getOps<StreamStateOp>())
    for (const Index &row : state.getIndexes().expand())
      rows.insert({nodes.find(state.getNode()), row});
  return rows;
}

static void compare(StreamOp stream, NetworkOp network, int64_t numFrames,
                    int &numCompared) {
  auto nodes = NodeTable::get(network);
  ASSERT_TRUE(mlir::succeeded(nodes));
  const std::optional<Rows> expected = listState(*nodes, stream, numFrames);
  if (!expected)
    return;
  const Rows state = getState(*nodes, stream);
  // Where rows at the end of a chunk read less, those of a short chunk may read
  // others; the state has these in any case.
  if (stream.getDependsOnChunks())
    EXPECT_TRUE(std::includes(state.begin(), state.end(), expected->begin(),
                              expected->end()));
  else
    EXPECT_EQ(state, *expected);
  ++numCompared;
}

namespace {
class EnumeratedStreamTest : public PropertyTest {};
} // namespace

namespace mlir::nnet3 {
void PrintTo(const Cindex &row, std::ostream *os) {
  *os << row.node << "(" << row.index.t << ", " << row.index.x << ")";
}
} // namespace mlir::nnet3

TEST_F(EnumeratedStreamTest, RandomNetworksKeepTheSameRows) {
  int numCompared = 0;
  forEachCase([&](Case &test) {
    Random random(test.getSeed() * 7919 + 2);
    NetworkOp network = test.getNetworkOp();
    mlir::ScopedDiagnosticHandler handler(
        network.getContext(),
        [](mlir::Diagnostic &) { return mlir::success(); });
    const auto nodes = NodeTable::get(network);
    StreamOptions options;
    options.frameSubsamplingFactor = random.between(1, 3);
    const int64_t unit =
        saturatingLcm(nodes->getModulus(), options.frameSubsamplingFactor);
    if (unit > 64)
      return;
    // Longer than any recurrence or context reaches back.
    options.chunks = {(30 / unit + 1) * unit};
    options.ivectorPeriod = 0;
    options.allowChunkedRecurrence = true;
    mlir::SymbolTable symbols(test.getModule());
    auto stream = createStream(symbols, network, options);
    if (mlir::succeeded(stream))
      compare(*stream, network, options.chunks.front(), numCompared);
  });
  EXPECT_GT(numCompared, 40);
}

TEST(EnumeratedStream, GoldenNetworksKeepTheSameRows) {
  for (const std::string &name : GoldenStream::getNames()) {
    SCOPED_TRACE(name);
    const GoldenStream golden(name);
    mlir::MLIRContext context;
    context.loadDialect<Nnet3Dialect>();
    auto module = golden.readModel(context);
    auto network = *module->getOps<NetworkOp>().begin();
    mlir::SymbolTable symbols(*module);
    const StreamOptions options = golden.getOptions();
    auto stream = createStream(symbols, network, options);
    ASSERT_TRUE(mlir::succeeded(stream));
    int numCompared = 0;
    compare(*stream, network, options.chunks.front(), numCompared);
    EXPECT_EQ(numCompared, 1);
  }
}
