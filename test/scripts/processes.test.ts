import assert from "node:assert/strict";
import { mock } from "node:test";
import { run } from "../../scripts/lib/processes.mjs";

/** Writes its process id, and again at each signal; ends after five. */
const code = `let left = 5; const say = () => { console.log(process.pid); if (--left === 0) process.exit(); };
process.on("SIGUSR2", say); setInterval(() => {}, 1000); say();`;

describe("a stage", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("may take as long as it wants while it writes", async () => {
    const onOutput = (pid: string): void => {
      mock.timers.tick(3_000);
      if (pid !== "") process.kill(Number(pid), "SIGUSR2");
    };
    const { ok, output } = await run(process.execPath, ["-e", code], { maxSilenceMs: 4_000, onOutput });
    assert.deepEqual([ok, output.trim().split("\n").length], [true, 5], output);
  });

  it("is ended when it is silent, with what it wrote and the reason", async () => {
    const onOutput = (): void => queueMicrotask(() => mock.timers.tick(4_000));
    const { ok, output } = await run(process.execPath, ["-e", code], { maxSilenceMs: 4_000, onOutput });
    assert.equal(ok, false);
    assert.match(output, /^\d+\n\n\S+ wrote nothing for 4 seconds and was ended\.\n$/);
  });

  it("fails when its program does", async () => {
    assert.deepEqual(await run(process.execPath, ["-e", "process.exit(3)"]), { ok: false, output: "" });
    const missing = await run("no-such-program", []);
    assert.equal(missing.ok, false);
    assert.match(missing.output, /^no-such-program did not start: /);
  });
});
