import { isAddress } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { weiOf } from "../evaluate/assume/amounts.ts";
import { assumingMethods } from "../evaluate/assume/readAssumptions.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { exactValue } from "../notebook/json.ts";
import { addMember } from "./edits.ts";
import type { CellEdit } from "./location.ts";

/** Round amounts to change, if the calls do not spend more. */
const [leastEther, leastTokens] = [10n, 1000n];

/** A part of `assume`: an amount, or a part by the name of an account. */
type Part = string | Map<string, Part>;

/** What the calls of a request spend, as `assume` has it. */
type Needs = Readonly<Record<"balance" | "token" | "allowance", Map<string, Part>>>;

/**
 * Adds an `assume` with which the senders of a request's calls have the ether and the tokens that the calls spend, and
 * the allowances.
 *
 * @returns Nothing for a request that already assumes something, and for calls that spend nothing.
 */
export function assumeNeeded(
  cell: Cell,
  { method = "", members, node }: RequestNode,
): { readonly title: string; readonly edits: readonly CellEdit[] } | undefined {
  const params = members.get("params")?.value;
  if (!assumingMethods.includes(method) || members.has("assume") || !params || cell.faults.length > 0) return undefined;
  const needs: Needs = { balance: new Map(), token: new Map(), allowance: new Map() };
  const spelled = new Map<string, string>();
  for (const call of callsOf(method, exactValue(cell.text, params))) addNeeds(call, needs, spelled);
  const assumed = new Map([...inWords.keys()].flatMap((name) => (needs[name].size > 0 ? [[name, needs[name]]] : [])));
  if (assumed.size === 0) return undefined;
  const title = `Assume ${[...assumed.keys()].map((name) => inWords.get(name)).join(" and ")}`;
  return { title, edits: [{ cell, ...addMember(cell.text, node, "assume", textOf(assumed)) }] };
}

const inWords: ReadonlyMap<keyof Needs, string> = new Map([
  ["balance", "the ether that is sent"],
  ["token", "the tokens that are spent"],
  ["allowance", "the allowance"],
]);

function callsOf(method: string, params: JsonValue | undefined): readonly JsonObject[] {
  const objects = list(params).filter(isObject).slice(0, 1);
  if (method !== "eth_simulateV1") return objects;
  const blocks = objects.flatMap(({ blockStateCalls }) => list(blockStateCalls));
  return blocks.filter(isObject).flatMap(({ calls }) => list(calls).filter(isObject));
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}

/** @param spelled - The first spelling of each address, by the address in lower case: an account is assumed once. */
function addNeeds(call: JsonObject, needs: Needs, spelled: Map<string, string>): void {
  const { from, to, value, data, input } = call;
  const named = (account: string | undefined): string | undefined => {
    if (!isAddress(account)) return account;
    const first = spelled.get(account.toLowerCase()) ?? account;
    spelled.set(account.toLowerCase(), first);
    return first;
  };
  const [sender, contract] = [named(accountOf(from)), named(accountOf(to))];
  if (sender === undefined) return;
  if (value !== undefined && weiOf(value) !== 0n) put(needs.balance, [sender], `${atLeast(leastEther, value)} ether`);
  const spent = spentBy(data ?? input, sender);
  const owner = named(spent?.owner);
  if (contract === undefined || owner === undefined) return;
  put(needs.token, [contract, owner], String(atLeast(leastTokens, spent?.amount)));
  if (owner !== sender) put(needs.allowance, [contract, owner, sender], "unlimited");
}

/** Returns a number of whole units that is enough. Most tokens have 18 decimals, as ether has. */
function atLeast(least: bigint, amount: JsonValue | undefined): bigint {
  const units = weiOf(amount ?? null);
  const whole = typeof units === "bigint" ? units / 10n ** 18n + 1n : least;
  return whole > least ? whole : least;
}

interface Spent {
  readonly owner: string | undefined;
  readonly amount: JsonValue | undefined;
}

/** Returns whose tokens a call spends, and how much; `undefined` if none. */
function spentBy(data: JsonValue | undefined, sender: string): Spent | undefined {
  if (isObject(data)) {
    const [first, second, third] = list(data.args);
    const name = String(data.function).replace(/\(.*/s, "");
    if (name === "transfer") return { owner: sender, amount: second };
    return name === "transferFrom" ? { owner: accountOf(first), amount: third } : undefined;
  }
  const [, words = ""] = /^0xa9059cbb([\da-f]{128})/i.exec(String(data)) ?? [];
  if (words !== "") return { owner: sender, amount: `0x${words.slice(64)}` };
  const [, from, amount] = /^0x23b872dd0{24}([\da-f]{40})[\da-f]{64}([\da-f]{64})/i.exec(String(data)) ?? [];
  return from === undefined ? undefined : { owner: `0x${from}`, amount: `0x${amount}` };
}

/** Returns an account as `assume` names it: an address, or a variable without its braces. */
function accountOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value.replace(/^\{\{\s*(\w+)\s*\}\}$/, "$1") : undefined;
}

function put(into: Map<string, Part>, [key, ...more]: readonly [string, ...string[]], amount: string): void {
  const [next, ...rest] = more;
  if (next === undefined) {
    into.set(key, amount);
    return;
  }
  const known = into.get(key);
  const inside = known instanceof Map ? known : new Map<string, Part>();
  into.set(key, inside);
  put(inside, [next, ...rest], amount);
}

function textOf(part: Part): string {
  if (typeof part === "string") return JSON.stringify(part);
  return `{ ${[...part].map(([key, inside]) => `${JSON.stringify(key)}: ${textOf(inside)}`).join(", ")} }`;
}
