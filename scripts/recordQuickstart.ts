/**
 * Writes `examples/quickstart.recorded.rpc.json`: the quickstart with its answers inside, which the extension opens
 * without a node. Run it with `npx tsx scripts/recordQuickstart.ts` after a change of the quickstart.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startDevchain } from "../devchain/devchain.ts";
import { includedRecording } from "../server/src/notebook/header.ts";
import { dataKey } from "../server/src/notebook/readFile.ts";
import { readRecording } from "../server/src/recording/recording.ts";
import { packed } from "../server/src/recording/replays.ts";

const command = promisify(execFile);
const notebook = "examples/quickstart.rpc.json";
const folder = mkdtempSync(path.join(tmpdir(), "quickstart-"));
const file = path.join(folder, "quickstart.rpc.recording.json");
const chain = await startDevchain();
try {
  const run = ["dist/cli.mjs", "run", notebook, "--endpoint", chain.url, "--record", file];
  await command(process.execPath, run); // the chain is in this process
  const recording = readRecording(readFileSync(file, "utf8"));
  if ("fault" in recording) throw new Error(recording.fault);
  // The port is another one each time; the quickstart calls its endpoint `local`.
  const [facts] = Object.values(recording.endpoints);
  const local = {
    ...recording,
    endpoints: { local: { ...facts, site: "http://127.0.0.1:8545" } },
    exchanges: recording.exchanges.map((one) => ({ ...one, endpoint: "local" })),
  };
  const { cells, $schema: _schema, ...header } = JSON.parse(readFileSync(notebook, "utf8"));
  const [{ markdown: first }] = cells;
  const introduction = [
    ...first.slice(0, first.lastIndexOf("") + 1), // without what is for contributors
    "**The answers are recorded**, so running cells sends nothing and needs no node. If you change a cell, its result says",
    "what was not recorded. To ask a node instead, choose an endpoint in the status bar.",
  ];
  const made = {
    ...header,
    recording: includedRecording,
    cells: [{ markdown: introduction }, ...cells.slice(1)],
    [dataKey]: packed(local),
  };
  const out = "examples/quickstart.recorded.rpc.json";
  writeFileSync(out, JSON.stringify(made, null, 2));
  await command(process.execPath, ["dist/cli.mjs", "fmt", out]);
} finally {
  await chain.stop();
  rmSync(folder, { recursive: true });
}
