//===- OptionParser.cpp - Kaldi-style command lines -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/OptionParser.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/CommandLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::StringRef;

/// Returns the name in lower case with `-` for `_`.
static std::string normalizeName(StringRef name) {
  std::string result = name.lower();
  std::replace(result.begin(), result.end(), '_', '-');
  return result;
}

static std::string describeMismatch(StringRef expected, StringRef got) {
  return ("expects " + expected + ", but got " + quoteForMessage(got)).str();
}

static std::string setBool(StringRef text, bool &value) {
  std::string word = text.lower();
  if (word.empty() || word == "true" || word == "t" || word == "1")
    value = true;
  else if (word == "false" || word == "f" || word == "0")
    value = false;
  else
    return describeMismatch("true or false", text);
  return "";
}

template <typename T> static std::string setInteger(StringRef text, T &value) {
  StringRef digits = text;
  digits.consume_front("+");
  if (digits.empty() || digits.getAsInteger(10, value))
    return describeMismatch("an integer", text);
  return "";
}

static std::string setFloat(StringRef text, float &value) {
  double parsed;
  if (text.getAsDouble(parsed) || !std::isfinite(float(parsed)))
    return describeMismatch("a number", text);
  value = float(parsed);
  return "";
}

OptionParser::OptionParser(StringRef usage) : usage(usage) {
  beginGroup("General options");
  add("help", &help, "Print this text");
  add("version", &version, "Print the version");
  add("config", &config,
      "Read options from this file, one --name=value a line");
}

void OptionParser::beginGroup(StringRef title) {
  groups.push_back(title.str());
}

void OptionParser::addOption(StringRef name, Option option) {
  option.group = groups.size() - 1;
  options[normalizeName(name)] = std::move(option);
}

void OptionParser::add(StringRef name, bool *value, StringRef help) {
  addOption(name, {"bool", *value ? "true" : "false", help.str(),
                   [=](StringRef text) { return setBool(text, *value); },
                   /*standsAlone=*/true});
}

void OptionParser::add(StringRef name, int32_t *value, StringRef help) {
  addOption(name, {"int", std::to_string(*value), help.str(),
                   [=](StringRef text) { return setInteger(text, *value); }});
}

void OptionParser::add(StringRef name, uint64_t *value, StringRef help) {
  addOption(name, {"int", std::to_string(*value), help.str(),
                   [=](StringRef text) { return setInteger(text, *value); }});
}

void OptionParser::add(StringRef name, float *value, StringRef help) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", *value);
  addOption(name, {"float", text, help.str(),
                   [=](StringRef text) { return setFloat(text, *value); }});
}

void OptionParser::add(StringRef name, std::string *value, StringRef help) {
  addOption(name,
            {"string", "\"" + *value + "\"", help.str(), [=](StringRef text) {
               *value = text.str();
               return std::string();
             }});
}

void OptionParser::add(StringRef name, std::vector<std::string> *values,
                       StringRef help) {
  addOption(name, {"string", "", help.str(), [=](StringRef text) {
                     values->push_back(text.str());
                     return std::string();
                   }});
}

void OptionParser::addOptional(StringRef name, std::string *value,
                               StringRef alone, StringRef help) {
  addOption(name, {"string", "\"" + *value + "\"", help.str(),
                   [value, alone = alone.str()](StringRef text) {
                     *value = text.empty() ? alone : text.str();
                     return std::string();
                   },
                   /*standsAlone=*/true});
}

void OptionParser::addIgnoredBool(StringRef name, StringRef help) {
  addOption(name, {"bool", "", help.str(),
                   [](StringRef text) {
                     bool ignored;
                     return setBool(text, ignored);
                   },
                   /*standsAlone=*/true});
}

void OptionParser::addIgnoredInt(StringRef name, StringRef help) {
  addOption(name, {"int", "", help.str(), [](StringRef text) {
                     int32_t ignored;
                     return setInteger(text, ignored);
                   }});
}

void OptionParser::addIgnoredString(StringRef name, StringRef help) {
  addOption(name, {"string", "", help.str(),
                   [](StringRef) { return std::string(); }});
}

/// Returns the error for an unknown option, with the nearest known name.
std::string OptionParser::describeUnknown(StringRef argument) const {
  std::string name = normalizeName(argument.drop_front(2).split('=').first);
  // Names may differ in a third of their characters.
  unsigned least = std::max<unsigned>(2, name.size() / 3) + 1;
  StringRef nearest;
  for (const auto &[known, option] : options) {
    unsigned distance = StringRef(name).edit_distance(
        known, /*AllowReplacements=*/true, /*MaxEditDistance=*/least);
    if (distance >= least)
      continue;
    least = distance;
    nearest = known;
  }
  std::string help = nearest.empty()
                         ? "see --help"
                         : "did you mean '--" + nearest.str() + "'?";
  return "unknown option " + quoteForMessage(argument) + "; " + help;
}

/// Sets the option that `argument`, which begins with `--`, names. Returns an
/// error message, or an empty string.
std::string OptionParser::setOption(StringRef argument, StringRef next) {
  auto [name, value] = argument.drop_front(2).split('=');
  bool hasValue = argument.contains('=');
  auto it = options.find(normalizeName(name));
  if (it == options.end())
    return describeUnknown(argument);
  if (!hasValue && !it->second.standsAlone) {
    StringRef value = next.starts_with("--") ? "" : next;
    return "option '--" + name.str() + "' expects '=' and a value" +
           (value.empty()
                ? ""
                : "; write " + quoteForMessage((argument + "=" + value).str()));
  }
  it->second.wasGiven = true;
  std::string message = it->second.set(value);
  return message.empty() ? "" : ("option '--" + name + "' " + message).str();
}

llvm::Error OptionParser::readConfig(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return makeFileError(file, buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  for (unsigned lineNumber = 1; !text.empty(); ++lineNumber) {
    auto [line, rest] = text.split('\n');
    StringRef option = line.split('#').first.trim();
    FileLocation location;
    location.line = lineNumber;
    location.column = option.data() - line.data() + 1;
    location.byte = option.data() - (*buffer)->getBufferStart();
    text = rest;
    if (option.empty())
      continue;
    std::string message;
    if (!option.starts_with("--") || option == "--")
      message = describeMismatch("--name=value", option);
    else if (normalizeName(option.split('=').first) == "--config")
      message = "option '--config' cannot be in a config file";
    else
      message = setOption(option, /*next=*/"");
    if (!message.empty())
      return llvm::make_error<KaldiError>(file.str(), location, message);
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>>
OptionParser::parse(llvm::ArrayRef<const char *> arguments) {
  // Read config files first, so that the command line takes precedence wherever
  // `--config` is.
  for (StringRef argument : arguments) {
    if (argument == "--" || !argument.starts_with("--"))
      break;
    auto [name, value] = argument.split('=');
    if (normalizeName(name) == "--config")
      if (llvm::Error error = readConfig(value))
        return std::move(error);
  }
  std::vector<std::string> positional;
  bool optionsEnded = false;
  for (auto [i, text] : llvm::enumerate(arguments)) {
    StringRef argument = text;
    if (argument == "-h" && !optionsEnded) {
      help = true;
      continue;
    }
    if (optionsEnded || !argument.starts_with("--")) {
      positional.push_back(argument.str());
      continue;
    }
    if (argument == "--") {
      optionsEnded = true;
      continue;
    }
    if (!positional.empty())
      return optionError("option " + quoteForMessage(argument) +
                         " must precede the file names");
    std::string message =
        setOption(argument, i + 1 < arguments.size() ? arguments[i + 1] : "");
    if (!message.empty())
      return optionError(message);
  }
  return positional;
}

bool OptionParser::wasGiven(StringRef name) const {
  auto it = options.find(normalizeName(name));
  return it != options.end() && it->second.wasGiven;
}

int OptionParser::printText() const {
  llvm::raw_fd_ostream &os = llvm::outs();
  if (help)
    printHelp(os);
  else
    printVersion(os);
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  if (!code)
    return 0;
  llvm::errs() << "<stdout>: error: cannot write: " << code.message() << "\n";
  return 1;
}

void OptionParser::printHelp(llvm::raw_ostream &os) const {
  os << usage;
  for (size_t group = 0; group < groups.size(); ++group)
    printGroup(group, os);
}

void OptionParser::printGroup(size_t group, llvm::raw_ostream &os) const {
  constexpr unsigned kWidth = 32;
  os << "\n" << groups[group] << ":\n";
  for (const auto &[name, option] : options) {
    if (option.group != group)
      continue;
    std::string head = "--" + name;
    os << "  " << llvm::left_justify(head, kWidth);
    if (head.size() >= kWidth)
      (os << "\n").indent(kWidth + 2);
    os << option.help << " (" << option.kind;
    if (!option.defaultText.empty())
      os << ", default = " << option.defaultText;
    os << ")\n";
  }
}

llvm::Error mlir::nnet3::optionError(const llvm::Twine &message) {
  return makeFileError("", message);
}
