// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/bundle/verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "base/date_text.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/eval/evaluations_list.h"
#include "evaluation/repeat/hashes.h"
#include "export/table.h"
#include "lab/bundle/bundle.h"
#include "lab/bundle/describe.h"
#include "lab/bundle/replay.h"
#include "lab/bundle/signature.h"
#include "session/run_recorder.h"
#include "session/run_source.h"
#include "store/source.h"

namespace ridge::cli {
namespace {

using exports::Align;
using lab::Bundle;
using lab::BundleIndex;

/// Runs an action of the verb; an error is reported and gives the exit status.
template <typename Options>
Run run_of(std::shared_ptr<Options> options,
           Result<int> (*action)(const Options& options, Console& console)) {
  return [options = std::move(options), action](Console& console) {
    const Result<int> status = action(*options, console);
    if (status.ok()) return *status;
    const int code = report(console, status.error());
    return Interruption::requested() ? static_cast<int>(kInterrupted) : code;
  };
}

// Seal

struct SealOptions {
  std::string source;             ///< runs.db:7, or a database
  std::vector<std::string> what;  ///< "7", "last" or "evaluation:3"
  std::string output;
  bool by_reference = false;
  std::string key;
};

/// A run or an evaluation of a database.
struct Sealed {
  std::string database, what;
};

Result<Sealed> sealed_by(const SealOptions& options) {
  const auto named = store::named_run(options.source);
  const bool twice = named && !named->run.empty() && !options.what.empty();
  if (!named || twice || options.what.size() > 1)
    return usage_error("RIDGE-CLI-0240",
                       fmt::format("'{}' names no single result", printable(options.source)))
        .hint("write runs.db:7, or runs.db evaluation:3");
  std::string what = options.what.empty() ? named->run : options.what.front();
  if (what.empty()) what = "last";
  return Sealed{named->database, std::move(what)};
}

Result<int> seal(const SealOptions& options, Console& console) {
  const Sealed sealed = TRY(sealed_by(options));
  const Interruption interruption;
  const ConsoleEnvironment environment(console);
  const store::Store store = TRY(store::Store::open(sealed.database, store::Access::kRead));
  const lab::SealOptions how{.by_reference = options.by_reference,
                             .watch = evaluation::hash_watch(*environment)};
  if (const auto evaluation = TRY(evaluation_number(sealed.what)))
    TRY(lab::seal_evaluation(store, *evaluation, options.output, how));
  else
    TRY(lab::seal_run(store, TRY(session::run_number(store, sealed.what)), options.output, how));
  if (!options.key.empty()) TRY(lab::sign(options.output, options.key));
  console.err.write(fmt::format("sealed {}\n", printable(options.output)));
  return kDone;
}

// Verify

struct VerifyOptions {
  std::vector<std::string> bundles;
  std::string signers, signer;
};

Result<int> verify_bundles(const VerifyOptions& options, Console& console) {
  if (options.signers.empty() != options.signer.empty())
    return usage_error("RIDGE-CLI-0241", "--signers and --signer belong together")
        .hint("--signers FILE of allowed signers, --signer the name that must have signed");
  for (const std::string& path : options.bundles) {
    TRY(TRY(Bundle::open(path)).check());
    if (!options.signers.empty()) TRY(lab::check_signature(path, options.signers, options.signer));
    console.out.write(fmt::format(
        "{}: every byte is as sealed{}\n", printable(path),
        options.signers.empty() ? "" : fmt::format(", signed by {}", printable(options.signer))));
  }
  return kDone;
}

// Show

struct ShowOptions {
  std::string bundle, format = "table", output;
};

void write_table(const BundleIndex& index, Sink& sink) {
  sink.write(fmt::format("{} of {} in {} {}\n", index.result, printable(index.model),
                         printable(index.runtime), printable(index.runtime_version)));
  sink.write(fmt::format("on {}, stored {} UTC by ridge {}\n\n", printable(index.machine),
                         date_text(index.recorded_s), printable(index.ridge)));
  exports::Table files(
      {{"file"}, {"of"}, {"bytes", Align::kRight}, {"in the bundle"}, {"SHA-256"}});
  for (const lab::BundledFile& file : index.files)
    files.add({file.name, file.role, fmt::format("{}", file.bytes),
               file.entry.empty() ? "by reference" : file.entry, file.sha256.substr(0, 16)});
  sink.write(files.empty() ? "no files: the model is built in\n" : files.text());
}

constexpr Document<const BundleIndex&> kBundleDocument = {
    .table = write_table, .described = [](auto& index, auto& out) { out.write(index); }};

Result<int> show(const ShowOptions& options, Console& console) {
  const Bundle bundle = TRY(Bundle::open(options.bundle));
  Output output = TRY(Output::open(options.output, console));
  kBundleDocument.write(options.format, bundle.index(), output.sink());
  TRY(output.close());
  return kDone;
}

// Replay and diff

int status_of(lab::ReplayVerdict verdict) {
  return verdict == lab::ReplayVerdict::kDifferent ? kCheckFailed : kDone;
}

void write_replay(const lab::Replay& replay, Sink& sink) {
  sink.write(fmt::format("{}: {}\n", word(replay.verdict), fmt::join(replay.why, "; ")));
}

struct ReplayOptions {
  std::string bundle, store;
};

Result<lab::Replay> replay_and_keep(const Bundle& bundle,
                                    std::optional<session::RunRecorder>& recorder,
                                    const session::Environment& environment) {
  if (bundle.index().result == "evaluation")
    return lab::replay_evaluation(bundle, recorder ? &recorder->store() : nullptr, environment);
  if (recorder) recorder->assess_host();
  const lab::ReplayedRun replayed = TRY(lab::replay_run(bundle, environment));
  if (recorder) TRY(recorder->keep(replayed.now, replayed.key));
  return replayed.judged;
}

Result<int> replay(const ReplayOptions& options, Console& console) {
  const Bundle bundle = TRY(Bundle::open(options.bundle));
  TRY(bundle.check());
  const Interruption interruption;
  const ConsoleEnvironment environment(console);
  auto recorder = TRY(session::RunRecorder::open(options.store, *environment));
  const lab::Replay judged = TRY(replay_and_keep(bundle, recorder, *environment));
  write_replay(judged, console.out);
  return status_of(judged.verdict);
}

struct BundleDiffOptions {
  std::string a, b;
};

/// The one run of a bundle.
Result<profile::Profile> run_of_bundle(const Bundle& bundle) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  const store::Store store = TRY(bundle.unpack_store(folder.path()));
  return store.read(TRY(session::run_number(store, "last")));
}

Result<int> diff_bundles(const BundleDiffOptions& options, Console& console) {
  const Bundle a = TRY(Bundle::open(options.a)), b = TRY(Bundle::open(options.b));
  if (a.index().result != b.index().result)
    return input_error("RIDGE-CLI-0242", "a run and an evaluation cannot be compared")
        .in_file(options.b);
  if (a.index().result == "evaluation") {
    for (const manifest::Difference& d : manifest::differences(TRY(a.lock()), TRY(b.lock())))
      console.out.write(text_of(d) + "\n");
    const lab::Replay judged = TRY(lab::judge(TRY(a.evaluation()), TRY(b.evaluation())));
    write_replay(judged, console.out);
    return status_of(judged.verdict);
  }
  const lab::Replay judged = TRY(lab::judge(TRY(run_of_bundle(a)), TRY(run_of_bundle(b))));
  write_replay(judged, console.out);
  return status_of(judged.verdict);
}

}  // namespace

Run setup_bundle_seal(Flags& flags) {
  auto o = std::make_shared<SealOptions>();
  flags.add("SOURCE", o->source, "runs.db:7, or a run database").required();
  flags.add("WHAT", o->what, "of a database: a run's number, last (default), or evaluation:N");
  flags.add("-o,--output", o->output, "the bundle to write").required().writes(Writes::kFile);
  flags.add("--by-reference", o->by_reference,
            "keep hashes of the model and the data in place of their content");
  flags.add("--sign", o->key, "sign with this private key of OpenSSH: writes FILE.sig too");
  return run_of(std::move(o), seal);
}

Run setup_bundle_verify(Flags& flags) {
  auto o = std::make_shared<VerifyOptions>();
  flags.add("BUNDLE", o->bundles, "files of ridge bundle seal").required();
  flags.add("--signers", o->signers, "file of allowed signers, as ssh-keygen has it");
  flags.add("--signer", o->signer, "the name in that file that must have signed");
  return run_of(std::move(o), verify_bundles);
}

Run setup_bundle_show(Flags& flags) {
  auto o = std::make_shared<ShowOptions>();
  flags.add("BUNDLE", o->bundle, "a file of ridge bundle seal").required();
  add_document_options(flags, o->format, o->output, kBundleDocument.formats());
  return run_of(std::move(o), show);
}

Run setup_bundle_replay(Flags& flags) {
  auto o = std::make_shared<ReplayOptions>();
  flags.add("BUNDLE", o->bundle, "a file of ridge bundle seal").required();
  flags.add("--store", o->store, "store the new run in this run database (ridge runs)")
      .writes(Writes::kStore);
  return run_of(std::move(o), replay);
}

Run setup_bundle_diff(Flags& flags) {
  auto o = std::make_shared<BundleDiffOptions>();
  flags.add("A", o->a, "a file of ridge bundle seal").required();
  flags.add("B", o->b, "another").required();
  return run_of(std::move(o), diff_bundles);
}

}  // namespace ridge::cli
