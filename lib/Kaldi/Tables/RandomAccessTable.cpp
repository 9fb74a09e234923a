//===- RandomAccessTable.cpp - Random access to tables by key -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Script.h"
#include "nnet3/Kaldi/Tables/TableSpecifier.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

using namespace nnet3::kaldi;
using llvm::StringRef;

namespace {
/// Looks up keys in an archive, and reads on until a key is found.
template <typename T> class ArchiveFinder : public RandomAccessTableReader<T> {
public:
  ArchiveFinder(std::unique_ptr<SequentialTableReader<T>> archive,
                const RSpecifier &specifier)
      : archive(std::move(archive)), specifier(specifier) {}

  llvm::Expected<const T *> find(StringRef key) override {
    if (llvm::Error error = checkRequest(key))
      return error;
    auto known = values.find(key);
    if (known != values.end())
      return take(known);
    while (!atEnd && !isBehind(key)) {
      llvm::Expected<bool> more = archive->next();
      if (!more) {
        atEnd = true;
        return more.takeError();
      }
      atEnd = !*more;
      if (atEnd)
        break;
      if (llvm::Error error = keep(key))
        return error;
      if (lastKey == key)
        return take(values.find(key));
    }
    missedKey = true;
    return nullptr;
  }

  llvm::Error close() override {
    values.clear();
    while (specifier.sorted && missedKey && !atEnd) {
      llvm::Expected<bool> more = archive->next();
      if (!more)
        return more.takeError();
      atEnd = !*more;
      if (atEnd)
        break;
      if (llvm::Error error = checkOrder(archive->getKey()))
        return error;
    }
    return llvm::Error::success();
  }

private:
  /// Checks that `key` is requested in the order that the options `o` and `cs`
  /// promise. Without the check, a dropped value would look as if the archive
  /// did not contain it.
  llvm::Error checkRequest(StringRef key) {
    if (specifier.sorted && specifier.calledSorted) {
      if (lastRequest && key < StringRef(*lastRequest))
        return fail("option 'cs' expects requests in sorted order, but key " +
                    quoteForMessage(key) + " is requested after " +
                    quoteForMessage(*lastRequest));
      lastRequest = key.str();
    }
    if (taken.contains(key))
      return fail("option 'o' expects one request for each key, but key " +
                  quoteForMessage(key) + " is requested again");
    return llvm::Error::success();
  }

  /// Checks that `key` may follow `lastKey`, and sets `lastKey`.
  llvm::Error checkOrder(StringRef key) {
    if (specifier.sorted && lastKey) {
      if (key == *lastKey)
        return fail("key " + quoteForMessage(key) + " comes twice");
      if (key < StringRef(*lastKey))
        return fail("expects sorted keys, but got " + quoteForMessage(key) +
                    " after " + quoteForMessage(*lastKey));
    }
    lastKey = key.str();
    return llvm::Error::success();
  }

  /// Returns true if a sorted archive has been read past `key`.
  bool isBehind(StringRef key) const {
    return specifier.sorted && lastKey && StringRef(*lastKey) > key;
  }

  /// Keeps the archive's current record, which was read in search of `wanted`.
  llvm::Error keep(StringRef wanted) {
    StringRef key = archive->getKey();
    // Sorted requests never go back, so the values before `wanted` can be
    // dropped.
    if (specifier.sorted && specifier.calledSorted && lastKey &&
        StringRef(*lastKey) < wanted)
      values.clear();
    if (llvm::Error error = checkOrder(key))
      return error;
    if (!values.try_emplace(key, std::move(archive->getValue())).second)
      return fail("key " + quoteForMessage(key) + " comes twice");
    return llvm::Error::success();
  }

  llvm::Error fail(const llvm::Twine &message) {
    atEnd = true;
    return makeFileError(specifier.rxfilename, message);
  }

  const T *take(typename llvm::StringMap<T>::iterator found) {
    if (!specifier.once)
      return &found->second;
    current = std::move(found->second);
    taken.insert(found->getKey());
    values.erase(found);
    return &current;
  }

  std::unique_ptr<SequentialTableReader<T>> archive;
  RSpecifier specifier;
  llvm::StringMap<T> values;
  /// With `o`, the value that was requested last; it is no longer in `values`.
  T current;
  /// With `o`, the requested keys.
  llvm::StringSet<> taken;
  std::optional<std::string> lastKey;
  /// With `s` and `cs`, the key that was requested last.
  std::optional<std::string> lastRequest;
  bool missedKey = false;
  bool atEnd = false;
};

/// Looks up keys in a script.
template <typename T> class ScriptFinder : public RandomAccessTableReader<T> {
public:
  ScriptFinder(StringRef name, bool permissive, const TableOptions &options)
      : name(name), permissive(permissive), options(options) {}

  llvm::Error readLines(KaldiReader &script) {
    ScriptLine line;
    while (!script.atEnd() && succeeded(readScriptLine(script, line))) {
      if (!lines.try_emplace(line.key, line).second)
        (void)script.fail("key " + quoteForMessage(line.key) + " comes twice");
    }
    return script.takeError();
  }

  llvm::Expected<const T *> find(StringRef key) override {
    if (currentKey == key)
      return &current;
    auto found = lines.find(key);
    if (found == lines.end())
      return nullptr;
    currentKey.reset();
    if (llvm::Error error =
            loadScriptValue(name, found->second, options, current)) {
      if (!permissive)
        return error;
      warnAbout(options, llvm::toString(std::move(error)) + "; passed over");
      return nullptr;
    }
    currentKey = key.str();
    return &current;
  }

private:
  std::string name;
  bool permissive;
  TableOptions options;
  llvm::StringMap<ScriptLine> lines;
  std::optional<std::string> currentKey;
  T current;
};
} // namespace

template <typename T>
static llvm::Expected<std::unique_ptr<RandomAccessTableReader<T>>>
openScript(const RSpecifier &specifier, const TableOptions &options) {
  llvm::Expected<std::unique_ptr<ByteSource>> source =
      openInput(specifier.rxfilename);
  if (!source)
    return source.takeError();
  KaldiReader script(**source);
  auto finder = std::make_unique<ScriptFinder<T>>(
      script.getName(), specifier.permissive, options);
  if (llvm::Error error = finder->readLines(script))
    return error;
  if (llvm::Error error = (*source)->close())
    return error;
  return finder;
}

template <typename T>
llvm::Expected<std::unique_ptr<RandomAccessTableReader<T>>>
RandomAccessTableReader<T>::open(StringRef rspecifier,
                                 const TableOptions &options) {
  llvm::Expected<RSpecifier> specifier = RSpecifier::parse(rspecifier);
  if (!specifier)
    return specifier.takeError();
  if (specifier->isScript)
    return openScript<T>(*specifier, options);
  auto archive = SequentialTableReader<T>::open(rspecifier, options);
  if (!archive)
    return archive.takeError();
  return std::make_unique<ArchiveFinder<T>>(std::move(*archive), *specifier);
}

template class nnet3::kaldi::RandomAccessTableReader<Matrix>;
template class nnet3::kaldi::RandomAccessTableReader<std::vector<float>>;
template class nnet3::kaldi::RandomAccessTableReader<float>;
template class nnet3::kaldi::RandomAccessTableReader<std::string>;
template class nnet3::kaldi::RandomAccessTableReader<GeneralMatrix>;
template class nnet3::kaldi::RandomAccessTableReader<GeneralVector>;
template class nnet3::kaldi::RandomAccessTableReader<std::vector<int32_t>>;
template class nnet3::kaldi::RandomAccessTableReader<Posterior>;
template class nnet3::kaldi::RandomAccessTableReader<NnetExample>;
template class nnet3::kaldi::RandomAccessTableReader<NnetChainExample>;
template class nnet3::kaldi::RandomAccessTableReader<ChainSupervision>;
