import { isRandom, secretParts } from "../base/secretParts.ts";
import type { Header, Note, Target } from "./imported.ts";

/** Where requests went, with the names of secrets in place of what they are. */
export interface CleanTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Secrets {
  /** The same secret has the same name everywhere. */
  clean(target: Target): CleanTarget;
  readonly notes: readonly Note[];
}

/** What secrets go by, by their values. */
export type SecretNames = Map<string, string>;

/**
 * Takes keys out of addresses and headers. Nothing that it gives holds one, its notes neither.
 *
 * @param names - Those given before, which count; new ones are added.
 */
export function openSecrets(names: SecretNames): Secrets {
  const notes: Note[] = [];
  const named = (value: string, wanted: string, what: string, at: number): string => {
    let name = names.get(value);
    if (name === undefined) {
      const taken = new Set(names.values());
      name = wanted;
      for (let next = 2; taken.has(name); next++) name = `${wanted}_${next}`;
      names.set(value, name);
      notes.push({
        at,
        severity: "note",
        what: `${what} is a secret: it is left out, and goes by {{$secret.${name}}} now. Store it under this name.`,
      });
    }
    return `{{$secret.${name}}}`;
  };
  return {
    notes,
    clean({ url: written, isName, headers, at }) {
      if (isName) {
        const what = "Headers belong to the endpoint of this name, so they are left out.";
        if (headers.length > 0) notes.push({ at, severity: "note", what });
        return { url: written, headers: {} };
      }
      const url = withScheme(written);
      const owner = ownerOf(url);
      const clean = secretParts(url).reduce(
        (text, part) => text.replace(part, () => named(part, `${owner}_KEY`, "A part of the address", at)),
        url,
      );
      const cleaned = headers.map((header) => [header.name, cleanHeader(header, owner, at, named)] as const);
      return { url: clean, headers: Object.fromEntries(cleaned) };
    },
  };
}

function cleanHeader(
  { name, value }: Header,
  owner: string,
  at: number,
  named: (value: string, wanted: string, what: string, at: number) => string,
): string {
  const [, scheme = "", rest = ""] = /^((?:Bearer|Basic|Token|ApiKey)\s+)?([\s\S]*)$/i.exec(value) ?? [];
  const isSecret =
    scheme !== "" || /auth|key|token|secret|cookie|session|password|signature|jwt/i.test(name) || isRandom(value);
  if (!isSecret || rest === "" || rest.includes("{{")) return value;
  const wanted = /^authorization$/i.test(name)
    ? `${owner}_TOKEN`
    : name
        .toUpperCase()
        .replace(/[^A-Z0-9]+/g, "_")
        .replace(/^[_\d]+|_+$/g, "") || "TOKEN";
  return scheme + named(rest, wanted, `The value of the header \`${name}\``, at);
}

/** `curl` takes addresses without their scheme. */
function withScheme(url: string): string {
  return /^(?:[a-z][\w+.-]*:\/\/|\{\{)/i.test(url) ? url : `http://${url}`;
}

/** What the endpoint goes by: `ALCHEMY` of `eth-mainnet.g.alchemy.com`. */
function ownerOf(url: string): string {
  const host = hostOf(url).replace(/:\d+$/, "");
  const labels = host.split(".");
  const label = /^[\d.]+$|^\[/.test(host) ? "" : (labels.at(-2) ?? "");
  return (
    label
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "_")
      .replace(/^[_\d]+|_+$/g, "") || "RPC"
  );
}

/** Host and port; empty where the address has none that is known. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
