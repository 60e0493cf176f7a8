// SPDX-License-Identifier: Apache-2.0
#include "accelerator/study/tvm.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <vector>

#include "accelerator/tvm/tir_reader.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "ipc/process.h"

namespace ridge::accelerator {
extern const std::string_view kTvmScript;  // embedded from accelerator/tvm/lower.py
namespace {

constexpr Nanos kCheckLimit{30'000'000'000}, kLowerLimit{900'000'000'000};
/// Size limit of the map; GPT-2's has 17 kB.
constexpr std::int64_t kLongestMap = std::int64_t{8} << 20;
// Exit statuses of the script.
constexpr int kOtherVersion = 2, kModelRefused = 3;

struct ScriptResult {
  int status = 0;
  std::string output;
};

Result<ScriptResult> run_script(const std::string& folder,
                                const std::vector<std::string>& arguments, Nanos limit) {
  const std::string python = folder + "/bin/python";
  if (folder.empty() || !file_exists(python))
    return environment_error("RIDGE-WB-0180", "Apache TVM is not installed")
        .evidence(fmt::format("no {}", python))
        .hint("run scripts/fetch_tvm.sh, or profile with nest or closed-form");
  std::vector<std::string> command = {python, "-I", "-c", std::string(kTvmScript)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ipc::Process process = TRY(ipc::Process::start_command(command));
  const auto status = process.wait(steady_clock().now() + limit);
  if (!status)
    return environment_error("RIDGE-WB-0181", fmt::format("TVM exceeded the time limit of {} s",
                                                          limit.count / 1'000'000'000))
        .hint("use --profile-with nest or --profile-with closed-form");
  return ScriptResult{*status, process.last_words()};
}

Result<void> check_script(const ScriptResult& result) {
  if (WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) return {};
  if (WIFEXITED(result.status) && WEXITSTATUS(result.status) == kOtherVersion)
    return environment_error("RIDGE-WB-0182", "another version of Apache TVM is installed")
        .evidence(result.output)
        .hint(fmt::format("scripts/fetch_tvm.sh installs apache-tvm {} with apache-tvm-ffi {}",
                          kTvmVersion, kTvmFfiVersion));
  if (WIFEXITED(result.status) && WEXITSTATUS(result.status) == kModelRefused)
    return input_error("RIDGE-WB-0183", "TVM rejected the model")
        .evidence(result.output)
        .hint("use --profile-with nest or --profile-with closed-form");
  return environment_error("RIDGE-WB-0184", "TVM " + ipc::describe_end(result.status))
      .evidence(result.output)
      .hint("use --profile-with nest or --profile-with closed-form");
}

}  // namespace

std::string tvm_folder(std::string_view given, std::string_view cache_folder) {
  if (!given.empty()) return std::string(given);
  return cache_folder.empty() ? "" : fmt::format("{}/tvm/{}", cache_folder, kTvmVersion);
}

Result<TvmNests> lower_with_tvm(const std::string& environment, std::string_view model,
                                TvmHooks hooks) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  const std::string path = folder.path() + "/model.onnx";
  TRY(write_file(path, model));
  std::vector<std::string> arguments = {path, folder.path()};
  if (hooks == TvmHooks::kRun) arguments.emplace_back("--run-hooks");
  TRY(check_script(TRY(run_script(environment, arguments, kLowerLimit))));
  TvmNests out;
  out.tir = TRY(read_file(folder.path() + "/tir.json", kLongestTir));
  out.map = TRY(read_file(folder.path() + "/map.json", kLongestMap));
  return out;
}

machine::RuntimeFinding find_tvm(const std::string& environment) {
  machine::RuntimeFinding found{
      .name = "Apache TVM", .version = {}, .library = environment, .advice = {}, .measures = false};
  const Result<ScriptResult> result = run_script(environment, {"--check"}, kCheckLimit);
  const Result<void> fine = result.ok() ? check_script(*result) : Result<void>(result.error());
  if (fine.ok())
    found.version = kTvmVersion;
  else
    found.advice = fine.error().hint();
  return found;
}

}  // namespace ridge::accelerator
