import assert from "node:assert/strict";
import { unsentReport } from "../../../server/src/gate/unsentReason.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import type { Action } from "../../../server/src/report/report.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { explainFault } from "../../../server/src/rpc/faultMessages.ts";
import type { Outcome, Unreachable } from "../../../server/src/rpc/outcome.ts";
import { answered, exchange, refused } from "./outcomes.ts";

describe("the buttons of a failure", () => {
  const actionsFor = (outcome: Outcome, method = "eth_getBalance", params: readonly string[] = []) =>
    actionsIn(reportOf({ title: "b", method, params, outcome }));
  const actionsIn = ({ sections }: ReturnType<typeof reportOf>): readonly Action[] =>
    sections.flatMap((section) =>
      section.kind === "failure" || section.kind === "note" ? (section.actions ?? []) : [],
    );
  const unreachable = (reason: Unreachable["reason"], hint = ""): Unreachable => ({
    kind: "unreachable",
    reason,
    message: "No.",
    hint,
    exchange,
  });
  const kindsFor = (reason: Unreachable["reason"]) => actionsFor(unreachable(reason)).map(({ kind }) => kind);

  it("start a chain, choose an endpoint and open the documentation if nothing answers", () =>
    assert.deepEqual(kindsFor("refused"), ["start-local-chain", "run", "choose-endpoint", "open-docs"]));

  it("start no chain in place of an endpoint that answers", () =>
    assert.ok(!kindsFor("timeout").includes("start-local-chain"), "a slow endpoint is there"));

  it("open the setting that the advice names", () => {
    for (const reason of ["timeout", "too-large", "proxy"] as const) {
      const { todo } = explainFault(reason, "host", "", { timeoutMs: 1000, maxBytes: 1000 });
      const [action] = actionsFor(unreachable(reason, todo)).filter(({ kind }) => kind === "open-setting");
      assert.ok(action?.kind === "open-setting" && todo.includes(`\`${action.setting}\``), todo);
    }
  });

  it("ask a node if the recording does not have a request", () => {
    const [action] = actionsFor(refused({ reason: "not-recorded" }));
    assert.deepEqual([action?.kind, action?.label], ["choose-endpoint", "Use a Node"]);
  });

  const hash = `0x${"ab".repeat(32)}`;
  const receipt = { status: "0x0", transactionHash: hash };
  const explained = (actions: readonly Action[]) =>
    actions.flatMap((one) => (one.kind === "explain" ? [one.text] : []));

  it("explain a transaction that reverted or was refused, a message with a hash, and an error in place of a request", () => {
    assert.deepEqual(explained(actionsFor(answered(receipt), "eth_getTransactionReceipt")), [hash]);
    assert.deepEqual(explained(actionsFor(answered({ ...receipt, status: "0x1" }), "eth_getTransactionReceipt")), []);
    assert.deepEqual(
      explained(actionsFor(answered({ ...receipt, transactionHash: "‮" }), "eth_getTransactionReceipt")),
      [],
    );
    assert.deepEqual(explained(actionsFor(refused({ reason: "tx-rejected" }), "eth_sendRawTransaction", ["0x02"])), [
      "0x02",
    ]);
    assert.deepEqual(explained(actionsFor(refused({ message: `known transaction ${hash}` }))), [
      `known transaction ${hash}`,
    ]);
    assert.deepEqual(explained(actionsFor(refused({}))), []);
    const report = (text: string) => unsentReport("a", { kind: "broken", cell: readCell(text) }, () => []);
    const unsent = (text: string) => explained(actionsIn(report(text)));
    assert.deepEqual(unsent("Error: execution reverted"), ["Error: execution reverted"]);
    assert.doesNotMatch(report("Error: {reverted}").summary, /JSON/, "it is not JSON with a mistake");
    assert.match(report('{ "method": eth }').summary, /JSON/);
    assert.deepEqual(unsent(" "), [], "there is nothing to explain in an empty cell");
  });

  it("set the secret that an endpoint lacks", () => {
    const fault = {
      code: "bad-endpoint",
      name: "main",
      chosenBy: "header",
      origin: "",
      what: "`$secret.KEY` is not set",
    } as const;
    const [action] = actionsIn(unsentReport("a", { kind: "endpoint", fault }, () => []));
    assert.ok(action?.kind === "set-secret" && action.name === "KEY", "the first button");
  });
});
