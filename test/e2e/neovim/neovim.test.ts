import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { documented } from "../../support/documented.ts";
import { lookupServer } from "../../support/lookupServer.ts";
import { itWorks, type Written } from "../editors/features.ts";
import { openWorkplace, type Workplace } from "../editors/workplace.ts";

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Lets a script use the notebook of a workplace. Returns what it has recorded. */
async function driven(workplace: Workplace, lua: string, settings = ""): Promise<unknown> {
  const { folder, url, env } = workplace;
  const given = configuration()
    .replace('"http://127.0.0.1:8545"', JSON.stringify(url))
    .replace('endpoint = "test"', `endpoint = "test"${settings}`);
  const init = workplace.write("../init.lua", given);
  const out = workplace.write("../out.json", "{}");
  const args = ["--headless", "-u", init, "a.rpc.json", "-c", `luafile ${script(lua)}`];
  const { stderr } = await promisify(execFile)("nvim", args, {
    cwd: folder,
    timeout: 90_000,
    env: { ...env, RPC_TEST_OUT: out },
  });
  const written = JSON.parse(workplace.read(out));
  assert.equal(written.failed, undefined, `${written.failed}\n${stderr}`);
  return written;
}

describe("Neovim, with the configuration of docs/editors.md", () => {
  let workplace: Workplace;
  let written: Written;

  before(async () => {
    workplace = await openWorkplace("a.rpc.json");
    written = (await driven(workplace, "drive.lua")) as Written;
  }).timeout(120_000);
  after(() => workplace.remove());

  itWorks(
    () => written,
    () => workplace.read("a.rpc.json"),
  );
});

describe("a contract in Neovim, with the configuration of docs/editors.md", () => {
  let workplace: Workplace;
  before(async () => {
    workplace = await openWorkplace("a.rpc.json", (method) =>
      method === "eth_chainId" ? "0x2105" : method === "eth_getCode" ? "0x60016002" : "0x",
    );
  });
  after(() => workplace.remove());

  it("is looked up after a question, and its sources are read without another one", async () => {
    const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    const source = "contract Vault {}\n";
    const host = await lookupServer([{ address, name: "Vault", abi: [], sources: { "Vault.sol": source } }]);
    const settings = `, lookupHost = ${JSON.stringify(host.url)}`;
    const { questions, message, name, text, shown } = Object(await driven(workplace, "lookup.lua", settings));
    assert.equal(questions.length, 1);
    assert.ok(questions[0].includes(host.host), questions[0]);
    assert.match(message, /Vault at 0x/);
    assert.match(workplace.read("contracts/Vault.json"), /exact match/);
    assert.deepEqual([name, text], ["Vault.sol", source]);
    if (neovim >= 11) assert.equal(shown, source);
    assert.equal(host.paths.length, 2);
  }).timeout(120_000);
});

/** The minor version of the Neovim that is on the `PATH`. */
const neovim = Number(/^NVIM v0\.(\d+)/.exec(execFileSync("nvim", ["--version"], { encoding: "utf8" }))?.[1]);

/** The configuration that the docs give for it. */
function configuration(): string {
  if (neovim < 11) return documented("### Neovim 0.7 to 0.10", "lua");
  return [0, 1].map((skipped) => documented("### Neovim 0.11 and newer", "lua", skipped)).join("\n");
}
