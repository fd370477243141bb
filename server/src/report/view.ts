import type { AbiScope } from "../abi/abiScope.ts";
import type { StorageLayout } from "../abi/storageLayout.ts";
import type { AbiParam } from "../abi/type.ts";
import { type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { capitalized } from "../base/text.ts";
import { jsonText } from "./answerJson.ts";
import type { Amount, HeadlinePart, Section, Shown } from "./report.ts";
import type { Labels } from "./shown.ts";
import type { Tokens } from "./tokens.ts";

/** The part of a report that the type of the result decides. */
export interface View {
  /** One line. */
  readonly summary: string;
  readonly headline?: readonly HeadlinePart[];
  readonly sections: readonly Section[];
  readonly amount?: Amount;
}

/** What gives names to accounts, data and amounts. */
export interface Names {
  readonly labels: Labels;
  readonly scope: AbiScope | undefined;
  /** Tokens whose decimals are known. */
  readonly tokens: Tokens;
}

export interface ViewContext extends Names {
  readonly params: JsonValue;
  /** The declared return types of the function that was called; `undefined` if unknown. */
  readonly returns: readonly AbiParam[] | undefined;
  /** Number of the newest sealed block when an answer about `pending` came; `undefined` if it is unknown. */
  readonly sealed?: bigint | undefined;
  /** The answer is about `pending`, and it is not known whether the endpoint shows pre-confirmed state. */
  readonly isGuess?: boolean | undefined;
  /** Contracts of a trace that have no other functions than their layout says, and no fallback; by address in lower case. */
  readonly closed?: ReadonlyMap<string, StorageLayout> | undefined;
}

/** A value of one line: the summary is its text, the exact forms are below it. */
export function valueView(value: Shown, amount?: Amount): View {
  const { text, also = [], raw, role } = value;
  const isSaid = also.some((one) => one.replaceAll(",", "").startsWith(`${raw} `)); // with its digits in groups
  const forms = [...also, ...(raw === undefined || isSaid ? [] : [raw])];
  return {
    summary: role === "bad" ? `unexpected: ${text}` : text,
    ...(role !== "bad" && value.short !== undefined && { headline: [answerPart(value)] }),
    sections: forms.length > 0 ? [{ kind: "exact", forms }] : [],
    ...(amount && { amount }),
  };
}

/** The first part of a headline. */
function answerPart({ text, short }: Shown): HeadlinePart {
  return short === undefined ? { text } : { text: short, exact: text };
}

/** Folds what can be folded. */
export function folded(section: Section): Section {
  return section.kind === "note" ? section : { ...section, folded: true };
}

/** Folds the fields of an object, since its headline shows the most important ones. */
export function foldedFields(section: Section): Section {
  return section.kind === "fields" && section.title === undefined
    ? { ...section, title: "All fields", folded: true }
    : section;
}

export function foldedTable(section: Section): Section {
  return section.kind === "table" ? { ...section, title: capitalized(section.title ?? "Rows"), folded: true } : section;
}

/** Characters of JSON that a report shows. */
export const maxJson = 20_000;

/** Returns the answer as JSON, folded. */
export function answerSection(answer: JsonObject, title = "Raw JSON"): Section {
  return { kind: "text", title, ...jsonText(printJson(answer), maxJson), folded: true, isAnswer: true };
}
