//===- CompilerOptions.cpp - The command line of nnet3-compile
//-------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompilerOptions.h"

#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Library/CrossRuntime.h"
#include "nnet3/Tools/Common/CommandLine.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir::nnet3;
using mlir::nnet3::Precision;
namespace cl = llvm::cl;

std::string CompilerOptions::getLibraryPath() const {
  if (isWebModule())
    return output + ".wasm";
  if (emit == Emit::Object)
    return output + ".o";
  llvm::SmallString<128> path(llvm::sys::path::parent_path(output));
  llvm::sys::path::append(path, "lib" + llvm::sys::path::filename(output) +
                                    (emit == Emit::Archive ? ".a" : ".so"));
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

/// Whether the name of a file is also its address on the web.
static bool isUrlName(llvm::StringRef name) {
  return llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("-._").contains(c);
  });
}

template <typename Container> static bool hasRepetition(Container values) {
  llvm::sort(values);
  return llvm::adjacent_find(values) != values.end();
}

std::string CompilerOptions::check() const {
  if (!request.empty() && !chunks.frames.empty())
    return "expects either --request or --chunk";
  // Counts in requests are 32-bit numbers.
  constexpr unsigned kMax = 1u << 30;
  auto isCount = [](unsigned n) { return n > 0 && n <= kMax; };
  if (!llvm::all_of(chunks.frames, isCount) ||
      !llvm::all_of(chunks.sequences, isCount) ||
      !isCount(chunks.frameSubsamplingFactor) ||
      chunks.extraLeftContext > kMax || chunks.extraRightContext > kMax)
    return "expects counts of frames and sequences from 1 to " +
           std::to_string(kMax);
  if (!streaming && (allowChunkedRecurrence || ivectorPeriod > 0))
    return "--allow-chunked-recurrence and --ivector-period expect --streaming";
  if (streaming && chunks.frames.empty())
    return "--streaming expects --chunk";
  if (streaming && chunks.extraRightContext > 0)
    return "--streaming allows no --extra-right-context";
  if (hasRepetition(chunks.frames) || hasRepetition(chunks.sequences))
    return "expects each count of frames and of sequences once";
  if (emit == Emit::Linalg &&
      (device == Device::CUDA || precision != Precision::F32))
    return "--emit=linalg expects --target=cpu and --precision=f32";
  if (device == Device::CUDA && emit > Emit::LLVMDialect && emit != Emit::PTX &&
      !emitsLibrary())
    return "--target=cuda goes up to --emit=llvm-dialect, to --emit=ptx or to "
           "--emit=lib";
  for (const std::string &arch : gpuArchs)
    if (!mlir::nnet3::isGpu(arch))
      return "unknown GPU '" + arch + "'";
  if (hasRepetition(gpuArchs))
    return "expects each --gpu-arch once";
  if (emit == Emit::PTX && gpuArchs.size() > 1)
    return "--emit=ptx expects one --gpu-arch";
  if (!variants.empty() && !emitsLibrary())
    return "--target-cpu=multi is for libraries; other outputs are for one CPU";
  if (emit == Emit::Library && !target.isThisMachine()) {
    std::string error;
    if (failed(CrossRuntime::find(target.getTriple(), error)))
      return error + "; --emit=archive and --emit=obj need none";
  }
  if (device == Device::CPU && !gpuArchs.empty())
    return "--gpu-arch expects --target=cuda";
  if (device == Device::CUDA && !isForGpu(precision))
    return ("--precision=" + getPrecisionName(precision) +
            " is for --target=cpu")
        .str();
  if (device == Device::CPU && !isForCpu(precision))
    return ("--precision=" + getPrecisionName(precision) +
            " is for --target=cuda")
        .str();
  if (!componentPrecisions.empty() &&
      (device == Device::CUDA || precision == Precision::F32))
    return "--component-precision expects --precision=bf16, fp16, int16 or "
           "int8 and --target=cpu";
  if (std::string error = checkSearch(); !error.empty())
    return error;
  for (const std::string &choice : componentPrecisions)
    if (!mlir::nnet3::parseComponentPrecision(choice))
      return "--component-precision expects NAME:PRECISION, but got '" +
             choice + "'";
  if (device == Device::CPU && emit == Emit::PTX)
    return "--emit=ptx expects --target=cuda";
  if (!emitsIR() && (elideWeights || emitBytecode))
    return "--elide-weights and --emit-bytecode expect an --emit that is IR";
  if (elideWeights && emitBytecode)
    return "--elide-weights expects text";
  if (emitsLibrary() && (output.empty() || output == "-"))
    return "a library needs a name; see -o";
  llvm::StringRef name = llvm::sys::path::filename(output);
  if (emitsLibrary() && (name == "." || name == ".."))
    return "a library needs a name, but '-o " + output + "' names a folder";
  if (llvm::is_contained({".so", ".a", ".o", ".h", ".wasm"},
                         llvm::sys::path::extension(name)) &&
      emitsLibrary())
    return "a library's name has no suffix: '-o DIR/net' gives DIR/libnet.so, "
           "but got '-o " +
           output + "'";
  if (isWebModule() && !isUrlName(name))
    return "a library in WebAssembly expects a name of letters, digits and "
           "'-._', but got '" +
           name.str() + "'";
  if (!isIdentifier(prefix) && emitsLibrary())
    return "--prefix expects a C identifier, but got '" + prefix + "'";
  return {};
}

/// The error in the options about calibration; empty if there is none.
std::string CompilerOptions::checkSearch() const {
  const UtteranceOptions &utterances = search.utterances;
  if (search.features.empty())
    return search.maxError != 0 || !utterances.ivectors.empty() ||
                   !utterances.onlineIvectors.empty()
               ? "--max-error, --ivectors and --online-ivectors expect "
                 "--calibrate"
               : "";
  if (device == Device::CUDA || !convertsRows(precision))
    return "--calibrate expects --precision=bf16, int8 or int16 and "
           "--target=cpu";
  if (!componentPrecisions.empty())
    return "--calibrate and --component-precision exclude each other";
  if (chunks.frames.empty())
    return "--calibrate expects --chunk";
  if (!(search.maxError >= 0) || std::isinf(search.maxError))
    return "--max-error expects a positive number";
  if (search.maxFrames < 1)
    return "--calibration-frames expects at least 1";
  return llvm::toString(utterances.finishUtteranceOptions());
}

std::string CompilerOptions::chooseVariants(const std::string &triple,
                                            const std::string &features) {
  if (!features.empty())
    return "--target-cpu=multi has features of its own";
  variants = CodeTarget::getVariants(triple, precision);
  if (variants.empty()) {
    CodeTarget named;
    named.triple = triple;
    return "--target-cpu=multi is not for " + getTargetName(named.getTriple());
  }
  target = variants.front();
  return "";
}

std::string CompilerOptions::chooseTarget(const std::string &name,
                                          const std::string &cpu,
                                          const std::string &features) {
  if (name.empty())
    return "--target expects a value; --target=help lists what is supported";
  if (name == "cuda") {
    device = Device::CUDA;
    // There is little code for the CPU then; it is the same on all machines.
    target.cpu = "generic";
    return cpu.empty() && features.empty()
               ? ""
               : "--target-cpu and --target-features expect a CPU's --target";
  }
  if (cpu == "multi")
    return chooseVariants(name == "cpu" ? "" : name, features);
  std::string error;
  auto found = CodeTarget::get(name == "cpu" ? "" : name, cpu, features, error);
  if (succeeded(found))
    target = std::move(*found);
  return error;
}

bool CompilerOptions::parse(int argc, char **argv) {
  prepareCommandLine();
  enum class Weights { Embed, File };
  Weights weights = Weights::Embed;
  std::string givenPrefix;
  cl::OptionCategory models("Model");
  cl::OptionCategory requests("Requests");
  cl::OptionCategory targets("Target");
  cl::OptionCategory precisions("Precision");
  cl::OptionCategory outputs("Output");
  cl::opt<std::string, true> modelOption(cl::Positional, cl::Required,
                                         cl::desc("MODEL"), cl::location(model),
                                         cl::cat(models));
  cl::opt<std::string, true> requestOption(
      "request", cl::desc("File with the requests to compile"),
      cl::value_desc("file"), cl::location(request), cl::cat(requests));
  cl::list<unsigned> chunk(
      "chunk",
      cl::desc(
          "Compile requests for chunks of so many frames, and the context that "
          "the network needs"),
      cl::value_desc("frames,..."), cl::CommaSeparated, cl::cat(requests));
  cl::list<unsigned> sequences(
      "sequences",
      cl::desc("Compile each chunk for so many sequences (default: 1)"),
      cl::value_desc("n,..."), cl::CommaSeparated, cl::cat(requests));
  cl::opt<unsigned, true> subsampling(
      "frame-subsampling-factor",
      cl::desc(
          "Compute an output for every so many frames of a chunk (default: 1)"),
      cl::value_desc("n"), cl::location(chunks.frameSubsamplingFactor),
      cl::cat(requests));
  cl::opt<unsigned, true> left(
      "extra-left-context",
      cl::desc("Add frames to the left context of a chunk; with --streaming, "
               "of the first one"),
      cl::value_desc("n"), cl::location(chunks.extraLeftContext),
      cl::cat(requests));
  cl::opt<unsigned, true> right(
      "extra-right-context",
      cl::desc("Add frames to the right context of a chunk"),
      cl::value_desc("n"), cl::location(chunks.extraRightContext),
      cl::cat(requests));
  cl::opt<bool, true> streamingOption(
      "streaming",
      cl::desc("Compile chunks of streams: each continues from the state that "
               "the chunk before it left; --sequences is the number of streams "
               "in a batch"),
      cl::location(streaming), cl::cat(requests));
  cl::opt<unsigned, true> ivectorPeriodOption(
      "ivector-period",
      cl::desc(
          "Take an i-vector for every so many frames of a stream (default: as "
          "many as all chunks allow)"),
      cl::value_desc("n"), cl::location(ivectorPeriod), cl::cat(requests));
  cl::opt<bool, true> allowOption(
      "allow-chunked-recurrence",
      cl::desc("Compute a backward recurrence of a stream in each chunk, as if "
               "no frames followed"),
      cl::location(allowChunkedRecurrence), cl::cat(requests));
  cl::opt<std::string, true> outputOption(
      "o",
      cl::desc("Output file (-: stdout, the default), or for a library its "
               "name: DIR/NAME gives DIR/libNAME.so (or libNAME.a, NAME.o) and "
               "DIR/NAME.h, or DIR/NAME.wasm, .mjs, .d.mts and .weights"),
      cl::value_desc("file"), cl::location(output), cl::cat(outputs));
  cl::opt<std::string> targetOption(
      "target",
      cl::desc("The machine to compile for: cpu, this machine's architecture "
               "(default); a triple of architecture and system, as LLVM "
               "names them; cuda, a GPU by NVIDIA; help lists all"),
      cl::value_desc("cpu|triple|cuda|help"), cl::init("cpu"),
      cl::callback([](const std::string &name) {
        if (name != "help")
          return;
        printTargets(llvm::outs());
        llvm::outs().flush();
        std::exit(0);
      }),
      cl::cat(targets));
  cl::opt<std::string> cpu(
      "target-cpu",
      cl::desc(
          "CPU by LLVM's name (default: this machine's, or with a triple "
          "the baseline of its architecture); multi: a library for several "
          "CPUs, which uses the code for the machine's"),
      cl::value_desc("name"), cl::cat(targets));
  cl::opt<std::string> features(
      "target-features",
      cl::desc("Features beside those of the CPU, by LLVM's names or as "
               "extensions of -march"),
      cl::value_desc("+name,-name,..."), cl::cat(targets));
  cl::list<std::string> gpuArch(
      "gpu-arch",
      cl::desc("GPUs to make PTX for, which runs on later ones too (default: "
               "sm_80, and for a library also sm_90)"),
      cl::value_desc("sm_NN,..."), cl::CommaSeparated, cl::cat(targets));
  cl::opt<std::string, true> prefixOption(
      "prefix",
      cl::desc(
          "Prefix of the names of the library's functions (default: the name "
          "of the library)"),
      cl::value_desc("name"), cl::location(givenPrefix), cl::cat(outputs));
  cl::opt<uint64_t, true> seed(
      "init-seed", cl::desc("Seed for the parameters of a config"),
      cl::value_desc("n"), cl::location(initSeed), cl::cat(models));
  cl::opt<bool, true> testModeOption(
      "test-mode",
      cl::desc("Batch norm and dropout as at test time (default: true)"),
      cl::location(testMode), cl::cat(models));
  cl::opt<bool> trainMode("train-mode",
                          cl::desc("Same as --test-mode=false: components keep "
                                   "the mode that the model has"),
                          cl::cat(models));
  cl::opt<bool, true> usePriorsOption(
      "use-priors",
      cl::desc("Subtract the logarithms of the model's priors from the output"),
      cl::location(usePriors), cl::cat(models));
  cl::opt<Precision, true> precisionOption(
      "precision", cl::desc("The number format of large matmuls"),
      cl::location(precision),
      cl::values(clEnumValN(Precision::F32, "f32", "f32 (default)"),
                 clEnumValN(Precision::BF16, "bf16",
                            "factors rounded to bf16, sums in f32"),
                 clEnumValN(Precision::Int8, "int8",
                            "factors scaled to integers of 8 bits (cpu)"),
                 clEnumValN(Precision::Int16, "int16",
                            "factors scaled to integers of 16 bits (cpu)"),
                 clEnumValN(Precision::TF32, "tf32",
                            "factors rounded to 11 bits (cuda)"),
                 clEnumValN(Precision::FP16, "fp16",
                            "weights rounded to fp16; on cuda both factors")),
      cl::cat(precisions));
  cl::list<std::string> componentPrecisionList(
      "component-precision", cl::value_desc("NAME:PRECISION"),
      cl::desc("The precision of one component, where it is not that of "
               "--precision: f32; fp16 beside bf16, int16 or int8; int16 or "
               "bf16 beside int8. By default, components that read features "
               "are f32 beside bf16, and have fp16 weights beside integers"),
      cl::cat(precisions));
  cl::opt<std::string, true> calibrate(
      "calibrate", cl::value_desc("table of features"),
      cl::desc(
          "Measure the error of each component on these features, and give "
          "more bits than --precision has to those that need them"),
      cl::location(search.features), cl::cat(precisions));
  cl::opt<std::string, true> ivectors(
      "ivectors", cl::value_desc("table"),
      cl::desc("i-vectors for --calibrate, one for each utterance"),
      cl::location(search.utterances.ivectors), cl::cat(precisions));
  cl::opt<std::string, true> onlineIvectors(
      "online-ivectors", cl::value_desc("table"),
      cl::desc("i-vectors for --calibrate, one for every "
               "--online-ivector-period frames"),
      cl::location(search.utterances.onlineIvectors), cl::cat(precisions));
  cl::opt<int32_t, true> onlineIvectorPeriod(
      "online-ivector-period", cl::value_desc("n"),
      cl::desc("Frames per row of --online-ivectors"),
      cl::location(search.utterances.compute.onlineIvectorPeriod),
      cl::cat(precisions));
  cl::opt<double, true> maxError(
      "max-error", cl::value_desc("x"),
      cl::desc("The largest rms error of the output that --calibrate allows, "
               "relative to the output (default: 0.02 with bf16, 0.06 with "
               "int8)"),
      cl::location(search.maxError), cl::cat(precisions));
  cl::opt<int64_t, true> calibrationFrames(
      "calibration-frames", cl::value_desc("n"),
      cl::desc("Number of frames that --calibrate reads (default: 2000)"),
      cl::location(search.maxFrames), cl::cat(precisions));
  cl::opt<Weights, true> weightsOption(
      "weights", cl::desc("Where to put the weights"), cl::location(weights),
      cl::values(
          clEnumValN(Weights::Embed, "embed", "into the library (default)"),
          clEnumValN(Weights::File, "file",
                     "into NAME.weights beside it (default for a module of "
                     "WebAssembly)")),
      cl::cat(outputs));
  cl::opt<bool, true> elideOption(
      "elide-weights",
      cl::desc("Write IR to be read by people, without the weights; it cannot "
               "be compiled"),
      cl::location(elideWeights), cl::cat(outputs));
  cl::opt<bool, true> bytecodeOption(
      "emit-bytecode",
      cl::desc("Write IR as bytecode, as an output named .mlirbc is"),
      cl::location(emitBytecode), cl::cat(outputs));
  cl::opt<bool, true> dumpOption(
      "dump-pipeline",
      cl::desc("Print the passes up to llvm-dialect or the IR of --emit, as "
               "nnet3-opt --pass-pipeline takes them, and do nothing else"),
      cl::location(dumpPipeline), cl::cat(outputs));
  cl::opt<Emit, true> emitOption(
      "emit",
      cl::desc(
          "What to write. Stages up to llvm-dialect are IR with weights, and "
          "can be given as MODEL: with the same options, they give the "
          "same library"),
      cl::location(emit),
      cl::values(
          clEnumValN(Emit::Network, "network", "the network and the requests"),
          clEnumValN(Emit::Commands, "commands", "their computations"),
          clEnumValN(Emit::Optimized, "optimized", "after nnet3-optimize"),
          clEnumValN(Emit::Fused, "fused", "with fused commands"),
          clEnumValN(Emit::Kernels, "kernels",
                     "functions of kernel operations"),
          clEnumValN(Emit::Loops, "loops", "functions, loops and vectors"),
          clEnumValN(Emit::LLVMDialect, "llvm-dialect", "the LLVM dialect"),
          clEnumValN(Emit::LLVM, "llvm", "optimised LLVM IR"),
          clEnumValN(Emit::Assembly, "asm", "assembly"),
          clEnumValN(Emit::Library, "lib",
                     "a shared library with its header, or for WebAssembly a "
                     "module with its ES module and types (default)"),
          clEnumValN(Emit::Archive, "archive",
                     "the same as libNAME.a, to be linked with "
                     "libnnet3_library.a"),
          clEnumValN(Emit::Object, "obj",
                     "the archive's only object file, as NAME.o"),
          clEnumValN(Emit::PTX, "ptx", "PTX of the kernels for a GPU"),
          clEnumValN(Emit::Linalg, "linalg",
                     "functions on tensors, for other compilers")),
      cl::cat(outputs));
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles networks ahead of time\n", &llvm::errs()))
    return false;
  if (dumpPipeline && emit != Emit::Linalg)
    emit = std::min(emit, Emit::LLVMDialect);
  testMode = testMode && !trainMode;
  model = findModelFile(model);
  gpuArchs.assign(gpuArch.begin(), gpuArch.end());
  componentPrecisions.assign(componentPrecisionList.begin(),
                             componentPrecisionList.end());
  chunks.frames.assign(chunk.begin(), chunk.end());
  chunks.sequences.assign(sequences.begin(), sequences.end());
  if (chunks.sequences.empty())
    chunks.sequences.push_back(1);
  ChunkOptions &measured = search.utterances.compute.chunks;
  if (!chunks.frames.empty())
    measured.framesPerChunk = *llvm::max_element(chunks.frames);
  measured.frameSubsamplingFactor = chunks.frameSubsamplingFactor;
  if (output.empty())
    output = "-";
  if (emit == Emit::Object && llvm::sys::path::extension(output) == ".o")
    output.resize(output.size() - 2);
  emitBytecode |= llvm::StringRef(output).ends_with(".mlirbc");
  prefix = givenPrefix.empty()
               ? getIdentifier(llvm::sys::path::filename(output))
               : givenPrefix;
  std::string error = cpu.getNumOccurrences() > 0 && cpu.empty()
                          ? "--target-cpu expects a value"
                          : chooseTarget(targetOption, cpu, features);
  // A module is compiled as a whole: weights would make that slow.
  embedWeights = weightsOption.getNumOccurrences() > 0
                     ? weights == Weights::Embed
                     : !isWebModule();
  if (error.empty())
    error = check();
  if (!error.empty()) {
    llvm::errs() << "error: " << error << "\n";
    return false;
  }
  if (gpuArchs.empty())
    gpuArchs = {"sm_80"};
  if (gpuArch.empty() && emitsLibrary())
    gpuArchs.push_back("sm_90");
  return true;
}
