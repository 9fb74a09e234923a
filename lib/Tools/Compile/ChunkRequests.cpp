//===- ChunkRequests.cpp - Requests for chunks of frames ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChunkRequests.h"
#include "nnet3/Compile/Context.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::nnet3;

/// A request cannot have more rows than this.
static constexpr int64_t kMaxRows = int64_t(1) << 24;

namespace {
class ChunkBuilder {
public:
  ChunkBuilder(NetworkOp network, const ChunkShapes &shapes,
               const NetworkContext &context, bool hasIvector)
      : network(network), shapes(shapes), context(context),
        hasIvector(hasIvector) {}

  LogicalResult create(int64_t frames, int64_t sequences);

private:
  IndexesAttr getRows(int64_t first, int64_t last, int64_t step,
                      int64_t sequences);

  NetworkOp network;
  const ChunkShapes &shapes;
  NetworkContext context;
  bool hasIvector;
};
} // namespace

/// Returns the rows of all sequences at the times `first`, `first` + `step`,
/// ... up to `last`.
IndexesAttr ChunkBuilder::getRows(int64_t first, int64_t last, int64_t step,
                                  int64_t sequences) {
  auto n = llvm::to_vector(llvm::seq<int32_t>(0, sequences));
  SmallVector<int32_t> t;
  for (int64_t time = first; time <= last; time += step)
    t.push_back(time);
  return IndexesAttr::get(network.getContext(), n, t, ArrayRef<int32_t>(0),
                          RowOrder::NT, ArrayRef<int32_t>());
}

LogicalResult ChunkBuilder::create(int64_t frames, int64_t sequences) {
  const int64_t step = shapes.frameSubsamplingFactor;
  const int64_t lastOutput = (frames - 1) / step * step;
  const int64_t first = -context.left - shapes.extraLeftContext;
  const int64_t last = lastOutput + context.right + shapes.extraRightContext;
  if ((last - first + 1) * sequences > kMaxRows)
    return network.emitError("a chunk of ")
           << frames << " frames of " << sequences << " sequences has "
           << (last - first + 1) * sequences << " input rows, more than "
           << kMaxRows;
  std::string name = "chunk" + std::to_string(frames);
  if (sequences > 1)
    name += "x" + std::to_string(sequences);
  OpBuilder builder(network->getBlock(), network->getBlock()->end());
  Location loc = network.getLoc();
  auto request = RequestOp::create(builder, loc, name, network.getSymName(),
                                   /*need_model_derivative=*/false,
                                   /*store_component_stats=*/false);
  builder.setInsertionPointToStart(&request.getBody().emplaceBlock());
  RequestInputOp::create(builder, loc, "input",
                         getRows(first, last, 1, sequences),
                         /*has_deriv=*/false);
  if (hasIvector)
    RequestInputOp::create(builder, loc, "ivector", getRows(0, 0, 1, sequences),
                           /*has_deriv=*/false);
  RequestOutputOp::create(builder, loc, "output",
                          getRows(0, lastOutput, step, sequences),
                          /*has_deriv=*/false);
  return success();
}

LogicalResult mlir::nnet3::createChunkRequests(NetworkOp network,
                                               const ChunkShapes &shapes) {
  FailureOr<NodeTable> nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  FailureOr<NetworkContext> context = computeContext(network, *nodes);
  if (failed(context))
    return failure();
  ChunkBuilder builder(network, shapes, *context, nodes->find("ivector") >= 0);
  for (unsigned frames : shapes.frames)
    for (unsigned sequences : shapes.sequences)
      if (failed(builder.create(frames, sequences)))
        return failure();
  return success();
}
