// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/trial/request.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/kit/picture.h"

namespace ridge::lab::serve {
namespace {

constexpr std::string_view kPng = "\x89PNG\r\n\x1a\n";

std::string sample(std::string_view kind, std::string_view bytes) {
  return fmt::format(R"({{"kind":"{}","data":"{}"}})", kind, report::base64(bytes));
}

/// The ending of the sample's file, or the code of an error.
std::string refusal_or_ending(const std::string& models, const std::string& rest) {
  const auto setup = read_trial_request("{\"models\":" + models + "," + rest + "}", "");
  return setup.ok() ? setup->ending : setup.error().code();
}

const std::string kPicture = "\"sample\":" + sample("picture", kPng);

TEST(TrialRequest, TakesPicturesAndTensorsByTheirFirstBytes) {
  const std::string models = R"(["zoo:resnet18"])";
  EXPECT_EQ(refusal_or_ending(models, kPicture), ".png");
  EXPECT_EQ(refusal_or_ending(models, "\"sample\":" + sample("picture", "\xff\xd8\xff\xe0")),
            ".jpg");
  EXPECT_EQ(refusal_or_ending(models, "\"sample\":" + sample("tensor", "\x93NUMPY")), ".npy");
  for (const char* bytes : {"", "GIF89a", "\x93NUMPY", "<svg/>", "BM"})
    EXPECT_EQ(refusal_or_ending(models, "\"sample\":" + sample("picture", bytes)),
              "RIDGE-SERVE-0051")
        << bytes;
  EXPECT_EQ(refusal_or_ending(models, "\"sample\":" + sample("tensor", kPng)), "RIDGE-SERVE-0051");
  EXPECT_EQ(refusal_or_ending(models, R"("sample":{"kind":"picture","data":"a path"})"),
            "RIDGE-SERVE-0050");
}

TEST(TrialRequest, TakesTextsOfUtf8) {
  const std::string models = R"(["zoo:resnet18"])";
  const auto text = [&](std::string_view bytes) {
    return refusal_or_ending(models, "\"sample\":" + sample("text", bytes));
  };
  EXPECT_EQ(text("caf\xc3\xa9"), ".txt");
  EXPECT_EQ(text(""), ".txt");
  EXPECT_EQ(text(std::string(kLongestText, 'a')), ".txt");
  EXPECT_EQ(text(std::string(kLongestText + 1, 'a')), "RIDGE-SERVE-0056");
  for (const char* bytes : {"\xff", "caf\xc3", "\xed\xa0\x80", "\xc0\x80"})
    EXPECT_EQ(text(bytes), "RIDGE-SERVE-0056") << bytes;
}

TEST(TrialRequest, NamesModelsAndRuntimesAlone) {
  for (const char* name : {"/etc/passwd", "../net.onnx", "net.onnx", "zoo:../net", "zoo:none", "",
                           "-o", "--store=x", "digits@../1", "http://evil/net.onnx", "a,b"})
    EXPECT_EQ(refusal_or_ending(fmt::format(R"(["{}"])", name), kPicture), "RIDGE-SERVE-0031")
        << name;
  for (const char* name : {"./mine.so", "", "ort,openvino", "--help", "../ort"})
    EXPECT_EQ(refusal_or_ending(R"(["zoo:resnet18"])",
                                fmt::format(R"("runtimes":["{}"],)", name) + kPicture),
              "RIDGE-SERVE-0032")
        << name;
}

TEST(TrialRequest, RefusesEverythingElse) {
  const std::string models = R"(["zoo:resnet18"])";
  EXPECT_EQ(refusal_or_ending("[]", kPicture), "RIDGE-REC-0002");
  EXPECT_EQ(refusal_or_ending(
                R"(["zoo:resnet18","zoo:resnet18","zoo:resnet18","zoo:resnet18","zoo:resnet18"])",
                kPicture),
            "RIDGE-REC-0002");
  for (const char* key : {"data", "steps", "runtime-library", "store", "output", "flags"})
    EXPECT_EQ(refusal_or_ending(models, fmt::format(R"("{}":"x",)", key) + kPicture),
              "RIDGE-REC-0003")
        << key;
  EXPECT_EQ(refusal_or_ending(models, R"("sample":{"kind":"file","data":"/etc/passwd"})"),
            "RIDGE-REC-0002");
  EXPECT_EQ(refusal_or_ending(models, R"("sample":{"kind":"picture"})"), "RIDGE-REC-0004");
  EXPECT_EQ(refusal_or_ending(models, R"("sample":null)"), "RIDGE-REC-0002");
}

}  // namespace
}  // namespace ridge::lab::serve
