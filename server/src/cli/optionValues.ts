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

export function blockRange(text: string): readonly [from: string, to: string] {
  const [first = "", last = "", ...more] = text.split("..");
  if (more.length > 0 || last === "")
    throw new UsageError(`--range ${text} is not a range.`, { hint: "Write two blocks: --range 1000..latest." });
  return [blockNamed(first, "--range 1000..latest"), blockNamed(last, "--range 1000..latest")];
}

export function blockNamed(text: string, example = "--block latest"): string {
  const found = readBlock(text);
  if (found !== undefined) return found;
  throw new UsageError(`${text} is not a block.`, { hint: `Write a tag or a number: ${example}.` });
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
