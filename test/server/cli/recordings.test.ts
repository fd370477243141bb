import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordingSuffix } from "../../../server/src/endpoints/site.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import type { Ended } from "../../support/commandLine.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";
import { unhurriedClock } from "../../support/unhurriedClock.ts";

const name = `quick${recordingSuffix}`;
/** The last line has how long this run took. */
const withoutTotal = (text: string): string => text.replace(/, [\d.]+ m?s\n$/, "\n");

describe("a recording on the command line", () => {
  const chain = sharedChain({ sealEveryMs: 2000 });
  const folder = temporaryFolder();
  let live: Ended;
  const type = (...args: readonly string[]): Promise<Ended> => runCommand(args, folder, { clock: unhurriedClock });
  const write = (file: string, value: unknown): void => writeFileSync(join(folder, file), JSON.stringify(value));

  before(async () => {
    copyFileSync(new URL("../../../examples/quickstart.rpc.json", import.meta.url), join(folder, "quick.rpc.json"));
    write("rpc-endpoints.json", { local: chain.url });
    live = await type(
      ...`run quick.rpc.json -e local --allow-host ${new URL(chain.url).host} --record ${name}`.split(" "),
    );
  });

  it("is made by a run, and says so", () => {
    assert.equal(live.code, 0, live.out);
    assert.match(live.err, /^Recorded \d+ exchanges in quick\.rpc\.recording\.json\.\n$/);
  });

  it("gives the same report, byte for byte, when the node is gone", async () => {
    const again = await type("run", "quick.rpc.json", "-e", "local", "--replay", name);
    assert.equal(withoutTotal(again.out), withoutTotal(live.out));
    assert.match(again.err, /^Nothing is sent: \d+ answers recorded at .* UTC in quick\.rpc\.recording\.json\.\n$/);
    assert.equal(again.code, 0);
  });

  it("answers where no file describes the endpoint", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
    try {
      for (const file of ["quick.rpc.json", name]) copyFileSync(join(folder, file), join(elsewhere, file));
      const { out } = await runCommand(["run", "quick.rpc.json", "--replay", name], elsewhere);
      assert.equal(withoutTotal(out), withoutTotal(live.out));
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it("is an endpoint of its own", async () => {
    write("rpc-endpoints.json", { local: { replay: name } });
    const { code, out } = await type("run", "quick.rpc.json");
    assert.equal(code, 0, out);
    assert.match(out, /local \(recorded \d{4}-\d\d-\d\d\)/);
  });

  it("names the nearest request for one that it does not have", async () => {
    write("other.rpc.json", { cells: [{ method: "eth_getBalance", params: [`0x${"1".repeat(40)}`, "pending"] }] });
    const { code, out } = await type("run", "other.rpc.json", "--replay", name);
    assert.equal(code, 1);
    assert.match(
      out,
      /^✗ cell 1: eth_getBalance: not in the recording\n {2}Not in the recording: the nearest .*params\[0\]/,
    );
  });

  it("asks another endpoint for what it does not have, and says so", async () => {
    const url = chain.url.replace("127.0.0.1", "0.0.0.0"); // a port of this machine would need no approval
    write("rpc-endpoints.json", { both: { replay: name, else: "main" }, main: url });
    const balance = (address: string) => ({ method: "eth_getBalance", params: [address, "pending"] });
    const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    write("both.rpc.json", { endpoint: "both", cells: [balance(alice), balance(`0x${"1".repeat(40)}`)] });
    const { host } = new URL(url);
    const { out } = await type("run", "both.rpc.json", "--allow-host", url, "-c", "1");
    assert.match(out, /both \(recorded /);
    const other = await type("run", "both.rpc.json", "--allow-host", url, "-c", "2");
    assert.match(other.out, new RegExp(`both \\(${host.replaceAll(".", "\\.")}\\)`));
    const refused = await type("run", "both.rpc.json", "-c", "2");
    assert.match(refused.out, /are not allowed/);
  });

  it("is compared with another one", async () => {
    const same = await type("run", "--replay", name, "--compare", name);
    assert.deepEqual([same.code, same.out], [0, "The recordings have the same answers.\n"]);
  });

  it("is not written when nothing was sent", async () => {
    write("rpc-endpoints.json", { far: "https://rpc.example" });
    write("far.rpc.json", { endpoint: "far", cells: [{ method: "eth_chainId" }] });
    const { code, err } = await type("run", "far.rpc.json", "--record", `no${recordingSuffix}`);
    assert.equal(code, 1);
    assert.match(err, /Nothing was sent, so no\.rpc\.recording\.json was not written/);
    assert.equal(existsSync(join(folder, `no${recordingSuffix}`)), false);
  });

  for (const [args, message] of [
    [["run", "quick.rpc.json", "--replay", `nope${recordingSuffix}`], /nope.* does not exist or cannot be read/],
    [["run", "quick.rpc.json", "--replay", "quick.rpc.json"], /not the name of a recording/],
    [["run", "quick.rpc.json", "--record", "out.json"], /not the name of a recording/],
    [["run", "quick.rpc.json", "--record", name, "--replay", name], /--record does not work with --watch or --replay/],
    [["run", "--compare", name], /only with --replay/],
    [["run", "--replay", name], /No file/],
    [
      ["run", "quick.rpc.json", "--replay", name, "--compare", "pending,latest"],
      /cannot be compared at several blocks/,
    ],
    [["run", "quick.rpc.json", "-e", "local", "--record", `nodir/${name}`], /The folder of nodir.* does not exist/],
    [["serve"], /No recording/],
    [["serve", name, "--port", "70000"], /not a port/],
    [["serve", `torn${recordingSuffix}`], /not JSON.*record it again/],
  ] as const)
    it(`refuses ${args.join(" ").replaceAll(recordingSuffix, "…")}`, async () => {
      const text = readFileSync(join(folder, name), "utf8");
      writeFileSync(join(folder, `torn${recordingSuffix}`), text.slice(0, text.length / 2));
      const { code, err } = await type(...args);
      assert.match(err, message);
      assert.equal(code, 2);
    });

  it("is served until Ctrl-C", async () => {
    const stop = new AbortController();
    const serving = runCommand(["serve", name, "--port", "0"], folder, {
      signal: stop.signal,
      heard: (text) => {
        const [url] = /http:\S+/.exec(text) ?? [];
        if (url === undefined) return;
        const body = `{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}`;
        void fetch(url, { method: "POST", body })
          .then((answer) => answer.json())
          .then((answer) => {
            assert.deepEqual(answer, { jsonrpc: "2.0", id: 7, result: "0x7a69" });
          })
          .finally(() => stop.abort());
      },
    });
    const { code, out } = await serving;
    assert.match(out, /answers from quick\.rpc\.recording\.json: \d+ exchanges/);
    assert.equal(code, 0);
  });
});
