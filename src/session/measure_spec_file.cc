#include "session/measure_spec_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/sizes/shape_text.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/sink.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/toml.h"
#include "runtime/paths.h"
#include "runtime/read_options.h"

namespace ridge::session {
namespace {

using SpecJson = nlohmann::ordered_json;  // options keep their order

constexpr std::size_t kLongestText = kMaxTomlBytes;
constexpr std::size_t kMaxItems = 4096;
constexpr double kLongestBudget = 1e6;
/// Whole numbers of TOML are read as doubles: exact up to here.

/// The member of a spec that no file states.
constexpr std::string_view kLibraryKey = "runtime_library";

/// Where a value stands in its file, by its path; empty for JSON.
using ValuePlaces = std::map<std::string, std::string>;

/// A value with its path, which errors name.
class SpecValue {
 public:
  SpecValue(const SpecJson& value, std::string path, const ValuePlaces& places)
      : value_(&value), path_(std::move(path)), places_(&places) {}

  Error placed(Error error) const {
    const auto place = places_->find(path_);
    const std::string at = place == places_->end() ? "" : ", " + place->second;
    return std::move(error).in((path_.empty() ? "." : path_) + at);
  }
  Error error(std::string_view code, std::string message) const {
    return placed(input_error(code, std::move(message)));
  }
  Error names_a_library() const {
    return error("RIDGE-WB-0392", "a spec does not decide which library is loaded")
        .hint("leave it out, and set MeasureSpec::runtime_library in the program");
  }
  Error invalid_value(std::string_view expected) const {
    return error("RIDGE-WB-0302", fmt::format("expected {}", expected));
  }

  Result<std::string> text() const {
    if (!value_->is_string()) return invalid_value("a string");
    return value_->get<std::string>();
  }
  Result<bool> truth() const {
    if (!value_->is_boolean()) return invalid_value("true or false");
    return value_->get<bool>();
  }
  template <typename T>
  Result<T> whole(T least, T most) const {
    const bool fits =
        value_->is_number_unsigned()
            ? std::in_range<T>(value_->get<std::uint64_t>())
            : value_->is_number_integer() && std::in_range<T>(value_->get<std::int64_t>());
    const T number = fits ? value_->get<T>() : T{};
    if (!fits || number < least || number > most)
      return invalid_value(fmt::format("a whole number from {} to {}", least, most));
    return number;
  }
  Result<double> seconds() const {
    const double number = value_->is_number() ? value_->get<double>() : 0;
    if (!(number > 0 && number <= kLongestBudget))
      return invalid_value(
          fmt::format("a number of seconds above 0 and at most {:g}", kLongestBudget));
    return number;
  }
  /// One of those names; `named` gives what it stands for, nullopt for others.
  template <typename Named>
  auto choice(Named named, std::string_view names) const
      -> Result<typename decltype(named(std::string_view()))::value_type> {
    const std::string given = TRY(text());
    if (const auto found = named(given)) return *found;
    return invalid_value(fmt::format("one of {}", names));
  }

  template <typename Visit>
  Result<void> each(Visit visit) const {
    if (!value_->is_array() || value_->empty() || value_->size() > kMaxItems)
      return invalid_value(fmt::format("a list of 1 to {} values", kMaxItems));
    for (std::size_t i = 0; i < value_->size(); ++i)
      TRY(visit(SpecValue((*value_)[i], fmt::format("{}[{}]", path_, i), *places_)));
    return {};
  }
  template <typename Visit>
  Result<void> each_key(Visit visit) const {
    if (!value_->is_object()) return invalid_value("a table of names and values");
    for (auto it = value_->begin(); it != value_->end(); ++it)
      TRY(visit(it.key(), SpecValue(it.value(), below(it.key()), *places_)));
    return {};
  }
  Error unknown(const std::vector<std::string>& known) const {
    const std::string key = path_.substr(path_.rfind('.') + 1);
    const std::vector<std::string> near = near_names(key, known);
    return error("RIDGE-WB-0301", fmt::format("unknown key '{}'", key))
        .hint(near.empty() ? fmt::format("keys are {}", fmt::join(known, ", "))
                           : fmt::format("did you mean '{}'?", near[0]));
  }

 private:
  std::string below(const std::string& key) const {
    return path_.empty() ? printable(key) : path_ + "." + printable(key);
  }

  const SpecJson* value_;
  std::string path_;
  const ValuePlaces* places_;
};

Result<std::vector<std::int64_t>> shape_value(const SpecValue& value) {
  const std::string text = TRY(value.text());
  return analysis::shape_from(text, [&](std::string why) {
    return value.invalid_value("sizes as in \"1x3x224x224\", or \"\" for a scalar")
        .evidence(std::move(why));
  });
}

Result<analysis::Bindings> bindings_of(const SpecValue& value) {
  constexpr std::int64_t kMax = INT64_MAX;
  analysis::Bindings out;
  TRY(value.each_key([&](const std::string& key, const SpecValue& member) -> Result<void> {
    if (key == "names")
      return member.each_key([&](const std::string& name, const SpecValue& size) -> Result<void> {
        out.sizes[name].value = TRY(size.whole<std::int64_t>(1, kMax));
        return {};
      });
    if (key != "shapes") return member.unknown({"names", "shapes"});
    return member.each_key([&](const std::string& name, const SpecValue& shape) -> Result<void> {
      out.shapes[name] = TRY(shape_value(shape));
      return {};
    });
  }));
  return out;
}

Result<TimeBudget> budget_of(const SpecValue& value) {
  TimeBudget out;
  TRY(value.each_key([&](const std::string& key, const SpecValue& member) -> Result<void> {
    if (key == "seconds") {
      out.seconds = TRY(member.seconds());
    } else if (key == "of") {
      const std::string of = TRY(member.text());
      if (of != "all" && of != "process") return member.invalid_value("one of all, process");
      out.of_each_process = of == "process";
    } else {
      return member.unknown({"seconds", "of"});
    }
    return {};
  }));
  return out;
}

/// A key of the file: its name, how it is read, how it is written.
struct Key {
  const char* name;
  Result<void> (*read)(const SpecValue&, MeasureSpec&);
  void (*write)(JsonWriter&, const MeasureSpec&);
};

Result<void> read_runtime_options(const SpecValue& value, MeasureSpec& spec) {
  return value.each_key([&](const std::string& name, const SpecValue& text) -> Result<void> {
    if (auto allowed = runtime::check_read_option(name); !allowed.ok())
      return text.placed(std::move(allowed).error());
    spec.runtime_options.emplace_back(name, TRY(text.text()));
    return {};
  });
}

void write_sizes(JsonWriter& out, const MeasureSpec& spec) {
  out.begin_array();
  for (const analysis::Bindings& point : spec.sizes) {
    out.begin_object().key("names").begin_object();
    for (const auto& [name, binding] : point.sizes) out.name(name).value(binding.value);
    out.end_object().key("shapes").begin_object();
    for (const auto& [name, shape] : point.shapes)
      out.name(name).value(fmt::format("{}", fmt::join(shape, "x")));
    out.end_object().end_object();
  }
  out.end_array();
}

constexpr Key kKeys[] = {
    {"runtimes",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.runtimes.clear();
       return v.each([&](const SpecValue& item) -> Result<void> {
         const std::string name = TRY(item.text());
         const runtime::KnownRuntime* known = runtime::known_runtime(name);
         if (known == nullptr) return item.invalid_value("the name of a runtime: ort or openvino");
         s.runtimes.emplace_back(known->name);
         return {};
       });
     },
     [](JsonWriter& j, const MeasureSpec& s) {
       j.begin_array();
       for (const std::string& name : s.runtimes) j.value(name);
       j.end_array();
     }},
    {"threads",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.threads.clear();
       return v.each([&](const SpecValue& item) -> Result<void> {
         s.threads.push_back(TRY(item.whole<int>(1, kMaxThreads)));
         return {};
       });
     },
     [](JsonWriter& j, const MeasureSpec& s) {
       j.begin_array();
       for (const int n : s.threads) j.value(n);
       j.end_array();
     }},
    {"sizes",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.sizes.clear();
       return v.each([&](const SpecValue& item) -> Result<void> {
         s.sizes.push_back(TRY(bindings_of(item)));
         return {};
       });
     },
     write_sizes},
    {"optimization",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.optimization = TRY(v.choice(runtime::optimization_named, "all, extended, basic, disable"));
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) { j.value(runtime::name(s.optimization)); }},
    {"weights",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.weights = TRY(v.choice(weight_source_named, "seeded, as-is"));
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) { j.value(name(s.weights)); }},
    {"inputs",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       return v.each_key([&](const std::string& name, const SpecValue& file) -> Result<void> {
         s.inputs[name] = TRY(file.text());
         return {};
       });
     },
     [](JsonWriter& j, const MeasureSpec& s) {
       j.begin_object();
       for (const auto& [name, file] : s.inputs) j.name(name).value(file);
       j.end_object();
     }},
    {"runtime_options", read_runtime_options,
     [](JsonWriter& j, const MeasureSpec& s) {
       j.begin_object();
       for (const auto& [name, text] : s.runtime_options) j.name(name).value(text);
       j.end_object();
     }},
    {"pin",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.pin = TRY(v.truth());
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) { j.value(s.pin); }},
    {"level",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.level = TRY(v.choice(recorded_level_named, "layer, thread, counter"));
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) { j.value(name(s.level)); }},
    {"processes",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.processes = TRY(v.whole<std::uint32_t>(1, kMaxProcesses));
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) { j.value(s.processes); }},
    {"budget",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.budget = TRY(budget_of(v));
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) {
       j.begin_object().key("seconds").value(s.budget.seconds);
       j.key("of").value(s.budget.of_each_process ? "process" : "all").end_object();
     }},
    {"seed",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.seed = TRY(v.whole<std::uint64_t>(0, UINT64_MAX));
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) { j.raw(std::to_string(s.seed)); }},
    {"refresh_roofs",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.refresh_roofs = TRY(v.truth());
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) { j.value(s.refresh_roofs); }},
    {"verify",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.verify = TRY(v.whole<std::uint32_t>(0, kMaxCuts));
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) { j.value(s.verify); }},
    {"check_values",
     [](const SpecValue& v, MeasureSpec& s) -> Result<void> {
       s.check_values = TRY(v.truth());
       return {};
     },
     [](JsonWriter& j, const MeasureSpec& s) { j.value(s.check_values); }},
};

Result<MeasureSpec> spec_from(const SpecJson& document, const ValuePlaces& places) {
  std::vector<std::string> names;
  for (const Key& key : kKeys) names.emplace_back(key.name);
  MeasureSpec spec;
  TRY(SpecValue(document, "", places)
          .each_key([&](const std::string& name, const SpecValue& value) -> Result<void> {
            for (const Key& key : kKeys)
              if (key.name == name) return key.read(value, spec);
            if (name == kLibraryKey) return value.names_a_library();
            return value.unknown(names);
          }));
  return spec;
}

/// TOML as JSON, with the place of every value by its path.
SpecJson json_of(const Toml& value, const std::string& path, ValuePlaces& places) {
  places[path] = value.place.text();
  const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  SpecJson out;
  switch (value.kind) {
    case Toml::Kind::kTable:
      out = SpecJson::object();
      for (const TomlMember& m : value.members)
        out[m.key] = json_of(m.value, below(printable(m.key)), places);
      return out;
    case Toml::Kind::kArray:
      out = SpecJson::array();
      for (std::size_t i = 0; i < value.items.size(); ++i)
        out.push_back(json_of(value.items[i], fmt::format("{}[{}]", path, i), places));
      return out;
    case Toml::Kind::kNumber:
      if (value.number == std::floor(value.number) && std::fabs(value.number) <= kMaxExact)
        return static_cast<std::int64_t>(value.number);
      return value.number;
    case Toml::Kind::kText:
    case Toml::Kind::kTime:  // of no kind that a key takes
      return value.kind == Toml::Kind::kText ? SpecJson(value.text) : SpecJson();
    case Toml::Kind::kTruth:
      return value.truth;
  }
  return out;
}

}  // namespace

std::string measure_spec_json(const MeasureSpec& spec) {
  StringSink sink;
  JsonWriter out(sink);
  out.begin_object();
  for (const Key& key : kKeys) {
    out.name(key.name);
    key.write(out, spec);
  }
  out.end_object();
  return sink.text();
}

Result<MeasureSpec> read_measure_spec_json(std::string_view text) {
  if (text.size() > kLongestText)
    return input_error(
        "RIDGE-WB-0300",
        fmt::format("the text has {} bytes, more than the limit of {}", text.size(), kLongestText));
  // The parser itself builds and frees without recursion.
  const SpecJson document = SpecJson::parse(text, nullptr, false);
  if (document.is_discarded())
    return input_error("RIDGE-WB-0303", "invalid JSON").hint("measure_spec_json writes an example");
  return spec_from(document, {});
}

Result<MeasureSpec> read_measure_spec_toml(std::string_view text) {
  const Toml file = TRY(read_toml(text));
  ValuePlaces places;
  const SpecJson document = json_of(file, "", places);
  return spec_from(document, places);
}

}  // namespace ridge::session
