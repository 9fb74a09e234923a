//===- LibraryApi.cpp - Opening a library and its information -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryInstance.h"

#include <cstddef>
#include <cstring>
#include <new>

using namespace nnet3::rt;

uint32_t nnet3lib_abi_version(void) { return NNET3LIB_ABI_VERSION; }

const char *nnet3lib_error_text(nnet3lib_status status) {
  static const char *const kTexts[] = {
      "no error",
      "an argument that is needed is a null pointer",
      "the header is of a later version than the library, or struct_size is "
      "not set",
      "there is no request of this number or name",
      "the request has no input or output of this number",
      "a matrix has other dims than in the signature, too small a stride, or "
      "there are more or fewer matrices",
      "the memory is smaller than instance_bytes",
      "the memory is not aligned to 64 bytes",
      "out of memory",
      "the weights are in a file of their own, which was not given",
      "the file of the weights cannot be opened or mapped",
      "these are not the weights of this library",
      "the library is damaged",
      "the library is for CPUs with more instructions",
      "there are no outputs before the first run",
      "there are not so many threads",
      "there is no GPU that can be used, or its driver or cuBLAS is missing",
      "the GPU has failed",
      "a run was submitted that was not waited for",
      "the library computes no streams, or no chunks of this length or number "
      "that may come next",
      "the memory is no state of a stream of this library, or is damaged"};
  const bool isKnown =
      status >= 0 && static_cast<size_t>(status) < std::size(kTexts);
  return isKnown ? kTexts[status] : "unknown status";
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Converts \p from, of any version, to options of the current version; null
/// gives defaults.
static nnet3lib_status readOptions(const nnet3lib_open_options *from,
                                   nnet3lib_open_options &options) {
  constexpr size_t kBytes7 = offsetof(nnet3lib_open_options, weights);
  options = {};
  if (!from)
    return NNET3LIB_OK;
  if (from->struct_size < kBytes7)
    return NNET3LIB_WRONG_VERSION;
  const bool isCurrent = from->struct_size >= sizeof(options);
  std::memcpy(&options, from, isCurrent ? sizeof(options) : kBytes7);
  return NNET3LIB_OK;
}

static nnet3lib_status open(const nnet3lib_open_options &options,
                            nnet3lib_model **model,
                            const nnet3lib_image &image) {
  auto opened = std::make_unique<nnet3lib_model>();
  const OpenResult result = loadLibrary(image, options, *opened);
  tell(options.message, options.message_size, result.message.c_str());
  if (result.ok())
    *model = opened.release();
  return result.status;
}

nnet3lib_status nnet3lib_model_open_image(uint32_t abiVersion,
                                          const nnet3lib_open_options *given,
                                          nnet3lib_model **model,
                                          const nnet3lib_image *image) {
  if (!model)
    return NNET3LIB_NULL_ARGUMENT;
  *model = nullptr;
  if (!image)
    return NNET3LIB_NULL_ARGUMENT;
  nnet3lib_open_options options;
  if (abiVersion == 0 || abiVersion > NNET3LIB_ABI_VERSION ||
      readOptions(given, options) != NNET3LIB_OK)
    return NNET3LIB_WRONG_VERSION;
  // The standard library may throw std::bad_alloc below.
  try {
    nnet3lib_status status = open(options, model, *image);
    while (status == NNET3LIB_WRONG_CPU && image->alternative) {
      image = image->alternative;
      status = open(options, model, *image);
    }
    return status;
  } catch (const std::bad_alloc &) {
    tell(options.message, options.message_size,
         nnet3lib_error_text(NNET3LIB_OUT_OF_MEMORY));
    return NNET3LIB_OUT_OF_MEMORY;
  }
}

void nnet3lib_model_close(nnet3lib_model *model) {
  if (model)
    model->release();
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

/// Copies \p info to the caller's struct, up to the size that it has.
template <typename Info> static nnet3lib_status give(Info info, Info *to) {
  info.struct_size = to->struct_size;
  std::memcpy(to, &info, std::min<size_t>(to->struct_size, sizeof(info)));
  return NNET3LIB_OK;
}

/// Checks the arguments of a query. A struct of an earlier version has \p least
/// bytes.
template <typename Info>
static nnet3lib_status checkQuestion(const nnet3lib_model *model,
                                     const Info *info,
                                     size_t least = sizeof(Info)) {
  if (!model || !info)
    return NNET3LIB_NULL_ARGUMENT;
  return info->struct_size < least ? NNET3LIB_WRONG_VERSION : NNET3LIB_OK;
}

static bool isIndex(int32_t index, size_t size) {
  return index >= 0 && static_cast<size_t>(index) < size;
}

nnet3lib_status nnet3lib_get_model_info(const nnet3lib_model *model,
                                        nnet3lib_model_info *info) {
  if (const nnet3lib_status status = checkQuestion(model, info))
    return status;
  auto text = [](const flatbuffers::String *string) {
    return string ? string->c_str() : "";
  };
  nnet3lib_model_info about = {};
  about.num_requests = static_cast<int32_t>(model->requests.size());
  about.network = text(model->root->network());
  about.producer = text(model->root->producer());
  about.weights_bytes = model->weights.size;
  return give(about, info);
}

nnet3lib_status nnet3lib_get_precision(const nnet3lib_model *model,
                                       const char **precision) {
  if (!model || !precision)
    return NNET3LIB_NULL_ARGUMENT;
  const flatbuffers::String *name = model->root->precision();
  *precision = name ? name->c_str() : "f32";
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_get_layers(const nnet3lib_model *model,
                                    const char **layers) {
  if (!model || !layers)
    return NNET3LIB_NULL_ARGUMENT;
  const flatbuffers::String *text = model->root->layers();
  *layers = text ? text->c_str() : "";
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_get_target(const nnet3lib_model *model,
                                    const char **target) {
  if (!model || !target)
    return NNET3LIB_NULL_ARGUMENT;
  *target = model->backend ? "cuda" : "cpu";
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_get_tuning_info(const nnet3lib_model *model,
                                         nnet3lib_tuning_info *info) {
  if (const nnet3lib_status status = checkQuestion(model, info))
    return status;
  nnet3lib_tuning_info about = {};
  about.place = model->tuning;
  about.bytes = model->tuningSize;
  return give(about, info);
}

nnet3lib_status nnet3lib_get_request_info(const nnet3lib_model *model,
                                          int32_t request,
                                          nnet3lib_request_info *info) {
  if (const nnet3lib_status status = checkQuestion(model, info))
    return status;
  if (!isIndex(request, model->requests.size()))
    return NNET3LIB_NO_SUCH_REQUEST;
  const LibraryRequest &from = model->requests[request];
  nnet3lib_request_info about = {};
  about.num_inputs = static_cast<int32_t>(from.inputs.size());
  about.num_outputs = static_cast<int32_t>(from.outputs.size());
  about.min_outputs = from.minOutputs;
  about.name = from.name;
  about.instance_bytes = instanceBytes(*model, from);
  return give(about, info);
}

nnet3lib_status nnet3lib_find_request(const nnet3lib_model *model,
                                      const char *name, int32_t *request) {
  if (!model || !name || !request)
    return NNET3LIB_NULL_ARGUMENT;
  for (size_t i = 0; i < model->requests.size(); ++i)
    if (std::strcmp(model->requests[i].name, name) == 0) {
      *request = static_cast<int32_t>(i);
      return NNET3LIB_OK;
    }
  return NNET3LIB_NO_SUCH_REQUEST;
}

static nnet3lib_status
getMatrixInfo(const nnet3lib_model *model, int32_t request,
              std::vector<PlacedMatrix> LibraryRequest::*list, int32_t index,
              nnet3lib_matrix_info *info) {
  if (const nnet3lib_status status = checkQuestion(model, info))
    return status;
  if (!isIndex(request, model->requests.size()))
    return NNET3LIB_NO_SUCH_REQUEST;
  const std::vector<PlacedMatrix> &matrices = model->requests[request].*list;
  if (!isIndex(index, matrices.size()))
    return NNET3LIB_NO_SUCH_MATRIX;
  const IoInfo &from = matrices[index].info;
  nnet3lib_matrix_info about = {};
  about.rows = from.rows;
  about.cols = from.cols;
  about.name = from.name.data();
  about.n = from.n;
  about.t = from.t;
  about.x = from.x;
  return give(about, info);
}

nnet3lib_status nnet3lib_get_input_info(const nnet3lib_model *model,
                                        int32_t request, int32_t index,
                                        nnet3lib_matrix_info *info) {
  return getMatrixInfo(model, request, &LibraryRequest::inputs, index, info);
}

nnet3lib_status nnet3lib_get_output_info(const nnet3lib_model *model,
                                         int32_t request, int32_t index,
                                         nnet3lib_matrix_info *info) {
  return getMatrixInfo(model, request, &LibraryRequest::outputs, index, info);
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

nnet3lib_status nnet3lib_get_stream_info(const nnet3lib_model *model,
                                         nnet3lib_stream_info *info) {
  constexpr size_t kBytes6 = offsetof(nnet3lib_stream_info, batch_sizes);
  if (const nnet3lib_status status = checkQuestion(model, info, kBytes6))
    return status;
  if (!model->stream)
    return NNET3LIB_NO_SUCH_CHUNK;
  const LibraryStream &from = *model->stream;
  nnet3lib_stream_info about = {};
  about.num_chunks = static_cast<int32_t>(from.chunks.size());
  about.left_context = from.left;
  about.right_context = from.right;
  about.frame_subsampling_factor = from.factor;
  about.ivector_period = from.period;
  about.num_sequences = 1;
  about.depends_on_chunks = from.dependsOnChunks;
  const StreamStep &step = from.chunks.front().next;
  for (const StreamInput &input : step.inputs)
    if (input.given >= 0)
      (input.given == 0 ? about.input_dim : about.ivector_dim) = input.cols;
  about.output_dim = step.outputCols;
  const std::vector<int32_t> &sizes = from.chunks.front().batchSizes;
  about.num_batch_sizes = static_cast<int32_t>(sizes.size());
  about.state_bytes = stateBytes(from);
  about.batch_sizes = sizes.data();
  about.depends_on_end = from.dependsOnEnd;
  return give(about, info);
}

nnet3lib_status nnet3lib_get_chunk_info(const nnet3lib_model *model,
                                        int32_t chunk,
                                        nnet3lib_chunk_info *info) {
  if (const nnet3lib_status status = checkQuestion(model, info))
    return status;
  if (!model->stream || !isIndex(chunk, model->stream->chunks.size()))
    return NNET3LIB_NO_SUCH_CHUNK;
  const StreamChunk &from = model->stream->chunks[chunk];
  nnet3lib_chunk_info about = {};
  about.num_frames = from.numFrames;
  about.can_begin = !from.first.batches.empty();
  about.first_input_rows = from.first.newRows[0];
  about.first_ivector_rows = from.first.newRows[1];
  about.next_input_rows = from.next.newRows[0];
  about.next_ivector_rows = from.next.newRows[1];
  about.output_rows = from.next.outputRows;
  return give(about, info);
}
