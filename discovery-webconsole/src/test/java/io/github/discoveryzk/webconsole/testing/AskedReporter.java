// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.Startup;
import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.report.TopologyReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers as a test specifies, and counts the requests for the history. For one thread. */
public final class AskedReporter implements Reporter {
    private List<String> objections = List.of();
    private TopologyReport report;
    private CompletionStage<Void> history = CompletableFuture.completedFuture(null);
    private CompletionStage<StoreTree> tree = CompletableFuture.completedFuture(Reports.tree());
    private CompletionStage<StoreAccess> access = CompletableFuture.completedFuture(Reports.access(1, "It is denied."));
    private int asked;
    private int repairs;

    public AskedReporter(TopologyReport report) {
        this.report = report;
    }

    public void reports(TopologyReport next) {
        report = next;
    }

    public void historyAnswers(CompletionStage<Void> answer) {
        history = answer;
    }

    public void treeAnswers(CompletionStage<StoreTree> answer) {
        tree = answer;
    }

    public void accessAnswers(CompletionStage<StoreAccess> answer) {
        access = answer;
    }

    public void objects(String... reasons) {
        objections = List.of(reasons);
    }

    public int repairs() {
        return repairs;
    }

    public int asked() {
        return asked;
    }

    @Override
    public TopologyReport report() {
        return report;
    }

    @Override
    public Startup startup() {
        return new Startup(Startup.Stage.STARTING, "joining the cluster");
    }

    @Override
    public List<String> objections() {
        return objections;
    }

    @Override
    public List<Restart> restartOrder() {
        return List.of(new Restart("b", ""), new Restart("a", "it leads the cluster"));
    }

    @Override
    public List<Metric> metrics() {
        Map<String, Double> took = new LinkedHashMap<>();
        took.put("0.5", 1.0);
        took.put(Metric.INFINITE, 2.0);
        took.put("", 7.5);
        return List.of(
                Metric.gauge("members", "members of the \\ view", 2),
                new Metric("events", Metric.Type.COUNTER, "events", "type", Map.of("a\"b\nc", 3.0)),
                new Metric("changing_seconds", Metric.Type.HISTOGRAM, "time", "le", took));
    }

    @Override
    public CompletionStage<Void> readHistory() {
        asked++;
        return history;
    }

    @Override
    public CompletionStage<StoreTree> readTree() {
        return tree;
    }

    @Override
    public CompletionStage<StoreAccess> checkAccess(boolean repair) {
        repairs += repair ? 1 : 0;
        return access;
    }
}
