// SPDX-License-Identifier: Apache-2.0
#include "session/resolve_point.h"

#include <gtest/gtest.h>

#include <vector>

#include "analysis/testing.h"

namespace ridge::session {
namespace {

class Kept : public Notices {
 public:
  void warn(std::string_view file, std::string_view text) override {
    lines.push_back(std::string(file) + ": " + std::string(text));
  }
  void failed(const Error&) override {}
  void status(std::string_view) override {}

  std::vector<std::string> lines;
};

TEST(ResolvePoint, WarnsOfEachNoteOnce) {
  const OpenedModel opened{
      analysis::testing::model("graph main\n input x[n,m]\n r: Relu(x) -> y\n output y"), {}};
  Kept kept;
  const Environment environment{.host = {}, .notices = kept};
  const std::string model = "a.onnx";
  std::set<std::string> warned;
  for (const std::int64_t m : {3, 4}) {
    analysis::Bindings point;
    point.sizes["m"] = {m, false};
    const auto resolved = resolve_point(opened, point, {model, environment, warned});
    ASSERT_TRUE(resolved.ok()) << resolved.error().text();
    EXPECT_EQ(resolved->notes().size(), 1U);
  }
  EXPECT_EQ(kept.lines, std::vector<std::string>{
                            "a.onnx: 'n', the leading dimension of input 'x', is free and defaults "
                            "to 1; set it with --bind n=N"});
}

}  // namespace
}  // namespace ridge::session
