import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import { readArguments } from "../../server/src/cli/main.ts";
import { runCommand } from "../support/commandInProcess.ts";
import type { Ended } from "../support/commandLine.ts";
import { parseXml } from "../support/xml.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const notebook = "examples/ci/health.rpc.json";

describe("the example for CI", function () {
  this.timeout(300_000);
  let chain: Devchain;
  before(async () => {
    chain = await startDevchain();
  });
  after(() => chain.stop());

  const type = (...words: readonly string[]): Promise<Ended> => runCommand(words, root);
  const run = (...words: readonly string[]): Promise<Ended> => type("run", notebook, "-e", chain.url, ...words);

  it("has no problem", async () => assert.equal((await type("check", notebook)).out, "1 notebook: no problems\n"));

  it("passes, with a report that CI systems read", async () => {
    const { code, out, err } = await run("--snapshot", "check", "--report", "junit");
    const { attributes, children } = parseXml(out.trimEnd());
    assert.deepEqual([code, attributes.failures, attributes.errors], [0, "0", "0"], `${out}\n${err}`);
    assert.equal(children[0]?.children.filter(({ name }) => name === "testcase").length, Number(attributes.tests));
    assert.match(err, /^1 cell compared with health\.rpc\.snapshot\.json\.\n9 cells ok, /);
  });

  it("fails with an explanation if something is not as expected", async () => {
    const nobody = "0x00000000000000000000000000000000000000aA";
    const { code, out } = await run("--var", `holder=${nobody}`, "--report", "junit");
    const cases = parseXml(out.trimEnd()).children[0]?.children ?? [];
    const failed = cases.filter(({ children }) => children[0]?.name === "failure");
    assert.deepEqual(
      failed.map(({ attributes }) => attributes.name),
      ["balance: eth_call"],
    );
    assert.match(failed[0]?.children[0]?.text ?? "", /^Expected decoded\[0\] to be greater than 0\. It is "?0"?\.\n/);
    assert.equal(code, 1);
  });

  it("has a workflow whose commands the command line takes", () => {
    const workflow = readFileSync(`${root}/examples/ci/github-actions.yml`, "utf8");
    const lines = [...workflow.matchAll(/npx rpc-notebook (.+?)(?: > \S+)?$/gm)].map(([, words = ""]) => words);
    assert.deepEqual(
      lines.map((line) => readArguments(line.replaceAll('"', "").split(" ")).name),
      ["check", "run"],
    );
  });
});
