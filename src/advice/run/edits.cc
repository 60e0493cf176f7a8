// SPDX-License-Identifier: Apache-2.0
#include "advice/run/edits.h"

#include <fmt/format.h>

#include <set>

#include "advice/kernel_change.h"
#include "bricks/kernels.h"
#include "rewrite/rewritten.h"

namespace ridge::advice {
namespace {

std::vector<std::string> kernels_of(const bricks::Network& network) {
  std::vector<std::string> out;
  for (const bricks::KernelKind& k : bricks::all_kernels(network)) out.push_back(k.text);
  return out;
}

}  // namespace

Result<std::vector<AdviceEdit>> find_edits(const analysis::Resolved& resolved,
                                           const bricks::Network& network, bricks::Loader& loader,
                                           std::vector<std::string>& notes) {
  std::vector<AdviceEdit> out;
  const std::vector<std::string> before = kernels_of(network);
  const std::string runtime = TRY(loader.info()).name;
  for (const rewrite::Rule& rule : rewrite::rules()) {
    if (loader.interrupted()) return out;
    if (!rule.runtime.empty() && rule.runtime != runtime) continue;
    std::vector<rewrite::Site> sites = rule.find(resolved);
    if (sites.empty()) continue;
    const rewrite::Rewritten copy = rewrite::apply(rule, resolved, sites);
    const analysis::Resolved better = TRY(rewrite::resolved_as(resolved, copy.document));
    Result<bricks::Network> after = loader.load(better);
    if (!after.ok()) {
      if (loader.interrupted()) return out;
      notes.push_back(fmt::format("the model with '{}' applied cannot be loaded: {}", rule.name,
                                  after.error().summary()));
      continue;
    }
    AdviceEdit edit{
        &rule, std::move(sites), std::move(*after), rewrite::origins(copy, better.model()), {}};
    std::vector<std::string> kernels = before;
    if (edit.binds_sizes()) {
      constexpr auto kAsDeclared = bricks::Loader::Sizes::kAsDeclared;
      const Result<bricks::Network> free = loader.load(resolved, kAsDeclared);
      if (free.ok()) kernels = kernels_of(*free);
    }
    const std::vector<std::string> edited = kernels_of(edit.network);
    edit.more_kernels = more_kernels(kernels, edited);
    edit.change = kernel_change(std::move(kernels), edited);
    if (!edit.change.empty()) out.push_back(std::move(edit));
  }
  return out;
}

std::vector<graph::NodeId> nodes_of(const std::vector<rewrite::Site>& sites) {
  std::set<graph::NodeId> nodes;
  for (const rewrite::Site& site : sites) nodes.insert(site.nodes.begin(), site.nodes.end());
  return {nodes.begin(), nodes.end()};
}

}  // namespace ridge::advice
