// SPDX-License-Identifier: Apache-2.0
// Members of a JSON object of a tokenizer's file, each of a stated kind; one that nobody asked for
// is an error, since what it means would be ignored.
//
//   JsonFields fields = TRY(JsonFields::of(json, "model"));
//   const std::string prefix = TRY(fields.text("continuing_subword_prefix", "##"));
//   TRY(fields.finish());
//
// null is as if absent. Errors (input class) with the place ("model.vocab"): RIDGE-TEXT-0001
// another kind, RIDGE-TEXT-0002 a member that is not known here. Ownership: borrows the object.
// Thread rule: plain values.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::text {

using nlohmann::json;

Error malformed(const std::string& place, std::string message);
Error beyond_bounds(const std::string& place, std::string message);
/// `what`: "the model 'Unigram'".
Error unsupported(const std::string& place, const std::string& what, std::string_view known);

class JsonFields {
 public:
  static Result<JsonFields> of(const json& object, std::string place);

  const std::string& place() const { return place_; }
  std::string place_of(std::string_view key) const;
  /// nullptr if it is absent or null.
  const json* find(std::string_view key);
  Result<std::string> text(std::string_view key, std::string_view otherwise);
  Result<bool> truth(std::string_view key, bool otherwise);
  Result<std::int64_t> whole(std::string_view key, std::int64_t least, std::int64_t most,
                             std::int64_t otherwise);
  /// Elements of a list; none if it is absent.
  Result<std::vector<const json*>> items(std::string_view key);
  /// Refuses members that were not asked for.
  Result<void> finish() const;

 private:
  JsonFields(const json& object, std::string place) : object_(&object), place_(std::move(place)) {}

  const json* object_;
  std::string place_;
  std::vector<std::string> asked_;
};

/// A text that JSON has at `place`.
Result<std::string> text_at(const json& value, const std::string& place);
/// A number of a token.
Result<std::int32_t> token_at(const json& value, const std::string& place);

}  // namespace ridge::text
