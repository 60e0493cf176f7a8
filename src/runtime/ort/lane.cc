#include "runtime/ort/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ridge::ort {
namespace {

/// Position of a name; the number of names if it is none of them.
std::size_t find(const std::vector<std::string>& names, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

}  // namespace

Result<void> Lane::run(const Feed& feed) {
  for (Value& value : results_) value.reset();
  names_.clear();
  values_.clear();
  for (const Taken& taken : taken_) {
    names_.push_back(taken.name);
    values_.push_back(taken.value.get());
  }
  for (std::size_t i = 0; i < feed.names.size(); ++i) {
    const auto same = [&](const Taken& t) { return std::string_view(t.name) == feed.names[i]; };
    if (!taken_.empty() && std::ranges::any_of(taken_, same)) continue;
    names_.push_back(feed.names[i]);
    values_.push_back(feed.values[i]);
  }
  std::vector<OrtValue*> results(results_.size(), nullptr);
  const Result<void> done =
      of_.library->check(of_.library->api().Run(of_.session, of_.options, names_.data(),
                                                values_.data(), values_.size(), of_.wanted->data(),
                                                of_.wanted->size(), results.data()),
                         Phase::kRun);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i] != nullptr) results_[i] = Value(results[i], of_.library->api().ReleaseValue);
  }
  return done;
}

Result<RidgeTensors> Lane::outputs() {
  list_.clear();
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (results_[i] == nullptr) continue;
    TRY(list_.add_value(*of_.library, (*of_.output_names)[i], results_[i].get()));
  }
  return list_.view();
}

Result<Lane::Taken> Lane::taken(const Lane& from, const RidgePair& pair) const {
  const std::size_t output = find(*from.of_.output_names, pair.output);
  if (output == from.results_.size() || from.results_[output] == nullptr)
    return usage_error("RIDGE-ORT-0027",
                       fmt::format("the last run has no output '{}' to hand over", pair.output));
  const std::size_t input = find(*of_.input_names, pair.input);
  if (input == of_.input_names->size())
    return usage_error("RIDGE-ORT-0028",
                       fmt::format("there is no input '{}' to hand an output over to", pair.input))
        .hint("its inputs are: " + fmt::format("{}", fmt::join(*of_.input_names, ", ")));
  return Taken{(*of_.input_names)[input].c_str(), from.results_[output]};
}

Result<std::uint64_t> Lane::take(const Lane& from, std::span<const RidgePair> pairs) {
  std::vector<Taken> next;
  for (const RidgePair& pair : pairs) next.push_back(TRY(taken(from, pair)));
  taken_ = std::move(next);
  return 0;
}

Result<RidgeTensors> Lane::inputs() {
  input_list_.clear();
  for (const Taken& taken : taken_)
    TRY(input_list_.add_value(*of_.library, taken.name, taken.value.get()));
  return input_list_.view();
}

}  // namespace ridge::ort
