import { names, order, referredTo } from "../analysis/order.ts";
import type { JsonValue } from "../base/json.ts";
import { expectsError } from "../evaluate/operators.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { exactValue } from "../notebook/json.ts";
import type { Segment } from "../notebook/placeholder.ts";
import {
  comment,
  type Exported,
  type ExportNote,
  type ExportScope,
  type Hole,
  type Opened,
  openRequests,
} from "./exported.ts";
import { markdownOf, nameOf } from "./toShell.ts";
import { identifiers } from "./typescriptNames.ts";
import { type Holes, property, tsText, tsValue } from "./typescriptValue.ts";
import { viemAction } from "./viemAction.ts";
import { viemRead } from "./viemRead.ts";

/** What is collected while cells are written. */
interface Writer {
  readonly around: ExportScope;
  readonly notes: ExportNote[];
  /** Names of what is imported from viem. */
  readonly imports: Set<string>;
  /** Declarations in front of everything else, by the name that they declare. */
  readonly constants: Map<string, string>;
  readonly clients: Map<string, string>;
  /** Cells whose answers others use, as they come over the wire. */
  readonly referred: ReadonlySet<Cell>;
  readonly name: ReturnType<typeof identifiers>;
  readonly written: Map<Cell, string>;
}

/**
 * Writes cells as a TypeScript module that asks the same by viem: variables are constants, an answer that another cell
 * uses is awaited first. Cells stand behind those that they refer to, which come along.
 */
export function toViem(cells: readonly Cell[], around: ExportScope): Exported {
  const { scope } = around;
  const wanted = withReferred(cells, scope.cells);
  const writer: Writer = {
    around,
    notes: [],
    imports: new Set(["createPublicClient", "http"]),
    constants: new Map(),
    clients: new Map(),
    referred: new Set([...wanted].flatMap((cell) => referredTo(cell, scope.cells))),
    name: identifiers(),
    written: new Map(),
  };
  const { cells: sorted, cycles } = order(scope.cells);
  for (const cell of cycles.flat().filter((one) => wanted.has(one)))
    writer.notes.push({ cell, what: "The cell refers to itself, by way of other cells or not." });
  const texts = sorted.filter((cell) => wanted.has(cell)).map((cell) => cellText(cell, writer));
  const head = [`import { ${[...writer.imports].sort().join(", ")} } from "viem";`];
  const clients = [...writer.clients].map(
    ([url, name]) => `const ${name} = createPublicClient({ transport: http(${url}) });`,
  );
  const before = [...writer.constants.values(), ...clients];
  const parts = [head.join("\n"), before.join("\n"), ...texts].filter((text) => text !== "");
  return { text: `${parts.join("\n\n")}\n`, notes: writer.notes };
}

function withReferred(cells: readonly Cell[], all: readonly Cell[]): ReadonlySet<Cell> {
  const found = new Set<Cell>();
  const next = [...cells];
  for (let cell = next.pop(); cell; cell = next.pop()) {
    if (found.has(cell)) continue;
    found.add(cell);
    next.push(...referredTo(cell, all));
  }
  return found;
}

function cellText(cell: Cell, writer: Writer): string {
  if (cell.kind === "markdown") return comment(markdownOf(cell), "//");
  const { scope } = writer.around;
  const unreadable = decodedReference(cell, writer);
  const whole = unreadable === undefined ? openRequests(cell, scope, () => true) : [{ what: unreadable }];
  // What has to be encoded needs the values of variables now.
  const opened =
    whole.some((one) => "what" in one) && unreadable === undefined
      ? openRequests(cell, scope, (path) => !scope.variables.has(String(path[0])))
      : whole;
  const left = unwritten(opened, writer);
  const faults = [...opened.flatMap((one) => ("what" in one ? [one.what] : [])), ...(left === undefined ? [] : [left])];
  writer.notes.push(...faults.map((what) => ({ cell, what })));
  if (faults.length > 0) return comment([nameOf(cell) ?? "", ...faults].filter(Boolean).join("\n"), "//");
  const calls = opened.map((one, at) => ("request" in one ? callOf(one, cell, cell.requests[at], writer) : ""));
  const name = writer.name(nameOf(cell) ?? cell.requests[0]?.method ?? "answer");
  writer.written.set(cell, name);
  if (cell.kind !== "batch") return `export const ${name} = await ${calls[0]};`;
  return `export const ${name} = await Promise.all([\n${calls.map((call) => `  ${call},\n`).join("")}]);`;
}

/** What a cell uses has to stand above it. */
function unwritten(opened: readonly Opened[], { around: { scope }, written }: Writer): string | undefined {
  const cellNames = names(scope.cells);
  const used = opened.flatMap((one) => ("holes" in one ? one.holes.map(({ path: [name] }) => String(name)) : []));
  const left = used.find((name) => {
    const cell = scope.variables.has(name) ? undefined : cellNames.get(name)?.cell;
    return cell !== undefined && !written.has(cell);
  });
  return left === undefined ? undefined : `It uses \`${left}\`, which could not be written.`;
}

/** Only what comes over the wire is there in the exported code; decoded values are made by this tool. */
function decodedReference(cell: Cell, { around: { scope } }: Writer): string | undefined {
  const cellNames = names(scope.cells);
  const opened = openRequests(cell, scope, (path) => !scope.variables.has(String(path[0])));
  const holes = opened.flatMap((one) => ("holes" in one ? one.holes : []));
  const found = holes.find(({ path: [first, second] }) => cellNames.has(String(first)) && second !== "result");
  return (
    found && `It uses \`${found.path.slice(0, 2).join(".")}\` of another cell, which viem does not have in this form.`
  );
}

function callOf(
  open: Extract<Opened, { request: unknown }>,
  cell: Cell,
  node: RequestNode | undefined,
  writer: Writer,
): string {
  const { request } = open;
  const holes: Holes = {
    all: open.holes,
    expression: (hole) => expressionOf(hole, writer),
    value: (hole) => constantOf(hole, writer),
  };
  const client = clientOf(cell, writer);
  const asks = writer.referred.has(cell)
    ? undefined
    : ((node && viemRead(cell, node, request.params, holes, writer.around.scope)) ??
      viemAction(request.method, request.params, holes));
  const wanted = node?.members.get("expect")?.value;
  const isFailure = wanted !== undefined && expectsError(exactValue(cell.text, wanted));
  if (isFailure) writer.constants.set(" failure", failureOf);
  const expected = (call: string): string => (isFailure ? `failureOf(${call})` : call);
  if (asks) {
    for (const name of asks.imports ?? []) writer.imports.add(name);
    return expected(`${client}.${asks.call}`);
  }
  writer.constants.set(
    " any",
    "/** What a request takes and gives where viem has no types for it. */\ntype Wire = { Parameters: unknown; ReturnType: any };",
  );
  const params = tsValue(request.params ?? [], holes);
  return expected(`${client}.request<Wire>({ method: ${tsText(request.method, holes)}, params: ${params} })`);
}

const failureOf = `/** The error of a request that is expected to fail. */
const failureOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => Promise.reject(new Error("The request was expected to fail.")),
    (error: unknown) => error,
  );`;

function clientOf(cell: Cell, { around, clients, constants, name: freeName }: Writer): string {
  const { url, headers } = around.endpointOf(cell);
  const env = (name: string): string => `process.env[${JSON.stringify(name)}] ?? ""`;
  const said = headers.map((name) => `${property(name)}: ${env(name.toUpperCase().replace(/[^A-Z0-9]+/g, "_"))}`);
  const options = said.length > 0 ? `, { fetchOptions: { headers: { ${said.join(", ")} } } }` : "";
  const transport = `${url === undefined ? "process.env.RPC_URL" : JSON.stringify(url)}${options}`;
  if (url === undefined || headers.length > 0)
    constants.set(" process", "declare const process: { readonly env: Readonly<Record<string, string | undefined>> };");
  const known = clients.get(transport);
  if (known !== undefined) return known;
  const name = clients.size === 0 ? "client" : freeName("client");
  clients.set(transport, name);
  return name;
}

/** The value of a variable that stands whole; what is read when the code runs has none. */
function constantOf({ path }: Hole, { around: { scope } }: Writer): JsonValue | undefined {
  return path.length === 1 ? scope.variables.get(String(path[0])) : undefined;
}

function expressionOf({ path }: Hole, writer: Writer): string {
  const { scope } = writer.around;
  const [first, ...rest] = path;
  const name = String(first);
  if (name.startsWith("$")) {
    const variable = String(rest[0]);
    const own = writer.name(variable, path.join("."));
    writer.constants.set(
      " process",
      "declare const process: { readonly env: Readonly<Record<string, string | undefined>> };",
    );
    writer.constants.set(own, `const ${own} = process.env[${JSON.stringify(variable)}] ?? "";`);
    return own;
  }
  const variable = scope.variables.get(name);
  if (variable !== undefined) {
    const own = writer.name(name, name);
    writer.constants.set(own, `const ${own} = ${tsValue(variable, undefined)};`);
    return own + steps(rest);
  }
  const cell = names(scope.cells).get(name)?.cell;
  const at = cell?.kind === "batch" ? cell.requests.findIndex((request) => request.name === name) : -1;
  return `${(cell && writer.written.get(cell)) ?? "undefined"}${at >= 0 ? `[${at}]` : ""}${steps(rest.slice(1))}`;
}

function steps(path: readonly Segment[]): string {
  return path
    .map((step) =>
      typeof step === "number"
        ? `[${step}]`
        : /^[A-Za-z_$][\w$]*$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join("");
}
