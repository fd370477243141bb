/**
 * Writes the pages about methods and types in `docs/methods/` from the catalogue. Run it with
 * `npx tsx scripts/methodDocs.ts` after a change of the catalogue.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundledCatalog } from "../server/src/catalog/catalog.ts";
import type { FieldSpec, MethodSpec, TypeRef, TypeSpec } from "../server/src/catalog/spec.ts";
import { itemsOf, textOfRef, typeNamed, types } from "../server/src/catalog/types.ts";
import { signature } from "../server/src/features/docs.ts";

/** The folder of the pages, from the project's root. */
export const folder = "docs/methods";

const namespaces: readonly (readonly [string, string])[] = [
  ["eth", "State, calls, simulation, blocks, transactions, fees, filters and subscriptions."],
  ["net", "The node's network."],
  ["web3", "The node's software."],
  ["rpc", "What an endpoint says of its methods."],
  ["txpool", "Transactions that wait."],
  ["debug", "Traces, and blocks and transactions in their own encoding."],
  ["trace", "Calls of transactions in a flat list."],
  ["optimism", "The rollup node of the OP stack."],
  ["base", "Nodes of Base."],
  ["rollup", "Old nodes of the OP stack."],
  ["anvil", "The development node of Foundry."],
  ["evm", "Time, mining and snapshots of development nodes."],
  ["hardhat", "The development node of Hardhat."],
];

/** @returns File name → text. */
export function pages(): ReadonlyMap<string, string> {
  return new Map([
    ["README.md", index()],
    ...namespaces.map(([name, about]): [string, string] => [`${name}.md`, page(name, about)]),
    ["types.md", typesPage()],
  ]);
}

const generated = "<!-- Written by scripts/methodDocs.ts from the catalogue; do not edit. -->";

function text(...parts: readonly (string | undefined)[]): string {
  return `${[generated, ...parts].filter((part) => part).join("\n\n")}\n`;
}

function methodsOf(namespace: string): readonly MethodSpec[] {
  return bundledCatalog.methods.filter(({ name }) => name.replace(/[._].*/, "") === namespace);
}

function index(): string {
  return text(
    "# Methods",
    "What the catalogue knows: completion, hover, checks and signature help come from the same table. Other methods can be sent as well; an OpenRPC document in the header (`openrpc`) makes them known.",
    ...namespaces.flatMap(([name, about]) => [
      `## [${name}](${name}.md)`,
      about,
      methodsOf(name)
        .map((spec) => `- [\`${spec.name}\`](${name}.md#${anchor(spec.name)}): ${spec.summary}`)
        .join("\n"),
    ]),
    "See [types](types.md) for the types of parameters and results.",
  );
}

function page(namespace: string, about: string): string {
  const sections = methodsOf(namespace).flatMap(method);
  return text(`# \`${namespace}\``, `${about} [All methods](README.md)`, ...sections);
}

function method(spec: MethodSpec): readonly (string | undefined)[] {
  const { name, summary, effect, params, result, nullResult, pending, errors, limits, source, example } = spec;
  const cell = example.params.length > 0 ? { method: name, params: example.params } : { method: name };
  const rows = params.map((param, at) => [
    String(at),
    `\`${param.name}\``,
    typeLink(param.type),
    need(param),
    about(param),
  ]);
  const refusals = errors?.map(({ code, http, message, when }) => [
    `\`${http ? `HTTP ${code}` : code}\``,
    message,
    when,
  ]);
  return [
    `## ${name}`,
    `${summary} ${effects[effect]}`.trim(),
    `\`${signature(spec)}\``,
    rows.length > 0 ? table(["", "Parameter", "Type", "", "What it is"], rows) : undefined,
    `**Result** ${typeLink(result)}: ${summaryOf(result)}${nullResult ? ` \`null\`: ${nullResult}` : ""}`,
    pending && `**\`pending\`** ${pending}`,
    limits?.map((limit) => `- ${limit}`).join("\n"),
    refusals && table(["Error", "Message", "When"], refusals),
    "As a cell, and its result:",
    fenced(printed(cell)),
    fenced(printed(example.result)),
    `[Source](${source})`,
  ];
}

const effects: Readonly<Record<MethodSpec["effect"], string>> = {
  unknown: "",
  reads: "",
  simulates: "Nothing is changed.",
  signs: "It signs with a key: a run asks first.",
  broadcasts: "It sends a transaction: a run asks first.",
  "changes-node": "It changes the node: a run asks first.",
};

function need({ required, default: assumed }: FieldSpec): string {
  return required ? "required" : assumed === undefined ? "" : `default \`${assumed}\``;
}

function about({ summary, advised, aliases }: FieldSpec): string {
  const others = aliases ? `Some clients also take ${aliases.map((name) => `\`${name}\``).join(", ")}.` : "";
  return [summary, advised, others].filter((part) => part).join(" ");
}

function typesPage(): string {
  return text(
    "# Types",
    "The types of parameters and results. `[]` after a name means a list. [All methods](README.md)",
    ...Object.entries(types).flatMap(([name, type]) => [`## ${name}`, ...described(type)]),
  );
}

function described(type: TypeSpec): readonly (string | undefined)[] {
  switch (type.kind) {
    case "object":
      return [
        type.summary,
        table(["Field", "Type", "", "What it is"], [...type.fields, ...(type.readable ?? [])].map(field)),
        [...(type.exclusive ?? []), ...(type.oneOfRequired ?? [])]
          .map(({ fields, why }) => `- ${fields.map((name) => `\`${name}\``).join(", ")}: ${why}`)
          .join("\n"),
      ];
    case "map":
      return [type.summary, `Keys: ${typeLink(type.keys)}. Values: ${typeLink(type.values)}.`];
    case "union":
      return [type.summary, `One of: ${type.of.map(typeLink).join(", ")}.`];
    case "oneOf":
      return [type.summary, type.values.map(({ value, summary }) => `- \`${value}\`: ${summary}`).join("\n")];
    default:
      return [type.summary];
  }
}

function field(spec: FieldSpec): readonly string[] {
  return [`\`${spec.name}\``, typeLink(spec.type), need(spec), about(spec)];
}

function plain(ref: TypeRef): string {
  return textOfRef(itemsOf(ref) ?? ref);
}

function typeLink(ref: TypeRef): string {
  return `[\`${textOfRef(ref)}\`](types.md#${anchor(plain(ref))})`;
}

function summaryOf(ref: TypeRef): string {
  const summary = typeNamed(plain(ref))?.summary ?? "";
  return itemsOf(ref) !== undefined ? `A list. Each: ${summary}` : summary;
}

/** Returns the anchor that GitHub gives a heading. */
function anchor(heading: string): string {
  return heading.toLowerCase().replace(/[^\w-]/g, "");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function fenced(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``;
}

/** Prints JSON as people write it: short values on one line, and very long bytes shortened. */
function printed(value: unknown, indent = ""): string {
  const line = JSON.stringify(value).replace(/"(0x[0-9a-f]{300,})"/g, (_, hex: string) => `"${hex.slice(0, 34)}…"`);
  const spaced = line.replace(
    /("(?:[^"\\]|\\.)*")|([{:,])|(})/g,
    (_, text, mark, end) => text ?? (mark ? `${mark} ` : ` ${end}`),
  );
  if (indent.length + spaced.length <= 110 || typeof value !== "object" || value === null)
    return spaced.replace("{  }", "{}");
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => inner + printed(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${printed(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${items.join(",\n")}\n${indent}${close}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  for (const [file, page] of pages()) writeFileSync(`${folder}/${file}`, page);
}
