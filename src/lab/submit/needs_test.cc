// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/needs.h"

#include <gtest/gtest.h>

#include "base/sink.h"
#include "machine/describe.h"
#include "record/json_write.h"

namespace ridge::lab {
namespace {

using Sentences = std::vector<std::string>;

Candidate b2() {
  machine::Host host;
  host.hostname = "b2";
  host.features = {.sse2 = true, .avx = true, .avx2 = true};
  host.memory_bytes = std::int64_t{4} << 30;
  host.allowed = {{.id = 0, .core = 0}, {.id = 1, .core = 1}};
  StringSink text;
  record::write_json(machine::document(host, {}, {}), text);
  Facts facts{.machine = text.text(),
              .architecture = "aarch64",
              .memory_available = {},
              .runtimes = {{"ort", "ONNX Runtime", "1.20.1"}, {"openvino", "OpenVINO", {}}},
              .devices = {"cpu"}};
  return candidate_of("b2", {"rack-3"}, std::move(facts)).value();
}

Sentences against(const std::vector<std::string>& asked) {
  return reasons_against(needs_of({}, asked).value(), b2());
}

TEST(Needs, AMachineThatFitsHasNoReasons) {
  EXPECT_EQ(against({}), Sentences{});
  EXPECT_EQ(
      against({"avx2", "memory=4GiB", "cores=2", "device=cpu", "architecture=arm64", "tag=rack-3"}),
      Sentences{});
}

TEST(Needs, EachReasonSaysWhatIsNeededAndWhatIsThere) {
  EXPECT_EQ(against({"avx512_vnni"}), Sentences{"needs avx512_vnni; b2 has sse2 avx avx2 fma"});
  EXPECT_EQ(against({"memory=8GiB"}), Sentences{"needs memory 8.0 GiB; b2 has 4.0 GiB"});
  EXPECT_EQ(against({"cores=3"}), Sentences{"needs cores 3; b2 has 2"});
  EXPECT_EQ(against({"architecture=x86_64"}), Sentences{"needs x86_64; b2 has aarch64"});
  EXPECT_EQ(against({"device=gpu", "tag=gpu"}),
            (Sentences{"needs device gpu; b2 has cpu", "needs tag gpu; b2 has rack-3"}));
}

TEST(Needs, RuntimesAreMatchedByNameAndTheManifestsVersions) {
  JobSource source{.job = {},
                   .requires_of_machine = {},
                   .framework = "ONNX Runtime",
                   .framework_version = ">=1.21"};
  const Needs needs = needs_of(source, {}).value();
  EXPECT_EQ(runtime_against(needs, "ort", b2()), "needs ONNX Runtime >=1.21; b2 has 1.20.1");
  EXPECT_EQ(runtime_against({}, "ort", b2()), std::nullopt);
  EXPECT_EQ(runtime_against({}, "openvino", b2()), "needs OpenVINO; b2 has ONNX Runtime 1.20.1");
  EXPECT_EQ(runtime_against({}, "null", b2()), std::nullopt);
}

TEST(Needs, UnknownOnesAreRefused) {
  for (const char* need : {"memory=lots", "memory=-1GiB", "cores=", "color=red", "tag="})
    EXPECT_EQ(needs_of({}, {need}).error().code(), "RIDGE-LAB-0116") << need;
}

}  // namespace
}  // namespace ridge::lab
