// SPDX-License-Identifier: Apache-2.0
// Networks that tests iterate over, with sizes resolved: each calls check(resolved, name). Those
// that return bool return whether there were any networks. For tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "analysis/testing/onnx_cases.h"
#include "analysis/testing/packaged.h"
#include "analysis/testing/reference.h"
#include "zoo/source.h"
#include "zoo/zoo.h"

namespace ridge::accelerator::testing {

template <typename Check>
void check_resolved(const Result<analysis::Resolved>& r, const std::string& name, Check& check) {
  EXPECT_TRUE(r.ok()) << name << ": " << r.error().text();
  if (r.ok()) check(*r, name);
}

template <typename Check>
bool for_each_reference_network(Check&& check) {
  using namespace analysis::testing;
  const auto models = reference_models();
  for (const auto& path : models)
    check_resolved(resolve_reference(path, counts_of(path)), path.stem().string(), check);
  return !models.empty();
}

template <typename Check>
bool for_each_packaged_model(Check&& check) {
  const auto models = analysis::testing::packaged_models();
  for (const auto& p : models)
    check_resolved(analysis::testing::resolve_packaged(p), p.name, check);
  return !models.empty();
}

/// Networks of the zoo at their default sizes.
template <typename Check>
void for_each_zoo_network(Check&& check) {
  for (const zoo::Entry& entry : zoo::entries()) {
    const std::string name = "zoo:" + std::string(entry.name);
    auto document = zoo::open_model(name);
    ASSERT_TRUE(document.ok()) << document.error().text();
    auto model = std::make_shared<const graph::Model>(graph::Model::build(*document).value());
    check_resolved(analysis::resolve(std::move(model), {}, zoo::default_sizes(name)), name, check);
  }
}

/// Operator cases of the onnx package whose multiply-accumulates are known.
template <typename Check>
bool for_each_operator_case(Check&& check) {
  const auto cases = analysis::testing::onnx_cases();
  for (const auto& c : cases) {
    const auto r = analysis::testing::resolve_case(c);
    if (r.ok() && r->totals().macs.known()) check(*r, c.name);
  }
  return !cases.empty();
}

}  // namespace ridge::accelerator::testing
