// SPDX-License-Identifier: Apache-2.0
// Outputs that cannot be written, for every verb that writes a document: the document is on standard
// output, or in a file of the temporary folder, and the message says where; an input is never
// overwritten. (tests/cli/lost_outputs.txt has the exact messages.)
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// Sources of the commands below beside those of Workplace.
constexpr const char* kSources = R"(
echo '[{"name":"a","timeMs":6,"averageMs":3,"percentage":100}]' > rec.json
printf 'name = "net"\nversion = "1.0.0"\n[model]\ngraph_path = "plain.onnx"\n' > net.toml
ridge runs add runs.db run.json > /dev/null
)";

/// Commands of verbs that write a document as JSON, or where that is impossible as CSV. No one
/// needs a runtime.
constexpr const char* kWithoutRuntime[] = {
    "analyze plain.onnx --format json",
    "diff before.onnx after.onnx --format json",
    "explain before.onnx 0 --no-measure --format json",
    "compare ort.json openvino.json --format json",
    "import rec.json --format json",
    "export run.json --to collapsed",
    "roofline run.json --format csv",
    "accel plain.onnx --machine edge-32 --format json",
    "runs list runs.db --format json",
    "runs show runs.db last --format json",
    "zoo list --format json",
    "operators --format csv",
    "trace query A6 spans.json --format csv",
    "doctor --format json",
    "manifest show net.toml --format json",
    "manifest convert net.toml",
    "advise --scoreboard runs.db --format json",
};

constexpr const char* kWithRuntime[] = {
    "profile plain.onnx --processes 1 --budget 0 --format json",
    "eval plain.onnx --runtimes null --duration 100ms --format json",
    "generate zoo:llama_decode --runtimes null --prompt 4 --tokens 2 --requests 1 --format json",
    "bench plain.onnx --processes 1 --budget 1s --store bench.db --format json",
    "advise plain.onnx --processes 1 --budget 100ms --format json",
    "bricks plan before.onnx --bind batch=2 --out suite --format json",
    "bricks run suite --store bricks.db --processes 2 --budget 3s --format csv",
    "bricks estimate before.onnx --bind batch=2 --store bricks.db --format json",
    ("bricks check before.onnx --bind batch=2 --store check.db --width 90% --processes 2 --format "
     "json"),
    "machine --threads 1 --format json",
};

bool is_whole(const std::string& command, const std::string& document) {
  if (command.find("json") == std::string::npos || command.find("--to") != std::string::npos)
    return !document.empty() && document.back() == '\n';
  const std::size_t at = command.find("--format json");
  return at == std::string::npos ? !document.empty()
                                 : nlohmann::json::accept(document.begin(), document.end());
}

void expect_kept(const Workplace& place, const std::string& command) {
  SCOPED_TRACE(command);
  const Outcome o = place.run(fmt::format("ridge {} --output /dev/full", command));
  EXPECT_EQ(o.status, 4) << o.err;
  EXPECT_NE(o.err.find("/dev/full: cannot write it: No space left on device\n"
                       "  standard output contains the document\n"),
            std::string::npos)
      << o.err;
  EXPECT_TRUE(is_whole(command, o.out)) << o.out;
}

TEST(LostOutput, ADocumentWithoutRoomIsOnStandardOutput) {
  const Workplace place;
  ASSERT_EQ(place.run(kSources).status, 0);
  for (const char* command : kWithoutRuntime) expect_kept(place, command);
}

TEST(LostOutputSlow, ADocumentWithoutRoomIsOnStandardOutput) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const Workplace place;
  for (const char* command : kWithRuntime) expect_kept(place, command);
}

/// Replaces the input that the command names by what --output names, under another name.
void expect_refused(const Workplace& place, const std::string& command, const std::string& input) {
  for (const std::string link : {"", "ln ", "ln -s "}) {
    const std::string output = link.empty() ? input : "link";
    SCOPED_TRACE(fmt::format("{} --output {}{}", command, link, output));
    const Outcome o = place.run(fmt::format(
        "cp {0} kept\nrm -f link\n{1}\n(ridge {2} --output {3}) || s=$?\ncmp kept {0}\nexit $s",
        input, link.empty() ? ":" : fmt::format("{} {} link", link, input), command, output));
    EXPECT_EQ(o.status, 2) << o.out << o.err;
    EXPECT_NE(o.err.find("would overwrite an input"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("[RIDGE-CLI-0220]"), std::string::npos) << o.err;
  }
}

TEST(LostOutput, AnInputIsNotOverwritten) {
  const Workplace place;
  ASSERT_EQ(place.run(kSources).status, 0);
  const std::pair<const char*, const char*> cases[] = {
      {"analyze plain.onnx", "plain.onnx"},
      {"diff before.onnx after.onnx", "after.onnx"},
      {"explain before.onnx 0 --no-measure", "before.onnx"},
      {"compare ort.json openvino.json --format json", "ort.json"},
      {"import rec.json --model plain.onnx --format json", "rec.json"},
      {"export run.json --to collapsed", "run.json"},
      {"roofline run.json --format json", "run.json"},
      {"roofline runs.db:1", "runs.db"},
      {"accel plain.onnx --machine edge-32", "plain.onnx"},
      {"runs list runs.db", "runs.db"},
      {"trace query A6 spans.json --format json", "spans.json"},
      {"manifest convert net.toml", "net.toml"},
      {"manifest show net.toml", "plain.onnx"},
      {"profile plain.onnx", "plain.onnx"},
      {"eval net.toml", "plain.onnx"},
      {"eval plain.onnx --post 'softmax top(1) labels(net.toml)'", "net.toml"},
      {"generate plain.onnx", "plain.onnx"},
      {"bench plain.onnx --store new.db", "plain.onnx"},
      {"advise plain.onnx --apply any", "plain.onnx"},
      {"bricks plan plain.onnx --out suite", "plain.onnx"},
      {"bricks estimate plain.onnx --store runs.db", "runs.db"},
  };
  for (const auto& [command, input] : cases) expect_refused(place, command, input);
}

}  // namespace
}  // namespace ridge::tests
