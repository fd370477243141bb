import { skipSpace } from "../base/jsonScan.ts";
import type { Metadata } from "./data.ts";
import { stringOf } from "./data.ts";
import { isJson } from "./json.ts";
import { type FrameText, firstBreak, lay, toShown } from "./layout.ts";
import { heldText, printLines } from "./lines.ts";
import { readCell } from "./readCell.ts";
import { cellsMember, dataMember, headerText } from "./readFile.ts";
import type { Scan } from "./scan.ts";
import { scanFile } from "./scan.ts";

/** A file without its cells. */
export interface Frame extends FrameText {
  /** The text of the header cell; `undefined` if the file has only `cells`. */
  readonly header: string | undefined;
}

const byteOrderMark = "\ufeff";
export const newFrame: Frame = frameOf('{\n  "cells": [', "]\n}\n");

/** @param after - With `before`, a file without cells. */
export function frameOf(before: string, after: string): Frame {
  const text = before + after;
  const scan = scanFile(text);
  if (!scan.list) return { form: "object", before, after, header: undefined };
  if (text[scan.root.start] === "[") return { form: "array", before, after, header: undefined };
  return { form: "notebook", before, after, header: shownHeader(headerText(text, scan)) };
}

/** A header that is not JSON yet is in the file as `text`, as a cell does. */
function shownHeader(json: string): string | undefined {
  const held = heldText(json);
  const shown = held?.key === "text" ? held.text : toShown(json);
  return isEmpty(shown) ? undefined : shown;
}

/** `{}` and blank text: how people take a header out. */
function isEmpty(json: string): boolean {
  const { root, faults } = readCell(json, "header");
  return json.trim() === "" || (root?.type === "object" && root.children?.length === 0 && faults.length === 0);
}

/** Returns the frame that a notebook was opened with, or a new one if its metadata has no valid frame. */
export function frameIn(metadata: Metadata): Frame {
  const before = stringOf(metadata, "before", /^/) ?? "";
  const after = stringOf(metadata, "after", /^/);
  if (after === undefined) return before.startsWith(byteOrderMark) ? moved(newFrame, byteOrderMark) : newFrame;
  if (isBlank(before + after)) return { form: "object", before, after, header: undefined };
  const { list } = scanFile(before + after);
  const whole = list?.closed && list.open === before.length - 1 && list.close === before.length;
  return whole && isJson(withoutMark(before + after)) ? frameOf(before, after) : newFrame;
}

function moved(frame: Frame, before: string): Frame {
  return { ...frame, before: before + frame.before };
}

/** The text of a blank file that was opened as a new notebook. */
export function blankIn(metadata: Metadata): string | undefined {
  return metadata.after === undefined ? stringOf(metadata, "before", /^\ufeff?[ \t\r\n]*$/) : undefined;
}

export function isBlank(text: string): boolean {
  return skipSpace(text, text.startsWith(byteOrderMark) ? 1 : 0) === text.length;
}

/** JSON.parse takes no byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** An array around the only cell of a bare object. */
export function asArray({ form, before, after, header }: Frame): Frame {
  return form === "object"
    ? { form: "array", before: `${before}[`, after: `]${after}`, header }
    : { form, before, after, header };
}

/**
 * The frame with another header. `cells` keeps its place among the members.
 *
 * @param text - As the header cell shows it; `undefined` for a notebook without one.
 */
export function withHeader(frame: Frame, text: string | undefined, eol: string, unit: string): Frame {
  const shown = text === undefined || isEmpty(text) ? undefined : toShown(text);
  if (shown === frame.header) return frame;
  const old = frame.before + frame.after;
  const scan = scanFile(old);
  const around = { start: old.slice(0, scan.root.start), end: old.slice(scan.root.end) };
  const lines = [eol];
  const json = lay(shown === undefined ? "{}" : headerJson(shown, unit), "", lines).trim();
  const [before, after] = insertCells(json, placeOf(old, scan), eol, unit);
  const [cells, data] = [cellsMember(scan), dataMember(scan)];
  const kept = cells && data ? old.slice(cells.end, data.end) : "";
  return frameOf(around.start + before, `]${kept}${after.slice(1)}${around.end}`);
}

/** Returns the header's own text if the file can contain it, else the text as a member. */
function headerJson(text: string, unit: string): string {
  const { root, faults, kind } = readCell(text, "header");
  const object = kind === "opaque" ? text.trim().startsWith("{") && isJson(text) : root?.type === "object";
  return object && faults.length === 0 && heldText(text)?.key !== "text"
    ? text
    : printLines("text", text, undefined, unit);
}

/** The place and layout of `cells` among the members of the root. */
interface Place {
  /** The number of members before it; `undefined` if there are no other members to infer it from. */
  readonly index: number | undefined;
  /** Key and colon. */
  readonly key: string;
  /** The comma towards the member before or, at index 0, behind it. */
  readonly comma: string | undefined;
}

function placeOf(text: string, scan: Scan): Place {
  const member = cellsMember(scan);
  const index = member ? scan.members.indexOf(member) : -1;
  if (!member || !scan.list) return { index: undefined, key: '"cells": ', comma: undefined };
  const key = text.slice(member.start, scan.list.open);
  if (scan.members.length === 1) return { index: undefined, key, comma: undefined };
  const [left, right] = index > 0 ? [scan.members[index - 1], member] : [member, scan.members[1]];
  return { index, key, comma: left && right && text.slice(left.end, right.start) };
}

/** @returns The object's text up to the open bracket of `cells`, and from its closing one. */
function insertCells(json: string, place: Place, eol: string, unit: string): readonly [string, string] {
  const { members } = scanFile(json);
  const own = members.findLastIndex(({ key }) => key === "cells");
  const index = Math.min(Math.max(place.index ?? members.length, own + 1), members.length);
  if (members.length === 0) return [`{${eol}${unit}${place.key}[`, `]${eol}}`];
  const comma = place.comma ?? `,${firstBreak(json) ?? eol}${unit}`;
  const left = members[index - 1];
  if (left) return [`${json.slice(0, left.end)}${comma}${place.key}[`, `]${json.slice(left.end)}`];
  const start = members[0]?.start ?? 1;
  return [`${json.slice(0, start)}${place.key}[`, `]${comma}${json.slice(start)}`];
}
