//===- Checkpoint.cpp - Interruptible training ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checkpoint.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/runtime/Container.h"
#include "nnet3/runtime/checkpoint_generated.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
namespace schema = ::nnet3::rt::schema;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

namespace {
constexpr uint32_t kVersion = 3;

struct Header {
  char magic[4] = {'N', '3', 'C', 'K'};
  uint32_t version = kVersion;
  uint64_t size = 0;
  uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 24);

/// Collects the visited state.
class Saver : public rt::StateVisitor {
public:
  rt::Status visit(const std::string &name, int64_t &value) override {
    return add(name, builder.CreateVector(&value, 1));
  }
  rt::Status visit(const std::string &name, double &value) override {
    return add(name, 0, builder.CreateVector(&value, 1));
  }
  rt::Status visit(const std::string &name, float *values,
                   int64_t count) override {
    // FlatBuffers offsets have 31 bits.
    if (builder.GetSize() + uint64_t(count) * sizeof(float) > kMostBytes)
      return rt::invalidArgument("the state is larger than 2 GB");
    return add(name, 0, 0, builder.CreateVector(values, count));
  }
  rt::Status visit(const std::string &name,
                   std::vector<float> &values) override {
    return visit(name, values.data(), int64_t(values.size()));
  }
  rt::Status visit(const std::string &name,
                   std::vector<double> &values) override {
    return add(name, 0, builder.CreateVector(values));
  }
  rt::Status visit(const std::string &name,
                   std::vector<int64_t> &values) override {
    return add(name, builder.CreateVector(values));
  }
  rt::Status visit(const std::string &name,
                   std::vector<std::string> &values) override {
    return add(name, 0, 0, 0, builder.CreateVectorOfStrings(values));
  }

  StringRef finish() {
    builder.Finish(
        schema::CreateCheckpoint(builder, builder.CreateVector(entries)));
    return StringRef(reinterpret_cast<char *>(builder.GetBufferPointer()),
                     builder.GetSize());
  }

private:
  static constexpr uint64_t kMostBytes = (uint64_t(1) << 31) - (1 << 20);

  template <typename T>
  using VectorOffset = flatbuffers::Offset<flatbuffers::Vector<T>>;

  rt::Status
  add(const std::string &name, VectorOffset<int64_t> integers,
      VectorOffset<double> doubles = 0, VectorOffset<float> floats = 0,
      VectorOffset<flatbuffers::Offset<flatbuffers::String>> strings = 0) {
    entries.push_back(
        schema::CreateStateEntry(builder, builder.CreateString(name), integers,
                                 doubles, floats, strings));
    return rt::Status();
  }

  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<schema::StateEntry>> entries;
};

/// Sets the visited state from the entries of a checkpoint.
class Loader : public rt::StateVisitor {
public:
  explicit Loader(const schema::Checkpoint &checkpoint)
      : entries(*checkpoint.entries()) {}

  rt::Status visit(const std::string &name, int64_t &value) override {
    return copy(name, &schema::StateEntry::integers, &value, 1);
  }
  rt::Status visit(const std::string &name, double &value) override {
    return copy(name, &schema::StateEntry::doubles, &value, 1);
  }
  rt::Status visit(const std::string &name, float *values,
                   int64_t count) override {
    return copy(name, &schema::StateEntry::floats, values, count);
  }
  rt::Status visit(const std::string &name,
                   std::vector<float> &values) override {
    return replace(name, &schema::StateEntry::floats, values);
  }
  rt::Status visit(const std::string &name,
                   std::vector<double> &values) override {
    return replace(name, &schema::StateEntry::doubles, values);
  }
  rt::Status visit(const std::string &name,
                   std::vector<int64_t> &values) override {
    return replace(name, &schema::StateEntry::integers, values);
  }
  rt::Status visit(const std::string &name,
                   std::vector<std::string> &values) override {
    const schema::StateEntry *entry = next(name);
    if (!entry || !entry->strings())
      return missing(name);
    values.clear();
    for (const flatbuffers::String *value : *entry->strings())
      values.push_back(value->str());
    return rt::Status();
  }

  bool atEnd() const { return position == entries.size(); }

private:
  template <typename T>
  using ListOf = const flatbuffers::Vector<T> *(schema::StateEntry::*)() const;

  /// Returns the next entry; null if it has another name.
  const schema::StateEntry *next(const std::string &name) {
    if (atEnd() || entries.Get(position)->name()->str() != name)
      return nullptr;
    return entries.Get(position++);
  }

  static rt::Status missing(const std::string &name) {
    return rt::invalidArgument("expects '" + name +
                               "', which the checkpoint does not have there");
  }

  template <typename T>
  rt::Status copy(const std::string &name, ListOf<T> list, T *values,
                  int64_t count) {
    const schema::StateEntry *entry = next(name);
    if (!entry || !(entry->*list)())
      return missing(name);
    const flatbuffers::Vector<T> &from = *(entry->*list)();
    if (from.size() != count)
      return rt::invalidArgument("expects " + std::to_string(count) +
                                 " values of '" + name + "', but got " +
                                 std::to_string(from.size()));
    std::copy_n(from.data(), count, values);
    return rt::Status();
  }

  template <typename T>
  rt::Status replace(const std::string &name, ListOf<T> list,
                     std::vector<T> &values) {
    const schema::StateEntry *entry = next(name);
    if (!entry || !(entry->*list)())
      return missing(name);
    const flatbuffers::Vector<T> &from = *(entry->*list)();
    values.assign(from.data(), from.data() + from.size());
    return rt::Status();
  }

  const flatbuffers::Vector<flatbuffers::Offset<schema::StateEntry>> &entries;
  flatbuffers::uoffset_t position = 0;
};
} // namespace

Error mlir::nnet3::writeCheckpoint(StringRef path, VisitStateFn visitState) {
  Saver saver;
  if (rt::Status status = visitState(saver); !status.ok())
    return makeFileError(path, status.message());
  const StringRef bytes = saver.finish();
  Header header;
  header.size = bytes.size();
  header.checksum = rt::checksum(bytes.data(), bytes.size());
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  (*file)->getStream() << StringRef(reinterpret_cast<const char *>(&header),
                                    sizeof(header))
                       << bytes;
  if (Error error = (*file)->flush())
    return error;
  return (*file)->commit();
}

/// Returns an error message if a file is not a valid checkpoint; otherwise an
/// empty string.
static std::string findDamage(StringRef data) {
  Header header;
  if (data.size() < sizeof(header) || !data.starts_with("N3CK"))
    return "expects a checkpoint";
  std::memcpy(&header, data.data(), sizeof(header));
  if (header.version != kVersion)
    return "expects version " + std::to_string(kVersion) +
           " of a checkpoint, but got " + std::to_string(header.version);
  const StringRef bytes = data.drop_front(sizeof(header));
  if (header.size != bytes.size())
    return "expects " + std::to_string(header.size) +
           " bytes after the header, but got " + std::to_string(bytes.size());
  flatbuffers::Verifier verifier(bytes.bytes_begin(), bytes.size(),
                                 /*max_depth=*/64, /*max_tables=*/UINT32_MAX);
  if (rt::checksum(bytes.data(), bytes.size()) != header.checksum ||
      !schema::VerifyCheckpointBuffer(verifier))
    return "the checkpoint is damaged";
  return "";
}

llvm::Expected<bool> mlir::nnet3::readCheckpoint(StringRef path,
                                                 VisitStateFn visitState) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (buffer.getError() == std::errc::no_such_file_or_directory)
    return false;
  if (!buffer)
    return makeFileError(path, buffer.getError().message());
  const StringRef data = (*buffer)->getBuffer();
  if (const std::string damage = findDamage(data); !damage.empty())
    return makeFileError(path, damage);
  // The header has 24 bytes, so entries are as aligned in memory as in the
  // buffer.
  const schema::Checkpoint *checkpoint =
      schema::GetCheckpoint(data.data() + sizeof(Header));
  Loader loader(*checkpoint);
  if (rt::Status status = visitState(loader); !status.ok())
    return makeFileError(path, status.message());
  if (!loader.atEnd())
    return makeFileError(path, "the checkpoint has more than is expected");
  return true;
}
