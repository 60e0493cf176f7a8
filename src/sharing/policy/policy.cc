// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/policy.h"

#include <set>
#include <unordered_map>
#include <utility>

namespace ridge::sharing {
namespace {

class Never final : public Policy {
 public:
  void admitted(ObjectId, const ObjectFacts&, Nanos) override {}
  void requested(ObjectId, Nanos) override {}
  void leased(ObjectId) override {}
  void released(ObjectId, Nanos) override {}
  void removed(ObjectId) override {}
  std::optional<ObjectId> victim() const override { return std::nullopt; }
  void expired(Nanos, std::vector<ObjectId>&) override {}
  Nanos next() const override { return kNoMoment; }
};

/// Leaves first: that whose last request, or end of its last lease, is longest ago.
class Lru final : public Policy {
 public:
  void admitted(ObjectId id, const ObjectFacts&, Nanos) override {
    objects_[id] = {next_, false};
    order_.insert({next_++, id});
  }
  void requested(ObjectId id, Nanos) override { use(id); }
  void leased(ObjectId id) override {
    Object& object = objects_.at(id);
    order_.erase({object.used, id});
    object.leased = true;
  }
  void released(ObjectId id, Nanos) override {
    objects_.at(id).leased = false;
    use(id);
  }
  void removed(ObjectId id) override {
    order_.erase({objects_.at(id).used, id});
    objects_.erase(id);
  }
  std::optional<ObjectId> victim() const override {
    if (order_.empty()) return std::nullopt;
    return order_.begin()->second;
  }
  void expired(Nanos, std::vector<ObjectId>&) override {}
  Nanos next() const override { return kNoMoment; }

 private:
  struct Object {
    std::uint64_t used = 0;  ///< number of its last use
    bool leased = false;
  };

  void use(ObjectId id) {
    Object& object = objects_.at(id);
    order_.erase({object.used, id});
    object.used = next_++;
    if (!object.leased) order_.insert({object.used, id});
  }

  std::unordered_map<ObjectId, Object> objects_;
  std::set<std::pair<std::uint64_t, ObjectId>> order_;  ///< objects that are not leased
  std::uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<Policy> make_policy(const PolicySpec& spec) {
  if (spec.kind == PolicyKind::kNever) return std::make_unique<Never>();
  return std::make_unique<Lru>();
}

}  // namespace ridge::sharing
