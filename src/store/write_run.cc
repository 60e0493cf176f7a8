// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "profile/node_layers.h"
#include "store/lists.h"
#include "store/model_rows.h"
#include "store/rows.h"
#include "store/run_rows.h"

namespace ridge::store {
namespace {

using profile::Profile;
using profile::Timeline;

/// Writes the row of table run: the columns of `head` and the model id, then the profile's columns.
Result<std::int64_t> write_head(const Database& db, const RunHead& head, std::int64_t model,
                                const Profile& p) {
  Statement s =
      TRY(insert_into(db, "run", {"content", "recorded_s", "point", "fitness", "machine", "model"},
                      record::kType<Profile>));
  s.bind(1, head.content);
  s.bind(2, head.recorded_s);
  s.bind(3, head.point);
  s.bind(4, head.fitness);
  s.bind(5, std::string_view(head.machine));
  s.bind(6, model);
  BoundRow bound(s, 6);
  record::write_row(record::kType<Profile>, &p, bound);
  TRY(s.run());
  return db.last_id();
}

Result<void> write_samples(const Database& db, std::int64_t run, const Profile& p) {
  auto samples = TRY(RowWriter<TimeRow>::make(db, "sample", {"run", "process", "position"}));
  for (std::size_t i = 0; i < p.latency.processes.size(); ++i) {
    std::int64_t position = 0;
    for (const std::int64_t ns : p.latency.processes[i].samples_ns)
      TRY(samples.add({run, static_cast<std::int64_t>(i), position++}, {ns}));
  }
  return {};
}

Result<void> write_of_layers(const Database& db, std::int64_t run, const Profile& p) {
  auto times = TRY(RowWriter<TimeRow>::make(db, "layer_sample", {"run", "layer", "position"}));
  auto kernels = TRY(RowWriter<profile::Kernel>::make(db, "kernel", {"run", "layer", "position"}));
  auto members = TRY(RowWriter<MemberRow>::make(db, "member", {"run", "layer", "position"}));
  const std::vector<profile::NodeLayer> homes = profile::layers_of_nodes(p);
  std::int64_t number = 0;
  for (const profile::Layer& layer : p.layers) {
    std::int64_t position = 0;
    for (const std::int64_t ns : layer.runs_ns) TRY(times.add({run, number, position++}, {ns}));
    position = 0;
    for (const profile::Kernel& k : layer.kernels) TRY(kernels.add({run, number, position++}, k));
    position = 0;
    const profile::Member* leader = profile::leading_member(p, layer);
    for (const profile::Member& m : layer.members) {
      const bool home = m.node < homes.size() && homes[m.node].member == &m;
      TRY(members.add({run, number, position++},
                      {.member = m, .home = home, .leads = &m == leader}));
    }
    ++number;
  }
  return {};
}

Result<void> write_timeline(const Database& db, std::int64_t run, const Timeline& t) {
  auto spans = TRY(RowWriter<profile::SpanRow>::make(db, "span", {"run", "id"}));
  auto attributes =
      TRY(RowWriter<AttributeRow>::make(db, "span_attribute", {"run", "span", "position"}));
  profile::TextId texts = 0;
  const auto text = [&](profile::TextId id) { return texts = std::max(texts, id), id; };
  std::int64_t id = 0;
  profile::SpanRow row;
  for (const profile::Span& s : t.spans()) {
    static_cast<profile::Span&>(row) = s;
    texts = std::max({texts, s.name, s.thread, s.device, s.queue});
    TRY(spans.add({run, id}, row));
    std::int64_t position = 0;
    for (const profile::SpanAttribute* a = t.begin(s); a != t.end(s); ++a)
      TRY(attributes.add({run, id, position++}, {text(a->key), text(a->value)}));
    ++id;
  }
  auto writer = TRY(RowWriter<TextRow>::make(db, "text", {"run", "id"}));
  for (profile::TextId i = 1; i <= texts; ++i)  // 0 is the empty text
    TRY(writer.add({run, i}, {std::string(t.text(i))}));
  return {};
}

}  // namespace

Result<std::int64_t> keep_model(const Database& db, const std::string& graph_hash,
                                const std::vector<profile::Node>& nodes) {
  const std::string content = content_of(nodes);
  Statement known = TRY(db.prepare("SELECT id FROM model WHERE content = ? AND graph_hash = ?"));
  known.bind(1, content);
  known.bind(2, graph_hash);
  if (TRY(known.step())) return known.integer(0).value_or(0);
  Statement insert = TRY(db.prepare("INSERT INTO model(content, graph_hash) VALUES (?, ?)"));
  insert.bind(1, content);
  insert.bind(2, graph_hash);
  TRY(insert.run());
  const std::int64_t id = db.last_id();
  TRY(write_rows(db, "node", "model", id, nodes));
  return id;
}

Result<void> drop_unused_models(const Database& db) {
  return db.run("DELETE FROM model WHERE id NOT IN (SELECT model FROM run)");
}

Result<std::int64_t> write_run(const Database& db, const RunHead& head, const Profile& p) {
  const std::int64_t model = TRY(keep_model(db, p.subject.graph_hash, p.nodes));
  const std::int64_t run = TRY(write_head(db, head, model, p));
  TRY(for_each_list(p, [&](std::string_view table, const auto& rows) {
    return write_rows(db, table, "run", run, rows);
  }));
  TRY(write_samples(db, run, p));
  TRY(write_of_layers(db, run, p));
  TRY(write_timeline(db, run, p.timeline));
  return run;
}

}  // namespace ridge::store
