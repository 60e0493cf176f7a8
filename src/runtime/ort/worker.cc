// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "runtime/ort/values.h"

namespace ridge::ort {
namespace {

/// Position of a name; the number of names if it is none of them.
std::size_t position_of(const std::vector<std::string>& names, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

}  // namespace

/// True for an input that prepared inputs need not contain.
bool Worker::given(std::string_view input) const {
  const auto same = [&](const auto& row) { return row.name == input; };
  return std::ranges::any_of(taken_, same) || std::ranges::any_of(shared_, same);
}

Result<void> Worker::run(const PreparedInput& prepared) {
  for (Value& value : results_) value.reset();
  names_.clear();
  values_.clear();
  const auto add = [&](const char* name, const OrtValue* value) {
    names_.push_back(name);
    values_.push_back(value);
  };
  for (const Taken& taken : taken_) add(taken.name, taken.value.get());
  for (const Shared& shared : shared_) add(shared.name, shared.value.get());
  for (std::size_t i = 0; i < prepared.names.size(); ++i)
    if (!given(prepared.names[i])) add(prepared.names[i], prepared.values[i]);
  std::vector<OrtValue*> results(results_.size(), nullptr);
  for (const Shared& shared : shared_) results[shared.output] = shared.value.get();
  const Result<void> done =
      of_.library->check(of_.library->api().Run(of_.session, of_.options, names_.data(),
                                                values_.data(), values_.size(), of_.wanted->data(),
                                                of_.wanted->size(), results.data()),
                         Phase::kRun);
  for (const Shared& shared : shared_) {
    results_[shared.output] = shared.value;
    results[shared.output] = nullptr;  // it has its owner
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i] != nullptr) results_[i] = Value(results[i], of_.library->api().ReleaseValue);
  }
  return done;
}

Result<RidgeTensors> Worker::outputs() {
  list_.clear();
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (results_[i] == nullptr) continue;
    TRY(list_.add_value(*of_.library, (*of_.output_names)[i], results_[i].get()));
  }
  return list_.view();
}

Result<const char*> Worker::input_named(const char* name) const {
  const std::size_t input = position_of(*of_.input_names, name);
  if (input == of_.input_names->size())
    return usage_error("RIDGE-ORT-0028",
                       fmt::format("there is no input '{}' to hand an output over to", name))
        .hint("its inputs are: " + fmt::format("{}", fmt::join(*of_.input_names, ", ")));
  return (*of_.input_names)[input].c_str();
}

Result<Worker::Taken> Worker::taken(const Worker& from, const RidgePair& pair) const {
  const std::size_t output = position_of(*from.of_.output_names, pair.output);
  if (output == from.results_.size() || from.results_[output] == nullptr)
    return usage_error("RIDGE-ORT-0027",
                       fmt::format("the last run has no output '{}' to hand over", pair.output));
  return Taken{TRY(input_named(pair.input)), from.results_[output]};
}

Result<std::uint64_t> Worker::take(const Worker& from, std::span<const RidgePair> pairs) {
  std::vector<Taken> next;
  for (const RidgePair& pair : pairs) next.push_back(TRY(taken(from, pair)));
  taken_ = std::move(next);
  return 0;
}

Result<void> Worker::share(std::span<const RidgeTensor> buffers, std::span<const RidgePair> pairs) {
  std::vector<Shared> next;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    Shared& shared = next.emplace_back();
    shared.output = position_of(*of_.output_names, pairs[i].output);
    if (shared.output == of_.output_names->size())
      return usage_error(
          "RIDGE-ORT-0029",
          fmt::format("there is no output '{}' to share a buffer with an input", pairs[i].output));
    shared.name = TRY(input_named(pairs[i].input));
    Handle<OrtValue> value = TRY(wrap_tensor(*of_.library, of_.memory, buffers[i], Phase::kInputs));
    shared.value = Value(value.release(), of_.library->api().ReleaseValue);
  }
  shared_ = std::move(next);
  return {};
}

Result<RidgeTensors> Worker::inputs() {
  input_list_.clear();
  for (const Taken& taken : taken_)
    TRY(input_list_.add_value(*of_.library, taken.name, taken.value.get()));
  return input_list_.view();
}

}  // namespace ridge::ort
