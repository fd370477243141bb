import type { JsonValue } from "../base/json.ts";
import { looksLikeKey } from "../base/keyLike.ts";
import { filled } from "./http.ts";
import type { Imported, Note } from "./importModel.ts";

/**
 * Chooses the variables of the notebook. Leaves out those that only addresses and headers use, where their values are
 * written out, and those that nothing uses and that may be keys.
 */
export function variablesFor({ entries, variables, notes }: Imported): Pick<Imported, "variables" | "notes"> {
  const bodies = entries.map((entry) => (entry.kind === "request" ? entry.body : ""));
  const used = namedIn(bodies, variables);
  const targets = entries.flatMap((entry) => (entry.kind === "request" && entry.target ? [entry.target] : []));
  const written = targets.flatMap(({ url, headers }) => [url, ...headers.map(({ value }) => value)]);
  const texts = new Map([...variables].map(([name, value]) => [name, String(value)]));
  const left: Note[] = [];
  const kept = [...variables].filter(([name, value]) => {
    if (used.has(name)) return true;
    const text = typeof value === "string" ? filled(value.trim(), texts) : "";
    if (text !== "" && written.some((one) => one.includes(text))) return false;
    if (!/auth|key|token|secret|password|jwt/i.test(name) && !looksLikeKey(text)) return true;
    left.push({
      at: 0,
      severity: "note",
      what: `The variable \`${name}\` may be a secret and no request uses it, so it is left out.`,
    });
    return false;
  });
  return { variables: new Map(kept), notes: [...notes, ...left] };
}

/** Returns the names that the texts use, directly or in the value of a variable. */
function namedIn(texts: readonly string[], variables: ReadonlyMap<string, JsonValue>): ReadonlySet<string> {
  const used = new Set<string>();
  const next = [...texts];
  for (let text = next.pop(); text !== undefined; text = next.pop()) {
    for (const [, name = ""] of text.matchAll(/\{\{\s*([\p{L}_][\p{L}\p{N}_-]*)/gu)) {
      if (used.has(name)) continue;
      used.add(name);
      next.push(String(variables.get(name) ?? ""));
    }
  }
  return used;
}
