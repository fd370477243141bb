import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/commandInProcess.ts";
import { times } from "../support/depth.ts";
import { expectLinear } from "../support/growth.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const folder = temporaryFolder();

/** Returns fourteen letters, different for each number and from every method. */
function word(index: number): string {
  return index.toString(2).padStart(17, "0").replaceAll("0", "q").replaceAll("1", "xy").slice(-14) + index;
}

async function check(cells: readonly string[]): Promise<string> {
  const file = join(folder, "a.rpc.json");
  writeFileSync(file, `{"cells":[\n${cells.join(",\n")}\n]}`);
  return (await runCommand(["check", file], folder)).out;
}

describe("check of a file with", function () {
  this.timeout(600_000);

  const numbers = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);
  const [most, many] = [numbers(times(40_000, 4_000)), numbers(times(5_000, 1_000))];
  const files: Readonly<Record<string, readonly [readonly string[], string]>> = {
    "very many methods that are not known": [most.map((at) => `{"method":"eth_${word(at)}"}`), "unknown-method"],
    "many methods of namespaces that are not known": [
      many.map((at) => `{"method":"${word(at)}_call"}`),
      "unknown-method",
    ],
    "many placeholders that are not known, and as many names": [
      many.map((at) => `{"name":"a${word(at)}","method":"eth_call","params":["{{b${word(at)}.result}}"]}`),
      "unresolved-placeholder",
    ],
    "many members that are not known": [many.map((at) => `{"method":"eth_chainId","${word(at)}":1}`), "unknown-member"],
    "many endpoints that are not known": [
      many.map((at) => `{"method":"eth_chainId","endpoint":"${word(at)}"}`),
      "unknown-endpoint",
    ],
  };
  for (const [what, [cells, code]] of Object.entries(files)) {
    it(`${what} takes time in proportion to them`, () =>
      expectLinear(cells.length, async (size) => {
        const out = await check(cells.slice(0, size));
        assert.equal(out.split(` ${code}: `).length - 1, size);
      }));
  }
});
