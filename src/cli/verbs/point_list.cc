// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/point_list.h"

#include <fmt/format.h>

#include "cli/verbs/point_table.h"
#include "export/table.h"

namespace ridge::cli {
namespace {

using exports::Align;
using session::PointList;

exports::Table points_table(const PointList& list) {
  exports::Table t({{"model", Align::kLeft, 40},
                    {"point", Align::kLeft, 40},
                    {"runtime"},
                    {"key"},
                    {"state", Align::kLeft, exports::kWhole}});
  for (const session::ListedPoint& p : list.points)
    t.add({p.model, p.point, p.runtime, p.key,
           p.stored.empty() ? "not measured" : fmt::format("{}, already stored", p.stored)});
  return t;
}

std::string points_csv(const PointList& list) {
  exports::Table t(
      {{"key"}, {"model"}, {"point"}, {"runtime"}, {"threads"}, {"state"}, {"stored"}});
  for (const session::ListedPoint& p : list.points)
    t.add({p.key, p.model, p.point, p.runtime, fmt::format("{}", p.threads),
           std::string(word(p.state)), p.stored});
  return t.csv();
}

std::string points_text(const PointList& list, TableForm form) {
  exports::Table table = points_table(list);
  const std::string shared = table.take_shared({"model", "point", "runtime"});
  return point_table(shared, table, {}, form);
}

}  // namespace

constexpr Document<const PointList&> kPointListDocument = {
    .table = [](auto& list, Sink& sink) { sink.write(points_text(list, TableForm::kText)); },
    .described = [](auto& list, auto& out) { out.write(list); },
    .csv = [](auto& list, Sink& sink) { sink.write(points_csv(list)); },
    .md = [](auto& list, Sink& sink) { sink.write(points_text(list, TableForm::kMarkdown)); }};
static_assert(kPointListDocument.formats() == kUsualFormats);

}  // namespace ridge::cli
