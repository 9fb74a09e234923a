//===- LibraryImage.cpp - The object file of a library --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside the generated code: the image, which is what the runtime finds in the
// library (nnet3/runtime/GeneratedCode.h), and the public functions, which call
// those of the runtime.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Target/Library/LibraryEmitter.h"
#include "nnet3/runtime/Container.h"
#include "nnet3/runtime/GeneratedCode.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// A function of the library: its name without a prefix, its signature as in
/// LibraryWrappers.def, and whether it gets the image.
struct Wrapper {
  StringRef name;
  StringRef signature;
  bool takesImage;
};
} // namespace

static constexpr Wrapper kWrappers[] = {
#define NNET3LIB_WRAPPER(name, signature) {#name, signature, false},
#define NNET3LIB_IMAGE_WRAPPER(name, signature) {#name, signature, true},
#include "nnet3/runtime/LibraryWrappers.def"
};

namespace {
class ImageBuilder {
public:
  ImageBuilder(llvm::Module &module, const LibraryData &data,
               const LibraryOptions &options)
      : module(module), data(data), options(options),
        context(module.getContext()) {}

  void build();

private:
  llvm::Constant *createData(StringRef name, llvm::Constant *value,
                             unsigned alignment);
  llvm::Constant *createTuning();
  llvm::Constant *createImage();
  llvm::Constant *createRuns();
  llvm::Constant *getWeights();
  llvm::Constant *getAlternative();
  llvm::Constant *getBackend();
  llvm::Type *getType(char code);
  void createWrapper(const Wrapper &wrapper, llvm::Constant *image);
  llvm::Constant *number(uint64_t value, unsigned bits) {
    return llvm::ConstantInt::get(llvm::Type::getIntNTy(context, bits), value);
  }

  llvm::Module &module;
  const LibraryData &data;
  const LibraryOptions &options;
  llvm::LLVMContext &context;
};
} // namespace

llvm::Constant *ImageBuilder::createData(StringRef name, llvm::Constant *value,
                                         unsigned alignment) {
  auto *global =
      new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, value, name);
  global->setAlignment(llvm::Align(alignment));
  return global;
}

/// The functions of the requests.
llvm::Constant *ImageBuilder::createRuns() {
  if (data.isForGpu)
    return llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
  SmallVector<llvm::Constant *> runs;
  for (const std::string &name : data.functions)
    runs.push_back(module.getFunction(name));
  auto *type =
      llvm::ArrayType::get(llvm::PointerType::get(context, 0), runs.size());
  return createData("nnet3.runs", llvm::ConstantArray::get(type, runs), 8);
}

llvm::Constant *ImageBuilder::getWeights() {
  auto *pointer = llvm::PointerType::get(context, 0);
  if (!options.embedWeights)
    return llvm::ConstantPointerNull::get(pointer);
  auto *weights = new llvm::GlobalVariable(
      module, llvm::Type::getInt8Ty(context), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, nullptr, options.getWeightsSymbol());
  weights->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return weights;
}

/// The image of the next CPU.
llvm::Constant *ImageBuilder::getAlternative() {
  if (options.variant + 1 == options.numVariants)
    return llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
  auto *image = new llvm::GlobalVariable(
      module, llvm::Type::getInt8Ty(context), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, nullptr,
      options.getImageSymbol(options.variant + 1));
  image->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return image;
}

/// Libraries for the CPU do not refer to it, so that they have nothing of it.
llvm::Constant *ImageBuilder::getBackend() {
  if (!data.isForGpu)
    return llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
  return new llvm::GlobalVariable(
      module, llvm::Type::getInt8Ty(context), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, nullptr, "nnet3lib_cuda_backend");
}

/// Nothing yet; a program of the user's writes it into the file.
llvm::Constant *ImageBuilder::createTuning() {
  if (data.tuningBytes == 0)
    return llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
  auto *type =
      llvm::ArrayType::get(llvm::Type::getInt8Ty(context), data.tuningBytes);
  return createData("nnet3.tuning", llvm::ConstantAggregateZero::get(type), 8);
}

llvm::Constant *ImageBuilder::createImage() {
  llvm::Constant *metadata =
      createData("nnet3.metadata",
                 llvm::ConstantDataArray::getString(context, data.metadata,
                                                    /*AddNull=*/false),
                 16);
  const uint64_t checksum =
      ::nnet3::rt::checksum(data.metadata.data(), data.metadata.size());
  llvm::Constant *fields[] = {number(NNET3LIB_IMAGE_VERSION, 32),
                              number(0, 32),
                              metadata,
                              number(data.metadata.size(), 64),
                              number(checksum, 64),
                              getWeights(),
                              number(data.weights.size(), 64),
                              createRuns(),
                              getBackend(),
                              createTuning(),
                              number(data.tuningBytes, 64),
                              getAlternative()};
  return createData("nnet3.image", llvm::ConstantStruct::getAnon(fields), 16);
}

llvm::Type *ImageBuilder::getType(char code) {
  switch (code) {
  case 'i':
    return llvm::Type::getInt32Ty(context);
  case 'l':
    return llvm::Type::getInt64Ty(context);
  case 'p':
    return llvm::PointerType::get(context, 0);
  default:
    return llvm::Type::getVoidTy(context);
  }
}

/// PREFIX_name(...) calls nnet3lib_name(...).
void ImageBuilder::createWrapper(const Wrapper &wrapper,
                                 llvm::Constant *image) {
  llvm::Type *result = getType(wrapper.signature.front());
  SmallVector<llvm::Type *> types;
  for (char code : wrapper.signature.drop_front())
    types.push_back(getType(code));
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                             llvm::GlobalValue::ExternalLinkage,
                             options.prefix + "_" + wrapper.name, module);
  if (wrapper.takesImage)
    types.push_back(image->getType());
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      ("nnet3lib_" + wrapper.name + (wrapper.takesImage ? "_image" : "")).str(),
      llvm::FunctionType::get(result, types, false));
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  if (wrapper.takesImage)
    arguments.push_back(image);
  llvm::CallInst *call = builder.CreateCall(callee, arguments);
  if (result->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

void ImageBuilder::build() {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::Constant *image = createImage();
  if (options.variant == 0) {
    for (const Wrapper &wrapper : kWrappers)
      createWrapper(wrapper, image);
    return;
  }
  auto *global = llvm::cast<llvm::GlobalVariable>(image);
  global->setName(options.getImageSymbol(options.variant));
  global->setLinkage(llvm::GlobalValue::ExternalLinkage);
  global->setVisibility(llvm::GlobalValue::HiddenVisibility);
}

FailureOr<SmallVector<char>>
mlir::nnet3::emitLibraryObject(ModuleOp module, const LibraryData &data,
                               const LibraryOptions &options) {
  return emitCode(
      module, options.target, CodeForm::Object,
      [&](llvm::Module &code) { ImageBuilder(code, data, options).build(); });
}
