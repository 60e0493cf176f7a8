// The columns of CSV documents against the pages that explain them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// First cells of the rows of the table under that heading of a page, without backticks.
std::vector<std::string> described(const std::string& page, const std::string& heading) {
  std::vector<std::string> out;
  bool here = false;
  for (const std::string& line : lines_of(read_text(source_tree() / page))) {
    if (line.starts_with("## ")) here = line == "## " + heading;
    if (!here || !line.starts_with("| `")) continue;
    out.push_back(line.substr(3, line.find('`', 3) - 3));
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

TEST(Columns, OfAnAcceleratorAreThoseOfItsPage) {
  const Workplace place;
  const Outcome run = place.run("ridge accel --gemm 8,8,8 --machine edge-32 --format csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(columns(run.out), described("docs/accelerator.md", "Columns"));
}

}  // namespace
}  // namespace ridge::tests
