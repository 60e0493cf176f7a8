// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "base/lines.h"
#include "base/suggest.h"
#include "base/toml.h"
#include "base/version.h"
#include "cli/flags/document_options.h"
#include "cli/flags/flag_parser.h"
#include "cli/flags/flag_table.h"
#include "cli/flags/request_file.h"
#include "cli/man_page.h"
#include "cli/output_check.h"
#include "cli/schemas.h"
#include "store/views.h"

namespace ridge::cli {
namespace {

constexpr std::string_view kAbout =
    "ridge measures and explains the inference performance of neural networks, node by node of the "
    "ONNX model.\n";

std::string indented(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    if (!line.empty()) out += fmt::format("  {}\n", line);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  return out;
}

/// The first example of every verb, followed by the list of verbs.
std::string program_help(std::span<const Verb> verbs) {
  std::string examples, list;
  std::size_t width = 0;
  for (const Verb& v : verbs) width = std::max(width, v.name.size());
  for (const Verb& v : verbs) {
    examples += indented(v.examples.substr(0, v.examples.find('\n')));
    list += fmt::format("  {:<{}} {}\n", v.name, width, v.summary);
  }
  return fmt::format(
      "Examples:\n{}\n{}\nVerbs:\n{}\n  ridge VERB --help     examples and options of a verb\n  "
      "ridge help flags      all flags, with the verbs that accept them\n  "
      "ridge help schemas    keys of all JSON documents; with a name its JSON Schema\n  "
      "ridge help man        the manual page in roff; with a verb the verb's\n  "
      "ridge help views      columns of a run database's views\n  "
      "ridge --version\n",
      examples, kAbout, list);
}

std::string verb_help(const Verb& verb, Flags& flags) {
  return fmt::format("Examples:\n{}\n{}\n\n{}", indented(verb.examples), verb.summary,
                     help_text(flags, fmt::format("ridge {}", verb.name)));
}

Error unknown_verb(std::string_view name, std::span<const Verb> verbs) {
  std::vector<std::string> names;
  for (const Verb& v : verbs) names.emplace_back(v.name);
  const std::vector<std::string> near = near_names(name, names);
  return usage_error("RIDGE-CLI-0001", fmt::format("unknown verb '{}'", name))
      .hint(near.empty() ? fmt::format("available verbs: {}", fmt::join(names, ", "))
                         : fmt::format("did you mean 'ridge {}'?", near[0]));
}

/// CLI11's message, with a hint if an unknown option is similar to an existing one.
Error invalid_options(const Verb& verb, const Flags& flags, std::span<const std::string> arguments,
                      std::string message) {
  std::vector<std::string> names = {fmt::format("--{}", kHelpFlag)};
  for (const Flag& flag : flags.rows())
    for (const std::string& name : flag.long_names()) names.push_back("--" + name);
  std::string hint = fmt::format("ridge {} --help lists the options", verb.name);
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || std::find(names.begin(), names.end(), name) != names.end())
      continue;
    if (const std::vector<std::string> near = near_names(name, names); !near.empty())
      hint = fmt::format("did you mean {}?", near[0]);
  }
  std::replace(message.begin(), message.end(), '\n', ' ');
  return usage_error("RIDGE-CLI-0002", fmt::format("ridge {}: {}", verb.name, message))
      .hint(std::move(hint));
}

/// The command line with what a request file adds; the same without one.
Result<std::vector<std::string>> complete_arguments(const Verb& verb,
                                                    std::span<const std::string> arguments) {
  const std::string path = request_path(arguments);
  if (path.empty()) return std::vector<std::string>(arguments.begin(), arguments.end());
  Flags flags;
  const Run run = set_up(verb, flags);
  for (Flag& row : flags.rows()) row.is_required = false;
  const Parsed parsed = parse(flags, {arguments.begin(), arguments.end()});
  if (parsed.error || parsed.wants_help)  // parsed again, and reported
    return std::vector<std::string>(arguments.begin(), arguments.end());
  const std::string text = TRY(read_text_file(path, static_cast<std::int64_t>(kMaxTomlBytes)));
  Result<std::vector<std::string>> out =
      with_request(text, path.ends_with(".json"), verb.name, flags, arguments);
  if (!out.ok()) return std::move(out).error().in(path);
  return out;
}

int run_verb(const Verb& verb, std::span<const std::string> given, Console& console) {
  Flags flags;
  const Run run = set_up(verb, flags);
  Parsed parsed;
  std::vector<std::string> arguments;
  try {
    Result<std::vector<std::string>> complete = complete_arguments(verb, given);
    if (!complete.ok()) return report(console, complete.error());
    arguments = std::move(*complete);
    parsed = parse(flags, arguments);
  } catch (const InvalidOption& invalid) {
    return report(console, invalid.error());
  }
  if (parsed.wants_help) {
    console.out.write(verb_help(verb, flags));
    return kDone;
  }
  if (parsed.error) return report(console, invalid_options(verb, flags, arguments, *parsed.error));
  if (const auto checked = check_terminal(flags, console.out_is_terminal); !checked.ok())
    return report(console, checked.error());
  if (const auto checked = check_outputs(flags); !checked.ok())
    return report(console, checked.error());
  return run(console);
}

auto find_verb(std::string_view name, std::span<const Verb> verbs) {
  return std::ranges::find(verbs, name, &Verb::name);
}

int print_man_page(std::span<const std::string> words, std::span<const Verb> verbs,
                   Console& console) {
  const std::string name = fmt::format("{}", fmt::join(words, " "));
  const auto verb = find_verb(name, verbs);
  if (!name.empty() && verb == verbs.end()) return report(console, unknown_verb(name, verbs));
  console.out.write(name.empty() ? man_page(verbs) : man_page(*verb));
  return kDone;
}

int print_schemas(std::span<const std::string> names, Console& console) {
  if (names.empty()) console.out.write(schemas_page());
  for (const std::string& name : names) {
    const Result<std::string> schema = schema_of(name);
    if (!schema.ok()) return report(console, schema.error());
    console.out.write(*schema);
  }
  return kDone;
}

}  // namespace

Run set_up(const Verb& verb, Flags& flags) {
  auto request = std::make_shared<std::string>();
  Run run = verb.setup(flags);
  add_request_flag(flags, *request);
  return [run = std::move(run), request](Console& console) { return run(console); };
}

namespace {

int dispatch(std::span<const std::string> arguments, std::span<const Verb> verbs,
             Console& console) {
  const std::string first = arguments.empty() ? "--help" : arguments[0];
  if (first == "--version" || first == "-V") {
    console.out.write(fmt::format("ridge {}\n", version()));
    return kDone;
  }
  const bool wants_help = first == "--help" || first == "-h" || first == "help";
  if (wants_help && arguments.size() < 2) {
    console.out.write(program_help(verbs));
    return kDone;
  }
  const auto words = arguments.subspan(wants_help ? 1 : 0);
  // Some verbs have two words.
  const std::string both = words.size() > 1 ? words[0] + " " + words[1] : words[0];
  const bool has_two_words = find_verb(both, verbs) != verbs.end();
  const std::string& name = has_two_words ? both : words[0];
  if (wants_help && name == "flags") {
    console.out.write(flag_table(verbs));
    return kDone;
  }
  if (wants_help && name == "views") {
    console.out.write(store::views_page());
    return kDone;
  }
  if (wants_help && name == "schemas") return print_schemas(words.subspan(1), console);
  if (wants_help && name == "man") return print_man_page(words.subspan(1), verbs, console);
  const auto verb = find_verb(name, verbs);
  if (verb == verbs.end()) return report(console, unknown_verb(name, verbs));
  const std::vector<std::string> help = {"--help"};
  return run_verb(*verb,
                  wants_help ? std::span<const std::string>(help)
                             : arguments.subspan(has_two_words && words.size() > 1 ? 2 : 1),
                  console);
}

}  // namespace

int run_program(std::span<const std::string> arguments, std::span<const Verb> verbs,
                Console& console) {
  try {
    return dispatch(arguments, verbs, console);
  } catch (const std::bad_alloc&) {
    console.err.write(kOutOfMemory);
    return kEnvironment;
  } catch (const std::exception& error) {
    return report(console, bug(error.what(), "run_program"));
  }
}

}  // namespace ridge::cli
