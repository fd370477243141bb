import { summaryOf } from "../analysis/types.ts";
import { code, joined, link, type Markdown, markdown, prose } from "../base/markdown.ts";
import { memoByObject } from "../base/memo.ts";
import { listed } from "../base/text.ts";
import { bundledCatalog } from "../catalog/catalog.ts";
import type { FieldSpec, MethodSpec, ParamSpec, TypeRef } from "../catalog/spec.ts";
import { shapesOf, textOfRef } from "../catalog/types.ts";

/** The documentation of a method. All of it comes from the catalogue or from an OpenRPC document. */
export const methodDocs = memoByObject((spec: MethodSpec): Markdown => {
  return joined(
    [
      markdown`**${prose(spec.name)}** · ${prose(effects[spec.effect])}`,
      code(signature(spec), 1000),
      prose(spec.summary),
      joined(spec.params.map(paramLine), "\n"),
      spec.nullResult === undefined ? undefined : markdown`\`null\`: ${prose(spec.nullResult)}`,
      spec.pending === undefined ? undefined : markdown`**\`pending\`** ${prose(spec.pending)}`,
      spec.limits &&
        joined(
          spec.limits.map((limit) => markdown`- ${prose(limit)}`),
          "\n",
        ),
      spec.errors && markdown`**Errors**\n\n${joined(spec.errors.map(errorLine), "\n")}`,
      sourceLink(spec),
    ],
    "\n\n",
  );
});

/** Where a method is described. The address of a document that anyone may have written is shown, and not a link. */
export function sourceLink(spec: MethodSpec): Markdown | undefined {
  if (bundledCatalog.methodNamed(spec.name) === spec) return link("Source", spec.source);
  return spec.source === "" ? undefined : markdown`Described at ${code(spec.source, 300)}`;
}

const effects: Readonly<Record<MethodSpec["effect"], string>> = {
  unknown: "may change something: a run asks once per host",
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

function paramLine(param: ParamSpec, position: number): Markdown {
  return markdown`- ${position} ${code(param.name)}${attributes(param)}: ${prose(param.summary)}`;
}

function errorLine({ code: number, http, message, when }: NonNullable<MethodSpec["errors"]>[number]): Markdown {
  return markdown`- ${code(http ? `HTTP ${number}` : String(number))} ${prose(message)}. ${prose(when)}`;
}

function attributes({ required, default: assumed, type }: FieldSpec): Markdown {
  const notes = [
    code(textOfRef(type)),
    required ? undefined : markdown`optional`,
    assumed === undefined ? undefined : markdown`default ${code(assumed)}`,
  ];
  return markdown` (${joined(notes, ", ")})`;
}

/** The documentation of a parameter or field: what it is, its type, what it may be. */
export function fieldDocs(field: FieldSpec, required = field.required === true): Markdown {
  return joined(
    [fieldSummary(field, required), typeSummary(field.type), valueLines(field.type), proseOf(field.advised)],
    "\n\n",
  );
}

/** The same in short, beside what a value says: without what all values of the type may be. */
export function fieldSummary(field: FieldSpec, required = field.required === true): Markdown {
  const aliases = field.aliases && listed(field.aliases.map((name) => `\`${name}\``));
  const summary = aliases === undefined ? field.summary : `${field.summary} Some clients also accept ${aliases}.`;
  return joined([markdown`**${prose(field.name)}**${attributes({ ...field, required })}`, prose(summary)], "\n\n");
}

/** A type without a field of its own: an item of a list, a value of a map. */
export function typeDocs(type: TypeRef): Markdown | undefined {
  const summary = typeSummary(type);
  return summary && joined([markdown`**${code(textOfRef(type))}**`, summary, valueLines(type)], "\n\n");
}

function typeSummary(type: TypeRef): Markdown | undefined {
  return proseOf(summaryOf(type));
}

function proseOf(text: string | undefined): Markdown | undefined {
  return text === undefined ? undefined : prose(text);
}

function valueLines(type: TypeRef): Markdown {
  const values = shapesOf(type).flatMap((shape) =>
    shape.kind === "one" && shape.type.kind === "oneOf" ? shape.type.values : [],
  );
  return joined(
    values.map(({ value, summary }) =>
      summary === "" ? markdown`- ${code(value)}` : markdown`- ${code(value)}: ${prose(summary)}`,
    ),
    "\n",
  );
}

/** The members beside `method` and `params` in a cell. */
export const memberDocs: Readonly<Record<string, string>> = {
  jsonrpc: 'The version of JSON-RPC, always `"2.0"`. It is added if it is missing.',
  id: "The id of the request and its answer. A number is added if it is missing.",
  method: "The method to call.",
  params: "The parameters, by position.",
  name: "The cell's name. Others refer to its result by it: `{{name.result}}`.",
  endpoint: "The endpoint of this cell, by name or URL; it takes precedence over the notebook's.",
  abi: "Files and signatures that name functions, events and errors in this cell.",
  expect: "What the answer must be: path → value, or path → operators such as `>=`.",
  explain:
    "Explains the transaction: what it did, why it failed, and its status until it is final. For `eth_getTransactionByHash` and `eth_getTransactionReceipt`.",
  assume:
    'What is different when the request is simulated: `{ "token": { "0x…": { "alice": "1000" } }, "time": "+1 day" }`. It is sent as state and block overrides.',
  each: 'Sends the request once for every value of lists, ranges, placeholders of lists and `.csv` files: `{ "holder": ["alice", "bob"], "block": ["0x0", "latest", "+1000"] }`. The request takes them by `{{holder}}` and `{{block}}`; the answers are one table.',
  within: 'How long to repeat the request until `expect` holds: `"10 s"`, `"3 blocks"`.',
  snapshot: "Compare the answer with the one that was saved.",
  save: "Writes the logs to a file while they arrive, any number of them, and goes on there in the next run: `.parquet`, `.csv` or `.ndjson`. The path is relative to the notebook. For `eth_getLogs`.",
  batch: "Requests that are sent together, in one message.",
};
