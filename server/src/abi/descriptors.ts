import type { Descriptor } from "@ethereum-sourcify/clear-signing";
import { keccak256, toHex } from "viem/utils";
import { compress, decompress } from "../base/compression.ts";
import { isAddress } from "../base/hex.ts";
import { brief } from "../base/text.ts";
import { isDecimals, maxDecimals } from "../base/units.ts";
import { parseItem, selectorOf } from "./item.ts";

/** The JSON of a descriptor. */
export type DescriptorFile = Descriptor & { readonly includes?: unknown };

/** ERC-7730 descriptors. Their claims are not checked. */
export interface Descriptors {
  /**
   * Finds the descriptor of a call by its selector, or of typed data by the hash of its type.
   *
   * @param isToken - Whether the contract is known as an ERC-20 token.
   */
  find(
    kind: DescriptorKind,
    chainId: bigint,
    address: string,
    hash: string,
    isToken: boolean,
  ): FoundDescriptor | undefined;
}

/** Descriptors of files, which can be listed. */
export interface DescriptorList extends Descriptors {
  readonly entries: readonly DescriptorPlaces[];
  /** Returns the descriptor of an entry. */
  bodyOf(at: number): DescriptorBody;
}

/** What a descriptor is for. */
export type DescriptorKind = "call" | "typed";

export interface FoundDescriptor {
  /** Who says it: `./usdt.json, not verified`. */
  readonly origin: string;
  /** Descriptors of one entity are of contracts that belong together. */
  readonly entity: string;
  read(): Descriptor;
}

/** A descriptor with all that it includes, and what it is found by. */
export interface DescriptorEntry extends DescriptorPlaces {
  readonly body: DescriptorBody;
}

/** What a descriptor is found by. */
interface DescriptorPlaces {
  readonly entity: string;
  /** Its file. */
  readonly uri: string;
  readonly kind: DescriptorKind;
  /** Hex digits of selectors, or of the hashes of types. */
  readonly hashes: readonly string[];
  /** `1:0x…`: chain and address in lower case. */
  readonly places: readonly string[];
}

/** A descriptor without its places. */
interface DescriptorBody extends Pick<Descriptor, "metadata" | "display"> {
  readonly domain?: Record<string, unknown>;
}

/** Adds what a descriptor includes, by the rules of ERC-7730. Its own members win. */
export async function withIncluded(own: DescriptorFile, included: DescriptorFile): Promise<DescriptorFile> {
  const { mergeDescriptors } = await import("@ethereum-sourcify/clear-signing");
  return mergeDescriptors(own, included);
}

/** Hex digits of a selector or of the hash of a type that descriptors are found by. */
export const hashDigits = 8;

/** Why a file is not a descriptor. */
export interface DescriptorFault {
  /** A clause without a full stop. */
  readonly what: string;
  /** The member or the text that it is about. */
  readonly key?: string;
  /** A member before it: the text may be elsewhere too. */
  readonly after?: string;
  /** It may be a part of a descriptor, which others include. */
  readonly isPart?: true;
}

/** Functions or types of one descriptor. */
const maxFormats = 2_000;
/** Characters of a function or type. */
const maxKey = 10_000;
/** Characters of any other text. The longest of the registry has 132. */
const maxText = 2_000;

/**
 * Reads what a descriptor is for.
 *
 * @param entity - Its folder in a registry, or its file.
 * @param uri - Its file.
 */
export function entryOf(descriptor: Descriptor, entity: string, uri: string): DescriptorEntry | DescriptorFault {
  const { context, metadata, display } = descriptor;
  const of = context?.contract ?? context?.eip712;
  if (!of)
    return { what: "it is not an ERC-7730 descriptor: `context` has neither `contract` nor `eip712`", isPart: true };
  const kind = context?.contract ? "call" : "typed";
  const keys = Object.keys(display?.formats ?? {});
  if (keys.length > maxFormats) return { what: `it has more than ${maxFormats} formats`, key: "formats" };
  const wrong = keys.find((key) => key.length > maxKey || descriptorHash(kind, key) === undefined);
  if (wrong !== undefined)
    return { what: `\`${brief(wrong)}\` is not a ${kind === "call" ? "function" : "type"}`, key: wrong };
  const odd = Object.entries(display?.formats ?? {}).find(([, format]) => !hasFields(format));
  if (odd) return { what: `\`${brief(odd[0])}\` has no \`fields\` with texts in them`, key: odd[0] };
  const { all, places } = deploymentsOf(descriptor);
  if (keys.length === 0) return { what: "it has no `display.formats`", isPart: true };
  if (all.length === 0) return { what: "it has no `deployments`, so it applies to no contract", isPart: true };
  if (places.length === 0) return badDeployment;
  const { info: _, ...shown } = metadata ?? {};
  const domain = context?.eip712?.domain;
  const huge = hugeFault([domain, shown, display]);
  if (huge) return huge;
  return {
    entity,
    uri,
    kind,
    hashes: [...new Set(keys.flatMap((key) => descriptorHash(kind, key) ?? []))],
    places: [...new Set(places)],
    body: { ...(domain && { domain }), metadata: shown, ...(display && { display }) },
  };
}

export const badDeployment: DescriptorFault = {
  what: "an entry of `deployments` does not have the number of a chain and an address",
  key: "deployments",
};

/** Returns what a descriptor has as its contracts, and those of them that are contracts. */
export function deploymentsOf({ context }: Descriptor) {
  const { deployments } = context?.contract ?? context?.eip712 ?? {};
  const all: readonly unknown[] = Array.isArray(deployments) ? deployments : [];
  const places = all.flatMap((one) => {
    const { chainId, address }: Record<string, unknown> = Object(one);
    const isPlace = /^\d+$/.test(String(chainId)) && typeof address === "string" && isAddress(address);
    return isPlace ? [`${chainId}:${address.toLowerCase()}`] : [];
  });
  return { all, places };
}

/**
 * Finds a member with which the library would calculate or repeat without end.
 *
 * @param parent - The name of the member that has the member in it: elsewhere, `decimals` is a name that the author chose.
 */
function hugeFault(value: unknown, name = "", parent = ""): DescriptorFault | undefined {
  const isOfLibrary = name === "decimals" && (parent === "token" || parent === "params");
  if (isOfLibrary && !isDecimals(value))
    return { what: `\`decimals\` is not a whole number from 0 to ${maxDecimals}`, key: name };
  if (typeof value === "string" && value.length > maxText)
    return { what: `\`${brief(name)}\` has more than ${maxText} characters`, key: name };
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const fault = Array.isArray(value) ? hugeFault(member, name, parent) : hugeFault(member, key, name);
    if (fault) return fault;
  }
  return undefined;
}

/** Whether a format, or a group in it, is a list of fields whose members are texts. */
function hasFields(value: unknown): boolean {
  const { fields }: Record<string, unknown> = Object(value);
  const isText = (one: unknown): boolean => one === undefined || typeof one === "string";
  return (
    Array.isArray(fields) &&
    fields.every((field) => {
      if (typeof field !== "object" || field === null) return false;
      const { path, label, format, separator } = field;
      return [path, label, format, separator].every(isText) && (field.fields === undefined || hasFields(field));
    })
  );
}

/** Returns the first hex digits of a selector or of the hash of a type; `undefined` if the key is none. */
export function descriptorHash(kind: DescriptorKind, key: string): string | undefined {
  if (kind === "typed") return /^[^\s(]+\(.*\)$/.test(key) ? keccak256(toHex(key)).slice(2, 2 + hashDigits) : undefined;
  const item = parseItem(key, "");
  return item && selectorOf(item).slice(2);
}

/**
 * Makes descriptors findable. Of several for one contract and function, the first one counts.
 *
 * @param originOf - Returns who says it, by the entity.
 */
export function descriptorsOf(
  entries: readonly DescriptorPlaces[],
  bodyOf: (at: number) => DescriptorBody,
  originOf: (entity: string) => string,
): DescriptorList {
  const byKey = new Map<string, number>();
  for (const [at, { kind, hashes, places }] of entries.entries())
    for (const place of places)
      for (const hash of hashes) {
        const key = `${kind} ${place} ${hash}`;
        if (!byKey.has(key)) byKey.set(key, at);
      }
  return {
    entries,
    bodyOf,
    find(kind, chainId, address, hash) {
      const short = hash.slice(2, 2 + hashDigits).toLowerCase();
      const at = byKey.get(`${kind} ${chainId}:${address.toLowerCase()} ${short}`);
      const { entity } = (at !== undefined && entries[at]) || {};
      if (at === undefined || entity === undefined) return undefined;
      const read = (): Descriptor => {
        const { domain, ...rest } = bodyOf(at);
        const bound = { deployments: [{ chainId: Number(chainId), address }] };
        return {
          ...rest,
          context: kind === "call" ? { contract: bound } : { eip712: { ...bound, ...(domain && { domain }) } },
        };
      };
      return { origin: originOf(entity), entity, read };
    },
  };
}

/** Looks in several, one after the other. */
export function inOrder(all: readonly Descriptors[]): Descriptors {
  return {
    find(...question) {
      for (const one of all) {
        const found = one.find(...question);
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** Writes many descriptors as one text: the index, and the descriptors in groups that are unpacked when one of them is found. */
export function packDescriptors(entries: readonly DescriptorEntry[]): string {
  const rows = entries.map(({ body: _, ...row }) => JSON.stringify(row));
  const groups = chunks(entries, groupSize).map((group) => group.map(({ body }) => JSON.stringify(body)));
  return [rows, ...groups].map((lines) => compress(lines.join("\n"))).join("\n");
}

/**
 * Returns the hash of the contents of files: Keccak of their paths, each with the Keccak of its bytes, in order.
 *
 * @param files - By path.
 */
export function contentHash(files: ReadonlyMap<string, Uint8Array>): string {
  const lines = [...files].map(([name, bytes]) => `${name} ${keccak256(bytes)}`);
  return keccak256(toHex(lines.sort().join("\n")));
}

/** Returns the name under which the packed descriptors of a folder are kept: another one for another form. */
export function packedName(folder: string): string {
  return `descriptors-${keccak256(toHex(`${formOfPacked}\n${folder}`)).slice(2, 34)}`;
}

const formOfPacked = 4;

/** Descriptors of a group. */
const groupSize = 16;

/**
 * Reads what {@link packDescriptors} wrote.
 *
 * @returns `undefined` if the text is damaged.
 */
export function unpackDescriptors(text: string, originOf: (entity: string) => string): DescriptorList | undefined {
  const [index = "", ...packed] = text.split("\n");
  try {
    const entries = linesOf(index).map((line): DescriptorPlaces => JSON.parse(line)); // of packDescriptors
    if (entries.length === 0 || packed.length !== Math.ceil(entries.length / groupSize)) return undefined;
    const groups = new Map<number, readonly string[]>();
    const bodyOf = (at: number): DescriptorBody => {
      const group = Math.floor(at / groupSize);
      const lines = groups.get(group) ?? linesOf(packed[group] ?? "");
      groups.set(group, lines);
      return JSON.parse(lines[at % groupSize] ?? "{}");
    };
    return descriptorsOf(entries, bodyOf, originOf);
  } catch {
    return undefined;
  }
}

/** Bytes of the index, and of a group. */
const maxBytes = 64_000_000;

function linesOf(packed: string): readonly string[] {
  return (decompress(packed, maxBytes) ?? "").split("\n").filter((line) => line !== "");
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
