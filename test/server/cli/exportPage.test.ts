import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordingSuffix } from "../../../server/src/endpoints/site.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import type { Ended } from "../../support/commandLine.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const recording = `quick${recordingSuffix}`;

/** The reports of a page, cell by cell. */
function resultsIn(page: string): readonly (readonly Report[])[] {
  return JSON.parse(/id="results">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "null");
}

/** What the footer says. */
const answeredBy = (page: string): readonly string[] =>
  /<p>Answered by (.*?), [\d-]+ [\d:]+ UTC/.exec(page)?.[1]?.split(", ") ?? [];

const summaries = (page: string): readonly string[] =>
  resultsIn(page)
    .flat()
    .map(({ summary }) => summary);

describe("rpc-notebook export --to html", function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  const chain = sharedChain({ sealEveryMs: 2000 });
  let host = "";
  let live: Ended;
  const type = (...args: readonly string[]): Promise<Ended> => runCommand(args, folder, { version: "1.2.3" });
  const file = (name: string): string => readFileSync(join(folder, name), "utf8");
  const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));

  before(async () => {
    const examples = new URL("../../../examples/", import.meta.url);
    copyFileSync(new URL("quickstart.rpc.json", examples), join(folder, "quick.rpc.json"));
    copyFileSync(new URL("quickstart.recorded.rpc.json", examples), join(folder, "recorded.rpc.json"));
    host = new URL(chain.url).host;
    write("rpc-endpoints.json", { local: chain.url });
    live = await type(...`export quick.rpc.json --to html -e local --allow-host ${host} -o quick.html`.split(" "));
    await type("run", "quick.rpc.json", "-e", "local", "--allow-host", host, "--record", recording);
  });

  it("runs the notebook and writes its page", () => {
    assert.equal(live.code, 0, live.err);
    assert.equal(live.out, "");
    assert.match(live.err, /^12 cells ok, .*\nWrote 21 cells to quick\.html\.\n$/);
    const page = file("quick.html");
    assert.equal(resultsIn(page).length, 21);
    assert.match(summaries(page).join("\n"), /^34,468 gas$/m);
    assert.deepEqual(answeredBy(page), [`local (${host})`]);
    assert.ok(page.includes("by RPC Notebook 1.2.3."));
  });

  it("prints the page without --out, and sends nothing with --replay", async () => {
    const { out, err, code } = await type(
      ...`export quick.rpc.json --to html -e local --replay ${recording}`.split(" "),
    );
    assert.equal(code, 0, err);
    assert.match(err, /^Nothing is sent: \d+ answers recorded at /);
    assert.ok(out.startsWith("<!doctype html>") && out.endsWith("</html>\n"));
    assert.match(summaries(out).join("\n"), /^34,468 gas$/m);
    assert.deepEqual(answeredBy(out), [`local (${host})`], "as it was recorded");
  });

  it("takes the answers that a notebook contains", async () => {
    const { out, code } = await type("export", "recorded.rpc.json", "--to", "html");
    assert.equal(code, 0);
    assert.deepEqual(summaries(out).length, 13);
    assert.ok(!out.includes("recordingData"));
  });

  it("runs only the cells that are named", async () => {
    const { out } = await type("export", "recorded.rpc.json", "--to", "html", "--cell", "balance", "-c", "2");
    assert.equal(summaries(out).length, 2);
  });

  it("has rows beyond those of a run's report, and no name of a file of this machine", async () => {
    write("many.rpc.json", {
      cells: [{ method: "eth_getLogs", params: [{ fromBlock: "earliest", toBlock: "latest" }] }],
    });
    const { out, err } = await type("export", "many.rpc.json", "--to", "html", "-e", "local", "--allow-host", host);
    const [[report] = []] = resultsIn(out);
    const table = report?.sections.find(({ kind }) => kind === "table");
    assert.ok(table?.kind === "table" && table.rows.length === table.total && table.rest === undefined, err);
    assert.ok(!out.includes(folder));
  });

  it("writes a page of what failed too, and says so by its code", async () => {
    write("bad.rpc.json", { cells: [{ name: "no", method: "eth_chainId", expect: { result: "0x7" } }] });
    const { code, err } = await type(
      ...`export bad.rpc.json --to html -e local --allow-host ${host} --out bad.html`.split(" "),
    );
    assert.equal(code, 1);
    assert.match(err, /0 of 1 cell ok, 1 failed/);
    assert.ok(file("bad.html").includes("Expected result to be"));
  });

  it("sends nothing to a host that is not allowed", async () => {
    const before = chain.url.replace("127.0.0.1", "rpc.example");
    write("away.rpc.json", { endpoint: before, cells: [{ method: "eth_chainId" }] });
    const { code, out } = await type("export", "away.rpc.json", "--to", "html");
    assert.equal(code, 1);
    assert.ok(/not sent/i.test(out));
  });

  it("names what is wrong with its options, and writes nothing", async () => {
    for (const [args, message] of [
      [["--to", "html", "-o", "none/a.html"], "The folder of none/a.html does not exist."],
      [["--to", "html", "-c", "zzz"], "has no cell `zzz`"],
      [["--to", "html", "--var", "zzz=1"], "unknown variable `zzz`"],
      [["--to", "html", "--replay", `none${recordingSuffix}`], "does not exist"],
      [["--to", "html", "--watch"], "takes no --watch"],
      [["--to", "curl", "--timeout", "3"], "--timeout works only with --to html."],
      [["--to", "viem", "--endpoint", "local"], "--endpoint works only with --to html."],
    ] as const) {
      const { code, out, err } = await type("export", "quick.rpc.json", ...args);
      assert.equal(code, 2, err);
      assert.ok(err.includes(message), err);
      assert.equal(out, "");
    }
  });
});
