import type { EndpointMemory } from "../rpc/send.ts";
import type { Needs, TracedCall } from "./task.ts";

/** Functions of contracts at one endpoint whose keys are remembered, and keys of each. */
const [maxFunctions, maxKeys] = [50, 300];

/** What calls needed earlier, by the functions that were called. */
const remembered = new WeakMap<EndpointMemory, Map<string, Needs>>();

/** Returns what calls of the same functions needed at an endpoint, which saves rounds; the values are read anew. */
export function rememberedNeeds(memory: EndpointMemory, calls: readonly Pick<TracedCall, "to" | "data">[]): Needs {
  return remembered.get(memory)?.get(keyOf(calls)) ?? { accounts: [], slots: [], hashes: [] };
}

/** Remembers it; the functions that were called longest ago are forgotten. */
export function rememberNeeds(
  memory: EndpointMemory,
  calls: readonly Pick<TracedCall, "to" | "data">[],
  { accounts, slots }: Needs,
): void {
  const known = remembered.get(memory) ?? new Map<string, Needs>();
  const key = keyOf(calls);
  known.delete(key);
  known.set(key, { accounts: accounts.slice(0, maxKeys), slots: slots.slice(0, maxKeys), hashes: [] });
  for (const oldest of known.keys()) if (known.size > maxFunctions) known.delete(oldest);
  remembered.set(memory, known);
}

function keyOf(calls: readonly Pick<TracedCall, "to" | "data">[]): string {
  return calls.map(({ to = "", data }) => `${to} ${data.slice(0, 10)}`).join(",");
}
