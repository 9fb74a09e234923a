//===- StreamFacts.cpp - What streams of a library take and give ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamFacts.h"

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
