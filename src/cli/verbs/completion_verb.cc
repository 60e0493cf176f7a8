// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/completion_verb.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/flags/flag_parser.h"
#include "zoo/zoo.h"

namespace ridge::cli {
namespace {

struct Option {
  std::string name;  ///< including "--"
  std::string description;
};

/// Shells complete the first word alone; of "eval compare" the files.
bool is_one_word(const Verb& verb) { return verb.name.find(' ') == std::string_view::npos; }

/// Options of a verb, from its setup function, so that there is no second list.
std::vector<Option> options_of(const Verb& verb) {
  Flags flags;
  const Run run = set_up(verb, flags);
  std::vector<Option> out = {{fmt::format("--{}", kHelpFlag), kHelpOfHelp}};
  for (const Flag& flag : flags.rows())
    for (const std::string& name : flag.long_names()) out.push_back({"--" + name, flag.help});
  return out;
}

std::vector<std::string> zoo_names() {
  std::vector<std::string> out;
  for (const zoo::Entry& entry : zoo::entries()) out.push_back(fmt::format("zoo:{}", entry.name));
  return out;
}

std::string joined(const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options) out += (out.empty() ? "" : " ") + option.name;
  return out;
}

/// Bash splits words at the ':' and '=' in COMP_WORDBREAKS. The script therefore takes the word
/// from COMP_LINE, and removes "zoo:" from the replies.
std::string bash() {
  std::string names, cases;
  for (const Verb& verb : verbs()) {
    if (!is_one_word(verb)) continue;
    names += (names.empty() ? "" : " ") + std::string(verb.name);
    cases += fmt::format("    {}) words='{}' ;;\n", verb.name, joined(options_of(verb)));
  }
  return fmt::format(R"(# bash completion of ridge
_ridge() {{
  local line="${{COMP_LINE:0:COMP_POINT}}" words=''
  local word="${{line##* }}" verb="${{COMP_WORDS[1]}}"
  if [[ $COMP_CWORD -le 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$word")
    return
  fi
  case "$verb" in
{}  esac
  if [[ $word == --* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  elif [[ $word == zoo:* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$word")
    [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${{COMPREPLY[@]#zoo:}}")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -o filenames -F _ridge ridge
)",
                     names, cases, fmt::join(zoo_names(), " "));
}

std::string fish() {
  const auto quoted = [](std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '\'' ? std::string("\\'") : std::string(1, c);
    return "'" + out + "'";
  };
  std::string out = "# fish completion of ridge\n";
  for (const Verb& verb : verbs()) {
    if (!is_one_word(verb)) continue;
    out += fmt::format("complete -c ridge -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                       quoted(verb.summary));
    for (const Option& option : options_of(verb))
      out += fmt::format("complete -c ridge -n '__fish_seen_subcommand_from {}' -l {} -d {}\n",
                         verb.name, option.name.substr(2), quoted(option.description));
  }
  for (const std::string& name : zoo_names())
    out += fmt::format("complete -c ridge -n 'not __fish_use_subcommand' -a {}\n", name);
  return out;
}

int print_completion(const std::string& shell, Console& console) {
  if (shell == "bash") console.out.write(bash());
  if (shell == "zsh")
    console.out.write("#compdef ridge\nautoload -U +X bashcompinit && bashcompinit\n" + bash());
  if (shell == "fish") console.out.write(fish());
  return kDone;
}

}  // namespace

Run setup_completion(Flags& flags) {
  auto shell = std::make_shared<std::string>();
  flags.add("SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  return [shell](Console& console) { return print_completion(*shell, console); };
}

}  // namespace ridge::cli
