import assert from "node:assert/strict";
import { noKeys } from "../../../server/src/abi/storageKey.ts";
import { storageLayouts } from "../../../server/src/abi/storageLayout.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { readStorage } from "../../../server/src/inspect/readStorage.ts";
import { storageJson, storageReport } from "../../../server/src/inspect/storageReport.ts";
import { answered } from "../report/outcomes.ts";

const at = (label: string, slot: string, type: string) => ({ label, slot, offset: 0, type });
const [layout] = storageLayouts(
  {
    contractName: "Vault",
    storageLayout: {
      storage: [at("total", "0", "t_uint256"), at("name", "1", "t_string")],
      types: {
        t_uint256: { encoding: "inplace", label: "uint256", numberOfBytes: "32" },
        t_string: { encoding: "bytes", label: "string", numberOfBytes: "32" },
      },
    },
  },
  "Vault.json",
);

/** Reads two blocks of an endpoint that gives this answer for each word, and this number for each block. */
async function read(wordOf: (block: JsonValue | undefined) => JsonValue, number?: JsonValue, of = layout) {
  assert.ok(of);
  const ask = async (questions: readonly { readonly method: string; readonly params: readonly JsonValue[] }[]) =>
    questions.map(({ method, params }) => {
      if (method === "eth_getBlockByNumber")
        return answered({ number: number === undefined ? (params[0] ?? null) : number });
      return answered(method === "eth_getCode" ? "0x60" : wordOf(params[2]));
    });
  const endpoint = { name: "node", host: "node" } as never; // only its names are shown
  const place = { address: `0x${"1".repeat(40)}`, blocks: ["0x1", "0x2"] };
  const reading = await readStorage({ ask, endpoint, memory: {} }, of, place, noKeys, new AbortController().signal);
  return { reading, report: storageReport(reading, 1, new Map()), json: Object(storageJson(reading, 1)) };
}

describe("the storage of a contract at two blocks", () => {
  it("is not the same if it was not read", async () => {
    for (const garbage of ["garbage", "0x", `0x${"f".repeat(65)}`, { a: 1 }, null, 5]) {
      const { report, json } = await read(() => garbage);
      assert.deepEqual([report.status, report.summary], ["failed", "4 words of storage were not read."]);
      assert.equal(json.ok, false);
    }
  });

  it("is not different if one block was not read", async () => {
    const { report, json } = await read((block) => (block === "0x1" ? "0x" : `0x${"0".repeat(64)}`));
    assert.deepEqual([report.status, report.summary], ["failed", "2 words of storage were not read."]);
    assert.deepEqual(
      json.variables.map(({ differs }: { readonly differs: boolean }) => differs),
      [false, false],
    );
  });

  it("is read though the endpoint gives numbers of blocks that are none", async () => {
    for (const number of ["0x", "", "x", 7, null, `0x${"f".repeat(2000)}`])
      assert.equal((await read(() => `0x${"0".repeat(64)}`, number)).reading.failure, undefined);
  });

  it("is compared if it was read", async () => {
    const { report } = await read((block) => `0x${block === "0x1" ? "" : "2".padStart(64, "0")}`.padEnd(66, "0"));
    assert.deepEqual([report.status, report.summary], ["ok", "2 of 2 values differ"]);
  });

  it("says that a layout seems to be that of another contract", async () => {
    const [flags] = storageLayouts(
      {
        contractName: "Flags",
        storageLayout: {
          storage: [
            { label: "paused", slot: "0", offset: 0, type: "t_bool" },
            { label: "owner", slot: "0", offset: 1, type: "t_address" },
          ],
          types: {
            t_bool: { encoding: "inplace", label: "bool", numberOfBytes: "1" },
            t_address: { encoding: "inplace", label: "address", numberOfBytes: "20" },
          },
        },
      },
      "Flags.json",
    );
    const owner = "70997970c51812dc3a010c7d01b50e0d17dc79c8";
    for (const [word, isStrange] of [
      [`${owner}01`, false],
      ["", false],
      [`${owner}02`, true],
      [`1${owner.padStart(42, "0")}00`, true],
    ] as const) {
      const { report, json } = await read(() => `0x${word.padStart(64, "0")}`, undefined, flags);
      const notes = report.sections.filter(({ kind }) => kind === "note");
      assert.deepEqual([notes.length > 0, json.strangeSlots !== undefined], [isStrange, isStrange], word);
    }
  });
});
