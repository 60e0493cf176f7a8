// SPDX-License-Identifier: Apache-2.0
// The gate of examples/ci, as GitHub Actions starts it: action.yml calls gate.sh with its inputs and
// the variables of Actions. The light model has hundreds of times less work than the heavy one, so
// that every verdict below is certain on any machine.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "graph/sketch.h"
#include "onnx/writer.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

constexpr const char* kLight = R"(graph light
  input x[1,64]
  constant w[64,64]
  /fc/MatMul: MatMul(x, w) -> y
  output y
)";
constexpr const char* kHeavy = R"(graph heavy
  input x[64,1024]
  constant w[1024,1024] v[1024,1024]
  /fc/MatMul: MatMul(x, w) -> h
  /fc2/MatMul: MatMul(h, v) -> y
  output y
)";

/// Variables and functions of the scripts below. `gate` runs in the repository repo/ and prints the
/// status; `commit FILE` puts it there as the model.
constexpr const char* kActions = R"(
set +e
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
export RUNNER_TEMP=$PWD/temp GITHUB_STEP_SUMMARY=$PWD/summary.md GITHUB_OUTPUT=$PWD/output
export GITHUB_WORKSPACE=$PWD/repo GATE_MODEL='my model.onnx'
mkdir temp; git init -q -b main repo
commit() { cp $1 "repo/$GATE_MODEL"; git -C repo add -A; git -C repo commit -qm $1; }
gate() { gate.sh --processes 3 --budget 300ms "$@" > out 2> err; echo $?; }
)";

class GateSlow : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_runtime()) GTEST_SKIP() << "ONNX Runtime is not fetched";
    for (const auto& [name, text] : {std::pair("light", kLight), std::pair("heavy", kHeavy)}) {
      const auto written = onnx::write_file(*graph::Sketch::document(text),
                                            (place_.folder() / "there" / name).string() + ".onnx");
      ASSERT_TRUE(written.ok()) << written.error().text();
    }
  }
  Outcome run(const std::string& script) const { return place_.run(kActions + script); }
  std::string file(const char* name) const { return read_text(place_.folder() / "there" / name); }

  Workplace place_;
};

TEST_F(GateSlow, FailsWhereTheHeadIsSlowerThanTheBaseOfThePullRequest) {
  const Outcome o = run(R"(
commit light.onnx
git init -q -b main up; (cd up && git fetch -q ../repo main && git reset -q --hard FETCH_HEAD)
git -C repo remote add origin "$PWD/up"
git -C repo checkout -q -b topic; commit heavy.onnx
GITHUB_BASE_REF=main GATE_FAIL_ON='latency>50%' gate
sed -n 's/^page=//p' output | xargs head -c 15; echo; ls temp/*; git -C repo worktree list | wc -l)");
  EXPECT_EQ(o.out, "1\n<!DOCTYPE html>\ncompare.html\ncompare.md\nmessages\n1\n") << file("err");
  EXPECT_TRUE(has(file("err"), "check failed: latency>50%: latency takes ")) << file("err");
  const std::string summary = file("summary.md");
  EXPECT_TRUE(has(summary, "**Check** failed: latency>50%")) << summary;
  EXPECT_TRUE(has(summary, "measured in turns")) << summary;
  EXPECT_TRUE(has(summary, "# Difference")) << summary;
  EXPECT_TRUE(file("output").starts_with("status=1\n"));
}

TEST_F(GateSlow, PassesWhereTheHeadIsFasterThanTheCommitBefore) {
  const Outcome o = run("commit heavy.onnx; commit light.onnx; gate; GATE_BASE=HEAD^ gate");
  EXPECT_EQ(o.out, "0\n0\n") << file("err");
  EXPECT_TRUE(has(file("summary.md"), "**Check** passed: latency>1%: latency takes "));
}

TEST_F(GateSlow, TakesTwoModelsAndSeveralLimits) {
  const Outcome o = run(R"(
cp light.onnx heavy.onnx repo; cd repo
GATE_BASE_MODEL=light.onnx GATE_MODEL=heavy.onnx GATE_FAIL_ON='latency>999999999%
module:fc>-99%' gate; grep -c '^check' err)");
  EXPECT_EQ(o.out, "1\n2\n") << read_text(place_.folder() / "there/repo/err");
}

TEST_F(GateSlow, PreparesTheModelInBothCheckouts) {
  const Outcome o = run(R"(
mkdir repo/w; cp heavy.onnx light.onnx repo/w
echo 'cp w/light.onnx "$GATE_MODEL"' > repo/write.sh; git -C repo add -A; git -C repo commit -qm light
echo 'cp w/heavy.onnx "$GATE_MODEL"' > repo/write.sh; git -C repo commit -qam heavy
GATE_PREPARE='sh write.sh' GATE_FAIL_ON='latency>50%' gate)");
  EXPECT_EQ(o.out, "1\n") << file("err");
}

TEST_F(GateSlow, SaysWhatIsMissing) {
  const Outcome o = run(R"(
GATE_MODEL= gate; cat err
commit light.onnx; gate; cat err
commit heavy.onnx; GATE_BASE=v9 gate; cat err
GATE_MODEL=absent.onnx gate; cat err
GATE_PREPARE='exit 7' gate; cat err
gate --procesess 3; head -1 err
echo broken > "repo/$GATE_MODEL"; gate; tail -1 err; tail -1 summary.md
ls temp)");
  EXPECT_TRUE(has(o.out, R"(2
error: GATE_MODEL is missing
  hint: name the model: GATE_MODEL=model.onnx
3
error: unknown revision 'HEAD^'
  hint: check out with fetch-depth: 2 (0: all), or name another base
3
error: unknown revision 'v9'
  hint: check out with fetch-depth: 2 (0: all), or name another base
3
error: the base has no 'absent.onnx'
  hint: commit the model, or write it with 'prepare'
4
error: the command that prepares the model failed in the base
  hint: run it there: exit 7
2
)")) << o.out;
  EXPECT_TRUE(has(o.out, "\n3\n  [RIDGE-ONNX-")) << o.out;
}

// What action.yml, gate.sh and the page say of each other, read as text.

using Names = std::set<std::string>;

constexpr std::string_view kVariable = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::string_view kInput = "abcdefghijklmnopqrstuvwxyz-";

/// Every name of `letters` that stands behind `prefix` in `text`: ("$A ${B}", "${") -> {"B"}.
Names names_behind(std::string_view prefix, std::string_view text, std::string_view letters) {
  Names out;
  for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at)) {
    at += prefix.size();
    const std::string_view rest = text.substr(at);
    out.emplace(rest.substr(0, rest.find_first_not_of(letters)));
  }
  return out;
}

/// Variables of the gate that a shell would read in `text`.
Names variables_read(std::string_view text) {
  Names out;
  for (const char* prefix : {"$", "${"})
    for (const std::string& name : names_behind(prefix, text, kVariable))
      if (name.starts_with("GATE_")) out.insert(name);
  return out;
}

/// "base-model" -> "GATE_BASE_MODEL".
std::string variable_of(const std::string& input) {
  std::string out = "GATE_";
  for (const char c : input) out += c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
  return out;
}

struct Action {
  Names inputs;
  std::map<std::string, std::string> variables;  ///< with the input that each gets
  Names read;  ///< variables that its own command reads: it hands them on as arguments
};

Action action_of(const std::string& text) {
  Action out;
  std::string block;
  for (const std::string& line : lines_of(text)) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == 0) block = line;
    if (block == "inputs:" && indent == 2) out.inputs.insert(line.substr(2, line.find(':') - 2));
    if (indent == line.npos) continue;
    const std::string_view item = std::string_view(line).substr(indent);
    if (item.starts_with("GATE_")) {
      const Names from = names_behind("inputs.", item, kInput);
      out.variables[std::string(item.substr(0, item.find(':')))] =
          from.empty() ? "" : *from.begin();
    }
    if (item.starts_with("run: ")) out.read.merge(variables_read(item));
  }
  return out;
}

struct Script {
  Names documented, read;
};

Script script_of(const std::string& text) {
  Script out;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("# GATE_")) out.documented.insert(line.substr(2, line.find(' ', 2) - 2));
    if (!line.starts_with("#")) out.read.merge(variables_read(line));
  }
  return out;
}

TEST(Gate, ActionScriptAndPageNameTheSameVariablesAndInputs) {
  const std::string action_text = read_text(source_tree() / "action.yml");
  const Action action = action_of(action_text);
  const Script script = script_of(read_text(source_tree() / "examples/ci/gate.sh"));
  EXPECT_EQ(script.documented, script.read);

  Names handed;  // to the script, as variables
  for (const auto& [variable, input] : action.variables) {
    EXPECT_EQ(variable, variable_of(input));
    EXPECT_TRUE(action.inputs.contains(input)) << input << " is no input";
    if (!action.read.contains(variable)) handed.insert(variable);
  }
  EXPECT_EQ(handed, script.documented);

  EXPECT_EQ(action.inputs, names_behind("inputs.", action_text, kInput)) << "inputs and their uses";
  EXPECT_EQ(action.inputs,
            names_behind("\n| `", read_text(source_tree() / "examples/ci/README.md"), kInput));
}

}  // namespace
}  // namespace ridge::tests
