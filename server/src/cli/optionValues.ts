import { listed } from "../base/text.ts";
import { readBlock } from "../base/units.ts";
import { defaultLookupHost } from "../catalog/lookupHost.ts";
import { lookupApi, shownName, sitesNamed } from "../endpoints/site.ts";
import type { CommandName } from "./commands.ts";
import type { Values } from "./parseOptions.ts";
import { UsageError } from "./terminal.ts";

/** The words of a command line without its options. */
export type Words = readonly string[];
export type ReportOptions = Readonly<ReturnType<typeof reportOptions>>;

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** @returns Milliseconds. */
export function duration(text: string): number {
  const [, number = "", unit = "s"] = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = Number(number) * (unitMs[unit] ?? 0);
  if (ms > 0 && ms < 2 ** 31) return ms;
  throw new UsageError(`--for ${text} is not a duration.`, { hint: "Write one such as --for 10s, 500ms or 2m." });
}

export function count(option: string, text: string, max: number): number {
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= max) return Number(text);
  throw new UsageError(`--${option} ${text} is not a count.`, { hint: `Write a number from 1 to ${max}.` });
}

export function choice<T extends string>(option: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found) return found;
  throw new UsageError(`--${option} ${text} is not supported.`, { hint: `Write ${listed(allowed, "or")}.` });
}

export function reportOptions({ out, force = false }: Values) {
  return {
    /** The file for the report, instead of standard output. */
    reportFile: out,
    /** Replaces files that something else has written. */
    force,
  };
}

/** Reads two blocks: numbers, tags or blocks before `latest`. */
export function blockRange(text: string): readonly [from: string, to: string] {
  const wrong = (
    why: string,
    hint = "Write two blocks: --range 1000..latest, or --range 'latest - 5000..latest'.",
  ): never => {
    throw new UsageError(`--range ${text} ${why}.`, { hint });
  };
  const parts = text.split("..").map((part) => part.trim());
  const [first = "", last = ""] = parts;
  if (parts.length !== 2) return wrong(parts.length < 2 ? "is one block" : "has more than two blocks");
  if (first === "" || last === "") return wrong(`does not say where it ${first === "" ? "begins" : "ends"}`);
  const read = (part: string): string => blockOf(part) ?? wrong(whyNotBlock(part));
  const [from, to] = [read(first), read(last)];
  const [start, end] = [placeOf(from), placeOf(to)];
  if (start.tag === end.tag && start.offset > end.offset)
    return wrong("ends before it begins", `Exchange its blocks: --range '${last}..${first}'.`);
  return [from, to];
}

/** @returns `undefined` for other texts. @example blockOf("latest-5"); //=> "latest - 5" */
export function blockOf(text: string): string | undefined {
  const [, tag = "", count = ""] = /^(latest) *- *(\d{1,18})$/i.exec(text.trim()) ?? [];
  return count === "" ? readBlock(text.trim()) : `${tag.toLowerCase()} - ${BigInt(count)}`;
}

function whyNotBlock(text: string): string {
  if (/^-\d/.test(text)) return `has ${text}, which is before the first block`;
  if (/^(?:\d+|0x[0-9a-f]+)$/i.test(text)) return `has ${text}, which is larger than any block`;
  if (/^[\d.,_e' ]+$/.test(text)) return `has ${text}, which is not a whole number: write only digits`;
  return `has ${text}, which is neither a number nor a tag`;
}

/** Where a block is, after a tag or after the first block. */
function placeOf(block: string): { readonly tag: string; readonly offset: bigint } {
  if (block.startsWith("0x")) return { tag: "earliest", offset: BigInt(block) };
  const [tag = "", count = "0"] = block.split(" - ");
  return { tag, offset: -BigInt(count) };
}

export function blockNamed(text: string): string {
  const found = readBlock(text);
  if (found !== undefined) return found;
  throw new UsageError(`${text} is not a block.`, { hint: `Write a tag or a number: --block latest.` });
}

export function filesOf(command: CommandName, words: Words): Words {
  if (words.length > 0) return words;
  throw new UsageError("No file.", { hint: `Name one: \`rpc-notebook ${command} FILE.rpc.json\`.` });
}

export function hosts({ "allow-host": typed = [] }: Values): Words {
  const wrong = typed.find((text) => sitesNamed(text).length === 0);
  if (wrong === undefined) return typed;
  throw new UsageError(`--allow-host ${shownName(wrong)} is not a host.`, {
    hint: "Write a host with its port, such as rpc.example or http://node.internal:8545, without path or credentials.",
  });
}

export function seconds({ timeout }: Values): number | undefined {
  const value = Number(timeout);
  if (timeout === undefined) return undefined;
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`--timeout ${timeout} is not a time.`, { hint: "Write seconds: --timeout 30." });
}

/** Returns the address of a lookup host without a slash at its end. */
export function lookupUrl(text: string): string {
  const url = lookupApi(text);
  if (url !== undefined) return url;
  throw new UsageError(`--lookup ${shownName(text)} is not the address of a lookup host.`, {
    hint: `Write one that begins with https://, such as ${defaultLookupHost}.`,
  });
}
