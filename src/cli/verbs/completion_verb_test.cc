// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/completion_verb.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>

#include "cli/app.h"

namespace ridge::cli {
namespace {

std::string script(const std::string& shell) {
  StringSink out, err;
  Console console{out, err};
  const std::vector<std::string> arguments = {"completion", shell};
  EXPECT_EQ(run_program(arguments, verbs(), console), kDone);
  return out.text();
}

/// Completions of bash for a command line, from running the script in bash.
std::string offered(const std::string& line) {
  const std::string path = ::testing::TempDir() + "ridge_completion_" + std::to_string(getpid());
  std::ofstream(path)
      << script("bash") << "COMP_LINE='" << line
      << "'; COMP_POINT=${#COMP_LINE}; read -ra COMP_WORDS <<< \"$COMP_LINE\"\n"
      << "[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
         "_ridge; echo \"${COMPREPLY[*]}\"\n";
  FILE* pipe = popen(("bash " + path + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  std::string out;
  while (std::fgets(buffer.data(), buffer.size(), pipe)) out += buffer.data();
  pclose(pipe);
  std::remove(path.c_str());
  return out;
}

TEST(Completion, BashOffersVerbs) { EXPECT_EQ(offered("ridge an"), "analyze\n"); }

TEST(Completion, BashOffersTheVerbsOwnOptions) {
  EXPECT_EQ(offered("ridge profile model.onnx --runtime-l"), "--runtime-library\n");
  EXPECT_EQ(offered("ridge doctor --runtime-l"), "\n");
}

TEST(Completion, BashOffersZooNames) {
  EXPECT_NE(offered("ridge analyze zoo:res").find("resnet50"), std::string::npos);
}

TEST(Completion, FishNamesEveryVerb) {
  const std::string text = script("fish");
  for (const Verb& verb : verbs()) {
    if (verb.name.find(' ') != std::string_view::npos) continue;
    EXPECT_NE(text.find("-a " + std::string(verb.name) + " "), std::string::npos) << verb.name;
  }
}

}  // namespace
}  // namespace ridge::cli
