// SPDX-License-Identifier: Apache-2.0
// Destination of a manifest's members: TOML, YAML or JSON, so that all have the same keys in the
// same order (manifest_writer.cc).
//
//   YamlTarget yaml;
//   yaml.begin("model");
//   yaml.text("graph_path", "net.onnx");
//   yaml.end();
//   std::string text = std::move(yaml).file();
//
// Plain data, no thread rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::manifest {

class ManifestTarget {
 public:
  ManifestTarget() = default;
  ManifestTarget(const ManifestTarget&) = delete;
  ManifestTarget& operator=(const ManifestTarget&) = delete;
  virtual ~ManifestTarget() = default;
  virtual void begin(std::string_view table) = 0;
  virtual void begin_inner(std::string_view table, std::string_view name) = 0;
  virtual void end() = 0;
  virtual void begin_list(std::string_view key) = 0;
  virtual void end_list() = 0;
  virtual void begin_item(std::string_view key) = 0;
  /// Nothing is written for empty text.
  virtual void text(std::string_view key, std::string_view value) = 0;
  virtual void texts(std::string_view key, const std::vector<std::string>& values) = 0;
  virtual void truth(std::string_view key, bool value) = 0;
  virtual void whole(std::string_view key, std::int64_t value) = 0;
  /// Numbers as they stand: "3" or "3, 224, 224".
  virtual void numbers(std::string_view key, std::string_view list) = 0;
};

/// Text over several lines is written as a block (`|`) where that reads back equal, all other text
/// in double quotes.
class YamlTarget final : public ManifestTarget {
 public:
  void begin(std::string_view table) override;
  void begin_inner(std::string_view table, std::string_view name) override;
  void end() override;
  void begin_list(std::string_view key) override;
  void end_list() override;
  void begin_item(std::string_view key) override;
  void text(std::string_view key, std::string_view value) override;
  void texts(std::string_view key, const std::vector<std::string>& values) override;
  void truth(std::string_view key, bool value) override;
  void whole(std::string_view key, std::int64_t value) override;
  void numbers(std::string_view key, std::string_view list) override;
  std::string file() && { return std::move(out_); }

 private:
  void key(std::string_view name);

  std::string out_;
  std::size_t level_ = 0;
  bool first_of_item_ = false;  ///< the next key stands behind the "- " of an item
};

}  // namespace ridge::manifest
