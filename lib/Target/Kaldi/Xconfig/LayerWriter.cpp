//===- LayerWriter.cpp - The config lines of a layer ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerWriter.h"

#include "nnet3/Target/Kaldi/ComponentSteps.h"

using namespace ::nnet3::kaldi;

namespace mlir::nnet3::xconfig {

Component::Component(LayerWriter &writer, llvm::StringRef name,
                     llvm::StringRef type, unsigned configs)
    : writer(writer), name(name.str()),
      line("component", writer.layer.getLoc()), configs(configs) {
  line.add("name", name, writer.layer.getLoc()).add("type", type);
}

Component &Component::set(llvm::StringRef key, const llvm::Twine &value) {
  const Setting *setting = writer.layer.findSetting(key);
  line.add(key, value, setting ? setting->loc : writer.layer.getLoc());
  return *this;
}

Component &Component::copy(llvm::ArrayRef<llvm::StringLiteral> keys) {
  for (llvm::StringLiteral key : keys)
    if (const Setting &setting = writer.layer[key]; !setting.text.empty())
      line.add(key, setting);
  return *this;
}

Component &Component::options(llvm::StringRef key) {
  line.addPairs(writer.layer[key]);
  return *this;
}

void Component::define() { writer.write(line, configs); }

std::string Component::from(const llvm::Twine &input) {
  define();
  writer.node(name, name, input, configs);
  return name;
}

Component LayerWriter::step(llvm::StringRef suffix, llvm::StringRef step,
                            unsigned configs) {
  if (step.empty())
    step = suffix.rtrim("0123456789");
  return component(suffix, findStepType(step), configs);
}

std::string LayerWriter::fixedMatrix(llvm::StringRef key, Matrix matrix,
                                     unsigned configs) {
  auto begin = [&] {
    return Statement("component", layer.getLoc())
        .add("name", layer.getName())
        .add("type", "FixedAffineComponent");
  };
  Statement withFile = begin().add("matrix", layer[key]);
  Statement withDims = begin()
                           .add("input-dim", llvm::Twine(matrix.cols - 1))
                           .add("output-dim", llvm::Twine(matrix.rows));
  write(withFile, configs & ~Reference, &withDims);
  write(withDims, configs & Reference);
  expansion.matrices.push_back({layer.getName().str(), layer.getText(key).str(),
                                layer[key].loc, std::move(matrix)});
  node(layer.getName(), layer.getName(), layer.getInput(), configs);
  return layer.getName().str();
}

void LayerWriter::node(llvm::StringRef name, llvm::StringRef component,
                       const llvm::Twine &input, unsigned configs) {
  write(Statement("component-node", layer.getLoc())
            .add("name", name)
            .add("component", component)
            .add("input", input, layer.getInputLoc()),
        configs);
}

std::string LayerWriter::range(llvm::StringRef suffix, llvm::StringRef source,
                               int64_t offset, int64_t dim) {
  write(Statement("dim-range-node", layer.getLoc())
            .add("name", local(suffix))
            .add("input-node", source)
            .add("dim-offset", llvm::Twine(offset))
            .add("dim", llvm::Twine(dim)),
        Usual);
  return local(suffix);
}

void LayerWriter::output(llvm::StringRef name, const llvm::Twine &input,
                         llvm::StringRef objective, int64_t delay,
                         unsigned configs) {
  std::string delayed = input.str();
  if (delay != 0)
    delayed = "Offset(" + delayed + ", " + std::to_string(delay) + ")";
  write(Statement("output-node", layer.getLoc())
            .add("name", name)
            .add("input", delayed, layer.getInputLoc())
            .add("objective", objective),
        configs);
}

void LayerWriter::write(const Statement &line, unsigned configs,
                        const Statement *readable) {
  if (configs & Init)
    line.addTo(expansion.init, readable);
  if (configs & Reference)
    line.addTo(expansion.reference, readable);
  if (configs & Final)
    line.addTo(expansion.final, readable);
}

} // namespace mlir::nnet3::xconfig
