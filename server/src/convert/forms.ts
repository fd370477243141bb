import { parseJson } from "../base/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { readRequests } from "./body.ts";
import { isHar, readHar } from "./har.ts";
import { looksLikeHttp, readHttp } from "./http.ts";
import type { Imported } from "./importModel.ts";
import { isInsomnia, isInsomniaYaml, readInsomnia } from "./insomnia.ts";
import { looksLikeJavaScript, readJavaScript } from "./javascript.ts";
import { isPostman, readPostman, type Variables } from "./postman.ts";
import { looksLikePowerShell, readPowerShell } from "./powershell.ts";
import { looksLikePython, readPython } from "./python.ts";
import { readShell } from "./shell.ts";

/** The forms that can be imported. `fetch` is any JavaScript, `json` is requests in the form that is sent. */
export type ImportForm = "curl" | "fetch" | "python" | "postman" | "insomnia" | "har" | "http" | "cast" | "json";

interface FileContext {
  readonly file?: string;
  readonly environment?: Variables;
}

export interface ReadText {
  readonly form: ImportForm;
  readonly read: Imported;
}

/**
 * Reads a text in the form that the caller or the name of the file says, if it has requests in that form. Otherwise takes
 * the form with the most requests.
 */
export function readText(
  text: string,
  wanted: ImportForm | undefined,
  { file = "", environment }: FileContext,
): ReadText {
  const plain = text.replace(/^\ufeff/, " "); // of the same length, so that places stay right
  const readers: Readonly<Record<ImportForm, () => Imported>> = {
    curl: () => readCommands(plain, file),
    cast: () => readCommands(plain, file),
    fetch: () => readJavaScript(plain),
    python: () => readPython(plain),
    postman: () => readPostman(plain, environment),
    insomnia: () => readInsomnia(plain),
    har: () => readHar(plain),
    http: () => readHttp(plain),
    json: () => readRequests(plain),
  };
  const readAs = (form: ImportForm): ReadText => ({ form, read: readers[form]() });
  if (wanted !== undefined) return readAs(wanted);
  if (isPostman(plain)) return readAs("postman");
  const value = parseJson(plain);
  if (isHar(value)) return readAs("har");
  if (isInsomnia(value) || isInsomniaYaml(plain)) return readAs("insomnia");
  if (value !== undefined) return readAs("json");
  const byName = formOfName(file);
  const first = byName && readAs(byName);
  if (first && requestsIn(first.read) > 0) return first;
  const candidates = candidatesFor(plain).map(readAs);
  const best = maxOf(first ? [first, ...candidates] : candidates, ({ read }) => read) ?? readAs("curl");
  const unreadable = candidates.find(({ form, read }) => /^(?:fetch|python)$/.test(form) && errorsIn(read) > 0);
  return requestsIn(best.read) > 0 ? best : (unreadable ?? best); // code says why it cannot be read
}

function readCommands(text: string, file: string): Imported {
  const shell = readShell(text, file);
  return looksLikePowerShell(text) ? (maxOf([readPowerShell(text), shell], (one) => one) ?? shell) : shell;
}

/** Returns the forms to try, the likeliest first. */
function candidatesFor(text: string): readonly ImportForm[] {
  const files: readonly ImportForm[] = looksLikeHttp(text) ? ["http", "curl"] : ["curl", "http"];
  const code: readonly ImportForm[] = looksLikePython(text) ? ["python"] : [];
  const others = [...(looksLikeJavaScript(text) ? (["fetch"] as const) : []), ...code, ...files];
  return /^(?:\s|\/\/[^\n]*\n)*(?:\[|\{(?!\{))/.test(text) ? ["json", ...others] : others;
}

function formOfName(file: string): ImportForm | undefined {
  if (/\.(?:http|rest)$/i.test(file)) return "http";
  if (/\.(?:sh|bash|zsh|fish|bat|cmd|ps1|curl)$/i.test(file)) return "curl";
  if (/\.(?:[cm]?[jt]s|[jt]sx)$/i.test(file)) return "fetch";
  if (/\.py$/i.test(file)) return "python";
  return /\.(?:jsonl?|ndjson)$/i.test(file) ? "json" : undefined;
}

/** Returns the result with the most requests and then the fewest errors; the first of equals. */
function maxOf<T>(readings: readonly T[], of: (one: T) => Imported): T | undefined {
  const ranked = readings.map((one) => ({ one, requests: requestsIn(of(one)), errors: errorsIn(of(one)) }));
  return ranked.sort((a, b) => b.requests - a.requests || (a.requests === 0 ? 0 : a.errors - b.errors))[0]?.one;
}

function errorsIn({ notes }: Imported): number {
  return notes.filter(({ severity }) => severity === "error").length;
}

function requestsIn({ entries }: Imported): number {
  const cells = entries.map((entry) => (entry.kind === "request" ? readCell(entry.body) : undefined));
  return cells.filter((cell) => cell?.faults.length === 0 && cell.requests.some(({ method }) => method !== undefined))
    .length;
}
