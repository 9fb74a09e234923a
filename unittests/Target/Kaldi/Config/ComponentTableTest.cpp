//===- ComponentTableTest.cpp - Tables against operations -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentTable.h"
#include "ConfigTestUtil.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/StringSet.h"

namespace mlir::nnet3 {

using ComponentTableTest = ConfigTest;

/// Returns Kaldi's names of the component operations.
static llvm::StringSet<> getImplementedTypes(MLIRContext &context) {
  llvm::StringSet<> types;
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (auto *component = name.getInterface<ComponentOpInterface>())
      types.insert(component->getKaldiType());
  return types;
}

// A component operation without a table could not be read from a config.
TEST_F(ComponentTableTest, EveryOperationHasOneTable) {
  llvm::StringSet<> types = getImplementedTypes(context);
  ASSERT_GE(types.size(), 40u);
  for (const auto &type : types)
    EXPECT_TRUE(findComponentConfig(type.getKey())) << type.getKey().str();
  EXPECT_EQ(getComponentConfigs().size(), types.size());
}

TEST_F(ComponentTableTest, TablesFitTheOperations) {
  for (const ComponentConfig &config : getComponentConfigs()) {
    SCOPED_TRACE(config.type.str());
    auto name = RegisteredOperationName::lookup(config.operation, &context);
    ASSERT_TRUE(name.has_value());
    auto *component = name->getInterface<ComponentOpInterface>();
    ASSERT_TRUE(component);
    EXPECT_EQ(component->getKaldiType(), config.type);

    llvm::StringSet<> attributes;
    for (StringAttr attribute : name->getAttributeNames())
      attributes.insert(attribute.getValue());
    llvm::StringSet<> keys;
    for (const ConfigKey &key : config.keys) {
      EXPECT_TRUE(keys.insert(key.key).second) << key.key.str();
      EXPECT_TRUE((key.flags & Init) || attributes.count(key.attribute))
          << key.attribute.str();
    }
    EXPECT_EQ(config.getFileKey() != nullptr,
              config.fileDims != FileDims::NoFile);
  }
}

TEST_F(ComponentTableTest, KnowsAllOfKaldisTypes) {
  EXPECT_EQ(getComponentConfigs().size(), 46u);
  // Not registered in Kaldi: MaxpoolingComponent is.
  EXPECT_FALSE(findComponentConfig("MaxPoolingComponent"));
  EXPECT_FALSE(findComponentConfig("Affine"));
}

} // namespace mlir::nnet3
