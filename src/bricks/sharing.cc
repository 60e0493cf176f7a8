// SPDX-License-Identifier: Apache-2.0
#include "bricks/sharing.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace ridge::bricks {
namespace {

/// Pieces of one model that are one brick; `of` is the model for a list by brick, and the brick for
/// a list by model.
struct SharedPieces {
  std::size_t of = 0;
  std::int64_t pieces = 0;
};

/// By brick: the models that have it, in the order of the plan.
std::vector<std::vector<SharedPieces>> users_of(const Plan& plan) {
  std::unordered_map<std::string_view, std::size_t> position;
  for (std::size_t m = 0; m < plan.models.size(); ++m) position.emplace(plan.models[m].name, m);
  std::vector<std::vector<SharedPieces>> out(plan.bricks.size());
  for (std::size_t b = 0; b < plan.bricks.size(); ++b) {
    std::vector<std::size_t> models;
    for (const Occurrence& o : plan.bricks[b].occurrences) models.push_back(position.at(o.model));
    std::ranges::sort(models);
    for (const std::size_t m : models) {
      if (out[b].empty() || out[b].back().of != m) out[b].push_back({m, 0});
      ++out[b].back().pieces;
    }
  }
  return out;
}

Amount amount(std::int64_t pieces, const Brick& brick) {
  return {pieces, static_cast<double>(pieces) * static_cast<double>(brick.macs)};
}

void count(const Brick& brick, const std::vector<SharedPieces>& users, Sharing& out) {
  for (const SharedPieces& use : users) {
    ModelSharing& m = out.models[use.of];
    ++m.unique;
    out.pieces += amount(use.pieces, brick);
    if (use.of != users.front().of) {
      m.known += amount(use.pieces, brick);
      continue;
    }
    ++m.added;
    m.fresh += amount(1, brick);
    m.repeated += amount(use.pieces - 1, brick);
    out.bricks += amount(1, brick);
  }
}

/// Fills the commons of all models.
void add_commons(const Plan& plan, const std::vector<std::vector<SharedPieces>>& users,
                 Sharing& out) {
  std::vector<std::vector<SharedPieces>> bricks(plan.models.size());
  for (std::size_t b = 0; b < users.size(); ++b)
    for (const SharedPieces& use : users[b]) bricks[use.of].push_back({b, use.pieces});
  std::vector<Amount> sums(plan.models.size());
  for (std::size_t row = 0; row < bricks.size(); ++row) {
    std::vector<std::size_t> others;
    for (const SharedPieces& own : bricks[row])
      for (const SharedPieces& other : users[own.of]) {
        if (other.of == row) continue;
        if (sums[other.of].pieces == 0) others.push_back(other.of);
        sums[other.of] += amount(own.pieces, plan.bricks[own.of]);
      }
    std::ranges::sort(others);
    for (const std::size_t other : others) {
      out.models[row].commons.push_back({other, sums[other]});
      sums[other] = {};
    }
  }
}

using Similarities = std::vector<std::vector<double>>;

Similarities similarities(const Sharing& sharing) {
  const std::size_t n = sharing.models.size();
  Similarities out(n, std::vector<double>(n, 0));
  for (std::size_t a = 0; a < n; ++a)
    for (const Common& common : sharing.models[a].commons) {
      const ModelSharing& b = sharing.models[common.with];
      const std::int64_t all = sharing.models[a].pieces().pieces + b.pieces().pieces;
      const double share = static_cast<double>(common.amount.pieces) /
                           static_cast<double>(std::max<std::int64_t>(1, all));
      out[a][common.with] += share;
      out[common.with][a] += share;
    }
  return out;
}

using Row = std::vector<std::size_t>;

/// Both rows, the first of the four ways in which the most similar models meet.
Row joined(Row a, Row b, const Similarities& similarity) {
  struct Way {
    bool turn_a, turn_b;
  };
  constexpr std::array kWays = {Way{false, false}, Way{false, true}, Way{true, false},
                                Way{true, true}};
  const auto meeting = [&](const Way& way) {
    return similarity[way.turn_a ? a.front() : a.back()][way.turn_b ? b.back() : b.front()];
  };
  const Way best = *std::ranges::max_element(kWays, {}, meeting);
  if (best.turn_a) std::ranges::reverse(a);
  if (best.turn_b) std::ranges::reverse(b);
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

Amount Sharing::common(std::size_t row, std::size_t column) const {
  if (row == column) return models[row].pieces();
  const std::vector<Common>& all = models[row].commons;
  const auto at = std::ranges::lower_bound(all, column, {}, &Common::with);
  return at == all.end() || at->with != column ? Amount{} : at->amount;
}

Sharing sharing_of(const Plan& plan) {
  Sharing out;
  out.models.resize(plan.models.size());
  const std::vector<std::vector<SharedPieces>> users = users_of(plan);
  for (std::size_t b = 0; b < users.size(); ++b) count(plan.bricks[b], users[b], out);
  add_commons(plan, users, out);
  std::unordered_map<std::string_view, std::size_t> left;
  for (const LeftOver& l : plan.left_over) left[l.model] += l.nodes.size();
  for (std::size_t m = 0; m < plan.models.size(); ++m)
    if (const auto nodes = left.find(plan.models[m].name); nodes != left.end())
      out.models[m].nodes_left_over = nodes->second;
  return out;
}

std::vector<std::size_t> family_order(const Sharing& sharing) {
  const std::size_t n = sharing.models.size();
  std::vector<Row> rows(n);  // clusters; those that were joined to another are empty
  for (std::size_t m = 0; m < n; ++m) rows[m] = {m};
  Row out;
  if (n <= kMaxOrdered) {
    const Similarities single = similarities(sharing);
    Similarities mean = single;  // over the pairs of models of two clusters
    for (std::size_t joins = 1; joins < n; ++joins) {
      std::size_t a = n, b = n;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n && !rows[i].empty(); ++j)
          if (!rows[j].empty() && (a == n || mean[i][j] > mean[a][b])) a = i, b = j;
      const auto size_a = static_cast<double>(rows[a].size()),
                 size_b = static_cast<double>(rows[b].size());
      for (std::size_t k = 0; k < n; ++k)
        mean[a][k] = mean[k][a] = (size_a * mean[a][k] + size_b * mean[b][k]) / (size_a + size_b);
      rows[a] = joined(std::move(rows[a]), std::move(rows[b]), single);
      rows[b].clear();
    }
  }
  for (const Row& row : rows) out.insert(out.end(), row.begin(), row.end());
  return out;
}

}  // namespace ridge::bricks
