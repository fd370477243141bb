import { summaryOf } from "../analysis/types.ts";
import { listed } from "../base/text.ts";
import { shapesOf } from "../catalog/shapes.ts";
import type { FieldSpec, MethodSpec, ParamSpec, TypeRef } from "../catalog/spec.ts";

const written = new WeakMap<MethodSpec, string>();

/** The documentation of a method, as Markdown. All of it comes from the catalogue. */
export function methodDocs(spec: MethodSpec): string {
  const found = written.get(spec) ?? write(spec);
  written.set(spec, found);
  return found;
}

function write(spec: MethodSpec): string {
  const parts = [
    `**${spec.name}** · ${effects[spec.effect]}`,
    `\`${signature(spec)}\``,
    spec.summary,
    spec.params.map(paramLine).join("\n"),
    spec.nullResult && `\`null\`: ${spec.nullResult}`,
    spec.pending && `**\`pending\`** ${spec.pending}`,
    spec.limits?.map((limit) => `- ${limit}`).join("\n"),
    spec.errors && `**Errors**\n\n${spec.errors.map(errorLine).join("\n")}`,
    spec.source && `[Source](${spec.source})`,
  ];
  return parts.filter((part) => part).join("\n\n");
}

const effects: Readonly<Record<MethodSpec["effect"], string>> = {
  reads: "reads state",
  simulates: "simulates, changes nothing",
  signs: "signs with a key",
  broadcasts: "sends a transaction",
  "changes-node": "changes the node",
};

/** @example signature(eth_getBalance); //=> "eth_getBalance(address, block?) → wei" */
export function signature({ name, params, result }: MethodSpec): string {
  return `${name}(${params.map((param) => param.name + (param.required ? "" : "?")).join(", ")}) → ${result}`;
}

function paramLine(param: ParamSpec, position: number): string {
  return `- ${position} \`${param.name}\`${attributes(param)}: ${param.summary}`;
}

function errorLine({ code, http, message, when }: NonNullable<MethodSpec["errors"]>[number]): string {
  return `- \`${http ? `HTTP ${code}` : code}\` ${message}. ${when}`;
}

function attributes({ required, default: assumed, type }: FieldSpec): string {
  const notes = [required ? "" : "optional", assumed === undefined ? "" : `default \`${assumed}\``].filter(
    (note) => note,
  );
  return ` (${[`\`${type}\``, ...notes].join(", ")})`;
}

/** The documentation of a parameter or field: what it is, its type, what it may be. */
export function fieldDocs(field: FieldSpec, required = field.required === true): string {
  return [fieldSummary(field, required), summaryOf(field.type), valueLines(field.type), field.advised]
    .filter((part) => part)
    .join("\n\n");
}

/** The same in short, beside what a value says: without what all values of the type may be. */
export function fieldSummary(field: FieldSpec, required = field.required === true): string {
  const aliases = field.aliases ? ` Some clients also take ${listed(field.aliases.map((name) => `\`${name}\``))}.` : "";
  return `**${field.name}**${attributes({ ...field, required })}\n\n${field.summary}${aliases}`;
}

/** A type without a field of its own: an item of a list, a value of a map. */
export function typeDocs(type: TypeRef): string | undefined {
  const summary = summaryOf(type);
  return summary && [`**${type}**`, summary, valueLines(type)].filter((part) => part).join("\n\n");
}

function valueLines(type: TypeRef): string {
  return shapesOf(type)
    .flatMap((shape) => (shape.kind === "one" && shape.type.kind === "oneOf" ? shape.type.values : []))
    .map(({ value, summary }) => `- \`${value}\`: ${summary}`)
    .join("\n");
}

/** What stands beside `method` and `params` in a cell. */
export const memberDocs: Readonly<Record<string, string>> = {
  jsonrpc: 'The version of JSON-RPC, always `"2.0"`. It is added where it is missing.',
  id: "The id that the answer carries. A number is added where it is missing.",
  method: "The method to call.",
  params: "The parameters, by position.",
  name: "The cell's name. Others refer to its result by it: `{{name.result}}`.",
  endpoint: "The endpoint of this cell, by name or URL; it wins over the notebook's.",
  abi: "Files and signatures that name functions, events and errors in this cell.",
  expect: "What the answer must be: path → value, or path → operators such as `>=`.",
  within: 'How long to ask again until `expect` holds: `"10 s"`, `"3 blocks"`.',
  snapshot: "Compare the answer with the one that was saved.",
  batch: "Requests that travel together in one HTTP exchange.",
};
