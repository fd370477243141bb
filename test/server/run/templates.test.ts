import assert from "node:assert/strict";
import { plain } from "../../../server/src/features/snippet.ts";
import { templates } from "../../../server/src/features/templates.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { createService } from "../../../server/src/service/service.ts";
import { preconfirmed, scopeOf } from "../../support/cell.ts";
import { testHost } from "../../support/host.ts";
import { sharedChain } from "../../support/sharedChain.ts";

const uri = "file:///nowhere/a.rpc.json";

describe("templates on the embedded chain", () => {
  const chain = sharedChain({ sealEveryMs: 2000 });

  it("all run as they are inserted, and say why the call reverts", async () => {
    const settings = { rpcNotebook: { endpoint: "chain", endpoints: { chain: { url: chain.url, ws: chain.wsUrl } } } };
    const service = createService(testHost({ settings }));
    const scope = scopeOf(readCell(""), { endpoint: { chainId: 31337n, cadence: preconfirmed } });
    const made = templates(scope).filter(({ label }) => label !== "Stream pending logs");
    service.openText(uri, `[${made.map(({ insert }) => plain(insert)).join(",\n")}]`);
    const finished = new Map<string, CellResult>();
    const events = {
      started: () => {},
      finished: (cell: CellResult) => void finished.set(made[cell.index]?.label ?? "", cell),
    };
    await service.run({ uri }, events, new AbortController().signal);
    for (const [label, { output }] of finished) {
      const summaries = output.reports.map(({ summary }) => JSON.stringify(summary)).join(" · ");
      assert.equal(output.ok, label !== "Why did it revert?", `${label}: ${summaries}`);
      if (!output.ok) assert.match(summaries, /InsufficientBalance|insufficient/i);
    }
    assert.equal(finished.size, made.length);
  });
});
