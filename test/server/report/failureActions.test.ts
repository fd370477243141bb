import assert from "node:assert/strict";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import type { Unreachable } from "../../../server/src/rpc/outcome.ts";
import { exchange } from "./outcomes.ts";

describe("the buttons of a failure", () => {
  const kindsFor = (reason: Unreachable["reason"]): readonly string[] => {
    const outcome: Unreachable = { kind: "unreachable", reason, message: "No.", hint: "", exchange };
    const { sections } = reportOf({ title: "b", method: "eth_getBalance", params: [], outcome });
    return sections
      .flatMap((section) => (section.kind === "failure" ? (section.actions ?? []) : []))
      .map(({ kind }) => kind);
  };

  it("start a chain, choose an endpoint and open the documentation if nothing answers", () =>
    assert.deepEqual(kindsFor("refused"), ["start-local-chain", "run", "choose-endpoint", "open-docs"]));

  it("start no chain in place of an endpoint that answers", () =>
    assert.ok(!kindsFor("timeout").includes("start-local-chain"), "a slow endpoint is there"));
});
