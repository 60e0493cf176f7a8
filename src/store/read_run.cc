// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "profile/options.h"
#include "profile/verified.h"
#include "store/rows.h"
#include "store/run_rows.h"

namespace ridge::store {
namespace {

using profile::Profile;
using profile::Timeline;

Result<void> read_head(const Database& db, std::int64_t id, Profile& p, std::int64_t& model) {
  auto reader = TRY(RowReader<Profile>::make(db, "run", {"model"}, "id", id));
  if (!TRY(reader.next())) return db.damaged(fmt::format("run {} has no row", id));
  p = std::move(reader.row());
  model = reader.key(0);
  return {};
}

Result<void> read_subject(const Database& db, std::int64_t id, profile::Subject& s) {
  for (auto& row : TRY(read_rows<Opset>(db, "opset", "run", id)))
    s.opsets[row.domain] = row.version;
  for (auto& row : TRY(read_rows<BindingRow>(db, "binding", "run", id)))
    s.bindings[row.name] = row.binding;
  std::map<std::string, std::string> options;
  for (auto& row : TRY(read_rows<OptionRow>(db, "run_option", "run", id)))
    options[row.name] = std::move(row.value);
  profile::set_options(s, std::move(options));
  return {};
}

/// Reads `table` and passes each row to `use`, together with the element of `of` whose position is
/// in column `key`.
template <typename Row, typename Owner, typename Use>
Result<void> hand_out(const Database& db, std::string_view table, std::string_view key,
                      std::int64_t run, std::vector<Owner>& of, Use&& use) {
  auto reader = TRY(RowReader<Row>::make(db, table, {key, "position"}, "run", run));
  while (TRY(reader.next())) {
    if (!std::in_range<std::size_t>(reader.key(0)) ||
        static_cast<std::size_t>(reader.key(0)) >= of.size())
      return db.damaged(
          fmt::format("table {} refers to {} {}, which does not exist", table, key, reader.key(0)));
    use(of[static_cast<std::size_t>(reader.key(0))], reader.row());
  }
  return {};
}

Result<void> read_lists(const Database& db, std::int64_t run, Profile& p) {
  p.latency.processes = TRY(read_rows<profile::Process>(db, "process", "run", run));
  TRY(hand_out<TimeRow>(
      db, "sample", "process", run, p.latency.processes,
      [](auto& process, auto& row) { process.samples_ns.push_back(row.time_ns); }));
  p.layers = TRY(read_rows<profile::Layer>(db, "layer", "run", run));
  TRY(hand_out<TimeRow>(db, "layer_sample", "layer", run, p.layers,
                        [](auto& layer, auto& row) { layer.runs_ns.push_back(row.time_ns); }));
  TRY(hand_out<profile::Kernel>(db, "kernel", "layer", run, p.layers, [](auto& layer, auto& row) {
    layer.kernels.push_back(std::move(row));
  }));
  TRY(hand_out<profile::Member>(db, "member", "layer", run, p.layers,
                                [](auto& layer, auto& row) { layer.members.push_back(row); }));
  p.without_layer = TRY(read_rows<profile::WithoutLayer>(db, "without_layer", "run", run));
  p.modules = TRY(read_rows<profile::Module>(db, "module", "run", run));
  p.roofs = TRY(read_rows<machine::Roof>(db, "roof", "run", run));
  p.reference = TRY(read_rows<profile::ReferenceTime>(db, "reference", "run", run));
  p.levels.costs = TRY(read_rows<profile::LevelCost>(db, "level_cost", "run", run));
  p.levels.threads = TRY(read_rows<profile::ThreadWork>(db, "thread_work", "run", run));
  p.levels.counters = TRY(read_rows<profile::Counter>(db, "counter", "run", run));
  p.verification.cuts = TRY(read_rows<profile::VerifiedCut>(db, "verified_cut", "run", run));
  for (auto& row : TRY(read_rows<NoteRow>(db, "note", "run", run)))
    p.notes.push_back(std::move(row.note));
  return {};
}

/// Consumers of a profile index its nodes, and the runs of its layers, without bounds checks.
Result<void> must_refer(const Database& db, const Profile& p) {
  const Result<void> checked = profile::check_references(p);
  return checked.ok() ? Result<void>() : db.damaged(checked.error().message());
}

// The timeline

/// Reads the texts into the timeline; the result maps store ids to timeline ids.
Result<std::vector<profile::TextId>> read_texts(const Database& db, std::int64_t run, Timeline& t) {
  std::vector<profile::TextId> ids = {0};
  auto reader = TRY(RowReader<TextRow>::make(db, "text", {"id"}, "run", run));
  while (TRY(reader.next())) {
    if (reader.key(0) != std::ssize(ids)) return db.damaged("texts are missing");
    ids.push_back(t.intern(reader.row().value));
  }
  return ids;
}

/// Reader of attributes in step with the spans: both are ordered by span id.
class AttributeQueue {
 public:
  static Result<AttributeQueue> make(const Database& db, std::int64_t run) {
    AttributeQueue queue(
        TRY(RowReader<AttributeRow>::make(db, "span_attribute", {"span", "position"}, "run", run)));
    queue.there_ = TRY(queue.reader_.next());
    return queue;
  }
  bool there() const { return there_; }
  std::int64_t span() const { return reader_.key(0); }
  AttributeRow row() { return reader_.row(); }
  Result<void> next() {
    there_ = TRY(reader_.next());
    return {};
  }

 private:
  explicit AttributeQueue(RowReader<AttributeRow> reader) : reader_(std::move(reader)) {}
  RowReader<AttributeRow> reader_;
  bool there_ = false;
};

Result<void> read_timeline(const Database& db, std::int64_t run, Timeline& t) {
  const std::vector<profile::TextId> ids = TRY(read_texts(db, run, t));
  bool missing = false;
  const auto text = [&](std::uint32_t id) {
    missing |= id >= ids.size();
    return id < ids.size() ? ids[id] : 0;
  };
  auto spans = TRY(RowReader<profile::SpanRow>::make(db, "span", {"id"}, "run", run));
  AttributeQueue attributes = TRY(AttributeQueue::make(db, run));
  while (TRY(spans.next())) {
    const std::int64_t id = std::ssize(t.spans());
    if (spans.key(0) != id) return db.damaged("spans are missing");
    profile::Span& s = spans.row();
    for (profile::TextId* part : {&s.name, &s.thread, &s.device, &s.queue}) *part = text(*part);
    t.add(s);
    for (; attributes.there() && attributes.span() == id; TRY(attributes.next()))
      t.attribute(t.text(text(attributes.row().key)), t.text(text(attributes.row().value)));
  }
  for (const profile::Span& s : t.spans())
    missing |= s.parent != profile::kNoSpan && s.parent >= t.spans().size();
  if (missing || attributes.there())
    return db.damaged("a span refers to a missing text or span, or an attribute to a missing span");
  return {};
}

}  // namespace

Result<Profile> read_run(const Database& db, std::int64_t id) {
  Profile p;
  std::int64_t model = 0;
  TRY(read_head(db, id, p, model));
  TRY(read_subject(db, id, p.subject));
  p.nodes = TRY(read_rows<profile::Node>(db, "node", "model", model));
  TRY(read_lists(db, id, p));
  TRY(must_refer(db, p));
  profile::mark_verified(p);
  TRY(read_timeline(db, id, p.timeline));
  TRY(check_content(db, "run", id, content_of(p)));
  return p;
}

}  // namespace ridge::store
