// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerator/nests/evaluate.h"
#include "base/checked.h"
#include "base/text.h"

namespace ridge::accelerator {
namespace {

using Role = BufferProfile::Role;

struct Access {
  std::int64_t reads = 0, writes = 0;
  bool read = false, written = false, at_most = false;
};

struct Work {
  std::int64_t macs = 0, squares = 0;
  bool at_most = false;
  std::map<BufferId, Access> buffers;
};

class Recorder : public NestHooks {
 public:
  explicit Recorder(const Nest& nest) : nest_(nest) {}

  void on_read(BufferId buffer, const Visit& visit) override {
    Access& a = at(visit).buffers[buffer];
    a.read = true;
    record(a, a.reads, visit);
  }
  void on_write(BufferId buffer, const Visit& visit) override {
    Access& a = at(visit).buffers[buffer];
    a.written = true;
    record(a, a.writes, visit);
  }
  void on_operation(Operation what, const Visit& visit) override {
    Work& work = at(visit);
    work.at_most |= visit.at_most;
    sum(what == Operation::kMac ? work.macs : work.squares, visit.times);
  }

  const std::map<graph::NodeId, Work>& work() const { return work_; }
  bool overflow() const { return overflow_; }

 private:
  Work& at(const Visit& visit) {
    return work_[visit.block == kNothing ? graph::kNone : nest_.stmt(visit.block).node];
  }
  void record(Access& access, std::int64_t& figure, const Visit& visit) {
    access.at_most |= visit.at_most;
    sum(figure, visit.times);
  }
  void sum(std::int64_t& figure, std::int64_t more) {
    const auto sum = checked_add(figure, more);
    overflow_ |= !sum;
    figure = sum.value_or(0);
  }

  const Nest& nest_;
  std::map<graph::NodeId, Work> work_;
  bool overflow_ = false;
};

/// True if another node of the nest reads the buffer.
bool read_by_others(const std::map<graph::NodeId, Work>& work, graph::NodeId writer,
                    BufferId buffer) {
  return std::any_of(work.begin(), work.end(), [&](const auto& entry) {
    const auto found = entry.second.buffers.find(buffer);
    return entry.first != writer && found != entry.second.buffers.end() && found->second.read;
  });
}

Role role_of(const NestParameter* parameter, const Access& access, bool handed_on) {
  if (parameter != nullptr && parameter->weight && !access.written) return Role::kParameter;
  if (!access.written) return Role::kInput;
  return handed_on || (parameter != nullptr && parameter->result) ? Role::kOutput
                                                                  : Role::kIntermediate;
}

/// Adds more * factor to `sum`; false: above 64 bits.
bool add_times(std::int64_t& sum, std::int64_t more, std::int64_t factor) {
  const auto product = checked_mul(more, factor);
  const auto total = product ? checked_add(sum, *product) : std::nullopt;
  if (total) sum = *total;
  return total.has_value();
}

bool add_optional(std::optional<std::int64_t>& sum, const Access& a, std::int64_t more,
                  std::int64_t factor) {
  if (a.at_most) sum = std::nullopt;
  return !sum || add_times(*sum, more, factor);
}

bool same_buffer(const BufferProfile& profile, const Buffer& buffer) {
  return profile.shape == buffer.shape && profile.dtype == buffer.dtype;
}

}  // namespace

std::optional<std::int64_t> buffer_bytes(std::span<const std::int64_t> shape,
                                         std::int64_t element_bits) {
  std::optional<std::int64_t> bits = element_bits;
  for (const std::int64_t size : shape) {
    bits = checked_mul(*bits, size);
    if (!bits) return std::nullopt;
  }
  return ceil_div(*bits, 8);
}

Result<ProfileCollector::Added> ProfileCollector::add(const Nest& nest,
                                                      std::span<const NestParameter> parameters,
                                                      std::int64_t repeat) {
  Recorder recorder(nest);
  WalkLimits limits = limits_;
  limits.taken = &steps_;
  TRY(count(nest, recorder, limits));
  bool fits = !recorder.overflow();
  Added added;
  for (const auto& [node, work] : recorder.work()) {
    if (node == graph::kNone)
      return input_error(
          "RIDGE-ACC-0309",
          fmt::format("a block of loop nest '{}' belongs to no node", printable(nest.name)));
    added.nodes.push_back(node);
    Collected& collected = layers_[node];
    LayerProfile& layer = collected.layer;
    layer.node = node;
    collected.undecided |= work.at_most;
    fits &= add_times(layer.macs, work.macs, repeat);
    fits &= add_times(layer.squares, work.squares, repeat);
    for (const auto& [id, access] : work.buffers) {
      const Buffer& buffer = nest.buffer(id);
      const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                          [&](const auto& p) { return p.buffer == id; });
      const NestParameter* given = parameter == parameters.end() ? nullptr : &*parameter;
      const Role role = role_of(given, access, read_by_others(recorder.work(), node, id));
      const std::string& label =
          given == nullptr || given->name.empty() ? buffer.name : given->name;
      const auto memory = given == nullptr ? std::nullopt : given->memory;
      if (memory && !access.written) readers_[*memory].insert(node);
      std::size_t at = 0;
      while (at < layer.buffers.size() &&
             !(layer.buffers[at].role == role && layer.buffers[at].name == label &&
               collected.memory[at] == memory && same_buffer(layer.buffers[at], buffer)))
        ++at;
      if (at == layer.buffers.size()) {
        const auto bytes = buffer_bytes(buffer.shape, buffer.element_bits);
        if (!bytes) return out_of_range();
        layer.buffers.push_back({label, buffer.shape, buffer.dtype, role, *bytes, 0, 0});
        collected.memory.push_back(memory);
      }
      BufferProfile* into = &layer.buffers[at];
      fits &= add_optional(into->reads, access, access.reads, repeat);
      fits &= add_optional(into->writes, access, access.writes, repeat);
    }
  }
  if (!fits) return out_of_range();
  return added;
}

/// Merges a buffer that the layer writes in one nest and reads in another into one; it is an
/// intermediate if no other node reads it.
void ProfileCollector::join_own_results(Collected& collected) const {
  std::vector<BufferProfile>& buffers = collected.layer.buffers;
  std::vector<BufferProfile> kept;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto memory = collected.memory[i];
    const auto reads_own = [&](std::size_t j) {
      return memory && collected.memory[j] == memory && buffers[j].role == Role::kOutput;
    };
    // Example: a node writes h in one nest and reads it in the next. The output h stays and gets
    // the reads, the input h goes. If no other node reads h, it is an intermediate.
    std::size_t own = 0;
    while (own < buffers.size() && !reads_own(own)) ++own;
    if (buffers[i].role != Role::kInput || own == buffers.size()) {
      kept.push_back(std::move(buffers[i]));
      if (!memory || kept.back().role != Role::kOutput) continue;
      const auto readers = readers_.find(*memory);
      if (readers != readers_.end() &&
          readers->second == std::set<graph::NodeId>{collected.layer.node})
        kept.back().role = Role::kIntermediate;
      for (std::size_t j = 0; j < buffers.size(); ++j)
        if (j != i && buffers[j].role == Role::kInput && collected.memory[j] == memory)
          kept.back().reads = buffers[j].reads;
    }
  }
  buffers = std::move(kept);
}

Profiles ProfileCollector::finish(ProfileSource source) {
  Profiles out;
  out.source = source;
  for (auto& [node, collected] : layers_) {
    if (collected.undecided) {
      LayerProfile none;
      none.node = node;
      none.reason = "the data decide how often it multiplies and accumulates";
      out.layers.push_back(std::move(none));
      continue;
    }
    join_own_results(collected);
    LayerProfile& layer = collected.layer;
    for (const BufferProfile& b : layer.buffers) {
      if (b.role == Role::kParameter) layer.param_bytes += b.bytes;
      if (b.role == Role::kOutput || b.role == Role::kIntermediate)
        layer.allocated_bytes += b.bytes;
    }
    std::stable_sort(layer.buffers.begin(), layer.buffers.end(),
                     [](const auto& a, const auto& b) { return a.role < b.role; });
    out.layers.push_back(std::move(layer));
  }
  layers_.clear();
  readers_.clear();
  return out;
}

}  // namespace ridge::accelerator
