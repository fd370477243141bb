import type { Environment, Files, Secrets } from "../base/ports.ts";
import { lineColumns } from "../base/text.ts";
import { foldersAbove } from "../base/uri.ts";
import { type HostNames, type HostReference, secretVariables, type ValueOf, writtenAs } from "./hostValue.ts";

interface ValuePorts {
  readonly files: Files;
  readonly environment?: Environment | undefined;
  readonly secrets?: Secrets | undefined;
}

/** The values of the host for a document: all names, and the requested values. */
interface HostValues {
  readonly names: HostNames;
  read(wanted: readonly HostReference[]): Promise<ValueOf>;
}

/** The longest `.env` file, in UTF-16 code units. */
const maxDotenv = 1_000_000;

/** Reads `.env` files from the folder of a document up to its workspace folder, the nearest first, and the other sources. */
export async function hostValues(ports: ValuePorts, uri: string, roots: readonly string[]): Promise<HostValues> {
  const { environment, secrets } = ports;
  const [dotenv, stored] = await Promise.all([readAll(ports.files, uri, roots), secrets?.names()]);
  const names: HostNames = {
    env: new Set(environment?.names()),
    dotenv: new Map([...dotenv].map(([name, { origin, place }]) => [name, { origin, place }])),
    stored: stored && new Set(stored),
  };
  const variable = (name: string): string | undefined => environment?.variable(name) || undefined;
  const entry = (name: string): string | undefined => dotenv.get(name)?.value || undefined;
  return {
    names,
    async read(wanted) {
      const secretReferences = secrets ? wanted.filter(({ source }) => source === "secret") : [];
      const kept =
        secretReferences.length > 0
          ? await secrets?.read([...new Set(secretReferences.map(({ name }) => name))])
          : undefined;
      const values = new Map<string, string | undefined>();
      for (const reference of wanted) {
        const { source, name } = reference;
        const [own, plain] = secretVariables(name);
        const value = {
          env: () => variable(name),
          dotenv: () => entry(name),
          secret: () =>
            secrets ? kept?.get(name) || undefined : (variable(own) ?? variable(plain) ?? entry(own) ?? entry(plain)),
        }[source]();
        values.set(writtenAs(reference), value);
      }
      return (reference) => values.get(writtenAs(reference));
    },
  };
}

interface PlacedEntry extends DotenvEntry {
  readonly origin: string;
  readonly place: { readonly uri: string; readonly place: { readonly line: number; readonly column: number } };
}

async function readAll(files: Files, uri: string, roots: readonly string[]): Promise<ReadonlyMap<string, PlacedEntry>> {
  const found = await Promise.all(
    foldersAbove(uri, roots, files).map(async (folder, level) => {
      const file = `${folder}/.env`;
      const bytes = await files.read(file);
      if (!bytes || bytes.length > maxDotenv) return [];
      const text = new TextDecoder().decode(bytes);
      const at = lineColumns(text);
      const origin = `${"../".repeat(level)}.env`;
      return [...readDotenv(text)].map(([name, entry]): readonly [string, PlacedEntry] => [
        name,
        { ...entry, origin, place: { uri: file, place: at(entry.offset) } },
      ]);
    }),
  );
  return new Map(
    found
      .flat()
      .toReversed()
      .map((each) => each),
  ); // the nearest of equal names is set last
}

/** An entry of a `.env` file. */
interface DotenvEntry {
  readonly value: string;
  /** The offset of its name, in UTF-16 code units. */
  readonly offset: number;
}

const entry =
  /^[ \t]*(?:export[ \t]+)?([\p{L}_][\p{L}\p{N}_.-]*)[ \t]*=[ \t]*(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))/gmu;
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/**
 * Reads a `.env` file: one `NAME=value` on each line, with or without `export`, `#` comments. Quoted values may span lines;
 * `\n`, `\r`, `\t` are escapes in double quotes only. Nothing is expanded. The last of equal names counts.
 *
 * @example readDotenv("A=1 # one").get("A")?.value; //=> "1"
 */
export function readDotenv(text: string): ReadonlyMap<string, DotenvEntry> {
  const entries = new Map<string, DotenvEntry>();
  for (const match of text.replace(/^\ufeff/, " ").matchAll(entry)) {
    const [all, name = "", double, single, back, bare = ""] = match;
    const unescaped = double?.replace(/\\([\s\S])/g, (_, letter: string) => escapes[letter] ?? letter);
    const value = unescaped ?? single ?? back ?? bare.replace(/(?:^|[ \t])#.*$/, "").trim();
    entries.set(name, { value, offset: match.index + all.indexOf(name) });
  }
  return entries;
}
