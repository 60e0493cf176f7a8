// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "profile/node_layers.h"
#include "profile/options.h"
#include "profile/summary.h"
#include "profile/sweep.h"
#include "store/lists.h"
#include "store/model_rows.h"
#include "store/rows.h"
#include "store/run_rows.h"

namespace ridge::store {
namespace {

using profile::Profile;
using profile::Timeline;

/// Writes the row of table run.
Result<std::optional<std::int64_t>> write_head(const Database& db, const std::string& content,
                                               std::int64_t model, const RunHead& head,
                                               const Profile& p) {
  Statement s = TRY(insert_into(db, "run", {"content", "model"},
                                {&record::kType<RunHead>, &record::kType<Profile>}));
  s.bind(1, content);
  s.bind(2, model);
  BoundRow bound(s, 2);
  record::write_row(record::kType<RunHead>, &head, bound);
  record::write_row(record::kType<Profile>, &p, bound);
  return insert(s);
}

Result<void> write_samples(const Database& db, std::int64_t run, const Profile& p) {
  auto samples = TRY(RowWriter<TimeRow>::make(db, "sample", {"run", "process", "position"}));
  for (std::size_t i = 0; i < p.latency.processes.size(); ++i) {
    std::int64_t position = 0;
    for (const std::int64_t ns : p.latency.processes[i].samples_ns)
      TRY(samples.add({run, static_cast<std::int64_t>(i), position++}, {ns}));
  }
  return samples.done();
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
  TRY(times.done());
  TRY(kernels.done());
  return members.done();
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
  TRY(spans.done());
  TRY(attributes.done());
  auto writer = TRY(RowWriter<TextRow>::make(db, "text", {"run", "id"}));
  for (profile::TextId i = 1; i <= texts; ++i)  // 0 is the empty text
    TRY(writer.add({run, i}, {std::string(t.text(i))}));
  return writer.done();
}

}  // namespace

Result<std::int64_t> keep_model(const Database& db, const std::string& graph_hash,
                                const std::vector<profile::Node>& nodes) {
  // Two programs may add the same model at once: one of them inserts it, the other finds it.
  const std::string content = content_of(nodes);
  Statement added = TRY(db.prepare(
      "INSERT INTO model(content, graph_hash) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id"));
  added.bind(1, content);
  added.bind(2, graph_hash);
  if (const auto id = TRY(insert(added))) {
    TRY(write_rows(db, "node", "model", *id, nodes));
    return *id;
  }
  Statement known = TRY(db.prepare("SELECT id FROM model WHERE content = ? AND graph_hash = ?"));
  known.bind(1, content);
  known.bind(2, graph_hash);
  if (!TRY(known.step())) return db.damaged("a model was removed while it was read");
  return known.integer(0).value_or(0);
}

Result<void> drop_unused_models(const Database& db) {
  return db.run("DELETE FROM model WHERE id NOT IN (SELECT model FROM run)");
}

RunHead head_of(const Profile& p, const Stamp& stamp) {
  return {.stamp = stamp,
          .machine = profile::machine_name(p.host_json),
          .sizes = profile::sizes_text(p.subject.bindings),
          .thread_option = profile::thread_option(p.subject),
          .layers = std::ssize(p.layers)};
}

Result<std::optional<std::int64_t>> write_run(const Database& db, const std::string& content,
                                              const RunHead& head, const Profile& p) {
  const std::int64_t model = TRY(keep_model(db, p.subject.graph_hash, p.nodes));
  const std::optional<std::int64_t> run = TRY(write_head(db, content, model, head, p));
  if (!run) return run;
  TRY(for_each_list(p, [&](std::string_view table, const auto& rows) {
    return write_rows(db, table, "run", *run, rows);
  }));
  TRY(write_samples(db, *run, p));
  TRY(write_of_layers(db, *run, p));
  TRY(write_timeline(db, *run, p.timeline));
  return run;
}

}  // namespace ridge::store
