import type { Descriptor } from "@ethereum-sourcify/clear-signing";
import { decompress } from "../base/compression.ts";

/** The bundled ERC-7730 descriptors. Their claims are not checked. */
export interface Descriptors {
  /** Finds the descriptor of a call by its selector, or of typed data by the hash of its type. */
  find(kind: DescriptorKind, chainId: bigint, address: string, hash: string): FoundDescriptor | undefined;
}

/** What a descriptor is for. */
export type DescriptorKind = "call" | "typed";

export interface FoundDescriptor {
  /** The folder of the registry that it comes from. */
  readonly entity: string;
  read(): Descriptor;
}

/** Hex digits of a selector or of the hash of a type that the index has. */
const hashDigits = 8;

/**
 * Reads the file that `scripts/descriptors.ts` writes: comments, the index, then the descriptors of each entity, compressed.
 * An entity stays packed until one of its descriptors is found.
 */
export function descriptorsOf(text: string): Descriptors {
  const [index = "", ...packed] = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const rows = unpacked(index).map(rowOf);
  const byPlace = new Map<string, number[]>();
  const byEntity = new Map<string, number[]>();
  for (const [at, { entity, kind, places }] of rows.entries()) {
    for (const place of places) put(byPlace, `${kind} ${place}`, at);
    put(byEntity, entity, at);
  }
  const entities = [...byEntity];
  const parsed = new Map<number, Body>();
  const bodyOf = (at: number): Body => {
    const line = entities.findIndex(([, own]) => own.includes(at));
    for (const [place, body] of parsed.has(at) ? [] : unpacked(packed[line] ?? "").entries())
      parsed.set(entities[line]?.[1][place] ?? -1, JSON.parse(body)); // the script wrote it
    return parsed.get(at) ?? {};
  };
  const read = (at: number, kind: DescriptorKind, chainId: bigint, address: string): Descriptor => {
    const { domain, ...rest } = bodyOf(at);
    const bound = { deployments: [{ chainId: Number(chainId), address }] };
    return {
      ...rest,
      context: kind === "call" ? { contract: bound } : { eip712: { ...bound, ...(domain && { domain }) } },
    };
  };
  return {
    find(kind, chainId, address, hash) {
      const short = hash.slice(2, 2 + hashDigits).toLowerCase();
      const at = byPlace
        .get(`${kind} ${chainId}:${address.toLowerCase()}`)
        ?.find((one) => rows[one]?.hashes.has(short));
      return at === undefined
        ? undefined
        : { entity: rows[at]?.entity ?? "", read: () => read(at, kind, chainId, address) };
    },
  };
}

/** A descriptor without its places, which are in the index. */
interface Body extends Pick<Descriptor, "metadata" | "display"> {
  readonly domain?: Record<string, string>;
}

function put(map: Map<string, number[]>, key: string, at: number): void {
  const known = map.get(key);
  if (known) known.push(at);
  else map.set(key, [at]);
}

interface Row {
  readonly entity: string;
  readonly kind: DescriptorKind;
  readonly hashes: ReadonlySet<string>;
  /** `1:0x…`: chain and address. */
  readonly places: readonly string[];
}

/** @param line - `entity kind hash,hash chain:address,address chain:address`, addresses without `0x`. */
function rowOf(line: string): Row {
  const [entity = "", kind, hashes = "", ...chains] = line.split(" ");
  const places = chains.flatMap((one) => {
    const [chain, addresses = ""] = one.split(":");
    return addresses.split(",").map((address) => `${chain}:0x${address}`);
  });
  return { entity, kind: kind === "typed" ? "typed" : "call", hashes: new Set(hashes.split(",")), places };
}

/** Bytes of the index, and of all descriptors. */
const maxBytes = 16_000_000;

function unpacked(base64: string): readonly string[] {
  return (
    decompress(base64, maxBytes)
      ?.split("\n")
      .filter((line) => line !== "") ?? []
  );
}
