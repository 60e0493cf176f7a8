// SPDX-License-Identifier: Apache-2.0
// Arbitrary command line, one argument per line, parsed by every verb without running it, and
// parsed as sizes. It is accepted, or is a usage error with a message. Checking the target of a
// document may create a file, which is removed again. The bytes are also a request's file.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "check.h"
#include "cli/app.h"
#include "cli/flags/request_file.h"
#include "cli/flags/sizes.h"

namespace {

namespace cli = ridge::cli;
using ridge::fuzz::check;

/// Sets up the options of the I-th verb with an empty action; the real action is kept because it
/// owns the variables that the options fill.
template <std::size_t I>
cli::Run setup_only(cli::Flags& flags) {
  return [run = cli::verbs()[I].setup(flags)](cli::Console&) { return cli::kDone; };
}

constexpr std::size_t kMaxVerbs = 64;

template <std::size_t... I>
std::vector<cli::Verb> harmless(std::index_sequence<I...>) {
  constexpr std::array<cli::Run (*)(cli::Flags&), kMaxVerbs> kSetups = {setup_only<I>...};
  std::vector<cli::Verb> verbs(cli::verbs().begin(), cli::verbs().end());
  check(verbs.size() <= kMaxVerbs);
  for (std::size_t i = 0; i < verbs.size(); ++i) verbs[i].setup = kSetups[i];
  return verbs;
}

std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    all.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return all;
}

/// Checks that a text has no terminal control characters except line ends.
void check_printable(const std::string& text) {
  for (const std::string& line : lines(text)) check(ridge::printable(line) == line);
}

void check_sizes(const std::vector<std::string>& binds, const std::vector<std::string>& shapes) {
  const auto flags = cli::parse_sizes(binds, shapes);
  if (!flags.ok()) {
    check(flags.error().error_class() == ridge::ErrorClass::kUsage);
    check_printable(flags.error().text());
    return;
  }
  for (const auto& [name, values] : flags->sizes) {
    check(!name.empty() && !values.empty());
    for (const std::int64_t v : values) check(v >= 0);
  }
  const auto points = cli::sweep_points(*flags);
  if (!points.ok()) return;
  std::size_t expected = 1;
  for (const auto& [name, values] : flags->sizes) expected *= values.size();
  for (const std::vector<std::string>& names : flags->together) {
    // Names in step vary as one.
    const std::size_t steps = flags->sizes.at(names.at(0)).size();
    for (std::size_t i = 1; i < names.size(); ++i) {
      check(flags->sizes.at(names[i]).size() == steps);
      expected /= steps;
    }
  }
  check(points->size() == expected && expected <= 4096);
  check(cli::single_point(*flags).ok() == (expected == 1));
}

/// Each setting becomes an argument, or the file is refused.
void check_request(std::string_view text) {
  for (const cli::Verb& verb : cli::verbs().first(8)) {
    cli::Flags flags;
    const cli::Run run = cli::set_up(verb, flags);
    for (const bool is_json : {false, true}) {
      const auto arguments = cli::with_request(text, is_json, verb.name, flags, {});
      if (arguments.ok()) continue;
      check(arguments.error().error_class() == ridge::ErrorClass::kInput);
      check_printable(arguments.error().text());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<cli::Verb> verbs = harmless(std::make_index_sequence<kMaxVerbs>());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_request(text);
  std::vector<std::string> arguments = lines(text);
  // Would read any file of this machine.
  std::erase_if(arguments, [](const std::string& a) { return a.starts_with("--r"); });
  ridge::StringSink out, err;
  cli::Console console{out, err};
  const int status = cli::run_program(arguments, verbs, console);
  // The target of a document or page is checked while the options are parsed.
  const bool no_place = status == cli::kEnvironment && err.text().ends_with("[RIDGE-IO-0006]\n");
  check(status == cli::kDone || status == cli::kUsage || no_place);
  check((status == cli::kDone) == err.text().empty());
  check(err.text().empty() || err.text().ends_with("]\n"));
  check_printable(err.text());
  for (const std::string& a : arguments) {
    check_sizes({a}, {});
    check_sizes({}, {a});
  }
  check_sizes(arguments, {});
  return 0;
}
