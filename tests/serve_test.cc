// SPDX-License-Identifier: Apache-2.0
// A live `ridge serve`, asked over sockets by serve_client.py.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "analysis/testing/packaged.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

/// Makes lab.db, with three runs of two models.
constexpr std::string_view kStore =
    "ridge runs add lab.db ort.json openvino.json run.json >/dev/null\n";

/// Text that the client prints of a case.
std::string said_in(std::string_view name) {
  const Workplace place;
  const Outcome o =
      place.run(fmt::format("{}python3 '{}' {} lab.db", kStore,
                            (source_tree() / "tests/serve_client.py").string(), name));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  return o.out;
}

TEST(Serve, LogsABrowserInOnce) {
  EXPECT_EQ(said_in("login"), R"(before: 401
once: 303 / ridge-PORT=SECRET; Path=/; HttpOnly; SameSite=Strict
with the cookie: 200
twice: 403 RIDGE-SERVE-0017
another key: True 303
end: 0
)");
}

TEST(Serve, ShowsPagesWithoutInlineScripts) {
  EXPECT_EQ(said_in("pages"), R"(/ 200 text/html 
/runs/1 200 text/html 
/evaluations 200 text/html 
/compare?runs=1&runs=2 200 text/html 
/compare?runs=1,2 200 text/html 
/grid 200 text/html 
/hosts 200 text/html 
/experiments 200 text/html 
/models 200 text/html 
/jobs 200 text/html 
/try 200 text/html 
/style.css 200 text/css 
/report.js 200 text/javascript 
/serve.js 200 text/javascript 
/runs/99 404 text/html 
/nothing 404 text/html 
HEAD 200 0
Content-Security-Policy: default-src 'none';
  script-src 'self';
  style-src 'self' 'sha256-bM5S0OHep1Ar7CoOSPd/UH1bW+rmGSHbJEr1ax4Wtu8=';
  style-src-attr 'unsafe-inline';
  img-src 'self' data:;
  connect-src 'self';
  form-action 'self';
  base-uri 'none';
  frame-ancestors 'none'
X-Content-Type-Options: nosniff
Cache-Control: no-store
Referrer-Policy: no-referrer
)");
}

TEST(Serve, AnswersWithTheDocumentsOfTheVerbs) {
  EXPECT_EQ(said_in("api"), R"(runs: True True
run: True
run: True
run: True
evaluations: True
compare: True
grid: True
limit=1 3 [3]
limit=1&offset=1 3 [2]
model=before 1 [3]
model=nothing 0 []
threads=1,2 3 [3, 2, 1]
runtime=ort&limit=1 2 [3]
host=&model= 3 [3, 2, 1]
since_s=1 3 [3, 2, 1]
before_s=1 0 []
limit=0 400 RIDGE-REC-0009 'limit' cannot be '0': integer from 1 to 1000 expected
limit=1001 400 RIDGE-REC-0009 'limit' cannot be '1001': integer from 1 to 1000 expected
offset=-1 400 RIDGE-REC-0009 'offset' cannot be '-1': integer from 0 to 1099511627776 expected
limit=x 400 RIDGE-REC-0009 'limit' cannot be 'x': integer from 1 to 1000 expected
unknown=1 400 RIDGE-REC-0003 unknown key 'unknown'
threads=a 400 RIDGE-REC-0009 'threads' cannot be 'a': integer from 0 to 4294967295, separated by commas, expected
since_s=1e3 400 RIDGE-REC-0009 'since_s' cannot be '1e3': integer expected
/api/v1/runs/99 404 RIDGE-STORE-0010
/api/v1/runs/0 404 RIDGE-SERVE-0020
/api/v1/runs/x 404 RIDGE-SERVE-0020
/api/v1/runs/99999999999999999999 404 RIDGE-SERVE-0020
/api/v1/evaluations/99 404 RIDGE-STORE-0011
/api/v1/compare?runs=1 400 RIDGE-REC-0009
/api/v1/compare?runs=1,99 404 RIDGE-STORE-0010
/api/v2/runs 404 RIDGE-SERVE-0020
/api/v1/models/..%2f..%2fetc%2fpasswd 400 RIDGE-SERVE-0010
POST 405 RIDGE-SERVE-0022 GET
DELETE 405 RIDGE-SERVE-0022 GET
hosts: True
)");
}

TEST(Serve, AnswersAnewOnceTheStoreHasChanged) {
  EXPECT_EQ(said_in("kept"), R"(/api/v1/runs 200 no-store runs: 3
  its tag: 304 b'' None
  its tag: 304 b'' None
/serve.js 200 private, no-cache
  its tag: 304 b'' None
after another run: 200 runs: 4
  its tag: 304 b'' None
after it was removed: 200 runs: 3
/api/v1/models 200 no-store tag: None
)");
}

TEST(Serve, RefusesPathsHostsAndPagesOfOthers) {
  EXPECT_EQ(said_in("refused"), R"(GET /../etc/passwd: 400 RIDGE-SERVE-0010
GET /%2e%2e/etc/passwd: 400 RIDGE-SERVE-0010
GET /..%2f..%2fetc/passwd: 400 RIDGE-SERVE-0010
GET /%252e%252e/etc/passwd: 400 RIDGE-SERVE-0010
GET /%c0%ae%c0%ae/etc/passwd: 400 RIDGE-SERVE-0010
GET /..\etc\passwd: 400 RIDGE-SERVE-0010
GET /%5c..%5cetc: 400 RIDGE-SERVE-0010
GET //etc/passwd: 400 RIDGE-SERVE-0010
GET /a%00: 400 RIDGE-SERVE-0010
GET /%: 400 RIDGE-SERVE-0010
GET /a%0d%0aSet-Cookie:x: 400 RIDGE-SERVE-0010
GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaa: 400 RIDGE-SERVE-0010
GET http://evil.example/: 400 RIDGE-SERVE-0010
GET *: 400 RIDGE-SERVE-0010
GET / ['Host: evil.example']: 421 RIDGE-SERVE-0013
GET / ['Host: evil.example:PORT']: 421 RIDGE-SERVE-0013
GET / ['Host: 127.0.0.1']: 421 RIDGE-SERVE-0013
GET / ['Host:']: 421 RIDGE-SERVE-0013
GET / ['Host: 127.0.0.1:PORT', 'Host: 127.0.0.1:PORT']: 421 RIDGE-SERVE-0013
GET / ['Host: 127.0.0.1:PORT', 'Origin: http://evil.example']: 403 RIDGE-SERVE-0014
GET / ['Host: 127.0.0.1:PORT', 'Origin: null']: 403 RIDGE-SERVE-0014
GET / ['Host: 127.0.0.1:PORT', 'Origin: http://127.0.0.1:PORT']: 200
no cookie: 401 RIDGE-SERVE-0015
another's cookie: 401 RIDGE-SERVE-0015
POST ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0']: 403 RIDGE-SERVE-0016
POST ['Content-Length: 0', 'Origin: http://evil.example']: 403 RIDGE-SERVE-0014
POST ['Content-Length: 0', 'Sec-Fetch-Site: cross-site', 'X-Ridge-Request: 1']: 403 RIDGE-SERVE-0014
POST ['Content-Length: 0', 'X-Ridge-Request: 1']: 405 RIDGE-SERVE-0022
TRACE /api/v1/jobs/1 Allow: GET, DELETE
TRACE /nothing Allow: None
'TRACE': 405 RIDGE-SERVE-0021
'OPTIONS': 405 RIDGE-SERVE-0021
'CONNECT': 405 RIDGE-SERVE-0021
'PUT': 405 RIDGE-SERVE-0021
'PATCH': 405 RIDGE-SERVE-0021
'get': 405 RIDGE-SERVE-0021
'\x01': 405 RIDGE-SERVE-0021
still: 200
)");
}

TEST(Serve, EndsWhatIsTooLargeAndAnswersBesideHalfRequests) {
  EXPECT_EQ(said_in("limits"), R"(200,000 headers: 431
a long header: 431
headers without end: 431
a body of 8 MiB: 413 RIDGE-SERVE-0018
of -1: 400
8 chunks of 1 MiB: ended
no HTTP: ended
beside 300 half requests: 200
after: 200 0
)");
}

TEST(Serve, TakesATokenOfPrograms) {
  EXPECT_EQ(said_in("token"), R"(right: 200
wrong: 401
application/openmetrics-text; version=1.0.0; charset=utf-8
ridge_store_runs 3
ridge_store_evaluations 0
# EOF
)");
}

TEST(Serve, AnswersAsItsDescriptionSays) {
  EXPECT_EQ(said_in("openapi"), R"(GET /api/v1/runs 200 True True
GET /api/v1/runs/{run} 200 True True
GET /api/v1/evaluations 200 True True
GET /api/v1/evaluations/{evaluation} 404 True True
GET /api/v1/compare 200 True True
GET /api/v1/grid 200 True True
GET /api/v1/hosts 200 True True
GET /api/v1/experiments 200 True True
GET /api/v1/experiments/{experiment} 404 True True
GET /api/v1/agents 200 True True
GET /api/v1/models 200 True True
GET /api/v1/jobs 200 True True
POST /api/v1/jobs 403 True True
GET /api/v1/jobs/{job} 404 True True
DELETE /api/v1/jobs/{job} 403 True True
GET /api/v1/jobs/{job}/events 404 True True
POST /api/v1/try 403 True True
GET /api/v1/try/{try} 404 True True
DELETE /api/v1/try/{try} 403 True True
GET /api/v1/openapi.json 200 True True
GET /metrics 200 True True
)");
}

TEST(ServeSlow, StartsOneMeasurementOfNamesAlone) {
  if (!has_runtime()) GTEST_SKIP() << "no runtimes in this build";
  EXPECT_EQ(said_in("jobs"), R"(without --allow-run: 400 RIDGE-SERVE-0037
no header: 403 RIDGE-SERVE-0016
{'model': '/etc/passwd'} 400 RIDGE-SERVE-0031
{'model': '../net.onnx'} 400 RIDGE-SERVE-0031
{'model': 'shufflenet_v2_x0_5'} 400 RIDGE-SERVE-0031
{'runtime': './mine.so'} 400 RIDGE-SERVE-0032
{'data': '/etc'} 400 RIDGE-SERVE-0034
{'store': 'x.db'} 400 RIDGE-SERVE-0034
{'runtime-library': '/x.so'} 400 RIDGE-SERVE-0034
{'arrivals': 'trace:/etc/passwd'} 400 RIDGE-SERVE-0033
{'verb': 'runs'} 400 RIDGE-SERVE-0030
{'no-such': 1} 400 RIDGE-SERVE-0034
no JSON: 400 RIDGE-REC-0001
one: 1 another: 409 RIDGE-SERVE-0035
cancel: 200
last event: ended canceled 130
none: 404 RIDGE-SERVE-0036
listed: [(1, 'eval', 'canceled')]
page: 200
end: 0
)");
}

TEST(ServeSlow, KeepsEveryOptionAsItWasAsked) {
  if (!has_runtime()) GTEST_SKIP() << "no runtimes in this build";
  EXPECT_EQ(said_in("options"), R"(server ended done zoo:shufflenet_v2_x0_5 as asked
seeds {'inputs': '9', 'schedule': '9'}
closed-loop ended done zoo:shufflenet_v2_x0_5 as asked
multi-stream ended done zoo:shufflenet_v2_x0_5 as asked
)");
}

TEST(ServeBrowserSlow, RunsTheScriptsOfPagesUnderTheirPolicy) {
  if (Workplace().run("command -v chromium").status != 0) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said_in("browser"), R"(/ sortable: True rows: 3 Runs
/?model=before sortable: True rows: 1 Runs
/runs/1 sortable: True rows: 0 model.onnx
/compare?runs=1,2 sortable: True rows: 0 model.onnx
/grid sortable: True rows: 0 model x host
/jobs sortable: False rows: 0 Measure
/try sortable: False rows: 0 Try
end: 0
)");
}

/// Adds examples/digits to the registry `reg`: as it is, and with pictures in place of arrays.
constexpr std::string_view kDigits = R"sh(
sed -e '/^dataset/d' -e 's/^name = "digits"/name = "arrays"/' "$digits/digits.toml" >arrays.toml
sed -e 's/^name = "arrays"/name = "pictures"/' -e 's/^steps = "normalize/steps = "decode(gray) normalize/' \
  -e 's/argsort"/argsort labels(path=classes.txt)"/' arrays.toml >pictures.toml
cp "$digits/digits.onnx" "$digits/classes.txt" .
ridge registry add arrays.toml pictures.toml --registry reg >/dev/null
mkdir tmp
export TMPDIR=$PWD/tmp
)sh";

TEST(ServeSlow, TriesModelsOnAPictureOfOnesOwn) {
  if (!has_runtime()) GTEST_SKIP() << "no runtimes in this build";
  const char* home = std::getenv("HOME");
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const std::string held_out =
      fmt::format("{}/ridge/evaluation-data/digits/held-out",
                  cache != nullptr ? cache : fmt::format("{}/.cache", home ? home : ""));
  if (!std::filesystem::exists(held_out + "/images.npy"))
    GTEST_SKIP() << "scripts/fetch_evaluation_data.sh has not run";
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      "{0}digits='{1}/examples/digits'\n{2}python3 '{1}/tests/serve_client.py' models_tried lab.db "
      "reg '{3}/images.npy' '{3}/labels.txt'",
      kStore, source_tree().string(), kDigits, held_out));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out, R"(picture: done mine None True 7 True
latency: 50 True True ONNX
output: output float32 [10] 7
others: RIDGE-PIPE-0013 RIDGE-SERVE-0053
tensor: None True True
another shape: RIDGE-WB-0111 zoo:squeezenet1_1: sample '0': the samples are 2x2 float32, the input takes 1x3x224x224 float32
page: 3 True False
files: []
end: 0
)");
}

TEST(ServeSlow, TriesAModelOnTexts) {
  if (!has_runtime()) GTEST_SKIP() << "no runtimes in this build";
  if (!std::filesystem::exists(analysis::testing::cache_folder() /
                               "evaluation-data/magika/model.onnx"))
    GTEST_SKIP() << "scripts/fetch_evaluation_data.sh has not run";
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      "{0}ridge registry add '{1}/examples/magika/magika.toml' --registry reg >/dev/null\n"
      "python3 '{1}/tests/serve_client.py' texts_tried lab.db reg '{1}/src/text/unicode.cc' "
      "'{1}/tests/serve_client.py' '{1}/LICENSE'",
      kStore, source_tree().string()));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out, R"(unicode.cc text None cpp True
serve_client.py text None python True
LICENSE text None txt True
no steps: RIDGE-SERVE-0053 a network of the zoo has no steps from a text to its input
Latin-1: 400 RIDGE-SERVE-0056
2 MiB: 400 RIDGE-SERVE-0056
page: True
end: 0
)");
}

TEST(ServeSlow, RefusesTriesThatNameMoreThanModelsAndASample) {
  if (!has_runtime()) GTEST_SKIP() << "no runtimes in this build";
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      "{}ridge registry add plain.onnx --kind model --name net --version 1.0.0 --registry reg "
      ">/dev/null\npython3 '{}' try_refused lab.db reg",
      kStore, (source_tree() / "tests/serve_client.py").string()));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out, R"(without --allow-run: 400 RIDGE-SERVE-0037
no header: 403 RIDGE-SERVE-0016
cross-site: 403 RIDGE-SERVE-0014
{'models': ['/etc/passwd']} 400 RIDGE-SERVE-0031
{'models': ['../net.onnx']} 400 RIDGE-SERVE-0031
{'models': ['..']} 400 RIDGE-SERVE-0031
{'models': ['plain.onnx']} 400 RIDGE-SERVE-0031
{'models': []} 400 RIDGE-REC-0002
{'models': ['net', 'net', 'net', 'net', 'net']} 400 RIDGE-REC-0002
{'runtimes': ['./mine.so']} 400 RIDGE-SERVE-0032
{'runtimes': ['tensorflow']} 400 RIDGE-SERVE-0032
{'steps': 'x'} 400 RIDGE-REC-0003
{'sample': {'kind': 'picture', 'data': '/etc/passwd'}} 400 RIDGE-SERVE-0050
{'sample': {'kind': 'sound', 'data': ''}} 400 RIDGE-REC-0002
{'sample': {}} 400 RIDGE-REC-0004
no picture: 400 RIDGE-SERVE-0051
tensor, text: 400 RIDGE-SERVE-0051
tensor, cut: 400 RIDGE-RT-0040
tensor, objects: 400 RIDGE-RT-0040
tensor, huge: 400 RIDGE-RT-0040
no JSON: 400 RIDGE-REC-0001
17 MiB: 413 RIDGE-SERVE-0018
2 MiB: 400 RIDGE-SERVE-0051
one: 202 another: 409 RIDGE-SERVE-0035 job: 409 RIDGE-SERVE-0035
cancel: 200
canceled: canceled
beside job 1: 409 RIDGE-SERVE-0035
none: 404 RIDGE-SERVE-0036
end: 0
)");
}

TEST(Serve, ShowsModelsOfTheRegistryWithoutTheirPlace) {
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      "{}ridge registry add plain.onnx --kind model --name net --version 1.0.0 --registry reg "
      ">/dev/null\npython3 '{}' models lab.db reg",
      kStore, (source_tree() / "tests/serve_client.py").string()));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(o.out.ends_with("path: False\npage: True\n")) << o.out;
  EXPECT_TRUE(has(o.out, R"("models":[)")) << o.out;
}

std::string refusal(const std::string& flags) {
  const Workplace place;
  const Outcome o = place.run(std::string(kStore) + "ridge serve lab.db " + flags);
  return fmt::format("{}{}", o.err, o.status);
}

TEST(Serve, ListensForOthersWithATokenAlone) {
  EXPECT_EQ(refusal("--listen 0.0.0.0"),
            "error: other machines can reach 0.0.0.0\n"
            "  hint: --token-file FILE says who may ask; or listen on 127.0.0.1, and use ssh -L\n"
            "  [RIDGE-SERVE-0005]\n2");
  EXPECT_EQ(refusal("--listen ::"),
            "error: other machines can reach ::\n"
            "  hint: --token-file FILE says who may ask; or listen on 127.0.0.1, and use ssh -L\n"
            "  [RIDGE-SERVE-0005]\n2");
  EXPECT_EQ(refusal("--listen lab"),
            "error: 'lab' is no address\n"
            "  hint: write an address of IPv4 or IPv6, such as 127.0.0.1\n"
            "  [RIDGE-SERVE-0003]\n2");
}

TEST(Serve, PushesByHttpAndWithoutPasswordsAlone) {
  EXPECT_EQ(
      refusal("--allow-run --otlp https://lab:4318"),
      "error: traces are pushed by http:// alone\n"
      "  hint: run a collector on this machine, http://127.0.0.1:4318, which sends them on by "
      "TLS\n  [RIDGE-SERVE-0041]\n2");
  EXPECT_EQ(refusal("--allow-run --otlp http://me:secret@lab:4318"),
            "error: the address of a collector has a name or a password\n"
            "  hint: let a collector on this machine have the credentials, and push to that\n"
            "  [RIDGE-SERVE-0042]\n2");
  EXPECT_EQ(refusal("--otlp http://lab:4318"),
            "error: there are no traces to push to a collector\n"
            "  they come from the measurements that clients start\n"
            "  hint: add --allow-run, or leave out --otlp; ridge export --to otlp writes stored "
            "runs\n  [RIDGE-SERVE-0043]\n2");
}

TEST(Serve, RefusesATokenThatOthersMayRead) {
  const Workplace place;
  const Outcome o = place.run(std::string(kStore) +
                              "echo 0123456789abcdef >token; chmod 644 token\n"
                              "ridge serve lab.db --token-file token");
  EXPECT_EQ(o.status, 4);
  EXPECT_EQ(o.err,
            "error: token: others may read or change the token\n  hint: chmod 600 token\n"
            "  [RIDGE-SERVE-0007]\n");
}

TEST(Serve, RefusesAShortToken) {
  const Workplace place;
  const Outcome o = place.run(std::string(kStore) +
                              "echo 0123 >token; chmod 600 token\n"
                              "ridge serve lab.db --token-file token");
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err,
            "error: a token of 4 characters\n  hint: let it have 16 or more: openssl rand -hex 32\n"
            "  [RIDGE-SERVE-0006]\n");
}

TEST(Serve, NeedsAStore) {
  const Workplace place;
  const Outcome o = place.run("ridge serve absent.db");
  EXPECT_EQ(o.status, 4) << o.err;
}

/// Python packages of scripts/fetch_export_readers.sh.
std::filesystem::path packages_of_readers() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  const std::filesystem::path root = cache != nullptr
                                         ? std::filesystem::path(cache)
                                         : std::filesystem::path(home ? home : "") / ".cache";
  return root / "ridge/export-readers/1/python";
}

TEST(ServeSlow, PushesTracesOfItsMeasurements) {
  if (!std::filesystem::exists(packages_of_readers()))
    GTEST_SKIP() << "no readers of exports: scripts/fetch_export_readers.sh";
  const Workplace place;
  const Outcome o = place.run(fmt::format("{}PYTHONPATH='{}' python3 '{}' lab.db", kStore,
                                          packages_of_readers().string(),
                                          (source_tree() / "tests/serve_otlp.py").string()));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(
      o.out,
      R"(busy: [(503, '/v1/traces', 'application/json'), (503, '/v1/traces', 'application/json'), (200, '/v1/traces', 'application/json')] [1, 0, 0]
spans: True True True {200}
refused: [404] [1, 1, 0]
rejected: {200} [2, 1, 2] True
away: done 200 end: 0
warning: run 5 was not pushed to COLLECTOR/v1/traces
  it answered with 404: no such page
  hint: ridge export RUN --to otlp writes it for a collector to read
  [RIDGE-SERVE-0044]
warning: COLLECTOR/v1/traces rejected 2 spans of run 6
  too old
  hint: the collector's own log says more
  [RIDGE-SERVE-0045]
warning: run 7 was not pushed to COLLECTOR/v1/traces
  the server ended before
  hint: ridge export RUN --to otlp writes it for a collector to read
  [RIDGE-SERVE-0044]
)");
}

/// Python with the packages of scripts/fetch_openapi.sh; RIDGE_OPENAPI names another folder.
std::string python_of_openapi() {
  if (const char* folder = std::getenv("RIDGE_OPENAPI")) return std::string(folder) + "/bin/python";
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const std::string folder = cache != nullptr ? cache : fmt::format("{}/.cache", home ? home : "");
  return folder + "/ridge/openapi/current/bin/python";
}

TEST(Serve, DescribesItselfInValidOpenApi) {
  const std::string python = python_of_openapi();
  if (!std::filesystem::exists(python)) GTEST_SKIP() << "scripts/fetch_openapi.sh has not run";
  const Workplace place;
  const Outcome o = place.run("ridge help schemas openapi >openapi.json\n" + python +
                              " -m openapi_spec_validator openapi.json");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_EQ(o.out, "openapi.json: OK\n");
}

}  // namespace
}  // namespace ridge::tests
