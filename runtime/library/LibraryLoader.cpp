//===- LibraryLoader.cpp - From an image to a verified model --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries are files, and files can be damaged: all metadata that could cause
// accesses outside of the memory is checked.
//
//===----------------------------------------------------------------------===//

#include "CpuFeatures.h"
#include "LibraryModel.h"
#include "StreamLoader.h"
#include "nnet3/runtime/Container.h"
#include "nnet3/runtime/Placement.h"

#include <algorithm>
#include <new>

namespace nnet3 {
namespace rt {

namespace {

/// Largest arena in floats, far above any memory; keeps byte counts within 64
/// bits.
constexpr uint64_t kMaxArenaFloats = uint64_t(1) << 40;
/// Largest number of entries of row tables, 4 bytes each.
constexpr int64_t kMaxTableEntries = int64_t(1) << 28;
constexpr uint64_t kMaxScratchBytes = uint64_t(1) << 40;

/// Checks the metadata, first without the components, then the components.
class MetadataLoader : BufferChecker {
public:
  MetadataLoader(const nnet3lib_image &image, nnet3lib_model &model)
      : BufferChecker(image.metadata_size), image(image), model(model),
        root(*model.root) {}

  Status loadRowTables();
  Status loadRequests();
  /// Loads components and calls; requires that the weights have been found.
  Status loadCalls();

private:
  using PlacedList =
      flatbuffers::Vector<flatbuffers::Offset<schema::PlacedMatrix>>;

  void loadRequest(const schema::LibraryRequest &from, nnet3lib_run_fn run);
  void loadMatrices(const PlacedList *list, const char *kind,
                    const LibraryRequest &request,
                    std::vector<PlacedMatrix> &out);
  void checkPlacement(const PlacedMatrix &matrix, uint64_t stride,
                      const LibraryRequest &request);
  void placeOutputs(LibraryRequest &request);
  void loadCall(const schema::Call &from);
  void makePlan(const schema::Call &from, LibraryCall &call);

  const nnet3lib_image &image;
  nnet3lib_model &model;
  const schema::Library &root;
};

/// Expands the row tables into the model.
Status MetadataLoader::loadRowTables() {
  const ListCode *code = root.row_tables();
  claim(code);
  const int64_t count = countEntries(code);
  if (count < 0 || count > kMaxTableEntries)
    fail("the row tables are malformed, or too large");
  else if (error.ok() && !listEntries(code, model.rowTables))
    fail("an entry of the row tables is too large");
  return error;
}

Status MetadataLoader::loadRequests() {
  if (root.network())
    checkName(root.network());
  if (root.producer())
    checkName(root.producer());
  if (root.precision())
    checkName(root.precision());
  std::vector<std::string_view> names;
  if (root.requests())
    for (const schema::LibraryRequest *request : *root.requests()) {
      checkName(request->name());
      if (!error.ok())
        return error;
      names.push_back(request->name()->string_view());
      loadRequest(*request,
                  image.runs ? image.runs[model.requests.size()] : nullptr);
    }
  if (names.empty())
    fail("the library has no requests");
  checkDistinct(std::move(names), "request");
  return error;
}

void MetadataLoader::loadRequest(const schema::LibraryRequest &from,
                                 nnet3lib_run_fn run) {
  LibraryRequest request;
  request.name = from.name()->c_str();
  request.run = run;
  request.arenaFloats = from.arena_floats();
  request.minOutputs = from.min_outputs();
  request.blocks = from.blocks();
  if ((!run && !image.backend) || request.arenaFloats > kMaxArenaFloats)
    return fail(std::string("request '") + request.name +
                "' has no code, or too large an arena");
  if (request.minOutputs < 0)
    return fail(std::string("request '") + request.name +
                "' has a negative number of outputs");
  if (request.blocks < 1 || (request.blocks > 1 && image.backend))
    return fail(std::string("request '") + request.name +
                "' has no number of blocks");
  loadMatrices(from.inputs(), "input", request, request.inputs);
  loadMatrices(from.outputs(), "output", request, request.outputs);
  placeOutputs(request);
  model.requests.push_back(std::move(request));
}

void MetadataLoader::loadMatrices(const PlacedList *list, const char *kind,
                                  const LibraryRequest &request,
                                  std::vector<PlacedMatrix> &out) {
  if (!list)
    return;
  std::vector<std::string_view> names;
  for (const schema::PlacedMatrix *from : *list) {
    PlacedMatrix matrix;
    matrix.info = loadIo(*from->io(), kind);
    if (!error.ok())
      return;
    matrix.offset = from->offset();
    checkPlacement(matrix, from->stride(), request);
    if (!error.ok())
      return;
    listIndexes(*from->io(), matrix.info, model.ioIndexes);
    matrix.stride = static_cast<int64_t>(from->stride());
    names.push_back(matrix.info.name);
    out.push_back(matrix);
  }
  checkDistinct(std::move(names), kind);
}

void MetadataLoader::checkPlacement(const PlacedMatrix &matrix, uint64_t stride,
                                    const LibraryRequest &request) {
  const uint64_t arenaFloats = request.arenaFloats;
  if (matrix.info.rows % request.blocks != 0)
    return fail("matrix '" + std::string(matrix.info.name) +
                "' has rows that are not in blocks");
  const auto rows = static_cast<uint64_t>(matrix.info.rows / request.blocks);
  const auto cols = static_cast<uint64_t>(matrix.info.cols);
  const bool inside = matrix.offset <= arenaFloats &&
                      cols <= arenaFloats - matrix.offset && stride >= cols &&
                      rows - 1 <= (arenaFloats - matrix.offset - cols) / stride;
  if (!inside || matrix.offset % kPlacementAlignment != 0)
    fail("matrix '" + std::string(matrix.info.name) +
         "' is outside of the arena, or not aligned");
}

/// Assigns offsets to the whole outputs if there are several blocks.
void MetadataLoader::placeOutputs(LibraryRequest &request) {
  if (request.blocks == 1)
    return;
  for (PlacedMatrix &output : request.outputs) {
    output.whole = request.wholeFloats;
    const uint64_t floats = static_cast<uint64_t>(output.info.rows) *
                            static_cast<uint64_t>(output.info.cols);
    request.wholeFloats += (floats + kPlacementAlignment - 1) /
                           kPlacementAlignment * kPlacementAlignment;
    if (request.wholeFloats > kMaxArenaFloats)
      return fail(std::string("request '") + request.name +
                  "' has too large outputs");
  }
}

Status MetadataLoader::loadCalls() {
  claimComponents(root.components());
  if (root.calls())
    for (const schema::Call *call : *root.calls())
      if (call->precomputed())
        claimAttributes(call->precomputed()->attributes());
  if (error.ok())
    loadComponents(root.components(), model.weights, model.components);
  if (!error.ok())
    return error;
  for (const auto &component : model.components) {
    auto &views = model.parameters.emplace_back();
    for (const ParameterInfo &info : component->parameters())
      views.push_back(info.initial);
  }
  if (root.calls())
    for (const schema::Call *call : *root.calls()) {
      loadCall(*call);
      if (!error.ok())
        return error;
    }
  return error;
}

void MetadataLoader::loadCall(const schema::Call &from) {
  const std::string what = "call " + std::to_string(model.calls.size());
  LibraryCall call;
  call.component = from.component();
  if (call.component < 0 ||
      static_cast<size_t>(call.component) >= model.components.size())
    return fail(what + " is of component " + std::to_string(call.component) +
                ", which does not exist");
  const Component &component = *model.components[call.component];
  call.inRows = from.in_rows();
  call.inCols = from.in_cols();
  call.outRows = from.out_rows();
  call.outCols = from.out_cols();
  call.number = from.number();
  if (call.inRows < (component.readsInput() ? 1 : 0) || call.outRows <= 0 ||
      call.inCols != component.inputDim() ||
      call.outCols != component.outputDim())
    return fail(what + " has other dims than its component");
  makePlan(from, call);
  if (!error.ok())
    return;
  if (call.plan)
    model.scratchBytes = std::max(model.scratchBytes, call.plan->scratchBytes);
  if (model.scratchBytes > kMaxScratchBytes)
    return fail(what + " needs too much memory");
  model.calls.push_back(std::move(call));
}

void MetadataLoader::makePlan(const schema::Call &from, LibraryCall &call) {
  const Component &component = *model.components[call.component];
  const schema::Component &about = *root.components()->Get(call.component);
  const std::string_view name = about.name()->string_view(),
                         type = about.type()->string_view();
  if (from.precomputed() && (component.properties() & kSimpleComponent))
    return fail("simple components take no precomputed indexes");
  ErrorSink errors({"component", name, type});
  Weights noWeights;
  AttributeReader reader(
      from.precomputed() ? from.precomputed()->attributes() : nullptr,
      noWeights, {"precomputed indexes of component", name, type});
  call.plan = component.plan(call.inRows, call.outRows,
                             from.precomputed() ? &reader : nullptr, errors);
  if (!errors.ok())
    error = errors.status();
  else if (!reader.ok())
    error = reader.status();
}

OpenResult damaged(const std::string &message) {
  return {NNET3LIB_DAMAGED, message};
}

OpenResult checkImage(const nnet3lib_image &image) {
  if (image.version != NNET3LIB_IMAGE_VERSION)
    return {NNET3LIB_WRONG_VERSION, "expects generated code of version " +
                                        std::to_string(NNET3LIB_IMAGE_VERSION) +
                                        ", but got version " +
                                        std::to_string(image.version)};
  if (!image.metadata || (!image.runs && !image.backend) ||
      image.metadata_size < 16 ||
      image.metadata_size >= FLATBUFFERS_MAX_BUFFER_SIZE ||
      reinterpret_cast<uintptr_t>(image.metadata) % 16 != 0 ||
      reinterpret_cast<uintptr_t>(image.weights) % NNET3LIB_ALIGNMENT != 0)
    return damaged("the image of the library is damaged");
  if (checksum(image.metadata, image.metadata_size) != image.metadata_checksum)
    return damaged("the metadata is damaged: its checksum is wrong");
  flatbuffers::Verifier verifier(static_cast<const uint8_t *>(image.metadata),
                                 image.metadata_size, kMaxBufferDepth,
                                 kMaxBufferTables);
  if (!schema::LibraryBufferHasIdentifier(image.metadata) ||
      !schema::VerifyLibraryBuffer(verifier))
    return damaged("the metadata is damaged");
  return {};
}

/// Whether this machine can run the code.
OpenResult checkCpu(const schema::Library &root) {
  if (root.cpu_features())
    for (const flatbuffers::String *feature : *root.cpu_features())
      if (!isCpuFeature(feature->string_view()))
        return {NNET3LIB_WRONG_CPU, "the library needs the instructions " +
                                        feature->str() +
                                        ", which this machine does not have"};
  return {};
}

/// Finds the weights: in a file, in memory of the caller, or else in the
/// library.
OpenResult findWeights(const nnet3lib_image &image,
                       const nnet3lib_open_options &options,
                       nnet3lib_model &model) {
  const uint64_t size = model.root->weights_size();
  const void *data = image.weights;
  uint64_t found = image.weights_size;
  if (options.weights) {
    if (reinterpret_cast<uintptr_t>(options.weights) % NNET3LIB_ALIGNMENT != 0)
      return {NNET3LIB_MISALIGNED, nnet3lib_error_text(NNET3LIB_MISALIGNED)};
    data = options.weights;
    found = options.weights_bytes;
  } else if (options.weights_path) {
    auto file = mapFile(options.weights_path);
    if (!file.ok())
      return {NNET3LIB_IO_ERROR, file.status().message()};
    model.file = *file;
    data = model.file->data;
    found = model.file->size;
  } else if (!data && size != 0) {
    return {NNET3LIB_NO_WEIGHTS,
            "the weights are in a file of their own, which was not given"};
  }
  if (found != size)
    return {NNET3LIB_WRONG_WEIGHTS, "expects " + std::to_string(size) +
                                        " bytes of weights, but got " +
                                        std::to_string(found)};
  if (size != 0 && checksum(data, size) != model.root->weights_checksum())
    return {NNET3LIB_WRONG_WEIGHTS,
            "these are other weights, or damaged: the checksum is wrong"};
  model.weights = {static_cast<const unsigned char *>(data), size, size};
  return {};
}

/// Replaces the weights of the model by a copy.
void copyWeights(nnet3lib_model &model) {
  const uint64_t size = model.weights.size;
  model.weightsCopy = AlignedBytes(size);
  if (!model.weightsCopy.data())
    throw std::bad_alloc();
  std::copy_n(model.weights.data, size, model.weightsCopy.data());
  model.weights.data = model.weightsCopy.data();
  model.file.reset();
}

} // namespace

OpenResult loadLibrary(const nnet3lib_image &image,
                       const nnet3lib_open_options &options,
                       nnet3lib_model &model) {
  if (OpenResult result = checkImage(image); !result.ok())
    return result;
  model.root = schema::GetLibrary(image.metadata);
  model.metadataSize = image.metadata_size;
  model.tuning = image.tuning;
  model.tuningSize = image.tuning ? image.tuning_size : 0;
  if (!image.backend && model.root->device())
    return damaged("the code for a GPU has no backend");
  if (OpenResult result = checkCpu(*model.root); !result.ok())
    return result;
  MetadataLoader loader(image, model);
  if (Status status = loader.loadRowTables(); !status.ok())
    return damaged(status.message());
  if (Status status = loader.loadRequests(); !status.ok())
    return damaged(status.message());
  if (const schema::Stream *stream = model.root->stream()) {
    model.stream = std::make_unique<LibraryStream>();
    model.stream->identity = image.metadata_checksum;
    if (Status status = loadStream(model, *stream, *model.stream); !status.ok())
      return damaged(status.message());
  }
  if (OpenResult result = findWeights(image, options, model); !result.ok())
    return result;
  // Devices have their own copy.
  if (options.copy_weights != 0 && !image.backend)
    copyWeights(model);
  if (Status status = loader.loadCalls(); !status.ok())
    return damaged(status.message());
  return image.backend ? image.backend->load(model, model.backend)
                       : OpenResult();
}

} // namespace rt
} // namespace nnet3
