import type { JsonValue } from "../base/json.ts";
import { looksLikeKey } from "../base/keyLike.ts";
import { filled } from "./http.ts";
import type { Imported, Note } from "./imported.ts";

/**
 * The variables that the notebook is to have. One that only addresses and headers name is written out in those, and may
 * be a key: it would stand in the notebook for nothing. One that nothing names and that may be a key stays out as well.
 */
export function variablesFor({ entries, variables, notes }: Imported): Pick<Imported, "variables" | "notes"> {
  const bodies = entries.map((entry) => (entry.kind === "request" ? entry.body : ""));
  const used = namedIn(bodies, variables);
  const targets = entries.flatMap((entry) => (entry.kind === "request" && entry.target ? [entry.target] : []));
  const written = targets.flatMap(({ url, headers }) => [url, ...headers.map(({ value }) => value)]);
  const texts = new Map([...variables].map(([name, value]) => [name, String(value)]));
  const told: Note[] = [];
  const kept = [...variables].filter(([name, value]) => {
    if (used.has(name)) return true;
    const text = typeof value === "string" ? filled(value.trim(), texts) : "";
    if (text !== "" && written.some((one) => one.includes(text))) return false;
    if (!/auth|key|token|secret|password|jwt/i.test(name) && !looksLikeKey(text)) return true;
    told.push({
      at: 0,
      severity: "note",
      what: `The variable \`${name}\` may be a secret, and no request uses it: it is left out.`,
    });
    return false;
  });
  return { variables: new Map(kept), notes: [...notes, ...told] };
}

/** Those that the texts name, or that stand in the value of one that they name. */
function namedIn(texts: readonly string[], variables: ReadonlyMap<string, JsonValue>): ReadonlySet<string> {
  const found = new Set<string>();
  const next = [...texts];
  for (let text = next.pop(); text !== undefined; text = next.pop()) {
    for (const [, name = ""] of text.matchAll(/\{\{\s*([\p{L}_][\p{L}\p{N}_-]*)/gu)) {
      if (found.has(name)) continue;
      found.add(name);
      next.push(String(variables.get(name) ?? ""));
    }
  }
  return found;
}
