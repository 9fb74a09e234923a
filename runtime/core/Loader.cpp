//===- Loader.cpp - From bytes to a verified program ----------------------===//
//
// First the FlatBuffer's own verifier makes it safe to follow its references.
// Then everything that is not a command is checked here, and the commands by
// CommandChecker.
//
//===----------------------------------------------------------------------===//

#include "Loader.h"
#include "CommandChecker.h"
#include "core/Gemm.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "programs and weights are read in place, which needs little-endian"
#endif

namespace nnet3 {
namespace runtime {

namespace {

/// Names go to messages and traces.
constexpr uint32_t kMaxNameLength = 4096;
constexpr uint32_t kMaxTables = 1u << 22;

/// Checks what is not a command. The first error is kept.
class PartLoader {
public:
  PartLoader(ProgramData &program, uint64_t size)
      : program(program), root(*program.root), unclaimed(size) {}

  Status run() {
    checkSizes();
    if (error.ok())
      loadIo(root.inputs(), "input", program.inputs);
    if (error.ok())
      loadIo(root.outputs(), "output", program.outputs);
    if (error.ok())
      loadStorage();
    if (error.ok())
      loadComponents();
    return error;
  }

private:
  void fail(const std::string &message) {
    if (error.ok())
      error = invalidProgram(message);
  }

  // A FlatBuffer may refer to the same vector many times, and would then stand
  // for far more data than it has bytes. No writer of programs does that, so
  // all vectors together must fit into the buffer.
  template <typename Vector> void claim(const Vector *vector) {
    if (!vector)
      return;
    const uint64_t bytes = uint64_t(vector->size()) * sizeof(*vector->data());
    // The verifier looks at the alignment of the length only.
    if (reinterpret_cast<uintptr_t>(vector->data()) % sizeof(*vector->data()) !=
        0)
      fail("a vector of the program is not aligned");
    else if (bytes > unclaimed)
      fail("the vectors of the program overlap");
    else
      unclaimed -= bytes;
  }
  void claimAttributes(const AttributeReader::List *attributes);
  void checkSizes();
  void checkName(const flatbuffers::String *name) {
    if (name->size() > kMaxNameLength)
      fail("a name is longer than " + std::to_string(kMaxNameLength) +
           " bytes");
  }

  using IoList = flatbuffers::Vector<flatbuffers::Offset<schema::IoMatrix>>;
  void loadIo(const IoList *list, const char *kind, std::vector<IoInfo> &out);
  bool loadIndexes(const schema::IoMatrix &io, IoInfo &info);
  void loadStorage();
  void loadComponents();

  ProgramData &program;
  const schema::Program &root;
  uint64_t unclaimed;
  Status error;
};

void PartLoader::claimAttributes(const AttributeReader::List *attributes) {
  if (!attributes)
    return;
  for (const schema::Attribute *attribute : *attributes) {
    // The verifier lets union types pass that it does not know.
    if (attribute->value_type() > schema::Value::MAX ||
        attribute->value_type() == schema::Value::NONE)
      return fail("an attribute has a value of unknown type");
    if (const auto *ints = attribute->value_as_IntsValue())
      claim(ints->value());
    if (const auto *tensor = attribute->value_as_Tensor())
      claim(tensor->shape());
  }
}

void PartLoader::checkSizes() {
  if (root.components())
    for (const schema::Component *component : *root.components()) {
      checkName(component->name());
      checkName(component->type());
      claimAttributes(component->attributes());
    }
  if (root.precomputed())
    for (const schema::Precomputed *precomputed : *root.precomputed())
      claimAttributes(precomputed->attributes());
  if (root.row_tables())
    for (const schema::RowTable *table : *root.row_tables())
      claim(table->rows());
  if (root.multi_tables())
    for (const schema::MultiTable *table : *root.multi_tables()) {
      claim(table->submatrices());
      claim(table->rows());
    }
  if (root.range_tables())
    for (const schema::RangeTable *table : *root.range_tables()) {
      claim(table->begin());
      claim(table->end());
    }
}

bool PartLoader::loadIndexes(const schema::IoMatrix &io, IoInfo &info) {
  const auto rows = static_cast<uint32_t>(io.rows());
  auto fits = [&](const flatbuffers::Vector<int32_t> *list) {
    return !list || list->size() == rows;
  };
  if (!fits(io.n()) || !fits(io.t()) || !fits(io.x()) || !io.n() != !io.t() ||
      (io.x() && !io.n()))
    return false;
  info.n = io.n() ? io.n()->data() : nullptr;
  info.t = io.t() ? io.t()->data() : nullptr;
  info.x = io.x() ? io.x()->data() : nullptr;
  return true;
}

void PartLoader::loadIo(const IoList *list, const char *kind,
                        std::vector<IoInfo> &out) {
  if (!list)
    return;
  for (const schema::IoMatrix *io : *list) {
    checkName(io->name());
    if (!error.ok())
      return;
    IoInfo info;
    info.name = io->name()->string_view();
    info.isDerivative = io->is_derivative();
    if (io->objective() > schema::Objective::MAX)
      return fail("unknown objective");
    info.isQuadratic = io->objective() == schema::Objective::Quadratic;
    info.rows = io->rows();
    info.cols = io->cols();
    const std::string what =
        std::string(kind) + " '" + std::string(info.name) + "'";
    if (info.rows <= 0 || info.cols <= 0)
      return fail(what + " has dims " + std::to_string(info.rows) + "x" +
                  std::to_string(info.cols));
    if (!loadIndexes(*io, info))
      return fail(what + " has index lists that do not fit its rows");
    out.push_back(info);
  }
  std::vector<std::string_view> names;
  for (const IoInfo &info : out)
    names.push_back(info.name);
  std::sort(names.begin(), names.end());
  auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    fail(std::string(kind) + " '" + std::string(*twice) + "' is there twice");
}

void PartLoader::loadStorage() {
  const uint32_t numMatrices = root.matrices() ? root.matrices()->size() : 0;
  for (uint32_t i = 0; i < numMatrices; ++i) {
    const schema::Matrix *matrix = root.matrices()->Get(i);
    if (matrix->rows() <= 0 || matrix->cols() <= 0)
      return fail("matrix " + std::to_string(i) + " has dims " +
                  std::to_string(matrix->rows()) + "x" +
                  std::to_string(matrix->cols()));
  }
  if (!root.submatrices())
    return;
  program.windows.reserve(root.submatrices()->size());
  auto inside = [](int32_t offset, int32_t count, int32_t size) {
    return offset >= 0 && count > 0 && offset < size && count <= size - offset;
  };
  for (const schema::Submatrix *from : *root.submatrices()) {
    const std::string what =
        "submatrix " + std::to_string(program.windows.size());
    if (from->matrix() < 0 ||
        static_cast<uint32_t>(from->matrix()) >= numMatrices)
      return fail(what + " is of matrix " + std::to_string(from->matrix()) +
                  ", which does not exist");
    const schema::Matrix *matrix = root.matrices()->Get(from->matrix());
    if (!inside(from->row_offset(), from->num_rows(), matrix->rows()) ||
        !inside(from->col_offset(), from->num_cols(), matrix->cols()))
      return fail(what + " is outside of its matrix");
    Window window;
    window.matrix = from->matrix();
    window.rowOffset = from->row_offset();
    window.rows = from->num_rows();
    window.colOffset = from->col_offset();
    window.cols = from->num_cols();
    window.stride = matrix->cols();
    program.windows.push_back(window);
  }
}

void PartLoader::loadComponents() {
  if (!root.components())
    return;
  for (const schema::Component *component : *root.components()) {
    const std::string_view type = component->type()->string_view();
    AttributeReader reader(
        component->attributes(), program.weights,
        {"component", component->name()->string_view(), type});
    program.components.push_back(createComponent(type, reader));
    if (!reader.ok()) {
      error = reader.status();
      return;
    }
  }
}

} // namespace

AlignedBytes::AlignedBytes(uint64_t size)
    : bytes(static_cast<unsigned char *>(std::aligned_alloc(
          64, (std::max<uint64_t>(size, 1) + 63) / 64 * 64))) {}

AlignedBytes::~AlignedBytes() { std::free(bytes); }

AlignedBytes::AlignedBytes(AlignedBytes &&other) noexcept
    : bytes(std::exchange(other.bytes, nullptr)) {}

AlignedBytes &AlignedBytes::operator=(AlignedBytes &&other) noexcept {
  std::swap(bytes, other.bytes);
  return *this;
}

/// Copies the FlatBuffer and lets its own verifier look at it.
static Status loadBuffer(const ProgramParts &parts, ProgramData &program) {
  if (parts.programSize < 16 ||
      parts.programSize >= FLATBUFFERS_MAX_BUFFER_SIZE)
    return invalidProgram("a program of " + std::to_string(parts.programSize) +
                          " bytes is not possible");
  program.buffer = AlignedBytes(parts.programSize);
  if (!program.buffer.data())
    return Status(NNET3RT_OUT_OF_MEMORY, "no memory for the program");
  std::memcpy(program.buffer.data(), parts.program, parts.programSize);
  if (!schema::ProgramBufferHasIdentifier(program.buffer.data()))
    return invalidProgram("this is not a program for the nnet3 runtime");
  flatbuffers::Verifier verifier(program.buffer.data(), parts.programSize,
                                 /*max_depth=*/16, kMaxTables);
  if (!schema::VerifyProgramBuffer(verifier))
    return invalidProgram("the program is damaged");
  program.root = schema::GetProgram(program.buffer.data());
  return Status();
}

Result<std::unique_ptr<ProgramData>> loadProgram(const ProgramParts &parts,
                                                 uint64_t maxArenaBytes) {
  if (reinterpret_cast<uintptr_t>(parts.weights) % alignof(float) != 0)
    return invalidArgument("the weights are not aligned to 4 bytes");
  auto program = std::make_unique<ProgramData>();
  program->weights = {parts.weights, parts.weightsSize, parts.weightsSize};
  program->maxArenaBytes = maxArenaBytes;
  if (Status status = loadBuffer(parts, *program); !status.ok())
    return status;
  if (Status status = PartLoader(*program, parts.programSize).run();
      !status.ok())
    return status;
  if (Status status = CommandChecker(*program, maxArenaBytes).run();
      !status.ok())
    return status;
  useOneBlasThread();
  return program;
}

} // namespace runtime
} // namespace nnet3
