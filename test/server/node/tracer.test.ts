import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { startTracer } from "../../../server/src/node/tracer.ts";
import { type Answer, type KnownState, type Task, usualLimits } from "../../../server/src/trace/task.ts";
import { program, push, returning } from "../../support/evm.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const contract = `0x${"c0".repeat(20)}`;
const caller = `0x${"ca".repeat(20)}`;
const zero = `0x${"0".repeat(64)}`;

const task: Task = {
  calls: [{ from: caller, to: contract, data: "0x", value: 0n, gas: 2n ** 62n, gasPrice: 0n, accessList: [] }],
  block: {
    ...{ number: 1n, time: 1n, coinbase: caller, prevRandao: zero, gasLimit: 1n, baseFee: 0n },
    blobBaseFee: 1n,
  },
  chainId: 1n,
  fork: "osaka",
  limits: { ...usualLimits, steps: Number.MAX_SAFE_INTEGER },
};

function stateOf(code: string): KnownState {
  const account = { balance: 0n, nonce: 1n, code };
  return {
    accounts: new Map([
      [contract, account],
      [caller, { ...account, code: "0x" }],
    ]),
    slots: new Map(),
    hashes: new Map(),
  };
}

const endless = stateOf(program(["5b", push(0), "56"]));
const nothing: KnownState = { accounts: new Map(), slots: new Map(), hashes: new Map() };

describe("the thread that computes traces", () => {
  const code = pathToFileURL(join(temporaryFolder(), "trace.mjs"));
  before(() =>
    build({
      entryPoints: ["server/src/node/traceThread.ts"],
      ...{ bundle: true, platform: "node", format: "esm", mainFields: ["module", "main"] },
      banner: {
        js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
      },
      outfile: fileURLToPath(code),
    }),
  );

  it("computes, and keeps the state of the run before", async () => {
    const tracer = startTracer(new AbortController().signal, code);
    const first = await tracer.run(task, nothing);
    assert.deepEqual(first.kind === "missing" && first.needs.accounts, [caller, contract]);
    const second = await tracer.run(task, stateOf(program(returning(push(3)))));
    assert.equal(second.kind === "traced" && BigInt(second.trace.calls[0]?.output ?? 0), 3n);
    const third = await tracer.run(task, nothing);
    tracer.close();
    assert.equal(third.kind, "traced");
  });

  it("ends at once if it is cancelled, also in a call that runs for ever", async () => {
    const cancel = new AbortController();
    const tracer = startTracer(cancel.signal, code);
    await tracer.run(task, nothing); // it has started
    const running = tracer.run(task, endless);
    setImmediate(() => cancel.abort());
    assert.deepEqual(await running, cancelled);
    assert.deepEqual(await tracer.run(task, endless), cancelled);
    tracer.close();
  });

  it("says how far a call is that runs for ever", async () => {
    const cancel = new AbortController();
    const tracer = startTracer(cancel.signal, code);
    await tracer.run(task, nothing); // it has started
    const steps: number[] = [];
    const running = tracer.run(task, endless, (count) => steps.push(count) === 2 && cancel.abort());
    assert.deepEqual(await running, cancelled);
    assert.ok(0 < (steps[0] ?? 0) && (steps[0] ?? 0) < (steps[1] ?? 0), String(steps));
    tracer.close();
  });

  it("is kept for the next trace, without the state of the last one", async () => {
    const first = startTracer(new AbortController().signal, code);
    assert.equal((await first.run(task, stateOf(program(returning(push(3)))))).kind, "traced");
    first.close();
    assert.deepEqual(await first.run(task, nothing), { kind: "refused", why: "the local EVM failed" });
    const second = startTracer(new AbortController().signal, code);
    assert.equal((await second.run(task, nothing)).kind, "missing");
    second.close();
  });

  it("is kept once if a trace closes it twice: another trace may use it then", async () => {
    const first = startTracer(new AbortController().signal, code);
    await first.run(task, nothing);
    first.close();
    const second = startTracer(new AbortController().signal, code);
    first.close();
    assert.equal((await second.run(task, nothing)).kind, "missing");
    second.close();
    second.close();
    const third = startTracer(new AbortController().signal, code);
    assert.equal((await third.run(task, nothing)).kind, "missing");
    third.close();
  });

  it("is not kept in the middle of a call: the next trace has another one", async () => {
    const first = startTracer(new AbortController().signal, code);
    await first.run(task, nothing); // it has started
    const running = first.run(task, endless);
    first.close();
    assert.equal((await running).kind, "refused");
    const second = startTracer(new AbortController().signal, code);
    assert.equal((await second.run(task, nothing)).kind, "missing");
    second.close();
  });

  it("is not filled by a call that logs megabytes", async () => {
    const tracer = startTracer(new AbortController().signal, code);
    const logging = stateOf(program(["5b", push(200_000), push(0), "a0", push(0), "56"]));
    assert.deepEqual(await tracer.run({ ...task, limits: usualLimits }, logging), {
      kind: "refused",
      why: "it has more than 20,000,000 bytes of data",
    });
    tracer.close();
  });

  it("says that it failed if its code is not there, each time that it is asked", async () => {
    const tracer = startTracer(new AbortController().signal, new URL("./nowhere.mjs", code));
    for (const _ of [1, 2])
      assert.deepEqual(await tracer.run(task, nothing), { kind: "refused", why: "the local EVM failed" });
    tracer.close();
  });

  it("does not start if it is cancelled before", async () => {
    const tracer = startTracer(AbortSignal.abort(), code);
    assert.deepEqual(await tracer.run(task, endless), cancelled);
    tracer.close();
  });
});

const cancelled: Answer = { kind: "refused", why: "it was cancelled" };
