import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Anvil, ask, startAnvil } from "../../devchain/anvil.ts";
import { noKeys } from "../../server/src/abi/storageKey.ts";
import { type StorageLayout, storageLayouts } from "../../server/src/abi/storageLayout.ts";
import { findPlace, type StoragePlace } from "../../server/src/abi/storagePlace.ts";
import { storageRows } from "../../server/src/abi/storageRows.ts";
import { partsOfContract } from "../../server/src/abi/storageSearch.ts";
import type { JsonValue } from "../../server/src/base/json.ts";
import { parseJson } from "../../server/src/base/json.ts";
import { cast, castAlone } from "../support/cast.ts";
import { thorough, times } from "../support/depth.ts";
import { type CompiledSolidity, compileSolidity, deploy, writeFoundryProject } from "../support/solidity.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";
import { randomContract } from "./storageContracts.ts";

const example = readFileSync(new URL("./storageExample.sol", import.meta.url), "utf8");
const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

function placeOf(layout: StorageLayout, path: string): StoragePlace {
  const found = findPlace(layout, path, noKeys, () => false);
  assert.equal(found.kind, "place", `${path}: ${found.kind === "fault" ? found.what : found.kind}`);
  return (found as { readonly place: StoragePlace }).place;
}

function hexSlot(slot: bigint): string {
  return `0x${slot.toString(16).padStart(64, "0")}`;
}

let compiled: ReturnType<typeof compileSolidity> | undefined;

/** The contract of the example, compiled once. */
function exampleVault(): CompiledSolidity {
  compiled ??= compileSolidity(example);
  return compiled.Vault ?? assert.fail();
}

/** Returns a layout with one variable, which is at a place. */
function only({ layout, path, slot, offset, type }: StoragePlace): StorageLayout {
  const types = new Map([...layout.types, ["only", type]]);
  return { ...layout, types, variables: [{ name: path, slot, offset, type: "only" }] };
}

/** Reads a value as the product does: asks for words until none is missing. */
async function valueAt(anvil: Anvil, address: string, place: StoragePlace): Promise<JsonValue | undefined> {
  const words = new Map<bigint, string>();
  for (let round = 0; round < 8; round++) {
    const { rows, missing } = storageRows(only(place), words, noKeys);
    if (missing.size === 0) return rows.length === 1 ? rows[0]?.value : rows.map(({ value }) => value ?? null);
    for (const slot of missing)
      words.set(slot, await ask<string>(anvil, "eth_getStorageAt", [address, hexSlot(slot), "latest"]));
  }
  throw new Error(`${place.path} is never complete`);
}

describe("storage layouts against a chain", function () {
  this.timeout(300_000);
  let anvil: Anvil;
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000 });
  });
  after(() => anvil.kill());

  /** Takes the layout that Foundry writes, and compares it with what cast prints. */
  const findsAsCast = async (): Promise<void> => {
    const folder = temporaryFolder();
    writeFoundryProject(folder, example);
    const address = await deploy(anvil, exampleVault());
    const table = await cast(`http://${anvil.host}`, "storage", address, "--json", "--root", folder);
    const printed = JSON.parse(table) as {
      storage: { label: string; slot: string; offset: number }[];
      values: string[];
    };
    const artifact = parseJson(readFileSync(join(folder, "out/Test.sol/Vault.json"), "utf8")) ?? null;
    const [layout = assert.fail()] = storageLayouts(artifact, "out/Test.sol/Vault.json");
    assert.equal(layout.contract, "Vault");
    assert.equal(printed.storage.length, layout.variables.length);
    for (const [at, { label, slot, offset }] of printed.storage.entries()) {
      const variable = layout.variables[at] ?? assert.fail();
      assert.deepEqual([variable.name, String(variable.slot), variable.offset], [label, slot, offset]);
      const found = findPlace(layout, label, noKeys, () => false);
      if (found.kind !== "place" || found.place.type.kind !== "value") continue;
      const ours = await valueAt(anvil, address, found.place);
      const theirs = BigInt(printed.values[at] ?? assert.fail());
      assert.equal(wholeOf(ours, found.place), theirs, label);
    }
  };
  if (thorough) it("finds what `cast storage` finds", findsAsCast);

  it("reads what Solidity stored", async () => {
    const Vault = exampleVault();
    const address = await deploy(anvil, Vault);
    const [layout = assert.fail()] = storageLayouts({ ...Vault, contractName: "Vault" } as never, "Vault.json");
    for (const [path, value] of expectedInExample) {
      const place = placeOf(layout, path);
      assert.deepEqual(await valueAt(anvil, address, place), value, path);
      const raw = await ask<string>(anvil, "eth_getStorageAt", [address, hexSlot(place.slot), "latest"]);
      assert.match(raw, /[1-9a-f]/, `${path} is empty`);
      const keys = {
        variables: new Map<string, JsonValue>([["x", "x"]]),
        labels: new Map([[alice.toLowerCase(), "alice"]]),
      };
      const names = partsOfContract(layout, place.slot, keys).map(({ path }) => path);
      const named = path.replaceAll(alice, "alice").replaceAll("'x'", "x");
      if (!path.startsWith("byState") && !/\[(?!alice|x\b|[0-3]\])/.test(named))
        assert.ok(
          names.some((one) => one.startsWith(named)),
          `${named} in ${names}`,
        );
    }
  });

  it("works out the slots that `cast index` does", async () => {
    const Vault = exampleVault();
    const [layout = assert.fail()] = storageLayouts({ ...Vault, contractName: "Vault" } as never, "Vault.json");
    const slotOf = (name: string): string => String(placeOf(layout, name).slot);
    const base = String(layout.variables.find(({ name }) => name === "balances")?.slot);
    const nested = String(layout.variables.find(({ name }) => name === "allowances")?.slot);
    assert.equal(hexSlot(BigInt(slotOf(`balances[${alice}]`))), await index("address", alice, base));
    const inner = await index("address", alice, nested);
    assert.equal(hexSlot(BigInt(slotOf(`allowances[${alice}][${bob}]`))), await index("address", bob, inner));
    const names = String(layout.variables.find(({ name }) => name === "names")?.slot);
    assert.equal(hexSlot(BigInt(slotOf("names['x']"))), await index("string", "x", names));
  });

  it("reads back what random contracts store", async () => {
    const contracts = fc.sample(randomContract, { numRuns: times(40, 6), seed: 18 });
    const source = contracts.map(({ declarations }, at) => `contract C${at} {\n${declarations}\n}`).join("\n");
    const compiled = compileSolidity(source);
    let compared = 0;
    for (const [at, { expected }] of contracts.entries()) {
      const contract = compiled[`C${at}`] ?? assert.fail();
      const [layout = assert.fail()] = storageLayouts({ ...contract, contractName: `C${at}` } as never, "C.json");
      const address = await deploy(anvil, contract);
      for (const [path, value] of expected) {
        const place = placeOf(layout, path);
        assert.deepEqual(await valueAt(anvil, address, place), value, `${path} of\n${contracts[at]?.declarations}`);
        compared += 1;
      }
    }
    assert.ok(compared > times(400, 60), `${compared} values`);
  });
});

async function index(...args: readonly string[]): Promise<string> {
  return (await castAlone("index", ...args)).trim();
}

/** A value as `cast storage` prints it: the bytes of the word, as a number. */
function wholeOf(value: JsonValue | undefined, { type }: StoragePlace): bigint {
  if (type.kind !== "value") return 0n;
  const number = value === true ? 1n : value === false ? 0n : BigInt(String(value));
  return BigInt.asUintN(type.bytes * 8, number);
}

const expectedInExample: readonly (readonly [string, JsonValue])[] = [
  ["owner", alice.toLowerCase()],
  ["paused", true],
  ["small", "-7"],
  ["name", "short"],
  ["long", "0123456789".repeat(7)],
  ["blob", `0x${"ab".repeat(31)}`],
  ["bigBlob", `0x${"cd".repeat(32)}`],
  [`balances[${alice}].amount`, "1000"],
  [`balances[${alice}].since`, "1700000000"],
  [`balances[${alice}].frozen`, true],
  [`allowances[${alice}][${bob}]`, "77"],
  ["orders[3].items[0]", "30"],
  ["orders[3].items.length", "2"],
  ["orders[1].note", "order 1"],
  ["names['x']", `0x${"11".repeat(40)}`],
  ["flags[2]", true],
  ["grid[1][2].y", "512"],
  ["prices[5]", "50"],
  ["byState[1]", "99"],
  ["jagged[1][2]", "-3"],
  ["state", "2"],
  ["token", bob],
  ["selector", "0x12345678"],
  ["baseValue", "5"],
];
