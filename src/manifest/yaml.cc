// SPDX-License-Identifier: Apache-2.0
#include "manifest/yaml.h"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/text.h"

namespace ridge::manifest {
namespace {

Place place_of(const yaml_mark_t& mark) {
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

/// Owner of the parser and of the current event.
class Events {
 public:
  explicit Events(std::string_view text) {
    ready_ = yaml_parser_initialize(&parser_) == 1;
    if (!ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events() {
    drop();
    if (ready_) yaml_parser_delete(&parser_);
  }

  Result<const yaml_event_t*> next() {
    drop();
    if (ready_ && yaml_parser_parse(&parser_, &event_) == 1) {
      held_ = true;
      return &event_;
    }
    return failure();
  }

 private:
  void drop() {
    if (std::exchange(held_, false)) yaml_event_delete(&event_);
  }

  Error failure() const {
    if (!ready_ || parser_.error == YAML_MEMORY_ERROR)
      return environment_error("RIDGE-MAN-0012", "no memory for the YAML parser");
    // The mark of a byte that is no UTF-8 is unset; the reader knows only its offset.
    const bool marked = parser_.error != YAML_READER_ERROR;
    const std::string what = parser_.problem == nullptr ? "" : printable(parser_.problem);
    const std::string context = parser_.context == nullptr ? "" : printable(parser_.context);
    return input_error("RIDGE-MAN-0001", "invalid YAML")
        .evidence(context.empty() ? what : what + " " + context)
        .hint("indent with spaces, and quote text that contains ': ' or '#'")
        .in(marked ? place_of(parser_.problem_mark).text()
                   : fmt::format("byte {}", parser_.problem_offset));
  }

  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool ready_ = false, held_ = false;
};

std::string_view view(const unsigned char* bytes) {
  return bytes == nullptr ? std::string_view() : reinterpret_cast<const char*>(bytes);
}

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Where the lines of the text begin.
class SourceLines {
 public:
  explicit SourceLines(std::string_view text) : text_(text) {
    begins_.push_back(0);
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1))
      begins_.push_back(at + 1);
  }

  /// Blanks before the content of the first line with content, from `line` (from 1) on.
  std::uint32_t indent_from(std::uint32_t line) const {
    if (line > begins_.size()) return 0;
    const std::size_t at = text_.find_first_not_of(" \n\r", begins_[line - 1]);
    if (at == std::string_view::npos) return 0;
    const std::size_t newline = text_.rfind('\n', at);
    return static_cast<std::uint32_t>(at - (newline == std::string_view::npos ? 0 : newline + 1));
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> begins_;
};

/// Number of the core schema: decimal only. 0x and 0o stay text, as do .inf and .nan.
std::optional<double> core_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || !(digits[0] == '.' || (digits[0] >= '0' && digits[0] <= '9')))
    return std::nullopt;
  return finite_number(text);
}

Toml scalar(const yaml_event_t& event, const SourceLines& lines) {
  const auto& data = event.data.scalar;
  Toml out;
  out.place = place_of(event.start_mark);
  out.kind = Toml::Kind::kText;
  out.text.assign(reinterpret_cast<const char*>(data.value), data.length);
  if (data.style == YAML_LITERAL_SCALAR_STYLE)
    out.place = {out.place.line + 1, lines.indent_from(out.place.line + 1) + 1};
  if (data.style != YAML_PLAIN_SCALAR_STYLE) return out;
  if (one_of(out.text, {"null", "Null", "NULL", "~"})) {
    out.text.clear();
  } else if (one_of(out.text, {"true", "True", "TRUE", "false", "False", "FALSE"})) {
    out.kind = Toml::Kind::kTruth;
    out.truth = out.text[0] == 't' || out.text[0] == 'T';
  } else if (const auto number = core_number(out.text)) {
    out.kind = Toml::Kind::kNumber;
    out.number = *number;
  }
  return out;
}

/// Refuses what makes a value more than data: anchors and tags.
Result<void> check_plain(const unsigned char* anchor, const unsigned char* tag, Place place) {
  if (anchor != nullptr)
    return input_error("RIDGE-MAN-0005",
                       fmt::format("the anchor '&{}' is not supported", printable(view(anchor))))
        .hint("write the value where it is used")
        .in(place.text());
  if (tag != nullptr)
    return input_error("RIDGE-MAN-0009",
                       fmt::format("the tag '{}' is not supported", printable(view(tag))))
        .hint("remove the tag; quote a value that must be text")
        .in(place.text());
  return {};
}

/// Tree under construction: containers from the document to the innermost open one.
class Tree {
 public:
  explicit Tree(std::string_view text) : lines_(text) {}
  Result<void> take(const yaml_event_t& event);
  bool complete() const { return complete_; }
  Toml root() && { return std::move(root_); }

 private:
  struct Open {
    Toml value;
    std::optional<TomlMember> member;  ///< key whose value follows
    std::set<std::string> keys;        ///< if a mapping
  };

  Result<void> open(Toml::Kind kind, const yaml_event_t& event);
  Result<void> close();
  Result<void> put(Toml value);
  Result<void> take_key(Open& in, Toml key);

  SourceLines lines_;
  Toml root_;
  std::vector<Open> open_;
  int values_ = 0;
  bool complete_ = false;
};

Result<void> Tree::open(Toml::Kind kind, const yaml_event_t& event) {
  const Place place = place_of(event.start_mark);
  if (open_.size() >= kDeepestYaml)
    return input_error("RIDGE-MAN-0003", fmt::format("values nest more than {} deep", kDeepestYaml))
        .in(place.text());
  if (!open_.empty() && open_.back().value.kind == Toml::Kind::kTable && !open_.back().member)
    return input_error("RIDGE-MAN-0010", "a key must be text").in(place.text());
  Open opened;
  opened.value.kind = kind;
  opened.value.place = place;
  open_.push_back(std::move(opened));
  return {};
}

Result<void> Tree::close() {
  Toml value = std::move(open_.back().value);
  open_.pop_back();
  return put(std::move(value));
}

Result<void> Tree::take_key(Open& in, Toml key) {
  if (key.text == "<<")
    return input_error("RIDGE-MAN-0007", "the merge key '<<' is not supported")
        .hint("write the merged keys out")
        .in(key.place.text());
  if (!in.keys.insert(key.text).second)
    return input_error("RIDGE-MAN-0006", fmt::format("duplicate key '{}'", printable(key.text)))
        .hint("keep one of them")
        .in(key.place.text());
  in.member = TomlMember{std::move(key.text), key.place, {}};
  return {};
}

Result<void> Tree::put(Toml value) {
  if (++values_ > kMaxYamlValues)
    return input_error("RIDGE-MAN-0004",
                       fmt::format("the file has more than {} values", kMaxYamlValues))
        .in(value.place.text());
  if (open_.empty()) {
    root_ = std::move(value);
    return {};
  }
  Open& in = open_.back();
  if (in.value.kind == Toml::Kind::kArray) {
    in.value.items.push_back(std::move(value));
  } else if (!in.member) {
    return take_key(in, std::move(value));
  } else {
    in.member->value = std::move(value);
    in.value.members.push_back(std::move(*in.member));
    in.member.reset();
  }
  return {};
}

Result<void> Tree::take(const yaml_event_t& event) {
  const Place place = place_of(event.start_mark);
  switch (event.type) {
    case YAML_ALIAS_EVENT:
      return input_error("RIDGE-MAN-0011", fmt::format("the alias '*{}' is not supported",
                                                       printable(view(event.data.alias.anchor))))
          .hint("write the value out; quote text that begins with '*'")
          .in(place.text());
    case YAML_SCALAR_EVENT:
      TRY(check_plain(event.data.scalar.anchor, event.data.scalar.tag, place));
      return put(scalar(event, lines_));
    case YAML_SEQUENCE_START_EVENT:
      TRY(check_plain(event.data.sequence_start.anchor, event.data.sequence_start.tag, place));
      return open(Toml::Kind::kArray, event);
    case YAML_MAPPING_START_EVENT:
      TRY(check_plain(event.data.mapping_start.anchor, event.data.mapping_start.tag, place));
      return open(Toml::Kind::kTable, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      return close();
    case YAML_DOCUMENT_START_EVENT:
      if (complete_)
        return input_error("RIDGE-MAN-0008", "a second document begins")
            .hint("put each document into a file of its own")
            .in(place.text());
      return {};
    case YAML_DOCUMENT_END_EVENT:
      complete_ = true;
      return {};
    default:
      return {};
  }
}

/// Refuses %TAG before libyaml sees it: libyaml compares each one with all before it, which takes
/// eight seconds for a file of 1 MiB.
Result<void> check_directives(std::string_view text) {
  constexpr std::string_view kDirective = "%TAG";
  const std::size_t found = text.starts_with(kDirective) ? 0 : text.find("\n%TAG");
  if (found == std::string_view::npos) return {};
  const auto lines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(found + 1), '\n');
  return input_error("RIDGE-MAN-0013", "the directive '%TAG' is not supported")
      .hint("remove it; tags are not supported")
      .in(Place{static_cast<std::uint32_t>(lines + 1), 1}.text());
}

}  // namespace

Result<Toml> read_yaml(std::string_view text) {
  if (text.size() > kMaxYamlBytes)
    return input_error("RIDGE-MAN-0002", fmt::format("the file has {} bytes, the limit is {}",
                                                     text.size(), kMaxYamlBytes));
  TRY(check_directives(text));
  Events events(text);
  Tree tree(text);
  while (true) {
    const yaml_event_t* event = TRY(events.next());
    if (event->type == YAML_STREAM_END_EVENT) break;
    TRY(tree.take(*event));
  }
  return std::move(tree).root();
}

}  // namespace ridge::manifest
