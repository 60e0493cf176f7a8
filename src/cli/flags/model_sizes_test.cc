// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/model_sizes.h"

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using Texts = std::vector<std::string>;

const Texts kModels = {"nets/a.onnx", "zoo:b", "nets/a:1.onnx"};

TEST(ModelSizes, AreOfTheModelThatTheyBeginWith) {
  const Texts binds = {"batch=1,4", "a:height=224,width=32..64:*2,b:height=96"};
  EXPECT_EQ(binds_of("nets/a.onnx", kModels, binds),
            (Texts{"batch=1,4", "height=224", "width=32..64:*2"}));
  EXPECT_EQ(binds_of("zoo:b", kModels, binds), (Texts{"batch=1,4", "height=96"}));
}

TEST(ModelSizes, StandInPlaceOfThoseForAll) {
  const Texts binds = {"zoo:b:batch=2", "batch=1,4,s=8"};
  EXPECT_EQ(binds_of("zoo:b", kModels, binds), (Texts{"batch=2", "s=8"}));
  EXPECT_EQ(binds_of("nets/a.onnx", kModels, binds), (Texts{"batch=1,4", "s=8"}));
}

TEST(ModelSizes, AColonIsPartOfANameWhereNoModelIsCalledSo) {
  EXPECT_EQ(binds_of("zoo:b", kModels, {"c:h=1"}), Texts{"c:h=1"});
  EXPECT_EQ(binds_of("nets/a:1.onnx", kModels, {"nets/a:1.onnx:h=1"}), Texts{"h=1"});
  EXPECT_EQ(binds_of("nets/a.onnx", kModels, {"nets/a:1.onnx:h=1"}), Texts{});
}

TEST(ModelSizes, WhatIsNoneIsLeftToTheReaderOfSizes) {
  for (const char* wrong : {"", ",", "8", "=", "a:", "a:,", "x=1,,2"})
    EXPECT_FALSE(binds_of("nets/a.onnx", kModels, {wrong}).empty()) << wrong;
}

TEST(ModelSizes, AShapeIsOneWhateverItsCommas) {
  const Texts shapes = {"x:0=1,3,4", "b:x:0=2x3"};
  EXPECT_EQ(shapes_of("nets/a.onnx", kModels, shapes), Texts{"x:0=1,3,4"});
  EXPECT_EQ(shapes_of("zoo:b", kModels, shapes), Texts{"x:0=2x3"});
}

TEST(ModelSizes, AMisspelledModelIsRefusedWithTheNearOne) {
  const Texts models = {"zoo:resnet18", "nets/alexnet.onnx"};
  const Result<void> wrong = check_model_names(models, {"batch=1,4", "resnt18:batch=2"}, {});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().message(), "'resnt18:batch=2': unknown model 'resnt18'");
  EXPECT_EQ(wrong.error().hint(), "did you mean 'resnet18:batch=2'?");
  EXPECT_FALSE(check_model_names(models, {}, {"alexnt:x=1x3x8x8"}).ok());
  EXPECT_TRUE(check_model_names(models, {"alexnet:batch=2,4", "c:h=1", ""}, {"x:0=1,3"}).ok());
}

}  // namespace
}  // namespace ridge::cli
