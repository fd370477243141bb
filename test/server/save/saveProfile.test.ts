import assert from "node:assert/strict";
import { Ajv } from "ajv";
import { openMask } from "../../../server/src/base/mask.ts";
import type { Files } from "../../../server/src/base/ports.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { RowStore } from "../../../server/src/run/result/rowStore.ts";
import { saveProfile } from "../../../server/src/save/saveProfile.ts";
import { speedscopeFaults, speedscopeSchema } from "../../support/speedscopeSchema.ts";
import { alice } from "../report/outcomes.ts";
import { frame, only, traceReport } from "../report/traces.ts";

const trace = frame({
  gasUsed: "0x100",
  calls: [
    frame({ gasUsed: "0x40", error: "execution reverted", calls: [frame({ gasUsed: "0x10" }), frame()] }),
    frame({ gasUsed: "0x10" }),
  ],
});

/** Saves the calls of a trace, and returns what was said and written. */
async function saved(rest?: string, secrets = ["0x3C44…93BC"]) {
  const rowStore = new RowStore(clock);
  const report = traceReport(trace, { labels: new Map([[alice, "hunter2-hunter2"]]) });
  const output = { ok: true, reports: [report], text: "", json: "", startedAt: 0, durationMs: 0 };
  const { sections } = rowStore.keep("file:///a.rpc.json", "a", output, 1).reports[0] ?? report;
  let text = "";
  const files: Files = {
    read: async () => undefined,
    list: async () => [],
    write: async (_, replacement) => {
      text = replacement.text;
      return { kind: "written" };
    },
  };
  const mask = openMask();
  for (const secret of secrets) mask.add(secret, "hidden");
  const uri = "file:///calls.speedscope.json";
  const said = await saveProfile({ uri, rest: rest ?? only(sections, "flame").rest ?? "" }, { rowStore, files, mask });
  return { said, text };
}

describe("the calls of a trace in a file", () => {
  it("are a profile as speedscope reads it, with gas in place of time", async () => {
    const { said, text } = await saved();
    assert.deepEqual(said, { note: "Saved the calls in calls.speedscope.json. Open it at speedscope.app." });
    const file = JSON.parse(text);
    const validate = new Ajv().compile(speedscopeSchema);
    assert.equal(validate(file), true, JSON.stringify(validate.errors));
    assert.deepEqual(speedscopeFaults(file), []);
    const [profile] = file.profiles;
    assert.deepEqual([profile.name, profile.unit, profile.endValue, profile.events.length], ["t", "none", 256, 10]);
  });
  it("have no secret in their names", async () => {
    const { text } = await saved();
    assert.doesNotMatch(text, /0x3C44…93BC/);
    assert.match(text, /hidden/);
  });
  it("are a profile beside a secret with the digits of its gas, or the name of one of its members", async () => {
    const { text } = await saved(undefined, ["256", "profiles"]);
    const file = JSON.parse(text);
    assert.deepEqual([file.profiles[0].endValue, speedscopeFaults(file)], [256, []]);
  });
  it("are not saved if they are no longer kept", async () => {
    const { said, text } = await saved("9.calls0");
    assert.deepEqual([said, text], [{ fault: "RPC Notebook no longer has these calls. Run the cell again." }, ""]);
  });
});
