import { type CursorContext, cursorContext } from "../analysis/cursorContext.ts";
import { headerMembers } from "../analysis/header.ts";
import type { Scope } from "../analysis/scope.ts";
import { keyTestIn } from "../analysis/secrets.ts";
import { converterContext } from "../analysis/storage.ts";
import { pathFrom, type TypedToken } from "../analysis/typedTokens.ts";
import { mapAt } from "../analysis/types.ts";
import { isAddress } from "../base/hex.ts";
import { code, codeCut, escaped, fencedJson, joined, type Markdown, markdown, prose } from "../base/markdown.ts";
import { privateKeysIn } from "../base/privateKeys.ts";
import { type Span, span } from "../base/span.ts";
import type { Reading } from "../convert/recognise/reading.ts";
import { chosenSentence, originClause } from "../endpoints/named.ts";
import { readablesAt } from "../evaluate/readable.ts";
import type { Cell } from "../notebook/cell.ts";
import { spanOf } from "../notebook/json.ts";
import { itemsNamed } from "./abiLookup.ts";
import { addressCard } from "./addressNames.ts";
import { assumedKeyDocs } from "./assumedStorage.ts";
import { fieldDocs, fieldSummary, memberDocs, methodDocs, signature, sourceLink, typeDocs } from "./docs.ts";
import { expectationDocs } from "./expectationDocs.ts";
import { readingsOfCell } from "./pastedValue.ts";
import { referenceAt, referenceDocs } from "./placeholderDocs.ts";
import { argumentAt, argumentDocs, itemDocs, readableAt, readableDocs } from "./readable.ts";
import { staleReason } from "./staleness.ts";
import { storedPlaceDocs } from "./storedVariables.ts";
import { guess, meaningOf, type ValueMeaning } from "./valueMeaning.ts";
import { wireForm } from "./wireForm.ts";

export interface Hover {
  readonly span: Span;
  readonly markdown: Markdown;
}

type Parts = readonly (Markdown | undefined)[];

/**
 * Explains the method, parameter, field, value or placeholder under the cursor: first what the value says, then what
 * the place is for. The opening bracket of a cell and the keys `params` and `batch` show the exact text that is sent.
 *
 * @param offset - UTF-16 code units from the start of the cell.
 * @returns `undefined` if there is nothing to show, as for white space and unknown methods.
 */
export function hover(cell: Cell, offset: number, scope: Scope): Hover | undefined {
  const { root, kind } = cell;
  if (root?.offset === offset && (kind === "request" || kind === "batch")) {
    return card(span(offset, offset + 1), [onTheWire(cell, scope)]);
  }
  const readings = readingsOfCell(cell, scope);
  if (readings.length > 0) return card(span(0, cell.text.length), readings.slice(0, maxReadings).map(readingDocs));
  const place = cursorContext(cell, offset, scope.catalog);
  if (!isWord(place)) return undefined;
  if (
    privateKeysIn(cell.text, keyTestIn(cell, scope)).some(
      (key) => key.start >= place.span.start && key.end <= place.span.end,
    )
  )
    return card(place.span, [privateKeyDocs]);
  const isFilled = place.param !== undefined || (place.role.kind === "member" && place.role.name === "eachValues");
  const reference = isFilled ? referenceAt(cell, place.span, offset) : undefined;
  if (reference) return card(reference.span, referenceDocs(reference, place, cell, scope));
  return card(place.span, describe(cell, place, scope));
}

const privateKeyDocs = markdown`**Private key.** Anyone who has it controls the account. Store it with **Set Secret…**, and write ${code("{{$secret.NAME}}")} here.`;

/** Readings of a value that a hover shows. */
const maxReadings = 4;

function readingDocs({ name, what }: Reading): Markdown {
  return markdown`**${escaped(name)}** ${escaped(what)}`;
}

function isWord(place: CursorContext | undefined): place is CursorContext & TypedToken {
  return place?.text !== undefined;
}

function card(at: Span, parts: Parts): Hover | undefined {
  const markdown = joined(parts, "\n\n");
  return markdown ? { span: at, markdown } : undefined;
}

function describe(cell: Cell, word: TypedToken, scope: Scope): Parts {
  const { role, text } = word;
  switch (role.kind) {
    case "method":
      return method(cell, word, scope);
    case "typed":
      return typed(cell, word, role, scope);
    case "endpoint":
      return word.kind === "key" ? member(word, scope) : [endpoint(text, scope)];
    case "params":
      return word.kind === "key"
        ? [docsOf(memberDocs, "params"), word.spec && code(signature(word.spec), 300), onTheWire(cell, scope)]
        : [];
    case "requests":
      return word.kind === "key" ? [docsOf(memberDocs, "batch"), onTheWire(cell, scope)] : [];
    case "variables":
    case "labels":
      return word.kind === "key" ? [docsOf(headerMembers, role.kind)] : [];
    case "member":
      return memberOrInside(cell, word, role.name, scope);
    case "unknown":
      return unknown(cell, word, scope);
    case "cell":
    case "request":
    case "header":
      return [];
  }
}

function onTheWire(cell: Cell, scope: Scope): Markdown {
  const form = wireForm(cell, scope);
  if ("text" in form) return markdown`**On the wire**\n\n${fencedJson(form.text)}`;
  const why = escaped(form.unsent, 500);
  return form.inRun ? markdown`**On the wire** when it runs. ${why}` : markdown`**Not sent.** ${why}`;
}

function method(cell: Cell, word: TypedToken, scope: Scope): Parts {
  const spec = word.kind === "key" ? word.spec : scope.catalog.methodNamed(word.text);
  const [docs, last] = [spec && methodDocs(spec), lastResult(cell, scope)];
  return scope.lastResult(cell)?.calls === undefined ? [docs, last] : [last, markdown`---`, docs]; // docs can be long
}

function lastResult(cell: Cell, scope: Scope): Markdown | undefined {
  const last = scope.lastResult(cell);
  if (!last) return undefined;
  const summary = escaped(last.summary);
  return joined(
    [
      last.ok ? markdown`**Last result** ${summary}` : markdown`**Last result** failed: ${summary}`,
      last.stale && markdown`It is stale: ${prose(staleReason(last.stale))}`,
      last.calls,
    ],
    "\n\n",
  );
}

function typed(cell: Cell, word: TypedToken, role: Typed, scope: Scope): Parts {
  const value = reading(cell, word, scope);
  if (word.kind === "value") {
    const says = inReadable(cell, word, scope) ?? [meaningOf(value, role.type, role.field?.name)];
    return withDocs([...says, wireValueDocs(cell, word, scope)], role, word);
  }
  const map = word.owner.kind === "typed" ? mapAt(word.owner.type) : undefined;
  return withDocs([map && meaningOf(value, map.keys), assumedKeyDocs(word, cell, scope)], role, word);
}

type Typed = Extract<TypedToken["role"], { readonly kind: "typed" }>;

/** Shows the meaning of the value, then, below a line, the purpose of the place. */
function withDocs(parts: Parts, { type, field }: Typed, { spec, param }: TypedToken): Parts {
  const source = spec && param !== undefined ? sourceLink(spec) : undefined; // directives are in no specification
  if (!parts.some((part) => part)) return [field ? fieldDocs(field) : typeDocs(type), source];
  return field ? [...parts, markdown`---`, fieldSummary(field), source] : parts;
}

function inReadable(cell: Cell, word: TypedToken, scope: Scope): Parts | undefined {
  const readable = readableAt(word.path, cell, scope);
  if (!readable) return undefined;
  if (readable.at === "name") return [readableDocs(readable, scope)];
  const argument = argumentAt(readable);
  return argument && [argumentDocs(argument), guess(reading(cell, word, scope))];
}

function reading(cell: Cell, { text, path, method }: TypedToken, scope: Scope): ValueMeaning {
  return { text, path, method, cell, scope };
}

function endpoint(name: string, scope: Scope): Markdown | undefined {
  const known = scope.endpoints.find((one) => one.name === name);
  const current = scope.endpoint?.name === name ? scope.endpoint : undefined;
  const one = known ?? current;
  if (!one) return undefined;
  if (known?.broken !== undefined)
    return markdown`**${escaped(known.name)}**. It is ${escaped(originClause(known.origin))}. It cannot be used here: ${escaped(known.broken)}.`;
  return joined(
    [
      markdown`**${escaped(one.name)}** · ${code(one.host)}. It is ${escaped(originClause(one.origin))}.`,
      current && markdown`The notebook's requests go there now. ${escaped(chosenSentence(current.why))}`,
    ],
    "\n\n",
  );
}

function memberOrInside(cell: Cell, word: TypedToken, name: string, scope: Scope): Parts {
  switch (name) {
    case "label":
      return [labelled(word, scope)];
    case "expectation":
    case "operand":
      return [expectationDocs(word, cell, scope)];
    case "declaration":
      return [declaration(cell, word, scope)];
    default:
      if (word.kind === "key") return member(word, scope);
      return name === "chainId" ? [meaningOf(reading(cell, word, scope), "uint256", "chainId")] : [];
  }
}

/** The address that a label belongs to, also where the cursor is on the label. */
function labelled({ path }: TypedToken, scope: Scope): Markdown | undefined {
  const address = path.at(-1)?.key;
  return isAddress(address) ? addressCard(address, scope) : undefined;
}

function member(word: TypedToken, scope: Scope): Parts {
  const docs = word.owner.kind === "header" ? headerMembers : memberDocs;
  const current = word.text === "endpoint" && scope.endpoint ? endpoint(scope.endpoint.name, scope) : undefined;
  return [docsOf(docs, word.text), current];
}

function docsOf(docs: Readonly<Record<string, string>>, name: string): Markdown | undefined {
  const text = Object.hasOwn(docs, name) ? docs[name] : undefined;
  return text === undefined ? undefined : prose(text);
}

/** A signature in `abi`: what it declares. */
function declaration(cell: Cell, { text }: TypedToken, scope: Scope): Markdown | undefined {
  const kind = /^\s*event\b/.test(text) ? "event" : "function";
  return text.includes("(") ? itemsNamed(kind, text, cell, scope).map((item) => itemDocs(item, scope))[0] : undefined;
}

function unknown(cell: Cell, word: TypedToken, scope: Scope): Parts {
  if (pathFrom(word.path, 0).includes("expect") && word.param === undefined)
    return [expectationDocs(word, cell, scope)];
  if (word.kind === "value") return inReadable(cell, word, scope) ?? [guess(reading(cell, word, scope))];
  if (word.owner.kind !== "variables") return [];
  return [markdown`Variable; placeholders take its value: ${code(`{{${word.text}}}`)}`];
}

/** The form in which a readable value is sent: a number, an amount, a block, a function, an event. */
function wireValueDocs(cell: Cell, word: TypedToken, scope: Scope): Markdown | undefined {
  if (word.kind === "key" || word.param === undefined || inArguments(word, cell, scope)) return undefined;
  const { start, end } = word.span;
  const request = cell.requests.find(({ node }) => spanOf(node).start < start && end < spanOf(node).end);
  const node = request?.members.get("params")?.value?.children?.[word.param];
  const type = word.spec?.params[word.param]?.type;
  if (!node || type === undefined) return undefined;
  const known = converterContext(cell, scope);
  const { found } = readablesAt(cell.text, node, type, known, false);
  const readable = found.find(({ span }) => span.start <= start && end <= span.end);
  if (readable?.head !== undefined)
    return markdown`Counts from the number of ${code(readable.head)}, which a run asks for first.`;
  if (readable?.place) return storedPlaceDocs(readable.place);
  const text = readable?.edits?.map((edit) => edit.text).find((one) => one !== "");
  return text === undefined ? undefined : markdown`On the wire: ${codeCut(text)}`;
}

/** An argument of a call is part of its data, which the name of the function shows. */
function inArguments({ path }: TypedToken, cell: Cell, scope: Scope): boolean {
  const readable = readableAt(path, cell, scope);
  return readable !== undefined && readable.at !== "name";
}
