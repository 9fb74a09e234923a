//===- StreamFacts.cpp - Stream information of a library ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamFacts.h"

#include "library/BatchPlan.h"

#include <algorithm>

using namespace nnet3::rt;

nnet3lib_status StreamFacts::read(const LibraryFunctions &functions,
                                  const nnet3lib_model *model,
                                  StreamFacts &facts) {
  facts.info.struct_size = sizeof(facts.info);
  nnet3lib_status status = functions.get_stream_info(model, &facts.info);
  for (int32_t i = 0; status == NNET3LIB_OK && i < facts.info.num_chunks; ++i) {
    nnet3lib_chunk_info chunk = {};
    chunk.struct_size = sizeof(chunk);
    status = functions.get_chunk_info(model, i, &chunk);
    facts.chunks.push_back(chunk);
  }
  return status;
}

int32_t StreamFacts::mostInputRows() const {
  int32_t most = 0;
  for (const nnet3lib_chunk_info &chunk : chunks)
    most = std::max({most, chunk.first_input_rows, chunk.next_input_rows});
  return most;
}

int32_t StreamFacts::mostIvectorRows() const {
  int32_t most = 0;
  for (const nnet3lib_chunk_info &chunk : chunks)
    most = std::max({most, chunk.first_ivector_rows, chunk.next_ivector_rows});
  return most;
}

size_t StreamFacts::chooseBatch(size_t numReady, size_t maxBatch) const {
  const int32_t *sizes = info.batch_sizes;
  const auto most = static_cast<int64_t>(std::min(numReady, maxBatch));
  const int32_t largest = sizes[info.num_batch_sizes - 1];
  if (most >= largest)
    return static_cast<size_t>(most - most % largest);
  // Compares count / cost of the batches without division.
  int64_t best = 0, cost = 1;
  for (int32_t i = 0; i < info.num_batch_sizes; ++i) {
    const int64_t count = std::min<int64_t>(most, sizes[i]);
    if (count * cost < best * getBatchCost(sizes[i]))
      continue;
    best = count;
    cost = getBatchCost(sizes[i]);
  }
  return static_cast<size_t>(best);
}
