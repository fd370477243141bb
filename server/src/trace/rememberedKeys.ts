import { isAddress, isWord } from "../base/hex.ts";
import { isArray, isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import type { EndpointMemory } from "../rpc/send.ts";
import type { Needs, Slot, TracedCall } from "./task.ts";

/** Functions of contracts at one endpoint whose keys are remembered, and keys of each. */
const [maxFunctions, maxKeys] = [50, 300];

/** What calls needed earlier, by the functions that were called. */
const remembered = new WeakMap<EndpointMemory, Promise<Map<string, Needs>>>();

/** Keeps what the calls at one endpoint needed, as text. */
export interface KeptNeeds {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** Where it is remembered. */
interface Place {
  readonly memory: EndpointMemory;
  readonly kept?: KeptNeeds | undefined;
}

type Called = readonly Pick<TracedCall, "to" | "data">[];

/** Returns what calls of the same functions needed at an endpoint, which saves rounds; the values are read anew. */
export async function rememberedNeeds(place: Place, calls: Called): Promise<Needs> {
  return (await knownAt(place)).get(keyOf(calls)) ?? { accounts: [], slots: [], hashes: [] };
}

/** Remembers it; the functions that were called longest ago are forgotten. Never rejects. */
export async function rememberNeeds(place: Place, calls: Called, { accounts, slots }: Needs): Promise<void> {
  const known = await knownAt(place);
  const key = keyOf(calls);
  const before = known.get(key);
  const now = { accounts: accounts.slice(0, maxKeys), slots: slots.slice(0, maxKeys), hashes: [] };
  setNewest(known, key, now);
  if (!place.kept || (before && printJson(needsJson(before)) === printJson(needsJson(now)))) return;
  await inTurn(place.memory, place.kept, (all) => setNewest(all, key, now));
}

/** The writes at one endpoint that are under way: cells are traced at the same time. */
const writes = new WeakMap<EndpointMemory, Promise<void>>();

function inTurn(memory: EndpointMemory, kept: KeptNeeds, change: (all: Map<string, Needs>) => void): Promise<void> {
  const write = async (): Promise<void> => {
    const all = await readAll(kept); // another endpoint of the same host, or another process, may have added its own
    change(all);
    const text = printJson([...all].map(([name, needs]) => [name, needsJson(needs)]));
    await kept.write(text).catch(() => {}); // it is found again
  };
  const next = (writes.get(memory) ?? Promise.resolve()).then(write);
  writes.set(memory, next);
  return next;
}

function setNewest(known: Map<string, Needs>, key: string, needs: Needs): void {
  known.delete(key);
  known.set(key, needs);
  for (const oldest of known.keys()) if (known.size > maxFunctions) known.delete(oldest);
}

function needsJson({ accounts, slots }: Needs): JsonValue {
  return { accounts, slots: slots.map(({ address, slot }) => ({ address, slot })) };
}

function knownAt({ memory, kept }: Place): Promise<Map<string, Needs>> {
  const known = remembered.get(memory) ?? (kept ? readAll(kept) : Promise.resolve(new Map<string, Needs>()));
  remembered.set(memory, known);
  return known;
}

async function readAll(kept: KeptNeeds): Promise<Map<string, Needs>> {
  return new Map(readKept(await kept.read().catch(() => undefined)));
}

function readKept(text: string | undefined): readonly (readonly [string, Needs])[] {
  const entries = text === undefined ? undefined : parseJson(text);
  return (isArray(entries) ? entries.slice(0, maxFunctions) : []).flatMap((entry) => {
    const [key, needs] = isArray(entry) ? entry : [];
    if (typeof key !== "string" || !isObject(needs) || !isArray(needs.accounts) || !isArray(needs.slots)) return [];
    const slots = needs.slots.slice(0, maxKeys).flatMap(slotIn);
    return [[key, { accounts: needs.accounts.slice(0, maxKeys).filter(isAddress), slots, hashes: [] }]];
  });
}

function slotIn(value: JsonValue): readonly Slot[] {
  if (!isObject(value) || !isAddress(value.address) || !isWord(value.slot)) return [];
  return [{ address: value.address, slot: value.slot }];
}

function keyOf(calls: Called): string {
  return calls.map(({ to = "", data }) => `${to} ${data.slice(0, 10)}`).join(",");
}
