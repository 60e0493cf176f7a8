// SPDX-License-Identifier: Apache-2.0
#include "bricks/form/form.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "attribution/names_read.h"
#include "base/hash/digest.h"
#include "bricks/form/kernel_text.h"
#include "bricks/form/likeness.h"
#include "bricks/form/seen.h"

namespace ridge::bricks {
namespace {

/// Rounds of refining labels: the farthest that a difference travels before the walk.
constexpr int kRounds = 4;
/// Outputs that look alike of which every order is tried.
constexpr std::size_t kMaxTied = 16;
/// Walks from one output that a search of the order may take; after them, the first order is kept.
constexpr int kMaxWalks = 4096;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  return std::rotl(a ^ (b * 0x9e3779b185ebca87ULL), 31) * 0xc2b2ae3d27d4eb4fULL + b;
}

std::uint64_t label_of(std::string_view text) {
  std::uint64_t label = 0x27d4eb2f165667c5ULL;
  for (const char c : text) label = mixed(label, static_cast<unsigned char>(c));
  return label;
}

class Former {
 public:
  Former(const Network& network, const Piece& piece) : n_(network), piece_(piece) {
    inside_.insert(piece.units.begin(), piece.units.end());
    inside_.insert(piece.helpers.begin(), piece.helpers.end());
    for (const CrossingTensor& t : piece.inputs) port_.emplace(t.name, t);
  }

  Result<Form> run() {
    TRY(see());
    make_labels(&Seen::text);
    walk_outputs();
    Form form;
    for (const Unit u : state_.order) form.order.push_back(u);
    for (const std::string_view name : state_.ports) form.inputs.push_back(port_.at(name));
    form.outputs = outputs_;
    for (const std::string_view name : state_.constants)
      form.constants.push_back({name, std::move(constant_.at(name))});
    Digest digest;
    digest.add(state_.text);
    digest.add_int(piece_.macs);
    if (piece_.whole) digest.add(std::string_view("whole"));
    form.key = digest.hex();
    return form;
  }

  /// From the labels without positions, in any order.
  Result<std::string> like() {
    TRY(see());
    Digest digest;
    std::vector<std::uint64_t> labels = make_labels(&Seen::like);
    std::ranges::sort(labels);
    for (const std::uint64_t l : labels) digest.add_int(static_cast<std::int64_t>(l));
    digest.add_int(piece_.macs);
    if (piece_.whole) digest.add(std::string_view("whole"));
    return digest.hex();
  }

 private:
  Result<void> see() {
    TRY(read_constants());
    for (const Unit u : inside_) seen_.emplace(u, seen_of(n_, n_.node(u), constant_));
    return {};
  }

  /// Progress of the walk; copied to try an order.
  struct State {
    std::string text;
    std::vector<Unit> order;
    std::vector<std::string_view> ports, constants;
    std::size_t weights = 0;                                   ///< constants that have a number
    std::unordered_map<std::string_view, std::string> number;  ///< by tensor: its text
    std::set<std::string_view> read;                           ///< `constants`
  };

  static void put(std::string& text, std::string_view part) {
    text += std::to_string(part.size());
    text += ':';
    text += part;
  }
  static std::string shape_text(onnx::DataType type, std::span<const std::int64_t> dims) {
    std::string text = std::to_string(static_cast<int>(type));
    for (const std::int64_t d : dims) text += ',' + std::to_string(d);
    return text;
  }

  Result<void> read_constants() {
    Result<void> failed;
    for (const Unit u : inside_)
      attribution::each_name_read(n_.node(u), [&](std::string_view read) {
        const std::string_view name = origin(n_, read);
        if (!failed.ok() || name.empty() || constant_.contains(name) || !is_constant(n_, name))
          return;
        Result<Constant> c = constant(n_, name);
        if (!c.ok()) {
          failed = std::move(c).error();
          return;
        }
        constant_.emplace(name, std::move(*c));
      });
    return failed;
  }

  static std::string constant_text(const Constant& c) {
    std::string text = (c.weight ? "w" : "c") + shape_text(c.type, c.dims) + "=";
    if (c.weight) return text;
    Digest digest;
    digest.add(std::string_view(reinterpret_cast<const char*>(c.bytes.data()), c.bytes.size()));
    return text + digest.hex();
  }

  std::string type_text(std::string_view name) const {
    const auto v = n_.value.find(name);
    if (v == n_.value.end()) return "?";
    const ops::Type& type = n_.resolved.type(v->second);
    std::string text = std::to_string(static_cast<int>(type.container)) + "/" +
                       std::to_string(static_cast<int>(type.dtype));
    if (!type.shape.ranked()) return text + ",*";
    for (const ops::Dim& d : type.shape.span())
      text += ',' + (d.known() ? std::to_string(d.value()) : std::string("?"));
    return text;
  }
  std::string port_text(const CrossingTensor& t) const {
    return "p" + type_text(t.name) + "/" + bricks::port_text(t);
  }

  /// A node without its inputs: what its kernel sees of it, types of outputs, and the kernels of
  /// its layer.
  std::string own_text(Unit u, std::string Seen::*seen = &Seen::text) const {
    const onnx::Node& node = n_.node(u);
    std::string text;
    put(text, seen_.at(u).*seen);
    std::size_t outputs = node.outputs.size();
    while (outputs > 0 && node.outputs[outputs - 1].empty()) --outputs;
    for (std::size_t i = 0; i < outputs; ++i)
      put(text, node.outputs[i].empty() ? std::string() : type_text(node.outputs[i]));
    const bool unit = std::ranges::binary_search(piece_.units, u);
    if (unit) put(text, kernels_text(n_, n_.layer_of[u]));
    return text + (unit ? 'u' : 'h');
  }

  /// Labels units, and the ports and constants that they read: what only one of two units shares
  /// with a third tells them apart. Returns all labels.
  std::vector<std::uint64_t> make_labels(std::string Seen::*seen) {
    std::map<Unit, std::size_t> unit;
    std::unordered_map<std::string_view, std::size_t> leaf;
    std::vector<std::uint64_t> labels;
    for (const Unit u : inside_) {
      unit.emplace(u, labels.size());
      labels.push_back(label_of(own_text(u, seen)));
    }
    for (const CrossingTensor& t : piece_.outputs)
      labels[unit.at(n_.producer.at(t.name))] += mixed(place_of(t), 2);
    const auto leaf_of = [&](std::string_view name, const std::string& text) {
      const auto [at, fresh] = leaf.emplace(name, labels.size());
      if (fresh) labels.push_back(label_of(text));
      return at->second;
    };
    struct Edge {
      std::size_t from, to;
      std::uint64_t place;
    };
    std::vector<Edge> edges;
    for (const Unit u : inside_)
      for (const auto& [place, name] : seen_.at(u).inputs) {
        if (const auto c = constant_.find(name); c != constant_.end())
          edges.push_back({leaf_of(name, constant_text(c->second)), unit.at(u), place});
        else if (const auto p = port_.find(name); p != port_.end())
          edges.push_back({leaf_of(name, port_text(p->second)), unit.at(u), place});
        else if (const auto made = n_.producer.find(name);
                 made != n_.producer.end() && unit.contains(made->second))
          edges.push_back(
              {unit.at(made->second), unit.at(u), mixed(place, output_index(made->second, name))});
      }
    for (int round = 0; round < kRounds; ++round) {
      // Sums, so that the order of the edges does not matter.
      std::vector<std::uint64_t> from(labels.size(), 0), to(labels.size(), 0);
      for (const Edge& e : edges) {
        to[e.to] += mixed(labels[e.from], e.place);
        from[e.from] += mixed(mixed(labels[e.to], e.place), 1);
      }
      for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = mixed(mixed(labels[i], to[i]), from[i]);
    }
    for (const auto& [u, at] : unit) label_[u] = labels[at];
    // Operands that may be exchanged are walked in the order of their labels.
    const auto label_of_tensor = [&](const SeenInput& input) {
      if (const auto known = leaf.find(input.name); known != leaf.end())
        return labels[known->second];
      const auto made = n_.producer.find(input.name);
      if (made == n_.producer.end() || !unit.contains(made->second)) return std::uint64_t{0};
      return mixed(label_.at(made->second), output_index(made->second, input.name));
    };
    for (auto& [u, of] : seen_)
      std::ranges::stable_sort(of.inputs, {}, [&](const SeenInput& input) {
        return std::pair(input.place, label_of_tensor(input));
      });
    return labels;
  }

  /// Position among the outputs of its unit, and layout.
  std::uint64_t place_of(const CrossingTensor& t) const {
    return mixed(output_index(n_.producer.at(t.name), t.name), label_of(bricks::port_text(t)));
  }

  std::uint64_t output_index(Unit u, std::string_view name) const {
    const auto& outputs = n_.node(u).outputs;
    std::uint64_t at = 0;
    while (at < outputs.size() && std::string_view(outputs[at]) != name) ++at;
    return at;
  }

  /// Appends a tensor's text, and before it the nodes that it depends on.
  void walk(std::string_view wanted, State& s) const {
    std::vector<std::string_view> open = {wanted};
    while (!open.empty()) {
      const std::string_view name = open.back();
      if (name.empty() || s.number.contains(name)) {
        open.pop_back();
        continue;
      }
      if (const auto c = constant_.find(name); c != constant_.end()) {
        const std::string number = "c" + std::to_string(s.weights++);
        read_constant(name, s);
        put(s.text, number + constant_text(c->second));
        s.number.emplace(name, number);
        continue;
      }
      if (const auto p = port_.find(name); p != port_.end()) {
        const std::string number = "p" + std::to_string(s.ports.size());
        s.ports.push_back(name);
        put(s.text, number + port_text(p->second));
        s.number.emplace(name, number);
        continue;
      }
      const auto made = n_.producer.find(name);
      if (made == n_.producer.end() || !inside_.contains(made->second)) {
        s.number.emplace(name, "b");  // defined inside a body: numbered with the body
        continue;
      }
      std::vector<std::string_view> missing;
      for (const SeenInput& input : seen_.at(made->second).inputs)
        if (!input.name.empty() && !s.number.contains(input.name)) missing.push_back(input.name);
      if (!missing.empty()) {
        open.insert(open.end(), missing.rbegin(), missing.rend());
        continue;
      }
      emit(made->second, s);
    }
  }

  static void read_constant(std::string_view name, State& s) {
    if (s.read.insert(name).second) s.constants.push_back(name);
  }

  void emit(Unit u, State& s) const {
    const std::string number = "n" + std::to_string(s.order.size());
    s.order.push_back(u);
    std::string text = own_text(u);
    std::vector<std::pair<std::uint64_t, std::string_view>> inputs;  // place, number
    for (const auto& [place, name] : seen_.at(u).inputs)
      inputs.emplace_back(place, name.empty() ? std::string_view() : s.number.at(name));
    std::ranges::sort(inputs);
    for (const auto& [place, input] : inputs) put(text, std::to_string(place) + std::string(input));
    put(s.text, text);
    attribution::each_name_read(n_.node(u), [&](std::string_view read) {
      if (const std::string_view name = origin(n_, read); constant_.contains(name))
        read_constant(name, s);
    });
    const auto& outputs = n_.node(u).outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (!outputs[i].empty()) s.number.emplace(outputs[i], number + "." + std::to_string(i));
  }

  /// Walks from one output and appends the output itself.
  void walk_output(const CrossingTensor& t, State& s) const {
    walk(t.name, s);
    put(s.text, "o" + s.number.at(t.name) + "/" + bricks::port_text(t));
  }

  /// Part of an order of the outputs.
  struct Progress {
    State state;
    std::vector<CrossingTensor> done, left;  ///< `left`: ascending by label
  };

  std::uint64_t label(const CrossingTensor& t) const {
    return mixed(label_.at(n_.producer.at(t.name)), place_of(t));
  }

  /// Returns the choices for the next output: of those with the smallest label, the ones with the
  /// smallest text.
  std::vector<Progress> next(const Progress& p) {
    std::size_t tied = 1;
    while (tied < p.left.size() && label(p.left[tied]) == label(p.left[0])) ++tied;
    std::vector<Progress> out;
    for (std::size_t i = 0; i < std::min(tied, walks_ < kMaxWalks ? kMaxTied : 1); ++i) {
      Progress with = p;
      ++walks_;
      walk_output(p.left[i], with.state);
      with.done.push_back(p.left[i]);
      with.left.erase(with.left.begin() + static_cast<std::ptrdiff_t>(i));
      if (!out.empty() && with.state.text < out[0].state.text) out.clear();
      if (out.empty() || with.state.text == out[0].state.text) out.push_back(std::move(with));
    }
    return out;
  }

  Progress completed(Progress p) {
    while (!p.left.empty()) p = std::move(next(p)[0]);
    return p;
  }

  /// The order with the smallest text. Choices that can be completed to the same text are the same
  /// piece seen from another side, so one of them suffices.
  Progress smallest(Progress p) {
    while (!p.left.empty()) {
      std::vector<Progress> choices = next(p);
      std::map<std::string, std::size_t> different;
      if (choices.size() > 1)
        for (std::size_t i = 0; i < choices.size(); ++i)
          different.emplace(completed(choices[i]).state.text, i);
      if (different.size() > 1) {
        std::optional<Progress> best;
        for (const auto& [text, choice] : different)
          if (Progress other = smallest(choices[choice]);
              !best || other.state.text < best->state.text)
            best = std::move(other);
        return std::move(*best);
      }
      p = std::move(choices[0]);
    }
    return p;
  }

  void walk_outputs() {
    Progress begin{.state = {}, .done = {}, .left = piece_.outputs};
    std::ranges::stable_sort(begin.left, {}, [&](const CrossingTensor& t) { return label(t); });
    Progress end = smallest(std::move(begin));
    state_ = std::move(end.state);
    outputs_ = std::move(end.done);
  }

  const Network& n_;
  const Piece& piece_;
  std::set<Unit> inside_;
  std::unordered_map<std::string_view, CrossingTensor> port_;
  Constants constant_;
  std::map<Unit, Seen> seen_;
  std::map<Unit, std::uint64_t> label_;
  std::vector<CrossingTensor> outputs_;
  State state_;
  int walks_ = 0;
};

}  // namespace

Result<Form> canonical_form(const Network& network, const Piece& piece) {
  return Former(network, piece).run();
}

Result<std::string> likeness(const Network& network, const Piece& piece) {
  return Former(network, piece).like();
}

}  // namespace ridge::bricks
