#include "attribution/optimised.h"

#include <charconv>
#include <unordered_map>

#include "attribution/expansion.h"
#include "base/checked.h"
#include "onnx/data_type.h"
#include "onnx/reader.h"

namespace ridge::attribution {
namespace {

/// "Conv_12" of an unnamed Conv: the runtime numbers what has no name.
bool numbered(std::string_view name, std::string_view op_type) {
  if (!name.starts_with(op_type) || name.size() <= op_type.size() + 1) return false;
  name.remove_prefix(op_type.size());
  if (name.front() != '_') return false;
  name.remove_prefix(1);
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The names that ONNX Runtime prints for element types are those of C++ and of onnx.
std::optional<onnx::DataType> element_type(std::string_view name) {
  if (name == "float") return onnx::DataType::kFloat;
  if (name == "double") return onnx::DataType::kDouble;
  return onnx::data_type_named(name);
}

/// Reads [{"float":[1,64,56,56]},{"int64":[]}] one tensor after the other.
class ShapeText {
 public:
  explicit ShapeText(std::string_view text) : rest_(text) {}

  /// Bytes of the next tensor; nullopt where its type is not known. `done` once there is none.
  std::optional<std::int64_t> next(bool& done) {
    const std::size_t open = rest_.find('"');
    const std::size_t close = open == std::string_view::npos ? open : rest_.find('"', open + 1);
    const std::size_t from = close == std::string_view::npos ? close : rest_.find('[', close);
    const std::size_t to = from == std::string_view::npos ? from : rest_.find(']', from);
    done = to == std::string_view::npos;
    if (done) return std::nullopt;
    const auto type = element_type(rest_.substr(open + 1, close - open - 1));
    const std::optional<std::int64_t> elements = product(rest_.substr(from + 1, to - from - 1));
    rest_.remove_prefix(to + 1);
    if (!type || !elements) return std::nullopt;
    return onnx::storage_bytes(*type, *elements);
  }

 private:
  static std::optional<std::int64_t> product(std::string_view dims) {
    std::int64_t elements = 1;
    while (!dims.empty()) {
      std::int64_t d = 0;
      const auto [end, error] = std::from_chars(dims.data(), dims.data() + dims.size(), d);
      if (error != std::errc() || d < 0) return std::nullopt;
      const std::optional<std::int64_t> next = checked_mul(elements, d);
      if (!next) return std::nullopt;
      elements = *next;
      dims.remove_prefix(static_cast<std::size_t>(end - dims.data()));
      const std::size_t digit = dims.find_first_of("0123456789");
      dims.remove_prefix(digit == std::string_view::npos ? dims.size() : digit);
    }
    return elements;
  }

  std::string_view rest_;
};

}  // namespace

Result<OptimisedGraph> make_optimised(std::shared_ptr<const onnx::Document> document) {
  OptimisedGraph graph;
  graph.model = std::make_shared<graph::Model>(TRY(graph::Model::build(std::move(document))));
  graph.order = Expansion::of_calls(*graph.model).order();
  graph.bytes.resize(graph.model->values().size());
  return graph;
}

Result<OptimisedGraph> read_optimised(std::string_view bytes) {
  auto document = std::make_shared<onnx::Document>(
      TRY(onnx::read_bytes(bytes, "the runtime's optimised graph")));
  return make_optimised(std::move(document));
}

std::vector<graph::NodeId> join_events(const OptimisedGraph& graph,
                                       std::span<const KernelEvent> events) {
  std::unordered_map<std::string_view, graph::NodeId> named;
  std::unordered_map<std::string_view, std::vector<graph::NodeId>> unnamed;
  for (const graph::NodeId k : graph.order) {
    const graph::Node& kernel = graph.kernel(k);
    if (kernel.name.empty())
      unnamed[kernel.op_type].push_back(k);
    else
      named.emplace(kernel.name, k);
  }
  // An unnamed kernel keeps its number over the runs of a body, so the number decides once it has
  // been seen.
  std::unordered_map<std::string_view, std::size_t> taken;
  std::vector<graph::NodeId> kernels;
  kernels.reserve(events.size());
  for (const KernelEvent& event : events) {
    const auto found = named.find(event.name);
    if (found != named.end()) {
      kernels.push_back(found->second);
      continue;
    }
    const auto candidates = unnamed.find(event.op_type);
    if (candidates == unnamed.end() || !numbered(event.name, event.op_type)) {
      kernels.push_back(graph::kNone);
      continue;
    }
    std::size_t& next = taken[event.op_type];
    if (next < candidates->second.size()) named.emplace(event.name, candidates->second[next++]);
    const auto now = named.find(event.name);
    kernels.push_back(now == named.end() ? graph::kNone : now->second);
  }
  return kernels;
}

void size_tensors(OptimisedGraph& graph, std::span<const KernelEvent> events) {
  const std::vector<graph::NodeId> kernels = join_events(graph, events);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (kernels[i] == graph::kNone) continue;
    ShapeText text(events[i].shapes);
    bool done = false;
    for (const graph::ValueId v : graph.kernel(kernels[i]).outputs) {
      if (v == graph::kNone) continue;
      const std::optional<std::int64_t> bytes = text.next(done);
      if (done) break;
      graph.bytes[v] = bytes;
    }
  }
}

}  // namespace ridge::attribution
