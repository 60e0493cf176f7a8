#include "bricks/manifest.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "base/json_at.h"
#include "base/json_writer.h"

namespace ridge::bricks {
namespace {

constexpr std::array kLayoutNames = {Layout::kPlain, Layout::kBlocked, Layout::kChannelsLast};
constexpr std::array kDirections = {Direction::kInput, Direction::kOutput};

Error malformed(std::string what) {
  return input_error("RIDGE-BRICK-0010", std::move(what))
      .hint("write the bricks again: ridge bricks plan MODEL... --out DIR");
}

template <typename T>
void write_list(JsonWriter& json, const std::vector<T>& items) {
  json.begin_array();
  for (const T& item : items) json.value(item);
  json.end_array();
}

void write_port(JsonWriter& json, const BrickPort& port) {
  json.begin_object().key("name").value(port.name).key("direction").value(name(port.direction));
  json.key("dtype").value(port.dtype).key("shape");
  write_list(json, port.shape);
  json.key("layout").value(name(port.layout)).key("donor").value_or_null(port.donor).end_object();
}

void write_brick(JsonWriter& json, const Brick& brick) {
  json.line().begin_object().key("key").value(brick.key).key("file").value(brick.file);
  json.key("sha256").value(brick.digest.sha256).key("file_bytes").value(brick.digest.bytes);
  json.key("macs").value(brick.macs).key("bytes").value(brick.bytes).key("ports").begin_array();
  for (const BrickPort& port : brick.ports) write_port(json, port);
  json.end_array().key("kernels");
  write_list(json, brick.kernels);
  json.key("whole").value(brick.whole).key("occurrences").begin_array();
  for (const Occurrence& o : brick.occurrences) {
    json.begin_object().key("model").value(o.model).key("nodes");
    write_list(json, o.nodes);
    json.key("live_bytes").value(o.live_bytes).end_object();
  }
  json.end_array().key("rejected").value_or_null(brick.rejected).end_object();
}

std::int64_t read_count(const JsonAt& at, std::string_view what) {
  const std::int64_t count = at.integer();
  if (count < 0) at.fail(what);
  return count;
}

PlannedModel read_model(const JsonAt& at) {
  PlannedModel m{.name = at["name"].text(),
                 .path = at["path"].text(),
                 .graph_hash = at["graph_hash"].text(),
                 .sizes = {},
                 .macs = read_count(at["macs"], "number of MACs"),
                 .resident_bytes = read_count(at["resident_bytes"], "number of bytes"),
                 .traffic_bytes = read_count(at["traffic_bytes"], "number of bytes"),
                 .bricks = at["bricks"].row(),
                 .unique = at["unique"].row(),
                 .added = at["new"].row()};
  at["sizes"].each_key(
      [&](const std::string& name, const JsonAt& value) { m.sizes[name] = value.integer(); });
  return m;
}

bool is_sha256(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  return text.size() == kDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<std::uint32_t> read_nodes(const JsonAt& at) {
  std::vector<std::uint32_t> nodes;
  at.each([&](const JsonAt& node) { nodes.push_back(node.row()); });
  return nodes;
}

Brick read_brick(const JsonAt& at) {
  Brick b{.key = at["key"].text(),
          .file = at["file"].text(),
          .digest = {at["sha256"].text(), read_count(at["file_bytes"], "number of bytes")},
          .macs = read_count(at["macs"], "number of MACs"),
          .bytes = read_count(at["bytes"], "number of bytes"),
          .ports = {},
          .kernels = {},
          .whole = at["whole"].truth(),
          .occurrences = {},
          .rejected = at["rejected"].text_or_null()};
  if (!is_sha256(b.digest.sha256)) at["sha256"].fail("SHA-256");
  if (b.file.empty() || b.file.find('/') != std::string::npos || b.file[0] == '.' ||
      b.file.find('\0') != std::string::npos)
    at["file"].fail("file name");
  at["ports"].each([&](const JsonAt& port) {
    BrickPort p{.name = port["name"].text(),
                .direction = port["direction"].one_of(kDirections),
                .dtype = port["dtype"].text(),
                .shape = {},
                .layout = port["layout"].one_of(kLayoutNames),
                .donor = port["donor"].text_or_null()};
    port["shape"].each([&](const JsonAt& d) { p.shape.push_back(d.integer()); });
    b.ports.push_back(std::move(p));
  });
  at["kernels"].each([&](const JsonAt& kernel) { b.kernels.push_back(kernel.text()); });
  at["occurrences"].each([&](const JsonAt& o) {
    b.occurrences.push_back({o["model"].text(), read_nodes(o["nodes"]),
                             read_count(o["live_bytes"], "number of bytes")});
  });
  return b;
}

/// Contradictions between the rows of a manifest; "" if there are none.
std::string contradiction(const Plan& plan) {
  std::set<std::string> names, keys, files;
  std::set<std::pair<std::string, std::uint32_t>> nodes;
  std::string why;
  const auto place = [&](const std::string& model, const std::vector<std::uint32_t>& of) {
    if (!names.contains(model)) why = fmt::format("it has no model '{}'", model);
    for (const std::uint32_t n : of)
      if (!nodes.emplace(model, n).second)
        why = fmt::format("node {} of '{}' is in two places", n, model);
  };
  for (const PlannedModel& m : plan.models)
    if (!names.insert(m.name).second) why = fmt::format("it has the model '{}' twice", m.name);
  for (const Brick& b : plan.bricks) {
    if (!keys.insert(b.key).second) why = fmt::format("it has the key {} twice", b.key);
    if (!files.insert(b.file).second) why = fmt::format("it has the file {} twice", b.file);
    for (const Occurrence& o : b.occurrences) place(o.model, o.nodes);
  }
  for (const LeftOver& l : plan.left_over) place(l.model, l.nodes);
  return why;
}

}  // namespace

void write_manifest(const Plan& plan, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.bricks/1").key("ridge").value(plan.ridge);
  json.key("runtime").value(plan.runtime).key("runtime_version").value(plan.runtime_version);
  json.key("host").value(plan.host).key("threads").value(plan.threads);
  json.key("models").begin_array();
  for (const PlannedModel& m : plan.models) {
    json.line().begin_object().key("name").value(m.name).key("path").value(m.path);
    json.key("graph_hash").value(m.graph_hash).key("sizes").begin_object();
    for (const auto& [name, value] : m.sizes) json.name(name).value(value);
    json.end_object().key("macs").value(m.macs);
    json.key("resident_bytes").value(m.resident_bytes);
    json.key("traffic_bytes").value(m.traffic_bytes).key("bricks").value(m.bricks);
    json.key("unique").value(m.unique).key("new").value(m.added).end_object();
  }
  json.line().end_array().key("bricks").begin_array();
  for (const Brick& b : plan.bricks) write_brick(json, b);
  json.line().end_array().key("left_over").begin_array();
  for (const LeftOver& l : plan.left_over) {
    json.line().begin_object().key("model").value(l.model).key("nodes");
    write_list(json, l.nodes);
    json.key("why").value(l.why).key("key").value_or_null(l.key).end_object();
  }
  json.line().end_array().end_object().line();
}

Result<Plan> read_manifest(std::string_view text) {
  std::string why;
  const nlohmann::json document = json_object(text, why);
  if (!why.empty()) return malformed(std::move(why));
  std::optional<std::string> failure;
  const JsonAt at(document, failure);
  if (const std::string schema = at["schema"].text(); !failure && schema != "ridge.bricks/1")
    return malformed(fmt::format("schema '{}' is not ridge.bricks/1", schema));
  Plan plan{.ridge = at["ridge"].text(),
            .runtime = at["runtime"].text(),
            .runtime_version = at["runtime_version"].text(),
            .host = at["host"].text(),
            .threads = at["threads"].row(),
            .models = {},
            .bricks = {},
            .left_over = {}};
  if (plan.threads == 0) at["threads"].fail("thread count");
  at["models"].each([&](const JsonAt& m) { plan.models.push_back(read_model(m)); });
  at["bricks"].each([&](const JsonAt& b) { plan.bricks.push_back(read_brick(b)); });
  at["left_over"].each([&](const JsonAt& l) {
    plan.left_over.push_back(
        {l["model"].text(), read_nodes(l["nodes"]), l["why"].text(), l["key"].text_or_null()});
  });
  if (failure) return malformed("the manifest has no valid " + *failure);
  if (why = contradiction(plan); !why.empty())
    return malformed("the manifest is inconsistent: " + why);
  return plan;
}

}  // namespace ridge::bricks
