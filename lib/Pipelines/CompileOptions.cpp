//===- CompileOptions.cpp - The command line of nnet3-compile -------------===//

#include "CompileOptions.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3;
namespace cl = llvm::cl;

std::string CompileOptions::getLibraryPath() const {
  llvm::SmallString<128> path(llvm::sys::path::parent_path(output));
  llvm::sys::path::append(path,
                          "lib" + llvm::sys::path::filename(output) + ".so");
  return path.str().str();
}

/// `name` with `_` for what C does not allow in names.
static std::string getIdentifier(llvm::StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? c : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(result.begin(), '_');
  return result;
}

static bool isIdentifier(llvm::StringRef name) {
  return !name.empty() && getIdentifier(name) == name;
}

bool CompileOptions::parse(int argc, char **argv) {
  enum class Weights { Embed, File };
  Weights weights = Weights::Embed;
  std::string prefix;
  cl::OptionCategory category("nnet3-compile options");
  cl::opt<std::string, true> modelOption(cl::Positional, cl::Required,
                                         cl::desc("MODEL"), cl::location(model),
                                         cl::cat(category));
  cl::opt<std::string, true> requestOption(
      "request", cl::Required, cl::desc("File with the requests to compile"),
      cl::value_desc("file"), cl::location(request), cl::cat(category));
  cl::opt<std::string, true> outputOption(
      "o",
      cl::desc("Output file (-: stdout, the default), or for a library its "
               "name: DIR/NAME gives DIR/libNAME.so and DIR/NAME.h"),
      cl::value_desc("file"), cl::location(output), cl::cat(category));
  cl::opt<std::string, true> cpu(
      "target-cpu", cl::desc("CPU by LLVM's name (default: this machine's)"),
      cl::value_desc("name"), cl::location(library.target.cpu),
      cl::cat(category));
  cl::opt<std::string, true> prefixOption(
      "prefix",
      cl::desc("What the names of the library's functions begin with (default: "
               "its name)"),
      cl::value_desc("name"), cl::location(prefix), cl::cat(category));
  cl::opt<bool, true> testModeOption(
      "test-mode",
      cl::desc("Batch norm and dropout as at test time (default: true)"),
      cl::location(testMode), cl::cat(category));
  cl::opt<Weights, true> weightsOption(
      "weights", cl::desc("Where the weights go"), cl::location(weights),
      cl::values(
          clEnumValN(Weights::Embed, "embed", "into the library (default)"),
          clEnumValN(Weights::File, "file", "into NAME.weights beside it")),
      cl::cat(category));
  cl::opt<Emit, true> emitOption(
      "emit", cl::desc("What to write"), cl::location(emit),
      cl::values(
          clEnumValN(Emit::Network, "network", "the network and the requests"),
          clEnumValN(Emit::Commands, "commands", "their computations"),
          clEnumValN(Emit::Optimized, "optimized", "after nnet3-optimize"),
          clEnumValN(Emit::Fused, "fused", "with fused commands"),
          clEnumValN(Emit::Kernels, "kernels", "functions, loops and vectors"),
          clEnumValN(Emit::LLVMDialect, "llvm-dialect", "the LLVM dialect"),
          clEnumValN(Emit::LLVM, "llvm", "optimised LLVM IR"),
          clEnumValN(Emit::Assembly, "asm", "assembly"),
          clEnumValN(Emit::Object, "obj", "an object file"),
          clEnumValN(Emit::Library, "lib",
                     "a shared library with its header (default)")),
      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "Compiles networks ahead of time\n",
                                   &llvm::errs()))
    return false;
  library.embedWeights = weights == Weights::Embed;
  if (emit == Emit::Library && (output.empty() || output == "-")) {
    llvm::errs() << "error: a library needs a name; see -o\n";
    return false;
  }
  if (output.empty())
    output = "-";
  library.prefix =
      prefix.empty() ? getIdentifier(llvm::sys::path::filename(output)) : prefix;
  if (!isIdentifier(library.prefix)) {
    llvm::errs() << "error: --prefix expects a C identifier, but got '"
                 << library.prefix << "'\n";
    return false;
  }
  return true;
}
