import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import type { PlayChange } from "../../devchain/play.ts";
import { closeAtEnd } from "../../scripts/lib/processEnd.mjs";

/** Started at first use, and closed after the last test of the process. */
let started: Promise<Devchain> | undefined;
let running: Devchain | undefined;

/**
 * The embedded chain that all test files of a process share. Without traffic; blocks come only from `chain.seal()`, unless
 * `play` says otherwise. Call it in a `describe` instead of `startDevchain` in `before` and `stop` in `after`:
 *
 *     const chain = sharedChain();
 *     it("…", () => chain.rpc("eth_blockNumber"));
 *
 * Before the tests of the `describe` it takes a snapshot. After them the chain reverts to it: blocks, transactions, accounts,
 * storage and `chain.divergences()` are as before, and so is what the chain plays.
 *
 * Start a chain of your own, and name the reason, if a test
 *
 * - needs traffic, another range of logs, or faster refreshes than every 50 ms;
 * - shifts the time (`evm_increaseTime`): anvil does not restore its clock;
 * - kills the node, or looks at its process or port;
 * - leaves settings of the node behind, such as impersonated accounts, filters or the smallest gas price.
 *
 * @param play - What the chain plays during these tests, such as `{ kind: "ordinary" }` or `{ sealEveryMs: 500 }`.
 * @param isNewForEach - Whether each test begins with the chain as it was, and not only the first one.
 */
export function sharedChain(play: PlayChange = {}, isNewForEach = false): Devchain {
  let snapshot: unknown;
  const [begin, end] = isNewForEach ? [beforeEach, afterEach] : [before, after];
  begin(async () => {
    started ??= start();
    running = await started;
    await running.play({ kind: "preconfirmed", sealEveryMs: 0 });
    snapshot = await running.rpc("evm_snapshot");
    await running.play(play);
  });
  end(async () => {
    if (!running || snapshot === undefined) return;
    // the other kind also resets what is played, and refreshes nothing between two files
    await running.play({ kind: "ordinary", sealEveryMs: 0 });
    await running.rpc("anvil_dropAllTransactions");
    await running.rpc("evm_revert", [snapshot]);
  });
  return new Proxy({} as Devchain, { get: (_, name) => Reflect.get(begun(), name) }); // the getter has all members
}

async function start(): Promise<Devchain> {
  const chain = await startDevchain({ kind: "ordinary", sealEveryMs: 0, refreshEveryMs: 50, traffic: false });
  closeAtEnd(chain.stop);
  return chain;
}

function begun(): Devchain {
  if (!running) throw new RangeError("The shared chain is there only while tests run.");
  return running;
}
