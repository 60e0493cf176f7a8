// SPDX-License-Identifier: Apache-2.0
// Validation of JSON documents against the schemas of data/schema.
//
//   const Schemas schemas(source_tree() / "data/schema");
//   EXPECT_EQ(schemas.findings("ridge.profile.1.json", document), std::vector<std::string>());
//
// Supports the part of JSON Schema (2020-12) that those files use: type, const, enum, properties,
// required, additionalProperties, items, minItems, maxItems, minimum, maximum, exclusiveMinimum,
// anyOf, $ref, $defs. Any other keyword is a finding, so that no statement of a schema goes
// unchecked. A key that a schema does not describe is also a finding: readers must accept it, but
// ridge must document its own keys.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ridge::tests {

class Schemas {
 public:
  /// Loads every *.json of the folder, by file name.
  explicit Schemas(const std::filesystem::path& folder);
  /// Takes schemas from texts, by name.
  explicit Schemas(const std::map<std::string, std::string>& texts);

  /// Violations, each with its position ("layers[3].bound: ..."); at most 20.
  std::vector<std::string> findings(const std::string& schema,
                                    const nlohmann::json& document) const;

 private:
  std::map<std::string, nlohmann::json> files_;
};

}  // namespace ridge::tests
