import { loadKeysOfAddresses } from "../abi/address.ts";
import type { Scope } from "../analysis/scope.ts";
import { isArray, isObject, parseJson } from "../base/json.ts";
import { keyMark, wordsInDoubtIn } from "../base/privateKeys.ts";
import { slice } from "../base/span.ts";
import { lineColumns, listed, plural, visible } from "../base/text.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { effectByName, isHarmless } from "../catalog/effects.ts";
import type { ImportForm } from "../convert/forms.ts";
import { type ImportedCell, importText } from "../convert/importText.ts";
import { signedIn, withoutPrivateKeys } from "../convert/recognise/recognise.ts";
import { type CleanTarget, hostOf } from "../convert/secretRemover.ts";
import { laidOut, recognised } from "../features/pastedValue.ts";
import { readCell } from "../notebook/readCell.ts";
import type { ExplainResult, ImportResult } from "../protocol/conversion.ts";

/**
 * Says what a text may be, with cells that ask about it, the best reading first: requests of another tool, a hash, an error
 * message. Sends nothing.
 *
 * @param scope - The context of the notebook that the cells are put into.
 */
export async function explained(written: string, scope?: Scope): Promise<ExplainResult> {
  await loadKeysOfAddresses(written);
  const text = withoutPrivateKeys(written);
  const { readings, note } = recognised(text, scope, await signedIn(text));
  const requests = isRequestText(text) ? requestReading(imported(text, scope)).filter(isSafe(text)) : [];
  const values = readings.map((one) => ({
    ...one,
    cells: one.cells.map((cell) => ({ kind: "request" as const, text: cell })),
  }));
  // what a request would send is asked about first
  const isSent =
    requests.some(({ unsent }) => unsent !== undefined) && /^(?:Signed transaction|Call)/.test(values[0]?.name ?? "");
  const all = isSent ? [...values, ...requests] : [...requests, ...values];
  const best = all.findIndex(({ cells }) => cells.length > 0);
  const block = all.findIndex(({ name }) => name === "Block hash");
  return {
    readings: all.map((one) => ({ ...one, ...lookupOf(one.name, block) })),
    ...(best >= 0 && { best }),
    ...(note !== undefined && (values.length > 0 || all.length === 0) && { note }),
  };
}

/** @param block - Index of the reading as the hash of a block: a hash looks the same if it is that of a transaction. */
function lookupOf(name: string, block: number) {
  if (name !== "Transaction hash") return name.startsWith("Block ") ? { isLookup: true as const } : {};
  return { isLookup: true as const, ...(block >= 0 && { otherwise: block }) };
}

/** Returns whether a request may be offered: it has no placeholder of a hidden key, and no 32 bytes that the text calls a key. */
function isSafe(text: string): (reading: ExplainResult["readings"][number]) => boolean {
  const hidden = wordsInDoubtIn(text).map((at) => slice(text, at).slice(-64).toLowerCase());
  return ({ cells }) =>
    cells.every(({ kind, text: cell }) => {
      const isMarked = kind === "request" && cell.includes(keyMark.replace(/ .*/, "")); // a shell takes it as two words
      return !isMarked && !hidden.some((word) => cell.toLowerCase().includes(word));
    });
}

/** Whether a text begins as a request of another tool does. */
function isRequestText(text: string): boolean {
  if (text.length > maxRequestText) return false;
  if (/^\s*(?:[$#>%❯]\s*)?(?:curl|cast|(?:await\s+)?fetch|axios|wget|GET|POST|Invoke-\w+)\b/.test(text)) return true;
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return (isArray(json) ? json : [json]).some(
    (one) =>
      isObject(one) &&
      typeof one.method === "string" &&
      one.method !== "eth_subscription" &&
      ("params" in one || "jsonrpc" in one),
  );
}

/** Longer texts are files: the command line imports them. */
const maxRequestText = 200_000;

function requestReading({ cells, notes, summary }: ImportResult): ExplainResult["readings"] {
  if (summary === undefined) return [];
  const methods = cells
    .flatMap(({ kind, text }) => (kind === "request" ? readCell(text).requests : []))
    .map(({ method = "" }) => method);
  const reads = methods.every((method) => isHarmless(methodNamed(method)?.effect ?? effectByName(method)));
  const name = `Request ${methods[0] ?? ""}`.trim();
  const unsent = `${name} may change the chain or the node, so \`explain\` does not send it.`;
  return [{ name, what: [summary, ...notes].join(" "), cells, ...(!reads && { unsent }) }];
}

/**
 * Converts copied text into cells: requests of another tool, else the best reading of a value or of a message. A number or
 * a name alone stays as it is, since a person may be writing.
 *
 * @param scope - The context of the notebook that the cells are put into.
 */
export async function pasted(text: string, scope?: Scope): Promise<ImportResult> {
  await loadKeysOfAddresses(text);
  const requests = imported(text, scope);
  if (requests.summary !== undefined || !/0x[\da-f]{8}|https?:|^\s*[\da-f]{40,64}\s*$/i.test(text)) return requests;
  const { readings, best: at = -1 } = await explained(text, scope);
  const best = readings[at];
  return best ? { cells: best.cells, notes: [], summary: `${best.name}. ${best.what}` } : requests;
}

/**
 * Converts requests of another tool. A request keeps its endpoint, by its name if the notebook knows it. A part of an
 * address that may be a key is left out.
 */
function imported(text: string, scope: Scope | undefined): ImportResult {
  const { cells, notes, form, commands } = importText(text);
  const placeOf = lineColumns(text);
  const placed = cells.map((cell): PlacedCell => (cell.target ? placedCell(cell, cell.target, scope) : cell));
  const requests = placed.filter(({ kind }) => kind === "request");
  const isWhole = requests.length > 0 && requests.every(({ text: written }) => isSendable(written));
  const endpoints = [
    ...new Set(requests.flatMap(({ goesTo }) => (goesTo === undefined ? [] : `Endpoint: ${goesTo}.`))),
  ];
  const leftOut = [...new Set(requests.flatMap((cell) => cell.leftOut ?? []))];
  return {
    cells: placed.map(({ kind, text: written }) => ({ kind, text: kind === "markdown" ? written : laidOut(written) })),
    notes: [
      ...leftOut,
      ...notes
        .filter(({ isAboutTarget }) => isAboutTarget !== true)
        .map(({ at, what }) => {
          const { line, column } = placeOf(at);
          return `Line ${line}, column ${column}: ${what}`;
        }),
    ],
    ...(leftOut.length > 0 && { needsEndpoint: true as const }),
    ...(isWhole && { summary: [converted(sourceOf(form, commands), requests.length), ...endpoints].join(" ") }),
  };
}

function converted(source: string, requests: number): string {
  return requests === 1 ? `Converted ${source}.` : `Converted ${source} into ${plural(requests, "request")}.`;
}

/** @param commands - The programs of the text, if it has commands. */
function sourceOf(form: ImportForm, commands: readonly string[]): string {
  if (form !== "curl" && form !== "cast") return sources[form];
  return `${/^[aeiou]/i.test(commands[0] ?? "") ? "an" : "a"} ${listed(commands)} command`;
}

const sources: Readonly<Record<Exclude<ImportForm, "curl" | "cast">, string>> = {
  fetch: "JavaScript",
  python: "Python",
  postman: "a Postman collection",
  insomnia: "an Insomnia collection",
  har: "an HTTP archive",
  http: "an HTTP request",
  json: "a JSON-RPC body",
};

function isSendable(text: string): boolean {
  const { faults, requests } = readCell(text);
  return faults.length === 0 && requests.length > 0 && requests.every(({ method }) => method !== undefined);
}

interface PlacedCell extends ImportedCell {
  /** The endpoint that the text names: a name or a host. */
  readonly goesTo?: string;
  /** Says why the cell does not name that endpoint. */
  readonly leftOut?: string;
}

/** Writes the endpoint of a request into its cell, unless it is the notebook's own, and says where the request goes. */
function placedCell(cell: ImportedCell, target: CleanTarget, scope: Scope | undefined): PlacedCell {
  const { url, headers } = target;
  const host = hostOf(url);
  const hasSecret = url.includes("{{") || Object.keys(headers).length > 0;
  const isSite = host !== "" && new URL(url).pathname.length <= 1;
  if (readCell(cell.text).requests.some(({ members }) => members.has("endpoint"))) return cell;
  const known = scope?.endpoints.find(({ name, host: own }) => name === url || (host !== "" && own === host));
  if (known && (known.name === url || isSite || hasSecret)) {
    const current = scope?.endpoint;
    if (current?.name === known.name) return { ...cell, goesTo: known.name };
    return { ...withEndpoint(cell, known.name), goesTo: known.name };
  }
  if (!hasSecret && host !== "") return { ...withEndpoint(cell, url), goesTo: host };
  const site = host === "" ? "Its endpoint" : host;
  return { ...cell, leftOut: `${site} needs a key, so its address was left out. Choose an endpoint for it.` };
}

function withEndpoint(cell: ImportedCell, name: string): ImportedCell {
  const { root } = readCell(cell.text);
  const member = visible(`"endpoint": ${JSON.stringify(name)}`);
  if (root?.type === "array") return { ...cell, text: `{ ${member}, "batch": ${cell.text} }` };
  if (root?.type !== "object") return cell;
  const start = root.offset + 1;
  return { ...cell, text: `${cell.text.slice(0, start)} ${member}, ${cell.text.slice(start)}` };
}
