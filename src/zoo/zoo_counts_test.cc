// Compares the networks of the zoo with the counts of their originals (tests/data/zoo.csv):
// parameters of the modules, multiply-accumulates counted by PyTorch's dispatcher, and elements
// passing through normalizations.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "analysis/resolved.h"
#include "zoo/source.h"
#include "zoo/testing.h"
#include "zoo/zoo.h"

namespace ridge::zoo {
namespace {

analysis::Resolved resolved(const std::string& spec) {
  const std::string name = "zoo:" + spec;
  auto model = graph::Model::build(open_model(name).value());
  return analysis::resolve(std::make_shared<const graph::Model>(std::move(model).value()), {},
                           default_sizes(name))
      .value();
}

std::int64_t elements_into(const analysis::Resolved& r, std::string_view op_type) {
  std::int64_t sum = 0;
  for (const graph::Node& n : r.model().nodes())
    if (n.op_type == op_type) sum += r.dims().product(r.type(n.inputs[0]).shape.span()).value();
  return sum;
}

/// Compares with a published value; an empty cell has none.
void expect_published(std::int64_t figure, const std::string& cell, const char* what) {
  if (!cell.empty()) {
    EXPECT_EQ(figure, std::stoll(cell)) << what;
  }
}

TEST(ZooCounts, EqualThoseOfTheOriginals) {
  std::set<std::string, std::less<>> checked;
  for (const auto& row : testing::csv_rows("tests/data/zoo.csv")) {
    const std::string& name = row.at("network");
    SCOPED_TRACE(name);
    checked.insert(name);
    const analysis::Resolved r = resolved(name);
    EXPECT_EQ(r.totals().unknown, 0);
    expect_published(r.totals().params, row.at("params"), "parameters");
    expect_published(r.totals().macs.value(), row.at("macs"), "MACs");
    expect_published(elements_into(r, "BatchNormalization"), row.at("batch_norm"), "BN elements");
    expect_published(elements_into(r, "LayerNormalization"), row.at("layer_norm"), "LN elements");
  }
  for (const Entry& e : entries()) EXPECT_TRUE(checked.contains(e.name)) << e.name;
}

TEST(ZooCounts, FoldingKeepsTheWorkAndDropsTheScales) {
  // Number of parameters in exports of the same networks by PyTorch 1.13.
  const std::map<std::string, std::int64_t> params = {{"resnet50", 25'530'472},
                                                      {"resnet18", 11'684'712}};
  for (const auto& [name, expected] : params) {
    const analysis::Resolved folded = resolved(name + ",folded");
    EXPECT_EQ(folded.totals().params, expected) << name;
    EXPECT_TRUE(folded.totals().macs.same(resolved(name).totals().macs)) << name;
  }
}

}  // namespace
}  // namespace ridge::zoo
