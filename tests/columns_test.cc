// SPDX-License-Identifier: Apache-2.0
// Checks that the columns of tables and CSV documents are those of the pages that explain them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "export/profile/table.h"
#include "profile/read.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

using Names = std::set<std::string>;

/// Row of a table of columns in a page: `name` | unit | meaning.
struct Described {
  std::string name;
  bool whole = false;  ///< has three cells and a nonempty meaning
};

/// Rows of the table below that heading of a page.
std::vector<Described> described(const std::string& page, const std::string& heading) {
  std::vector<Described> out;
  bool here = false;
  for (const std::string& line : lines_of(read_text(source_tree() / page))) {
    if (line.starts_with("## ")) here = line == "## " + heading;
    if (!here || !line.starts_with("| `")) continue;
    const std::size_t end = line.find('`', 3);
    const std::size_t meaning = line.find(" | ", line.find(" | ", end) + 1);
    out.push_back({line.substr(3, end - 3),
                   std::count(line.begin(), line.end(), '|') == 4 && line.size() > meaning + 6});
  }
  return out;
}

std::vector<std::string> names(const std::vector<Described>& rows) {
  std::vector<std::string> out;
  for (const Described& row : rows) {
    EXPECT_TRUE(row.whole) << row.name << " lacks its unit or its meaning";
    out.push_back(row.name);
  }
  return out;
}

std::vector<std::string> columns(const std::string& csv) {
  std::vector<std::string> out;
  std::string line = csv.substr(0, csv.find('\n')) + ",";
  for (std::size_t at = 0, end = 0; (end = line.find(',', at)) != std::string::npos; at = end + 1)
    out.push_back(line.substr(at, end - at));
  return out;
}

/// Titles of all tables of a text: the line above a rule, separated by two blanks.
Names headings(const std::string& text) {
  Names out;
  std::string above;
  for (const std::string& line : lines_of(text)) {
    const bool rule = line.starts_with("--") && line.find_first_not_of("- ") == std::string::npos;
    for (std::size_t at = 0; rule && at < above.size();) {
      const std::size_t end = std::min(above.find("  ", at), above.size());
      if (end > at) out.insert(above.substr(at, end - at));
      at = std::min(above.find_first_not_of(' ', end), above.size());
    }
    above = line;
  }
  return out;
}

Names headings_of(const std::string& command) {
  const Workplace place;
  const Outcome run = place.run(command);
  EXPECT_EQ(run.status, 0) << run.err;
  return headings(run.out);
}

TEST(Columns, OfAnAcceleratorAreThoseOfItsPage) {
  const Workplace place;
  const Outcome run = place.run("ridge accel --gemm 8,8,8 --machine edge-32 --format csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(columns(run.out), names(described("docs/accelerator.md", "Columns")));
}

TEST(Columns, OfAnAcceleratorsTablesAreThoseOfItsPage) {
  Names printed;
  for (const char* asked :
       {"--gemm 8,8,8 --machine edge-32 --convention scalesim",
        "--gemm 8,8,8 --machine edge-32 --pareto", "--gemm 64,64,64 --machine edge-32,nvdla-like",
        "before.onnx --bind batch=2 --machine gemmini-16 --profile-with nest",
        "before.onnx --bind batch=1,2 --machine edge-32,gemmini-16 --pad none,16x16x16"})
    printed.merge(headings_of(std::string("ridge accel ") + asked));
  printed.erase("batch");  // a size, with the name that the model gives it
  const std::vector<std::string> page = names(described("docs/accelerator.md", "Table headings"));
  EXPECT_EQ(Names(page.begin(), page.end()), printed);
}

std::vector<profile::Profile> recorded_run() {
  const auto runs = profile::read_profiles(read_text(source_tree() / "tests/runs/ort.json"));
  return runs.ok() ? *runs : std::vector<profile::Profile>();
}

TEST(Columns, OfAProfileAreThoseOfItsPage) {
  const std::vector<profile::Profile> runs = recorded_run();
  ASSERT_FALSE(runs.empty());
  EXPECT_EQ(columns(exports::profile_csv(runs[0])), names(described("docs/profile.md", "Columns")));
}

TEST(Columns, OfAProfilesTablesAreThoseOfItsPage) {
  std::vector<profile::Profile> runs = recorded_run();
  ASSERT_FALSE(runs.empty());
  runs[0].modules.push_back({.path = "layer1", .depth = 1});
  Names printed = headings(exports::profile_text(runs[0], 15));
  runs.push_back(runs[0]);
  runs[1].batch = 8;
  runs[1].subject.bindings["batch"].value = 8;
  printed.merge(headings(exports::sweep_text({runs})));
  const std::vector<std::string> page = names(described("docs/profile.md", "Table headings"));
  EXPECT_EQ(Names(page.begin(), page.end()), printed);
}

}  // namespace
}  // namespace ridge::tests
