import assert from "node:assert/strict";
import fc from "fast-check";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import type { JsonObject } from "../../../server/src/base/json.ts";
import type { BlockFacts } from "../../../server/src/trace/task.ts";
import { times } from "../../support/depth.ts";
import { randomCall } from "../../support/randomCalls.ts";
import {
  changedBy,
  changedSlots,
  corrected,
  deploy,
  lines,
  probed,
  request,
  tracedCall,
  traceLocally,
} from "./anvilCalls.ts";

for (const fork of ["prague", "osaka"] as const)
  describe(`a call that is traced here, by the rules of ${fork}`, function () {
    this.timeout(600_000);
    let anvil: Anvil;
    let block: BlockFacts;
    before(async () => {
      anvil = await startAnvil({ genesisTime: 1_750_000_000, hardfork: fork });
      await ask(anvil, "anvil_mine", ["0x3"]);
      const found = await probed(anvil);
      assert.equal(found.fork, fork);
      block = found.block;
    });
    after(() => anvil?.kill());

    it("is the same as the node's trace: calls, gas, logs, changes of storage", async () => {
      await fc.assert(
        fc.asyncProperty(randomCall, async (random) => {
          await deploy(anvil, random);
          const { answer } = await traceLocally(anvil, tracedCall(random), block, fork);
          const tracing = (tracer: string, tracerConfig: object) =>
            ask<JsonObject>(anvil, "debug_traceCall", [request(random), "latest", { tracer, tracerConfig }]);
          if (answer.kind !== "traced") throw new Error(JSON.stringify(answer));
          const whole = await tracing("callTracer", { withLog: true });
          const ours = lines(answer.trace.calls[0]?.call ?? {});
          assert.deepEqual(ours, corrected(lines(whole), ours));
          const diff = await tracing("prestateTracer", { diffMode: true });
          assert.deepEqual(changedSlots(answer.trace), changedBy(diff));
        }),
        { numRuns: times(2000, 25) },
      );
    });
  });
