// SPDX-License-Identifier: Apache-2.0
#include "record/unknown_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "base/text.h"

namespace ridge::record {
namespace {

constexpr std::size_t kShownKey = 40;

struct NamedField {
  std::string name;  ///< dotted
  const Field* field;
};

/// Fields of a record and of the records in it.
void collect_named(const Type& t, const std::string& prefix, std::vector<NamedField>& out) {
  for (const Field& f : t.fields()) {
    if (f.inlined) {
      collect_named(*f.type, prefix, out);
    } else if (f.in_documents()) {
      out.push_back({prefix + std::string(f.name), &f});
      if (present(*f.type).form == Form::kRecord)
        collect_named(present(*f.type), out.back().name + '.', out);
    }
  }
}

/// The name without a unit, or with another one: "clock", "clock_ghz".
bool lacks_unit(std::string_view key, std::string_view unasked) {
  return !unasked.empty() && key.starts_with(unasked) &&
         (key.size() == unasked.size() || key[unasked.size()] == '_');
}

bool is_own(const NamedField& f) { return f.name.size() == f.field->name.size(); }

}  // namespace

Error unknown_name(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_names(name, known);
  return input_error("RIDGE-REC-0003",
                     fmt::format("unknown key '{}'", shorten(printable(name), kShownKey)))
      .hint(near.empty() ? fmt::format("keys are {}", fmt::join(known, ", "))
                         : fmt::format("did you mean '{}'?", near[0]));
}

Error unknown_key(const Type& type, std::string_view key) {
  std::vector<NamedField> fields;
  collect_named(type, "", fields);
  std::vector<std::string> known;
  for (const NamedField& f : fields)
    if (is_own(f)) known.push_back(f.name);
  for (const NamedField& f : fields)
    if (f.field->name == key)
      return unknown_name(key, known).hint(fmt::format("did you mean '{}'?", f.name));
  for (const bool own : {true, false})
    for (const NamedField& f : fields)
      if (is_own(f) == own && lacks_unit(key, f.field->unasked))
        return unknown_name(key, known)
            .hint(fmt::format("did you mean '{}'? the unit is in the name", f.name));
  return unknown_name(key, known);
}

}  // namespace ridge::record
