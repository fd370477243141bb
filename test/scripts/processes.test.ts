import assert from "node:assert/strict";
import { run } from "../../scripts/lib/processes.mjs";

const node = (code: string, maxSilenceMs: number): ReturnType<typeof run> =>
  run(process.execPath, ["-e", code], { maxSilenceMs });

describe("a stage", () => {
  it("may take as long as it wants while it writes", async () => {
    // A line every 500 ms: twice as long in all as it may be silent
    const code = `let lines = 0; const timer = setInterval(() => { console.log(++lines); if (lines === 16) clearInterval(timer); }, 500);`;
    const { ok, output } = await node(code, 4_000);
    assert.deepEqual([ok, output.trim().split("\n").length], [true, 16], output);
  });

  it("is ended when it is silent, with what it wrote and the reason", async () => {
    const { ok, output } = await node(`console.log("begun"); setInterval(() => {}, 1000);`, 3_000);
    assert.equal(ok, false);
    assert.match(output, /^begun\n\n\S+ wrote nothing for 3 seconds and was ended\.\n$/);
  });

  it("fails when its program does", async () => {
    assert.deepEqual(await node("process.exit(3)", 60_000), { ok: false, output: "" });
    const missing = await run("no-such-program", []);
    assert.equal(missing.ok, false);
    assert.match(missing.output, /^no-such-program did not start: /);
  });
});
