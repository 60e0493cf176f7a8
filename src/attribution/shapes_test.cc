// The shapes that analysis resolves against those that a runtime reports when it runs the model as
// it is, unoptimised: every output of every node that ran.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/testing/packaged.h"
#include "attribution/testing.h"

namespace ridge::attribution {
namespace {

using testing::Attributed;
using testing::Optimisation;

using Shape = std::vector<std::int64_t>;

/// "[1,3]" of what was resolved; "?" where a size depends on data.
std::string text(const ops::Type& type) {
  if (!type.shape.ranked()) return "?";
  nlohmann::json out = nlohmann::json::array();
  for (const ops::Dim& d : type.shape.span()) {
    if (!d.known()) return "?";
    out.push_back(d.value());
  }
  return out.dump();
}

struct Compared {
  int equal = 0, open = 0;
};

/// Every output that an event names, by its name in the copy.
Compared compare(const Attributed& run) {
  std::map<std::string_view, graph::ValueId> original;
  for (graph::ValueId v = 0; v < run.copy.value_name.size(); ++v)
    if (!run.copy.value_name[v].empty()) original[run.copy.value_name[v]] = v;
  const auto events = run.events();
  const auto kernels = join_events(run.graph, events);
  Compared out;
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (kernels[e] == graph::kNone) continue;
    const graph::Node& kernel = run.graph.kernel(kernels[e]);
    const auto shapes = nlohmann::json::parse(events[e].shapes, nullptr, false);
    if (!shapes.is_array() || shapes.size() != kernel.outputs.size()) continue;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      const std::string_view name = run.graph.model->value(kernel.outputs[i]).name;
      if (!original.contains(name) || shapes[i].empty()) continue;
      const std::string got = text(run.resolved.type(original[name]));
      EXPECT_TRUE(got == "?" || got == shapes[i].begin()->dump())
          << kernel.op_type << " '" << name << "': " << got << ", not "
          << shapes[i].begin()->dump();
      ++(got == "?" ? out.open : out.equal);
    }
  }
  return out;
}

std::shared_ptr<Attributed> run(analysis::Resolved resolved) {
  return Attributed::of(std::move(resolved),
                        {.level = Optimisation::kDisable, .profile = true, .facts = false});
}

TEST(PackagedSlow, ShapesAreThoseOfTheRuntime) {
  const auto models = analysis::testing::packaged_models();
  if (models.empty() || !testing::runtime_installed())
    GTEST_SKIP() << "the models or an ONNX Runtime are not here";
  for (const auto& p : models) {
    SCOPED_TRACE(p.name);
    auto resolved = analysis::testing::resolve_packaged(p);
    ASSERT_TRUE(resolved.ok()) << resolved.error().text();
    std::shared_ptr<Attributed> attributed;
    try {
      attributed = run(std::move(resolved).value());
    } catch (const std::runtime_error& e) {
      ADD_FAILURE() << e.what();
      continue;
    }
    const Compared c = compare(*attributed);
    EXPECT_GT(c.equal, 4);
    EXPECT_EQ(c.open, 0);
  }
}

}  // namespace
}  // namespace ridge::attribution
