// SPDX-License-Identifier: Apache-2.0
// Tests of the documentation: commands of fenced blocks marked `sh run` (or `sh run slow`, which
// measure or sweep) succeed, links lead to files, all error codes and keys are described.
//
// In blocks marked `sh run slow judged` a ridge that judges what it measured (an interval narrow
// enough, a goal kept) may also end with 1: on a busy machine the answer is another one.
//
// The blocks of one page run in order in one Workplace, so a later one may use what an earlier one
// wrote. Blocks without `run` install, need root or take long, and are not run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

struct Block {
  int line = 0;
  bool slow = false;
  bool judged = false;
  std::string script;
};

std::vector<Block> runnable_blocks(const std::string& page) {
  std::vector<Block> blocks;
  bool inside = false;
  int number = 0;
  for (const std::string& line : lines_of(page)) {
    ++number;
    if (line.starts_with("```sh run")) {
      inside = true;
      const bool judged = line == "```sh run slow judged";
      blocks.push_back({number, judged || line == "```sh run slow", judged, ""});
    } else if (line.starts_with("```")) {
      inside = false;
    } else if (inside) {
      blocks.back().script += line + "\n";
    }
  }
  return blocks;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found = files_in(source_tree() / "docs", ".md");
  for (const char* page : {"README.md", "HACKING.md", "CONTRIBUTING.md", "SECURITY.md",
                           "CHANGELOG.md", ".github/pull_request_template.md"})
    found.push_back(source_tree() / page);
  return found;
}

std::vector<fs::path> pages_with(bool slow) {
  std::vector<fs::path> found;
  for (const fs::path& page : pages())
    for (const Block& block : runnable_blocks(read_text(page)))
      if (block.slow == slow && (found.empty() || found.back() != page)) found.push_back(page);
  return found;
}

enum class Speed { kFast, kAll };

/// Environment of a page with Python: the package, and an interpreter that reads its tables.
std::string python_prelude(const fs::path& page) {
  if (!has(read_text(page), "import ridgeline")) return "";
  return fmt::format("export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='{}' PATH='{}':\"$PATH\"\n",
                     (source_tree() / "python").string(),
                     python_of_clients().parent_path().string());
}

bool lacks_python(const fs::path& page) {
  return !python_prelude(page).empty() && !fs::exists(python_of_clients());
}

void run_page(const fs::path& page, Speed speed) {
  if (lacks_python(page)) GTEST_SKIP() << "scripts/fetch_python_clients.sh has not run";
  const Workplace place;
  const std::string python = python_prelude(page);
  for (const Block& block : runnable_blocks(read_text(page))) {
    if (block.slow && speed == Speed::kFast) continue;
    const std::string_view prelude =
        block.judged ? "ridge() { command ridge \"$@\" || [ $? -eq 1 ]; }\n" : "";
    const Outcome outcome = place.run(fmt::format("{}{}{}", python, prelude, block.script));
    EXPECT_EQ(outcome.status, 0) << page.string() << ":" << block.line << "\n"
                                 << block.script << outcome.err;
  }
}

/// Scripts of all blocks that measure, as one text.
std::string scripts_of(const fs::path& page) {
  std::string all;
  for (const Block& block : runnable_blocks(read_text(page)))
    if (block.slow) all += block.script;
  return all;
}

std::string page_name(const ::testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
}

class Page : public ::testing::TestWithParam<fs::path> {};
TEST_P(Page, ItsQuickCommandsEndWell) { run_page(GetParam(), Speed::kFast); }
INSTANTIATE_TEST_SUITE_P(Docs, Page, ::testing::ValuesIn(pages_with(false)), page_name);

class PageSlow : public ::testing::TestWithParam<fs::path> {};
TEST_P(PageSlow, ItsCommandsEndWell) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  if (lacks_openvino(scripts_of(GetParam())))
    GTEST_SKIP() << "no OpenVINO: scripts/fetch_openvino.sh";
  run_page(GetParam(), Speed::kAll);
}
INSTANTIATE_TEST_SUITE_P(Docs, PageSlow, ::testing::ValuesIn(pages_with(true)), page_name);

// Links

TEST(Docs, LinksBetweenPagesLeadSomewhere) {
  for (const fs::path& page : pages()) {
    const std::string text = read_text(page);
    for (std::size_t at = 0; (at = text.find("](", at)) != std::string::npos;) {
      at += 2;
      std::string target = text.substr(at, text.find(')', at) - at);
      target = target.substr(0, target.find('#'));
      if (target.empty() || target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(page.parent_path() / target)) << page.string() << " -> " << target;
    }
  }
}

// Error codes

/// "RIDGE-AREA-NNNN" at a position, or "".
std::string code_at(const std::string& text, std::size_t at) {
  std::size_t end = at + 6;
  while (end < text.size() && std::isupper(static_cast<unsigned char>(text[end]))) ++end;
  if (end == at + 6 || end + 5 > text.size() || text[end] != '-') return "";
  for (std::size_t i = end + 1; i < end + 5; ++i)
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) return "";
  return text.substr(at, end + 5 - at);
}

std::set<std::string> codes_in(const std::string& text) {
  std::set<std::string> codes;
  for (std::size_t at = 0; (at = text.find("RIDGE-", at)) != std::string::npos; ++at)
    if (const std::string code = code_at(text, at); !code.empty()) codes.insert(code);
  return codes;
}

std::set<std::string> codes_of_the_code() {
  std::set<std::string> codes;
  for (const fs::path& file : files_in(source_tree() / "src", "")) {
    const bool ours = file.extension() == ".cc" || file.extension() == ".h";
    const bool of_tests =
        file.string().ends_with("_test.cc") || file.parent_path().filename() == "testing";
    if (ours && !of_tests) codes.merge(codes_in(read_text(file)));
  }
  for (const fs::path& file : files_in(source_tree() / "python/ridgeline", ".py"))
    codes.merge(codes_in(read_text(file)));
  // The codes of operators come from enum class Fault: "kMissingInput = 101,".
  const std::string faults = read_text(source_tree() / "src/ops/operator.h");
  std::size_t at = faults.find("enum class Fault");
  for (const std::size_t end = faults.find('}', at); (at = faults.find(" = ", at)) < end; ++at)
    codes.insert("RIDGE-OPS-0" + faults.substr(at + 3, 3));
  return codes;
}

TEST(Docs, EveryErrorCodeIsDescribedOnceAndNoOther) {
  const std::set<std::string> used = codes_of_the_code();
  std::set<std::string> described;
  for (const std::string& line :
       lines_of(read_text(source_tree() / "docs/reference/messages.md"))) {
    if (!line.starts_with("| RIDGE-")) continue;
    const std::string code = code_at(line, 2);
    EXPECT_TRUE(described.insert(code).second) << code << " has two rows";
    EXPECT_TRUE(used.contains(code)) << code << " is in messages.md, but nothing reports it";
  }
  for (const std::string& code : used)
    EXPECT_TRUE(described.contains(code)) << code << " has no row in docs/reference/messages.md";
}

// Schemas

TEST(Docs, SchemasAndTheirPageAreMadeFromTheDescriptions) {
  const Workplace place;
  const std::string page = place.run("ridge help schemas").out;
  EXPECT_EQ(page, read_text(source_tree() / "docs/reference/schemas.md")) << "scripts/schemas.sh";
  EXPECT_EQ(place.run("ridge help schemas openapi").out,
            read_text(source_tree() / "data/schema/openapi.json"))
      << "scripts/schemas.sh";
  std::set<std::string> files = {"openapi.json"};
  for (const std::string& line : lines_of(page)) {
    if (!line.starts_with("## ")) continue;
    const std::string name = line.substr(3);
    std::string file = name + ".json";
    file[file.find('/')] = '.';
    files.insert(file);
    EXPECT_EQ(place.run("ridge help schemas " + name).out,
              read_text(source_tree() / "data/schema" / file))
        << name << ": scripts/schemas.sh";
  }
  std::set<std::string> present;
  for (const fs::path& path : files_in(source_tree() / "data/schema", ".json"))
    present.insert(path.filename().string());
  EXPECT_EQ(present, files);
}

TEST(Docs, ThePageOfViewsIsMadeFromTheirColumns) {
  const Workplace place;
  EXPECT_EQ(place.run("ridge help views").out, read_text(source_tree() / "docs/reference/views.md"))
      << "scripts/schemas.sh";
}

TEST(Docs, ThePageOfOperatorsIsMadeFromTheRegistry) {
  const Workplace place;
  const Outcome outcome = place.run("ridge operators --format md");
  EXPECT_EQ(outcome.out, read_text(source_tree() / "docs/reference/operators.md"))
      << "ridge operators --format md --output docs/reference/operators.md";
}

TEST(Docs, ThePageOfFlagsIsMadeFromTheFlags) {
  const Workplace place;
  const Outcome outcome = place.run("ridge help flags");
  EXPECT_EQ(outcome.out, read_text(source_tree() / "docs/reference/flags.md"))
      << "ridge help flags > docs/reference/flags.md";
}

// Forms of issues

TEST(Docs, IssueFormsAskForWhatRidgeHas) {
  const std::string flags = read_text(source_tree() / "docs/reference/flags.md");
  const std::vector<fs::path> forms = files_in(source_tree() / ".github/ISSUE_TEMPLATE", ".yml");
  EXPECT_FALSE(forms.empty());
  for (const fs::path& form : forms) {
    const std::string text = read_text(form);
    EXPECT_TRUE(has(text, "`ridge --version`")) << form;
    for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) {
      const std::string flag =
          text.substr(at, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at) - at);
      EXPECT_TRUE(flag == "--version" || has(flags, flag + " |")) << form << ": " << flag;
      at += flag.size();
    }
  }
}

}  // namespace
}  // namespace ridge::tests
