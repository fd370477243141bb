import type { Explanation } from "../base/error.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { brief, oneLine, plural, visible } from "../base/text.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { effectByName, isHarmless } from "../catalog/effects.ts";
import { isBlock } from "../catalog/types.ts";
import { equal } from "../evaluate/diff.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Report, Section, Shown } from "../report/report.ts";
import { table } from "../report/table.ts";

/** The block tags that a request is compared at, the newest first. */
export const comparedTags = ["pending", "latest", "safe", "finalized"] as const;

/** One side of a comparison. */
export interface ComparedAnswer {
  /** Safe to show. */
  readonly name: string;
  /** The answer as JSON; `undefined` if nothing was sent. */
  readonly answer: JsonValue | undefined;
  /** In one line. */
  readonly summary: string;
  readonly ok: boolean;
  /** The reason why nothing was sent. */
  readonly notSent?: Explanation | undefined;
}

/**
 * Writes a cell's request for another block.
 *
 * @param tag - `undefined` for the request as it is, without its name and expectations.
 * @param expects - Keeps what it expects.
 * @returns `undefined` if the cell is not a single request that only reads, or is not about a block.
 */
export function textAtBlock(cell: Cell, tag: string | undefined, expects = false): string | undefined {
  const value = cell.kind === "request" ? parseJson(cell.text) : undefined;
  if (!isObject(value) || typeof value.method !== "string" || value.each !== undefined) return undefined;
  if (!isHarmless(methodNamed(value.method)?.effect ?? effectByName(value.method))) return undefined;
  const { name: _name, expect, within: _within, snapshot: _snapshot, ...rest } = value;
  const request = expects && expect !== undefined ? { ...rest, expect } : rest;
  if (tag === undefined) return printJson(request);
  const params = paramsAt(value.method, isArray(value.params) ? value.params : [], tag);
  return params && printJson({ ...request, params });
}

export function paramsAt(method: string, params: readonly JsonValue[], tag: string): readonly JsonValue[] | undefined {
  const slots = methodNamed(method)?.params ?? [];
  const at = slots.findIndex(({ type }) => type === "filter" || isBlock(type));
  if (at < 0 || params.length < at) return undefined;
  const filter = params[at];
  if (slots[at]?.type !== "filter") return params.toSpliced(at, 1, tag);
  if (!isObject(filter)) return undefined;
  const { blockHash: _blockHash, ...criteria } = filter;
  return params.toSpliced(at, 1, { ...criteria, fromBlock: tag, toBlock: tag });
}

/** The largest number of rows of a comparison: for more, see the answers themselves. */
const maxFields = 2000;

/** Compares answers side by side: a column for each, a row for each field, and a mark if they differ. */
export function comparison(title: string, sides: readonly ComparedAnswer[]): Report {
  const fields = sides.map(({ answer, summary, ok }) => fieldsOf(answer, summary, ok));
  const names = [...new Set(fields.flatMap((one) => [...one.keys()]))].slice(0, maxFields);
  const rows = names.map((name) => {
    const values = fields.map((one) => one.get(name));
    return { name, values, differs: new Set(values.map((value) => value?.whole)).size > 1 };
  });
  const differing = rows.filter(({ differs }) => differs).length;
  const isCut = fields.some((one) => one.size >= maxFields);
  const isBeyond = isCut && sides.some(({ answer }) => !equal(resultIn(answer), resultIn(sides[0]?.answer)));
  const failed = sides.filter(({ ok }) => !ok);
  const section = table(rows, [
    { name: "", of: ({ differs }) => ({ text: differs ? "≠" : "" }) },
    { name: "field", of: ({ name }) => ({ text: name, role: "name" }) },
    ...sides.map(({ name }, i) => ({
      name,
      of: ({ values }: (typeof rows)[number]): Shown => values[i]?.shown ?? { text: "" },
    })),
  ]);
  return {
    title: oneLine(title, 120),
    summary: sides.every(({ notSent }) => notSent) ? "not sent" : differenceIn(rows.length, differing, isBeyond),
    status: failed.length > 0 ? "failed" : "ok",
    sections: [...reasons(sides), section],
    facts: [],
  };
}

/** Returns why sides were not sent, each reason once. */
function reasons(sides: readonly ComparedAnswer[]): readonly Section[] {
  const unsent = new Map(sides.flatMap(({ notSent }) => (notSent ? [[notSent.what, notSent] as const] : [])));
  return [...unsent.values()].map(({ what, todo }) => ({ kind: "failure", what, todo, fields: [] }));
}

/** The answers that differ from the next older one, as texts for a diff. Sides begin with the newest. */
export function differingPairs(sides: readonly ComparedAnswer[]) {
  const texts = sides.map((side) => ({ name: side.name, value: side.summary, text: textOf(side) }));
  return texts.flatMap((after, at) => {
    const before = texts[at + 1];
    return before && before.text !== after.text ? [{ before, after }] : [];
  });
}

/** An answer as a person reads it, then its JSON. */
function textOf({ answer, summary, ok }: ComparedAnswer): string {
  const result = ok && isObject(answer) ? answer.result : undefined;
  return result === undefined ? `${summary}\n` : `${summary}\n\n${visible(printJson(result, 2))}\n`;
}

/** @param isBeyond - The answers differ, and not all of their fields are listed. */
function differenceIn(all: number, differing: number, isBeyond: boolean): string {
  if (isBeyond) return `the answers differ: ${differing} of the first ${all} fields, and perhaps more`;
  if (differing === 0) return "no difference";
  if (all === 1) return "the answers differ";
  return `${differing} of ${plural(all, "field")} ${differing === 1 ? "differs" : "differ"}`;
}

/** Returns the same as JSON. */
export function comparisonJson(title: string, sides: readonly ComparedAnswer[]): JsonValue {
  return {
    title,
    ok: sides.every(({ ok }) => ok),
    sides: sides.map(({ name, ok, answer, notSent }) => ({
      name,
      ok,
      ...(answer !== undefined && { answer }),
      ...(notSent && { notSent: { what: notSent.what, todo: notSent.todo } }),
    })),
  };
}

/** A value as it is shown, and whole. */
interface Leaf {
  readonly shown: Shown;
  readonly whole: string;
}

/** Returns the leaves of a result by their path; one line for a single value or a failure. */
function fieldsOf(answer: JsonValue | undefined, summary: string, ok: boolean): ReadonlyMap<string, Leaf> {
  const result = isObject(answer) ? answer.result : undefined;
  if (!ok || result === undefined)
    return new Map([["result", { shown: { text: summary, role: "bad" }, whole: summary }]]);
  if (!isObject(result) && !isArray(result)) {
    const whole = printJson(result);
    return new Map([["result", { shown: { text: summary, raw: brief(whole, 200) }, whole }]]);
  }
  const leaves = new Map<string, Leaf>([["result", { shown: { text: summary }, whole: summary }]]);
  walk(result, "", leaves);
  return leaves;
}

function resultIn(answer: JsonValue | undefined): JsonValue {
  return isObject(answer) ? (answer.result ?? null) : null;
}

function walk(value: JsonObject | readonly JsonValue[], path: string, leaves: Map<string, Leaf>): void {
  for (const [key, item] of Object.entries(value)) {
    if (leaves.size >= maxFields) return;
    const at = isArray(value) ? `${path}[${key}]` : `${path}${path === "" ? "" : "."}${brief(key, 60)}`;
    if ((isObject(item) || isArray(item)) && Object.keys(item).length > 0) walk(item, at, leaves);
    else {
      const whole = printJson(item);
      leaves.set(at, { shown: { text: brief(typeof item === "string" ? item : whole, 80) }, whole });
    }
  }
}
