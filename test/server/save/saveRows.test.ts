import assert from "node:assert/strict";
import { Ajv } from "ajv";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { openMask } from "../../../server/src/base/mask.ts";
import type { Files } from "../../../server/src/base/ports.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { RowStore } from "../../../server/src/run/result/rowStore.ts";
import { saveProfile, saveRows } from "../../../server/src/save/saveRows.ts";
import { speedscopeFaults, speedscopeSchema } from "../../support/speedscopeSchema.ts";
import { alice, answered, bob, topic, transferTopic } from "../report/outcomes.ts";
import { frame, only, traceReport } from "../report/traces.ts";

const calm = new AbortController().signal;
const logs: readonly JsonValue[] = Array.from({ length: 300 }, (_, at) => ({
  address: bob,
  topics: [transferTopic, topic(alice), topic(bob)],
  data: `0x${(at + 1000).toString(16).padStart(64, "0")}`,
  logIndex: `0x${at.toString(16)}`,
}));

/** Has no files, and keeps the text that is written last. */
function emptyFiles(): { readonly files: Files; readonly written: () => string } {
  let text = "";
  const files: Files = {
    read: async () => undefined,
    list: async () => [],
    write: async (_, replacement) => {
      text = replacement.text;
      return { kind: "written" };
    },
  };
  return { files, written: () => text };
}

/** Saves all logs to a file of this name, and returns what was said and written. */
async function saved(name: string, items = logs, filter?: string) {
  const rowStore = new RowStore(clock);
  const report = reportOf({ title: "logs", method: "eth_getLogs", params: [], outcome: answered(items, "[]") });
  const output = { ok: true, reports: [report], text: "", json: "", startedAt: 0, durationMs: 0 };
  const table = rowStore.keep("file:///a.rpc.json", "a", output, { size: 1 }).reports[0]?.sections[0];
  const rest = table?.kind === "table" ? (table.rest ?? "") : "";
  const { files, written } = emptyFiles();
  const said = await saveRows(
    { uri: `file:///${name}`, rest, ...(filter !== undefined && { filter }) },
    { rowStore, files, mask: openMask() },
    calm,
  );
  return { said, text: written() };
}

describe("all rows in a file", () => {
  it("are lines of CSV with values for other programs", async () => {
    const { said, text } = await saved("logs.csv");
    assert.deepEqual(said, { note: "Saved 300 rows in logs.csv." });
    const lines = text.trimEnd().split("\r\n");
    assert.deepEqual([lines.length, lines[0]], [301, "Log,Event,from,to,value,Contract"]);
    assert.equal(lines[250], `249,Transfer,${alice},${bob},1249,${bob}`);
  });
  it("are only those with the text of a filter, if a person wants that", async () => {
    const { said, text } = await saved("logs.csv", logs, "1249");
    assert.deepEqual(said, { note: "Saved 1 row in logs.csv." });
    assert.equal(text.trimEnd().split("\r\n")[1], `249,Transfer,${alice},${bob},1249,${bob}`);
  });
  it("are objects of JSON", async () => {
    const { text } = await saved("logs.json");
    const rows = JSON.parse(text);
    assert.deepEqual([rows.length, rows[299].value, rows[299].from], [300, "1299", alice]);
  });
  it("cannot run as a formula", async () => {
    const topics = [`0x${"12".repeat(32)}`];
    const { text } = await saved("logs.csv", [
      { address: "=1+2", topics, data: "0x" },
      { address: '=cmd,"x"', topics, data: "0x" },
      { address: "＝1+2", topics, data: "0x" },
      { address: " @a", topics, data: "0x" },
    ]);
    assert.doesNotMatch(text, /(?:^|,)"?\s*[＝@]/m);
    assert.doesNotMatch(text, /(?:^|,)"?[=+@]/m);
    assert.match(text, /"'=cmd,""x"""/);
  });
  it("are not saved if they are no longer kept", async () => {
    const { said } = await saved("logs.csv", logs.slice(0, 1));
    assert.deepEqual(said, { fault: "RPC Notebook no longer has these rows. Run the cell again." });
  });
});

const trace = frame({
  gasUsed: "0x100",
  calls: [
    frame({ gasUsed: "0x40", error: "execution reverted", calls: [frame({ gasUsed: "0x10" }), frame()] }),
    frame({ gasUsed: "0x10" }),
  ],
});

/** Saves the calls of a trace, and returns what was said and written. */
async function savedCalls(rest?: string, secrets = ["0x3C44…93BC"]) {
  const rowStore = new RowStore(clock);
  const report = traceReport(trace, { labels: new Map([[alice, "hunter2-hunter2"]]) });
  const output = { ok: true, reports: [report], text: "", json: "", startedAt: 0, durationMs: 0 };
  const { sections } = rowStore.keep("file:///a.rpc.json", "a", output, { size: 1 }).reports[0] ?? report;
  const { files, written } = emptyFiles();
  const mask = openMask();
  for (const secret of secrets) mask.add(secret, "hidden");
  const uri = "file:///calls.speedscope.json";
  const said = await saveProfile({ uri, rest: rest ?? only(sections, "flame").rest ?? "" }, { rowStore, files, mask });
  return { said, text: written() };
}

describe("the calls of a trace in a file", () => {
  it("are a profile as speedscope reads it, with gas in place of time", async () => {
    const { said, text } = await savedCalls();
    assert.deepEqual(said, { note: "Saved the calls in calls.speedscope.json. Open it at speedscope.app." });
    const file = JSON.parse(text);
    const validate = new Ajv().compile(speedscopeSchema);
    assert.equal(validate(file), true, JSON.stringify(validate.errors));
    assert.deepEqual(speedscopeFaults(file), []);
    const [profile] = file.profiles;
    assert.deepEqual([profile.name, profile.unit, profile.endValue, profile.events.length], ["t", "none", 256, 10]);
  });
  it("have no secret in their names", async () => {
    const { text } = await savedCalls();
    assert.doesNotMatch(text, /0x3C44…93BC/);
    assert.match(text, /hidden/);
  });
  it("are a profile beside a secret with the digits of its gas, or the name of one of its members", async () => {
    const { text } = await savedCalls(undefined, ["256", "profiles"]);
    const file = JSON.parse(text);
    assert.deepEqual([file.profiles[0].endValue, speedscopeFaults(file)], [256, []]);
  });
  it("are not saved if they are no longer kept", async () => {
    const { said, text } = await savedCalls("9.calls0");
    assert.deepEqual([said, text], [{ fault: "RPC Notebook no longer has these calls. Run the cell again." }, ""]);
  });
});
