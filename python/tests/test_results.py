# SPDX-License-Identifier: Apache-2.0
"""Results against the JSON that ridge prints of the same question."""
import dataclasses
import json
import pathlib
import subprocess
import sys
import unittest

import ridgeline
from ridgeline import records, views
from support import ROOT, Case, ridge_json, without_absent


class Documents(Case):
    """Questions whose answers do not change from run to run."""

    def same(self, result, *arguments):
        expected = ridge_json(*arguments)
        self.assertEqual(without_absent(json.loads(result.to_json())), without_absent(expected))
        return expected

    def test_analysis(self):
        result = ridgeline.analyze("zoo:mobilenet_v2", bind={"batch": 2}, convention="timm", traffic=True)
        document = self.same(result, "analyze", "zoo:mobilenet_v2", "--bind", "batch=2",
                             "--convention", "timm", "--traffic")
        frame = result.nodes.to_pandas()
        for name in ("macs", "bytes_read", "name", "status", "intensity"):
            shown = [None if value != value else value for value in frame[name]]
            self.assertEqual(shown, [node[name] for node in document["nodes"]])
        self.assertEqual(result.totals.macs, document["totals"]["macs"])
        inputs = [json.loads(text) for text in frame["inputs"]]
        self.assertEqual(inputs, [node["inputs"] for node in document["nodes"]])

    def test_sizes_that_stay_expressions(self):
        result = ridgeline.analyze("zoo:bert_base", symbolic=True)
        self.same(result, "analyze", "zoo:bert_base", "--symbolic")

    def test_sweep(self):
        result = ridgeline.analyze("zoo:squeezenet1_1", bind={"batch": [1, 2]})
        document = self.same(result, "analyze", "zoo:squeezenet1_1", "--bind", "batch=1,2")
        for point, expected in zip(result.analyses, document["analyses"]):
            self.assertIsInstance(point, records.Analysis)
            self.assertEqual(point.nodes["macs"].tolist(), [n["macs"] for n in expected["nodes"]])
            self.assertEqual(str(point.nodes.to_pandas()["status"].dtype), "category")

    def test_accelerator(self):
        result = ridgeline.accelerate("zoo:squeezenet1_1", machine="gemmini-16")
        self.same(result, "accel", "zoo:squeezenet1_1", "--machine", "gemmini-16")
        result.report(self.path("page.html"))
        page = pathlib.Path(self.path("page.html")).read_text()
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        shown = result._repr_html_()
        self.assertTrue(shown.startswith('<iframe sandbox="allow-scripts" srcdoc="&lt;!DOCTYPE'))
        self.assertEqual(shown.count('"'), 6)

    def test_machine(self):
        result, expected = ridgeline.machine(), ridge_json("machine")
        made = json.loads(result.to_json())
        for name in ("host", "ceilings"):
            self.assertEqual(without_absent(made[name]), without_absent(expected[name]))
        self.assertEqual([f.check for f in result.fitness], [f["check"] for f in expected["fitness"]])

    def test_bricks(self):
        result = ridgeline.bricks("plan", "zoo:squeezenet1_1", out=self.path("a"))
        expected = ridge_json("bricks", "plan", "zoo:squeezenet1_1", "--out", self.path("b"))
        text = result.to_json().replace(self.path("a"), self.path("b"))
        self.assertEqual(without_absent(json.loads(text)), without_absent(expected))

    def test_a_result_without_a_page(self):
        result = ridgeline.analyze("zoo:squeezenet1_1")
        with self.assertRaises(ridgeline.UsageError) as caught:
            result.report(self.path("x.html"))
        self.assertEqual(caught.exception.message, "ridge makes no page of Analysis results")
        self.assertIn("<td>Conv</td>", result._repr_html_())


class Stored(Case):
    """Profiles of tests/runs, whose times are written by hand."""

    RUN = str(ROOT / "tests" / "runs" / "run.json")

    def setUp(self):
        super().setUp()
        self.store = ridgeline.Store(self.folder / "runs.db")

    def test_a_run_of_the_store_is_its_document(self):
        self.store.add(self.RUN)
        expected = ridge_json("runs", "show", self.store.path, "last")
        for run in (1, "last"):
            result = self.store[run]
            self.assertIsInstance(result, records.Profile)
            self.assertEqual(json.loads(result.to_json()), expected)
        self.assertEqual(
            [layer.time_ns.median for layer in result.layers],
            [layer["time_ns"]["median"] for layer in expected["layers"]],
        )
        frame = result.layers.to_pandas()
        self.assertEqual(frame["time_ns_median"].tolist(),
                         [layer["time_ns"]["median"] for layer in expected["layers"]])
        self.assertEqual(frame["time_ns_ci95_high"].tolist(),
                         [layer["time_ns"]["ci95"][1] for layer in expected["layers"]])

    def test_a_saved_result_is_a_document(self):
        self.store.add(self.RUN)
        self.store[1].save(self.path("saved.json"))
        result = ridgeline.compare(self.RUN, self.path("saved.json"))
        expected = ridge_json("compare", self.RUN, self.path("saved.json"))
        self.assertEqual(without_absent(json.loads(result.to_json())), without_absent(expected))
        self.assertEqual(ridgeline.compare(self.RUN, self.store[1]).totals.to_pandas().shape[0],
                         len(expected["totals"]))

    def test_list_delete_merge_and_query(self):
        self.store.add(self.RUN)
        runs = self.store.runs()
        self.assertEqual(without_absent(json.loads(runs.to_json())),
                         without_absent(ridge_json("runs", "list", self.store.path)))
        other = ridgeline.Store(self.path("other.db"))
        other.add(self.store[1])
        other.merge(self.store)
        self.assertEqual(len(other.runs().runs), 1)
        result = self.store.query("A6", 1)
        expected = ridge_json("trace", "query", "A6", self.store.path + ":1")
        self.assertEqual(list(result.rows), expected["rows"])
        self.assertEqual(result.rows.to_pandas().to_dict("records"), expected["rows"])
        self.store.delete(1)
        self.assertEqual(len(self.store.runs().runs), 0)

    def test_a_check_that_fails_has_its_result(self):
        slow = json.loads(pathlib.Path(self.RUN).read_text())
        for process in slow["latency"]["processes"]:
            process["samples_ns"] = [2 * sample for sample in process["samples_ns"]]
        for name in ("median_ns",):
            slow["latency"][name] *= 2
        slow["latency"]["ci95_ns"] = [2 * end for end in slow["latency"]["ci95_ns"]]
        (self.folder / "slow.json").write_text(json.dumps(slow))
        with self.assertRaises(ridgeline.CheckFailed) as caught:
            ridgeline.compare(self.RUN, self.path("slow.json"), fail_on="latency>5%")
        self.assertIn("latency", caught.exception.message)
        self.assertIsInstance(caught.exception.result, records.Comparison)

    def test_a_store_that_is_not_there(self):
        with self.assertRaises(ridgeline.HostError) as caught:
            ridgeline.Store(self.path("none.db")).runs()
        self.assertEqual(caught.exception.code, "RIDGE-IO-0001")


class Evaluations(Case):
    """Loads on the runtime `null`, which answers after a constant time."""

    def setUp(self):
        super().setUp()
        self.store = ridgeline.Store(self.folder / "runs.db")

    def load(self, name, microseconds, **given):
        result = ridgeline.evaluate(
            "zoo:squeezenet1_1", duration="200ms", min_queries=20, bind={"batch": 1}, runtime="null",
            runtime_option={"ridge.service": f"constant:{microseconds}"}, **given)
        result.save(self.path(name))
        return result

    def test_an_evaluation_of_the_store_is_its_document(self):
        self.load("a.json", 100, store=self.store)
        result = self.store["evaluation:1"]
        self.assertIsInstance(result, records.Evaluation)
        expected = ridge_json("runs", "show", self.store.path, "evaluation:1")
        self.assertEqual(json.loads(result.to_json()), expected)
        self.assertEqual(result.points["threads"].tolist(), [1])
        with self.assertRaises(ridgeline.InputError) as caught:
            self.store["evaluation:2"]
        self.assertEqual(caught.exception.code, "RIDGE-STORE-0011")

    def test_a_comparison_of_evaluations_is_the_document_of_their_files(self):
        first = self.load("evaluation-1.json", 100, store=self.store)
        second = self.load("evaluation-2.json", 2000)
        expected = ridge_json("eval", "compare", self.path("evaluation-1.json"),
                              self.path("evaluation-2.json"))
        for given in ((first, second), (self.store["evaluation:1"], second),
                      (self.path("evaluation-1.json"), self.folder / "evaluation-2.json")):
            result = ridgeline.compare_evaluations(*given)
            self.assertIsInstance(result, records.EvaluationComparison)
            self.assertEqual(without_absent(json.loads(result.to_json())), without_absent(expected))
        self.assertEqual(result.runs["label"].tolist(), ["evaluation-1", "evaluation-2"])
        result.report(self.path("page.html"))
        self.assertTrue(pathlib.Path(self.path("page.html")).read_text().startswith("<!DOCTYPE html>"))

    def test_labels_and_limits_of_a_comparison(self):
        first, second = self.load("a.json", 100), self.load("b.json", 20000)
        label = {"größe 1": first, "b": self.path("b.json")}
        with self.assertRaises(ridgeline.CheckFailed) as caught:
            ridgeline.compare_evaluations(first, self.path("b.json"), label=label,
                                          fail_on=["throughput<-5%", "throughput<-50%"])
        self.assertRegex(caught.exception.message,
                         r"^check failed: throughput<-5%: .* in b\ncheck failed: throughput<-50%: .* in b$")
        result = caught.exception.result
        self.assertEqual(result.runs["label"].tolist(), ["größe 1", "b"])
        self.assertGreater(result.differences["completed_per_s_first"][0],
                           5 * result.differences["completed_per_s_second"][0])

    def test_what_is_no_evaluation(self):
        first = self.load("a.json", 100)
        with self.assertRaises(ridgeline.UsageError) as caught:
            ridgeline.compare_evaluations(first)
        self.assertEqual(caught.exception.message, "a comparison is of two or more evaluations")
        with self.assertRaises(ridgeline.InputError) as caught:
            ridgeline.compare_evaluations(first, Stored.RUN)
        self.assertEqual(caught.exception.message,
                         f"{Stored.RUN}: the document is 'ridge.profile/1', ridge.evaluation/1 expected")


class Made(Case):
    """What scripts made of the schemas and the flags is what they make now."""

    def test_records_follow_the_schemas(self):
        made = subprocess.run([sys.executable, str(ROOT / "scripts/python_records.py")],
                              capture_output=True, text=True, check=True).stdout
        self.assertEqual(made, (ROOT / "python/ridgeline/records.py").read_text(),
                         "scripts/python_records.py > python/ridgeline/records.py")

    def test_functions_follow_the_flags(self):
        made = subprocess.run([sys.executable, str(ROOT / "scripts/python_verbs.py")],
                              capture_output=True, text=True, check=True).stdout
        self.assertEqual(made, (ROOT / "python/ridgeline/verbs.py").read_text(),
                         "scripts/python_verbs.py > python/ridgeline/verbs.py")

    def test_views_follow_their_page(self):
        made = subprocess.run([sys.executable, str(ROOT / "scripts/python_views.py")],
                              capture_output=True, text=True, check=True).stdout
        self.assertEqual(made, (ROOT / "python/ridgeline/views.py").read_text(),
                         "scripts/python_views.py > python/ridgeline/views.py")
        page = (ROOT / "docs/reference/views.md").read_text()
        self.assertEqual(sum(map(len, views.VIEWS.values())), page.count("\n| `"))

    def test_a_class_for_each_schema_with_its_keys(self):
        for path in (ROOT / "data" / "schema").glob("ridge.*.json"):
            schema = json.loads(path.read_text())
            cls = records.DOCUMENTS[schema["title"]]
            self.assertEqual(list(cls.__annotations__), list(schema["properties"]))

    def test_records_are_dataclasses(self):
        names = [field.name for field in dataclasses.fields(records.AnalysisTotals)]
        self.assertIn("macs", names)
        totals = ridgeline.analyze("zoo:squeezenet1_1", bind={"batch": 1}).totals
        self.assertEqual(dataclasses.asdict(totals)["coverage"]["unknown"], 0)


if __name__ == "__main__":
    unittest.main()
