import assert from "node:assert/strict";
import type { FailureSection, Section } from "../../../../server/src/report/report.ts";
import { some } from "../../../support/depth.ts";
import { explainedIn, runCell, startPayments, successes } from "../../../support/paymentCalls.ts";
import { failures } from "../../../support/paymentCases.ts";
import { sharedChain } from "../../../support/sharedChain.ts";

const isFailure = (section: Section): section is Section & FailureSection => section.kind === "failure";

describe("payments by signature that fail", function () {
  this.timeout(300_000);

  const shared = sharedChain();
  before(() => startPayments(shared));

  for (const [name, expected, call, says] of some(failures, 20))
    it(`${name}: ${expected}`, async () => {
      const [code, field = code] = expected.split(" at ");
      const cell = await runCell({ method: "eth_call", params: [await call(), "latest"] });
      const [explained] = explainedIn(cell);
      const [cause] = explained?.causes ?? [];
      assert.ok(cause, cell.output.text);
      assert.deepEqual([cause.code, cause.field], [code, field], cause.what);
      if (says) assert.match(cause.what, says);
      if (field === "domain.verifyingContract" && says?.source.includes("usdc"))
        assert.match(cause.todo ?? "", /`domain\.verifyingContract` 0x[0-9a-fA-F]{40} \(usdc\)\.$/, "what to sign");
      const [report] = cell.output.reports;
      const [section] = report?.sections.filter(isFailure) ?? [];
      assert.equal(section?.what, cause.what);
      assert.equal(section?.actions?.[0]?.kind, "show", "its place in the cell");
    });

  for (const [name, call] of Object.entries(successes))
    it(`explains nothing that succeeds: ${name}`, async () => {
      const cell = await runCell({ method: "eth_call", params: [await call(), "latest"] });
      assert.equal(cell.ok, true, cell.output.text);
      assert.deepEqual(explainedIn(cell), []);
    });
});
