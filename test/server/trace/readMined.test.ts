import assert from "node:assert/strict";
import fc from "fast-check";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import { type JsonValue, printJson } from "../../../server/src/base/json.ts";
import type { BackgroundClient } from "../../../server/src/gate/backgroundClient.ts";
import type { TraceReading } from "../../../server/src/trace/readTrace.ts";
import { thorough, times } from "../../support/depth.ts";
import { clientTo } from "../../support/host.ts";
import { mine, nodeTrace, randomBlock, readingOf } from "./anvilBlocks.ts";
import { corrected, lines } from "./anvilCalls.ts";

function shown(found: TraceReading): string {
  return printJson(found as unknown as JsonValue).slice(0, 2000); // it consists of JSON
}

for (const fork of ["prague", "osaka"] as const)
  describe(`a transaction of a block that is replayed by the rules of ${fork}`, function () {
    this.timeout(1_200_000);
    let anvil: Anvil;
    let client: BackgroundClient;
    before(async () => {
      anvil = await startAnvil({ genesisTime: 1_750_000_000, hardfork: fork });
      await ask(anvil, "anvil_mine", ["0x5"]);
      client = clientTo(`http://${anvil.host}`);
    });
    after(() => anvil?.kill());

    it("is the node's own trace: no false alarm", async () => {
      const sizes = fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 1, max: 8 }) },
        { weight: 3, arbitrary: fc.integer({ min: 9, max: 40 }) },
        { weight: thorough ? 1 : 0, arbitrary: fc.integer({ min: 41, max: 200 }) },
      );
      await fc.assert(
        fc.asyncProperty(randomBlock(sizes), fc.nat(), fc.boolean(), async (block, at, inBulk) => {
          const hashes = await mine(anvil, block);
          const hash = hashes[at % hashes.length] ?? "";
          const found = await readingOf(client, hash, inBulk ? { batch: false } : {});
          assert.equal(found.kind, "replayed", shown(found));
          if (found.kind !== "replayed") return;
          const ours = lines(found.trace.calls[found.target]?.call ?? {});
          const theirs = lines(await nodeTrace(anvil, hash));
          assert.deepEqual(ours, corrected(theirs, ours));
        }),
        { numRuns: times(250) },
      );
    });
  });
