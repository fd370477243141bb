import type { JsonObject, JsonValue } from "../base/json.ts";
import { oneLine, type Paint, plural } from "../base/text.ts";
import type { Description, DescriptionReading, InnerData, NamedValue } from "./describe.ts";
import { abiShown, addressShown, inlineText, nameAt, weiShown } from "./shown.ts";

/** A description as a tree: what it is, then its readings, then what is inside of those, each a step further in. */
export function descriptionText({ kind, readings, facts }: Description, paint: Paint = (_, text) => text): string {
  const column = Math.max(0, ...facts.map(({ name }) => name.length));
  const lines = [
    paint("bold", readings.length > 1 ? `${titles[kind]}, which ${readings.length} declarations fit` : titles[kind]),
    ...facts.map(({ name, value }) => `${paint("dim", name.padEnd(column))}  ${value}`),
    ...readings.flatMap((reading) => readingLines(reading, paint, kind === "return" ? "value" : "argument")),
  ];
  return lines.map((line, at) => (at === 0 ? line : `  ${line}`)).join("\n");
}

const titles: Readonly<Record<Description["kind"], string>> = {
  call: "Call data",
  log: "Log",
  revert: "Revert data",
  return: "Returned data",
  creation: "Code that creates a contract",
  topic: "Topic 0",
  selector: "Selector",
  words: "Bytes of unknown types",
};

function readingLines(reading: DescriptionReading, paint: Paint, noun = "argument"): readonly string[] {
  const { kind, signature, sources, guess, values, inner, faults, others } = reading;
  const why = `from ${sources.map((source) => oneLine(source, 120)).join(", ")}${guess ? `, guessed by ${kind === "event" ? "topic 0" : "its selector"}` : ""}`;
  const what = kind === "constructor" ? "" : `${kind} `;
  const names = values.map(({ name }, at) => nameAt(name, at, noun));
  const columns = [names, values.map(({ type }) => oneLine(type, 60))].map((texts) => ({
    texts,
    width: Math.max(0, ...texts.map((text) => text.length)),
  }));
  return [
    `${what}${oneLine(signature, 300)} ${paint("dim", why)}`,
    ...values.flatMap((value, at) => {
      const within = inner.filter(({ path }) => path[0] === at);
      const [name = "", type = ""] = columns.map(({ texts, width }) => (texts[at] ?? "").padEnd(width));
      const shown = value.value === undefined && reading.faults.length === 0 ? "" : valueText(value, within);
      const line = `  ${name}  ${paint("dim", type)}  ${shown}`.trimEnd();
      return [line, ...within.flatMap((one) => innerLines(one, paint)).map((line) => `    ${line}`)];
    }),
    ...faults.map((fault) => `  ${paint("red", `does not fit exactly: ${fault}`)}`),
    ...others.map((one) => `  ${paint("dim", `or ${oneLine(one.declaration, 300)} from ${oneLine(one.source, 120)}`)}`),
  ];
}

function valueText({ value, type, hashed }: NamedValue, within: readonly InnerData[]): string {
  if (within.length > 0 && type === "bytes")
    return within[0]?.call ? plural(within.length, "call") : "a revert of its own";
  if (hashed) return `hash ${oneLine(String(value))}`;
  return inlineText(abiShown(value, type, noLabels));
}

const noLabels = new Map<string, string>();

function innerLines({ path, call, reading }: InnerData, paint: Paint): readonly string[] {
  const place = path
    .slice(1)
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${oneLine(step, 40)}`))
    .join("");
  const parts = [
    call?.to === undefined
      ? ""
      : `${call.delegate ? "delegates to" : "to"} ${inlineText(addressShown(call.to, noLabels))}`,
    call?.value === undefined || call.value === "0" ? "" : `sends ${weiShown(BigInt(call.value)).text}`,
    call && !reading ? unknownData(call) : "",
  ].filter((part) => part !== "");
  const head = [place, parts.join(", ")].filter((part) => part !== "").join("  ");
  const below = reading ? readingLines(reading, paint) : [];
  return head === "" ? below : [head, ...below.map((line) => `  ${line}`)];
}

function unknownData({ data, command }: NonNullable<InnerData["call"]>): string {
  if (command !== undefined) return `command ${command} with ${oneLine(data, 80)}`;
  return data === "0x" ? "no data" : `data ${oneLine(data, 80)} of an unknown function`;
}

/** A description for machines: values as they are decoded, integers as decimal text. */
export function descriptionJson({ kind, readings, facts, known }: Description): JsonObject {
  const named = facts.map(({ name, value }): [string, JsonValue] => [name, value]);
  return {
    kind,
    known,
    candidates: readings.map((reading) => readingJson(reading)),
    ...(facts.length > 0 && { facts: Object.fromEntries(named) }),
  };
}

function readingJson({
  kind,
  signature,
  sources,
  guess,
  values,
  inner,
  faults,
  others,
}: DescriptionReading): JsonObject {
  return {
    kind,
    name: signature.split("(")[0]?.replace(/^new /, "") ?? "",
    signature,
    sources,
    guess,
    args: values.map(({ name, type, value, hashed }) => ({
      name,
      type,
      ...(value !== undefined && { value }),
      ...(hashed && { hashed }),
    })),
    ...(inner.length > 0 && { inner: inner.map(innerJson) }),
    ...(faults.length > 0 && { faults }),
    ...(others.length > 0 && { others: others.map(({ declaration, source }) => ({ declaration, source })) }),
  };
}

function innerJson({ path, call, reading }: InnerData): JsonObject {
  return {
    path,
    ...(call && {
      ...(call.to !== undefined && { to: call.to }),
      ...(call.value !== undefined && { value: call.value }),
      ...(call.delegate && { delegate: true }),
      ...(call.command !== undefined && { command: call.command }),
      data: call.data,
    }),
    decoded: reading ? readingJson(reading) : null,
  };
}
