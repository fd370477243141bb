/**
 * Writes `server/src/abi/descriptors.txt`: the descriptors of the ERC-7730 registry, with what they include, and an
 * index of them. Run it with `npx tsx scripts/descriptors.ts FOLDER`, where FOLDER is a checkout of
 * https://github.com/ethereum/clear-signing-erc7730-registry.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Descriptor, eip712, mergeDescriptors } from "@ethereum-sourcify/clear-signing";
import { keccak256, toHex } from "viem";
import type { DescriptorKind } from "../server/src/abi/descriptors.ts";
import { parseItem, selectorOf } from "../server/src/abi/item.ts";
import { compress } from "../server/src/base/compression.ts";

/** The path of the table, from the project's root. */
const target = "server/src/abi/descriptors.txt";

const head: readonly string[] = [
  "# Written by scripts/descriptors.ts; do not edit. The index, and the descriptors of each entity: deflated, in base64.",
  "# From https://github.com/ethereum/clear-signing-erc7730-registry, CC0-1.0 (public domain dedication).",
  "# Attestations are left out: nothing here was checked, and nothing may look as if it was.",
];

interface Entry {
  readonly index: string;
  /** The descriptor without its places, which are in the index. */
  readonly body: string;
}

/** @returns The text of the table. */
export function table(root: string): string {
  const licence = readFileSync(path.join(root, "LICENSE.md"), "utf8");
  if (!licence.includes("CC0 1.0 Universal")) throw new Error("The licence of the registry has changed.");
  const entities = readdirSync(path.join(root, "registry")).sort();
  const groups = entities.map((entity) => filesOf(root, entity).flatMap((file) => entryOf(root, file) ?? []));
  const entries = groups.flat();
  const bodies = groups.filter((group) => group.length > 0).map((group) => group.map(({ body }) => body));
  const packed = [entries.map(({ index }) => index), ...bodies].map((lines) => compress(lines.join("\n")));
  console.log(`${entries.length} descriptors`);
  return `${[...head, ...packed].join("\n")}\n`;
}

function filesOf(root: string, entity: string): readonly string[] {
  return readdirSync(path.join(root, "registry", entity))
    .filter((name) => /^(calldata|eip712)-.*\.json$/.test(name))
    .sort()
    .map((name) => `registry/${entity}/${name}`);
}

/** Reads a descriptor with everything that it includes. */
function read(root: string, file: string, seen: readonly string[] = []): Descriptor {
  if (seen.includes(file)) throw new Error(`${file} includes itself.`);
  const own: Descriptor & { readonly includes?: unknown } = JSON.parse(readFileSync(path.join(root, file), "utf8"));
  if (typeof own.includes !== "string") return own;
  const included = path.posix.join(path.posix.dirname(file), own.includes);
  return mergeDescriptors(own, read(root, included, [...seen, file]));
}

function entryOf(root: string, file: string): Entry | undefined {
  const { context, metadata, display } = read(root, file);
  const of = context?.contract ?? context?.eip712;
  const kind: DescriptorKind = context?.contract ? "call" : "typed";
  const hashes = Object.keys(display?.formats ?? {}).flatMap((key) => hashOf(kind, key) ?? []);
  const chains = new Map<number, Set<string>>();
  for (const { chainId, address } of of?.deployments ?? [])
    if (chainId !== undefined && typeof address === "string" && /^0x[\da-f]{40}$/i.test(address))
      chains.set(chainId, (chains.get(chainId) ?? new Set()).add(address.slice(2).toLowerCase()));
  if (hashes.length === 0 || chains.size === 0) {
    console.log(`${file}: left out, it has no ${hashes.length === 0 ? "format" : "deployment"}.`);
    return undefined;
  }
  const places = [...chains].map(([chain, addresses]) => `${chain}:${[...addresses].join(",")}`);
  const index = [path.basename(path.dirname(file)), kind, [...new Set(hashes)].join(","), ...places].join(" ");
  const { info: _, ...shown } = metadata ?? {};
  const domain = context?.eip712?.domain;
  return { index, body: JSON.stringify({ ...(domain && { domain }), metadata: shown, display }) };
}

/** The first four bytes of the hash of a function or of a type. */
function hashOf(kind: DescriptorKind, key: string): string | undefined {
  if (kind === "typed") return eip712.extractPrimaryType(key) && keccak256(toHex(key)).slice(2, 10);
  const item = parseItem(key, "");
  if (!item) console.log(`not a function: ${key}`);
  return item && selectorOf(item).slice(2);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , root] = process.argv;
  if (root === undefined) throw new Error("Name the folder of the registry.");
  const text = table(root);
  writeFileSync(target, text);
  console.log(`${target}: ${Buffer.byteLength(text)} bytes`);
}
