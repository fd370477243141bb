import assert from "node:assert/strict";
import { copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { parseItem } from "../../../server/src/abi/item.ts";
import { readInThread } from "../../../server/src/node/codeReader.ts";
import { compileSolidity } from "../../support/solidity.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const source = `contract Vault {
  uint256 public floor;
  function lift(uint256 level, address[] calldata who) external payable { if (who[0] == msg.sender) floor = level; }
}`;

describe("the thread that reads code", function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  const [thread, endless] = [
    pathToFileURL(join(folder, "code.mjs")),
    pathToFileURL(join(folder, "endless.mjs")),
  ] as const;
  const signal = new AbortController().signal;
  before(async () => {
    await build({
      entryPoints: ["server/src/node/codeThread.ts"],
      ...{ bundle: true, platform: "node", format: "esm" },
      outfile: fileURLToPath(thread),
    });
    copyFileSync(createRequire(import.meta.url).resolve("evmole/evmole_bg.wasm"), join(folder, "evmole_bg.wasm"));
    writeFileSync(endless, "for (;;) {}");
  });
  const limitMs = 600_000;

  it("finds functions, the types of their arguments, and whether they take ether", async () => {
    const { evm } = compileSolidity(source).Vault ?? assert.fail();
    const creation = evm.bytecode.object;
    const runtime = creation.slice(creation.indexOf("6080604052", 10));
    const found = await readInThread(`0x${runtime}`, signal, thread, limitMs);
    const selectorOf = (text: string) => parseItem(text, "")?.hash.slice(0, 10) ?? "";
    assert.ok(typeof found !== "string");
    assert.deepEqual(
      new Set<unknown>(found),
      new Set([
        { selector: selectorOf("floor()"), types: "", mutability: "view" },
        { selector: selectorOf("lift(uint256,address[])"), types: "uint256,address[]", mutability: "payable" },
      ]),
    );
  });

  for (const [what, code] of [
    ["code that is not in use", "0xef"],
    ["a delegation", `0xef0100${"11".repeat(20)}`],
    ["half a byte", "0x123"],
    [
      "garbage",
      `0x${Array.from({ length: 24_576 }, (_, at) => ((at * 7919 + 13 * at * at) % 256).toString(16).padStart(2, "0")).join("")}`,
    ],
    ["jumps without an end", `0x${"5b600056".repeat(6000)}`],
  ] as const)
    it(`survives ${what}`, async () => {
      const found = await readInThread(code, signal, thread, limitMs);
      assert.ok(typeof found === "string" || found.length === 0);
    });

  it("is ended after its time", async () => {
    assert.match(String(await readInThread("0x00", signal, endless, 20)), /within 0\.02 s/);
  });

  it("is ended if it is cancelled", async () => {
    const cancel = new AbortController();
    const reading = readInThread("0x00", cancel.signal, endless, limitMs);
    setImmediate(() => cancel.abort());
    assert.match(String(await reading), /cancelled/);
    assert.match(String(await readInThread("0x00", cancel.signal, endless, limitMs)), /cancelled/);
  });

  it("is not waited for if it fails", async () => {
    const failing = pathToFileURL(join(folder, "failing.mjs"));
    writeFileSync(failing, "throw new RangeError('no')");
    assert.match(String(await readInThread("0x00", signal, failing, limitMs)), /could not be read/);
  });
});
