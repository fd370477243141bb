import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { zipSync } from "fflate";
import { parseTransaction } from "viem";
import { callInWords, type InWords, type KnownNames, typedDataInWords } from "../../server/src/abi/clearSigning.ts";
import { type Descriptors, inOrder } from "../../server/src/abi/descriptors.ts";
import { standardDescriptors } from "../../server/src/abi/standardDescriptors.ts";
import { plainTypedData } from "../../server/src/abi/typedData.ts";
import type { JsonValue } from "../../server/src/base/json.ts";
import { chain } from "../../server/src/catalog/catalog.ts";
import { textDocument } from "../../server/src/workspace/documents.ts";
import { ProjectDescriptors } from "../../server/src/workspace/projectDescriptors.ts";
import { downloadRegistry, registrySource } from "../../server/src/workspace/registry.ts";
import { gatedHost } from "../support/host.ts";

interface Said {
  readonly intent: string;
  readonly owner?: string;
  readonly interpolatedIntent?: string;
  readonly fields?: readonly { readonly label: string; readonly value: string | Said }[];
}

/** The form of the registry's own tests, `registry/*` + `/testsv2`. */
interface TestFile {
  readonly dataProvider?: {
    readonly tokens?: Readonly<Record<string, { readonly symbol: string; readonly decimals: number }>>;
    readonly ensNames?: Readonly<Record<string, string>>;
    readonly addressNames?: Readonly<Record<string, string>>;
    readonly nftCollectionNames?: Readonly<Record<string, string>>;
  };
  readonly tests?: readonly {
    readonly description?: string;
    readonly rawTx?: `0x${string}`;
    readonly data?: JsonValue;
    readonly from?: string;
    readonly expected?: Said;
  }[];
}

/** A checkout of https://github.com/ethereum/clear-signing-erc7730-registry, which is not part of this project. */
const { ERC7730_REGISTRY: registry } = process.env;

describe("the tests of an ERC-7730 registry", function () {
  this.timeout(300_000);
  it(`are right with its descriptors, as many as docs/descriptors.md says${registry ? "" : " (no registry here)"}`, async () => {
    if (registry === undefined) return;
    const archive = zipSync(archiveOf(registry));
    const kept = new Map<string, string>();
    const cache = {
      read: async (key: string) => kept.get(key),
      write: async (key: string, text: string) => void kept.set(key, text),
    };
    const { signal } = new AbortController();
    assert.deepEqual(await downloadRegistry(registrySource, { get: async () => archive }, cache, signal), {
      descriptors: 348,
    });
    const descriptors = await new ProjectDescriptors(gatedHost({ cache })).of(
      textDocument("file:///nowhere/a.rpc.json", "[]"),
    );
    const { right, wrong } = await outcome(descriptors);
    const own = await outcome(inOrder([standardDescriptors]));
    console.log(
      `${right} of ${right + wrong.length} right; with our own descriptors only, ${own.said} are said, ${own.right} of them in the same words`,
    );
    for (const one of wrong) console.log(one);
    assert.ok(right >= 506, wrong.join("\n"));
  });
});

/** The files of a checkout, as they are in an archive of it. */
function archiveOf(folder: string): Record<string, Uint8Array> {
  const names = ["registry", "ercs"].flatMap((top) =>
    readdirSync(path.join(folder, top), { recursive: true, encoding: "utf8" }).map((name) => path.join(top, name)),
  );
  const files = names.filter((name) => name.endsWith(".json"));
  return Object.fromEntries(files.map((name) => [`registry-commit/${name}`, readFileSync(path.join(folder, name))]));
}

async function outcome(descriptors: Descriptors) {
  const wrong: string[] = [];
  let [right, said] = [0, 0];
  for (const { file, content } of testFiles())
    for (const test of content.tests ?? []) {
      const words = await inWords(test, content, descriptors).catch(() => undefined);
      if (words) said++;
      if (words && test.expected && isSame(words, test.expected)) right++;
      else wrong.push(`${file}: ${test.description}: ${JSON.stringify(words && saidOf(words))}`);
    }
  return { right, wrong, said };
}

function* testFiles(): Generator<{ readonly file: string; readonly content: TestFile }> {
  const top = path.join(registry ?? "", "registry");
  for (const file of readdirSync(top, { recursive: true, encoding: "utf8" }))
    if (/testsv2\/[^/]+\.json$/.test(file))
      yield { file, content: JSON.parse(readFileSync(path.join(top, file), "utf8")) };
}

type Test = NonNullable<TestFile["tests"]>[number];

async function inWords(test: Test, content: TestFile, descriptors: Descriptors): Promise<InWords | undefined> {
  const names = namesOf(content);
  if (test.rawTx === undefined) {
    const data = plainTypedData(test.data, test.from ?? `0x${"0".repeat(40)}`);
    return data && typedDataInWords(data, descriptors, names);
  }
  const { to, data = "0x", value, chainId = 1 } = parseTransaction(test.rawTx);
  const from = test.from === undefined ? {} : { from: test.from };
  return callInWords(
    { chainId: BigInt(chainId), to: to ?? "", data, ...(value !== undefined && { value }), ...from },
    descriptors,
    names,
  );
}

function namesOf({ dataProvider = {} }: TestFile): KnownNames {
  const lower = <Value>(record: Readonly<Record<string, Value>> = {}) =>
    new Map(Object.entries(record).map(([key, value]) => [key.toLowerCase(), value]));
  const tokens = lower(dataProvider.tokens);
  const names = lower({ ...dataProvider.ensNames, ...dataProvider.addressNames });
  const collections = lower(dataProvider.nftCollectionNames);
  return {
    token: (_, address) => tokens.get(address.toLowerCase()),
    label: (address) => names.get(address.toLowerCase()),
    collection: (_, address) => collections.get(address.toLowerCase()),
    chain,
  };
}

/** The registry gives sentences only for some, and leaves out the ETH of a call. */
function isSame(words: InWords, expected: Said): boolean {
  if (JSON.stringify(saidOf(words)) !== JSON.stringify(unsentenced(expected))) return false;
  const { interpolatedIntent } = expected;
  return interpolatedIntent === undefined || words.sentence === undefined || words.sentence === interpolatedIntent;
}

function saidOf({ intent, owner, fields }: InWords): JsonValue {
  const own = fields.filter(({ label }) => label !== "value");
  const shown = own.map(({ label, value, call }) => ({ label, value: call ? saidOf(call) : value }));
  return { intent, owner: owner ?? null, fields: shown };
}

function unsentenced({ intent, owner, fields = [] }: Said): JsonValue {
  const shown = fields.map(({ label, value }) => ({
    label,
    value: typeof value === "string" ? value : unsentenced(value),
  }));
  return { intent, owner: owner ?? null, fields: shown };
}
