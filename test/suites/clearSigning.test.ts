import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parseTransaction } from "viem";
import { callInWords, type InWords, type KnownNames, typedDataInWords } from "../../server/src/abi/clearSigning.ts";
import { descriptorsOf } from "../../server/src/abi/descriptors.ts";
import { plainTypedData } from "../../server/src/abi/typedData.ts";
import type { JsonValue } from "../../server/src/base/json.ts";
import { chain } from "../../server/src/catalog/catalog.ts";
import { readTable } from "../../server/src/node/tables.ts";

interface Said {
  readonly intent: string;
  readonly owner: string;
  readonly interpolatedIntent?: string;
  readonly fields: readonly { readonly label: string; readonly value: string | Said }[];
}

interface Case {
  readonly from: string;
  readonly description: string;
  readonly tokens: Readonly<Record<string, { readonly symbol: string; readonly decimals: number }>>;
  readonly names: Readonly<Record<string, string>>;
  readonly collections?: Readonly<Record<string, string>>;
  readonly sender?: string;
  /** The chain of a transaction that does not name one. */
  readonly chains?: readonly number[];
  readonly rawTx?: `0x${string}`;
  readonly data?: JsonValue;
  readonly expected: Said;
}

const file = readFileSync(new URL("clearSigning.json", import.meta.url), "utf8");
const { source, licence, tests }: { source: string; licence: string; tests: readonly Case[] } = JSON.parse(file);

/** Forty of the registry's own tests, of as many projects as there are. `docs/results.md` says how all of them end. */
describe(`the ERC-7730 registry's tests (${licence})`, () => {
  const { fetch } = globalThis;
  before(() => {
    globalThis.fetch = () => assert.fail("nothing is asked for");
  });
  after(() => {
    globalThis.fetch = fetch;
  });

  it("are named with their origin", () => {
    assert.match(source, /clear-signing-erc7730-registry at [0-9a-f]{7}/);
    assert.equal(tests.length, 40);
  });

  for (const test of tests)
    it(`${test.from}: ${test.description}`, async () => {
      const words = await inWords(test);
      assert.ok(words, "there is a descriptor");
      const { interpolatedIntent, ...expected } = test.expected;
      assert.deepEqual(saidOf(words), unsentenced(expected));
      if (interpolatedIntent !== undefined) assert.equal(words.sentence, interpolatedIntent);
    });
});

async function inWords(test: Case): Promise<InWords | undefined> {
  const descriptors = descriptorsOf(await readTable("descriptors"));
  const names = namesOf(test);
  if (test.rawTx === undefined) {
    const data = plainTypedData(test.data, test.sender ?? `0x${"0".repeat(40)}`);
    return data && typedDataInWords(data, descriptors, names);
  }
  const { to, data = "0x", value, chainId = test.chains?.[0] ?? 1 } = parseTransaction(test.rawTx);
  const from = test.sender === undefined ? {} : { from: test.sender };
  const call = { chainId: BigInt(chainId), to: to ?? "", data, ...(value !== undefined && { value }), ...from };
  return callInWords(call, descriptors, names);
}

function namesOf({ tokens, names, collections }: Case): KnownNames {
  return {
    token: (_, address) => tokens[address],
    label: (address) => names[address],
    collection: (_, address) => collections?.[address],
    chain,
  };
}

/** Without the ETH of a call that its descriptor does not show as such, which the registry leaves out. */
function saidOf({ intent, owner, fields }: InWords): JsonValue {
  const own = fields.filter(({ label }) => label !== "value");
  const shown = own.map(({ label, value, call }) => ({ label, value: call ? saidOf(call) : value }));
  return { intent, owner: owner ?? null, fields: shown };
}

/** Without the sentences, which the registry gives only for some. */
function unsentenced({ intent, owner, fields }: Said): JsonValue {
  const shown = fields.map(({ label, value }) => ({
    label,
    value: typeof value === "string" ? value : unsentenced(value),
  }));
  return { intent, owner, fields: shown };
}
