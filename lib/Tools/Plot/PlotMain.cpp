//===- PlotMain.cpp - A page about training -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Target/Report/HtmlPage.h"
#include "nnet3/Tools/Common/Program.h"
#include "nnet3/Tools/Plot.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static const char kUsage[] =
    "Makes a page for the browser of what nnet3-train recorded: objectives, "
    "limits of the\nchange, and for each component learning rate, change, norm "
    "and spectra of the gradient.\n"
    "Usage: nnet3-plot [options] LOG.JSONL [LOG2.JSONL ...] PAGE.HTML\n"
    "\n"
    "Several records are those of iterations, one after the other.\n"
    "e.g.: nnet3-plot exp/1.jsonl exp/2.jsonl training.html\n";

static constexpr char kTemplate[] =
#include "PlotTemplate.inc"
    ;
static constexpr char kStyle[] =
#include "PlotStyle.inc"
    ;
static constexpr char kScript[] =
#include "PlotScript.inc"
    ;

namespace {
struct PlotOptions : ProgramOptions {
  std::vector<std::string> records;
  std::string page;
  std::string title = "Training";

  void registerOptions(OptionParser &parser) override;
  Error finish(llvm::ArrayRef<std::string> positional) override;
};
} // namespace

void PlotOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.add("title", &title, "The title of the page");
}

Error PlotOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (positional.size() < 2)
    return optionError("expects one or more records and a page to write; see "
                       "--help");
  records = positional.drop_back().vec();
  page = positional.back();
  return Error::success();
}

/// Writes the lines of a record as a JSON array. While training is running, the
/// last line may be incomplete.
static Error writeRecord(const std::string &path, llvm::raw_ostream &os) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return makeFileError(path, buffer.getError().message());
  const StringRef text = (*buffer)->getBuffer();
  const char *separator = "[";
  for (llvm::line_iterator line(**buffer); !line.is_at_end(); ++line) {
    auto value = llvm::json::parse(*line);
    if (value && value->getAsObject()) {
      os << separator << *line;
      separator = ",";
      continue;
    }
    const std::string reason =
        value ? "expects an object of JSON" : llvm::toString(value.takeError());
    if (line->end() != text.end())
      return makeFileError(path + ":" + std::to_string(line.line_number()),
                           reason);
  }
  if (*separator == '[')
    return makeFileError(path, "there is nothing recorded");
  os << "]";
  return Error::success();
}

static Error plot(const PlotOptions &options) {
  std::string data;
  llvm::raw_string_ostream os(data);
  os << "{\"title\":" << llvm::json::Value(llvm::json::fixUTF8(options.title))
     << ",\"records\":";
  const char *separator = "[";
  for (const std::string &path : options.records) {
    os << separator;
    separator = ",";
    if (Error error = writeRecord(path, os))
      return error;
  }
  os << "]}";
  auto file = OutputFile::create(options.page);
  if (!file)
    return file.takeError();
  writeHtmlPage({kTemplate, kStyle, kScript}, data, (*file)->getStream());
  if (Error error = (*file)->flush())
    return error;
  return (*file)->commit();
}

int mlir::nnet3::plotMain(int argc, char **argv) {
  PlotOptions options;
  return runProgram(kUsage, argc, argv, options,
                    [&]() -> Error { return plot(options); });
}
