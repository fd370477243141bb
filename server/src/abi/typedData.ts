import { keccak256, toHex } from "viem/utils";
import { isAddress, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { elementary } from "./type.ts";

/** EIP-712 data of one chain and contract, whose values all have the types that it declares. */
export interface PlainTypedData {
  readonly account: string;
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly primaryType: string;
  /** The hash of the encoded type of the message. */
  readonly typeHash: string;
  readonly domain: Record<string, unknown> & { readonly chainId: number; readonly verifyingContract: string };
  /** Integers as decimal digits. */
  readonly message: Record<string, Plain>;
}

type Plain = string | boolean | readonly Plain[] | { readonly [name: string]: Plain };
type Types = PlainTypedData["types"];

/** Structs in structs. */
const maxDepth = 16;

/** Returns the typed data that a request asks an account to sign, if it is plain. */
export function typedDataOf(method: string, params: JsonValue | undefined): PlainTypedData | undefined {
  if (method !== "eth_signTypedData_v4" || !isArray(params)) return undefined;
  const [account, data] = params;
  if (!isAddress(account)) return undefined;
  return plainTypedData(typeof data === "string" ? parseJson(data) : data, account);
}

/**
 * Reads EIP-712 data as signers encode it.
 *
 * @param account - Who signs.
 * @returns `undefined` if the data has no chain or contract, or a value that does not have its type: signers differ in what
 *   they do with such.
 */
export function plainTypedData(value: JsonValue | undefined, account: string): PlainTypedData | undefined {
  if (!isObject(value) || !isObject(value.domain) || !isObject(value.types)) return undefined;
  const { primaryType, domain } = value;
  const { verifyingContract } = domain;
  const types = typesOf(value.types);
  const chainId = integer(domain.chainId);
  if (!types || typeof primaryType !== "string" || !Object.hasOwn(types, primaryType)) return undefined;
  if (chainId === undefined || chainId > Number.MAX_SAFE_INTEGER || !isAddress(verifyingContract)) return undefined;
  const message = struct(primaryType, value.message, types, 0);
  const typeHash = keccak256(toHex(encodedType(primaryType, types)));
  return (
    message && {
      account,
      types,
      primaryType,
      typeHash,
      domain: { ...domain, chainId: Number(chainId), verifyingContract },
      message,
    }
  );
}

/** The members of the structs; `undefined` if one is not declared as EIP-712 has it. */
function typesOf(value: JsonObject): Types | undefined {
  const types: Types = Object.create(null);
  for (const [name, members] of Object.entries(value)) {
    if (!isArray(members)) return undefined;
    const own = members.flatMap((member) => {
      const { name, type } = isObject(member) ? member : {};
      return typeof name === "string" && typeof type === "string" ? [{ name, type }] : [];
    });
    if (own.length !== members.length || new Set(own.map((one) => one.name)).size !== own.length) return undefined;
    types[name] = own;
  }
  return types;
}

/** @see https://eips.ethereum.org/EIPS/eip-712#definition-of-encodetype */
function encodedType(primaryType: string, types: Types): string {
  const used = new Set<string>();
  const open = [primaryType];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    for (const { type } of types[name] ?? []) {
      const base = type.replace(/(\[\d*\])+$/, "");
      if (Object.hasOwn(types, base)) open.push(base);
    }
  }
  used.delete(primaryType);
  return [primaryType, ...[...used].sort()]
    .map((name) => `${name}(${(types[name] ?? []).map((one) => `${one.type} ${one.name}`).join(",")})`)
    .join("");
}

function struct(
  name: string,
  value: JsonValue | undefined,
  types: Types,
  depth: number,
): Record<string, Plain> | undefined {
  const members = types[name] ?? [];
  if (!isObject(value) || depth > maxDepth || Object.keys(value).length !== members.length) return undefined;
  const plain: Record<string, Plain> = Object.create(null);
  for (const member of members) {
    const own = Object.hasOwn(value, member.name) ? plainOf(member.type, value[member.name], types, depth) : undefined;
    if (own === undefined) return undefined;
    plain[member.name] = own;
  }
  return plain;
}

function plainOf(type: string, value: JsonValue | undefined, types: Types, depth: number): Plain | undefined {
  const [, of, length] = /^(.+)\[(\d*)\]$/.exec(type) ?? [];
  if (of !== undefined) {
    if (!isArray(value) || depth > maxDepth || (length !== "" && Number(length) !== value.length)) return undefined;
    const items = value.map((one) => plainOf(of, one, types, depth + 1));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  return Object.hasOwn(types, type) ? struct(type, value, types, depth + 1) : scalar(type, value);
}

function scalar(type: string, value: JsonValue | undefined): Plain | undefined {
  const known = elementary(type);
  if (known?.kind === "uint" || known?.kind === "int") return wholeNumber(known.size * 8, known.kind, value);
  if (known?.kind === "bool") return typeof value === "boolean" ? value : undefined;
  if (typeof value !== "string") return undefined;
  if (known?.kind === "string") return value;
  if (known?.kind === "address") return isAddress(value) ? value : undefined;
  const isBytes = known?.kind === "bytes" || (known?.kind === "fixedBytes" && value.length === 2 + known.size * 2);
  return isBytes && isHex(value) && value.length % 2 === 0 ? value : undefined;
}

function wholeNumber(bits: number, kind: "uint" | "int", value: JsonValue | undefined): string | undefined {
  const number = integer(value);
  if (number === undefined) return undefined;
  const kept = kind === "uint" ? BigInt.asUintN(bits, number) : BigInt.asIntN(bits, number);
  return kept === number ? number.toString() : undefined;
}

function integer(value: JsonValue | undefined): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string") return undefined;
  return /^(-?\d{1,80}|0x[\da-f]{1,64})$/i.test(value) ? BigInt(value) : undefined;
}
