import { names, order, referredTo } from "../analysis/order.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import { expectsError } from "../evaluate/operators.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { exactValue } from "../notebook/json.ts";
import type { Segment } from "../notebook/placeholder.ts";

import {
  comment,
  type Exported,
  type ExportNote,
  type ExportScope,
  headerVariable,
  markdownOf,
  nameOf,
} from "./exportModel.ts";
import { filled, type Hole, type OpenRequests, openRequests } from "./openRequests.ts";
import { type Holes, identifiers, tsPath, tsProperty, tsText, tsValue } from "./typescript.ts";
import { viemCall } from "./viemCall.ts";

interface Module {
  readonly context: ExportScope;
  readonly notes: ExportNote[];
  /** Names that are imported from viem. */
  readonly imports: Set<string>;
  /** Declarations before everything else, by the name that they declare. */
  readonly constants: Map<string, string>;
  /** Names of clients, by their transport. */
  readonly clients: Map<string, string>;
  /** Cells whose results other cells use, in the form that the endpoint sends. */
  readonly referred: ReadonlySet<Cell>;
  readonly identifier: ReturnType<typeof identifiers>;
  /** The constant that holds the result of a cell. */
  readonly results: Map<Cell, string>;
}

/**
 * Writes cells as a TypeScript module that sends the same requests with viem. Variables become constants. Cells come
 * after those that they refer to, which are written too.
 */
export function toViem(cells: readonly Cell[], context: ExportScope): Exported {
  const { scope } = context;
  const wanted = withReferred(cells, scope.cells);
  const module: Module = {
    context,
    notes: [],
    imports: new Set(["createPublicClient", "http"]),
    constants: new Map(),
    clients: new Map(),
    referred: new Set([...wanted].flatMap((cell) => referredTo(cell, scope.cells))),
    identifier: identifiers(),
    results: new Map(),
  };
  const { cells: sorted, cycles } = order(scope.cells);
  for (const cell of cycles.flat().filter((one) => wanted.has(one)))
    module.notes.push({ cell, what: "The cell refers to itself, directly or through other cells." });
  const texts = sorted.filter((cell) => wanted.has(cell)).map((cell) => cellText(cell, module));
  const imports = `import { ${[...module.imports].sort().join(", ")} } from "viem";`;
  const clients = [...module.clients].map(
    ([transport, name]) => `const ${name} = createPublicClient({ transport: http(${transport}) });`,
  );
  const declarations = [...module.constants.values(), ...clients].join("\n");
  const parts = [imports, declarations, ...texts].filter((text) => text !== "");
  return { text: `${parts.join("\n\n")}\n`, notes: module.notes };
}

function withReferred(cells: readonly Cell[], all: readonly Cell[]): ReadonlySet<Cell> {
  const wanted = new Set<Cell>();
  const next = [...cells];
  for (let cell = next.pop(); cell; cell = next.pop()) {
    if (wanted.has(cell)) continue;
    wanted.add(cell);
    next.push(...referredTo(cell, all));
  }
  return wanted;
}

function cellText(cell: Cell, module: Module): string {
  if (cell.kind === "markdown") return comment(markdownOf(cell), lineComment);
  const open = openForViem(cell, module);
  const faults = open.faults.length > 0 ? open.faults : referenceFaults(open, module);
  module.notes.push(...faults.map((what) => ({ cell, what })));
  if (faults.length > 0) return comment([nameOf(cell) ?? "", ...faults].filter(Boolean).join("\n"), lineComment);
  const calls = open.requests.map((request, at) => callOf(request, open.holes, cell, cell.requests[at], module));
  const name = module.identifier(nameOf(cell) ?? cell.requests[0]?.method ?? "answer");
  module.results.set(cell, name);
  if (cell.kind !== "batch") return `export const ${name} = await ${calls[0]};`;
  return `export const ${name} = await Promise.all([\n${calls.map((call) => `  ${call},\n`).join("")}]);`;
}

/**
 * Leaves every placeholder open; those of variables only if nothing is made of their values, so that filling them in gives
 * what is sent.
 */
function openForViem(cell: Cell, { context: { scope } }: Module): OpenRequests {
  const valueAt = ({ path: [name] }: Hole) => scope.variables.get(String(name));
  const open = openRequests(cell, scope, () => true);
  const sent = openRequests(cell, scope, (path) => valueAt({ path }) === undefined);
  const isSame = open.faults.length === 0 && filled(open, valueAt) === filled(sent, valueAt);
  return isSame ? open : sent;
}

/** Says what a cell uses and the module does not have: decoded values, and cells that were not written. */
function referenceFaults({ holes }: OpenRequests, { context: { scope }, results }: Module): readonly string[] {
  const cells = names(scope.cells);
  const references = holes.filter(({ path: [name] }) => !scope.variables.has(String(name)) && cells.has(String(name)));
  const decoded = references.find(({ path: [, member] }) => member !== "result");
  if (decoded)
    return [
      `It uses \`${decoded.path.slice(0, 2).join(".")}\` of another cell, which viem does not have in this form.`,
    ];
  const missing = references.find(({ path: [name] }) => {
    const cell = cells.get(String(name))?.cell;
    return cell && !results.has(cell);
  });
  return missing ? [`It uses \`${String(missing.path[0])}\`, which could not be written.`] : [];
}

function callOf(
  { method, params }: EvaluatedRequest,
  all: readonly Hole[],
  cell: Cell,
  node: RequestNode | undefined,
  module: Module,
): string {
  const { scope } = module.context;
  const holes: Holes = {
    all,
    expression: (hole) => expressionOf(hole, module),
    value: ({ path }) => (path.length === 1 ? scope.variables.get(String(path[0])) : undefined),
  };
  const client = clientOf(cell, module);
  const typed = node && !module.referred.has(cell) ? viemCall(cell, node, params, holes) : undefined;
  for (const name of typed?.imports ?? []) module.imports.add(name);
  if (!typed) module.constants.set(" wire", wireType);
  const call =
    typed?.call ?? `request<Wire>({ method: ${tsText(method, holes)}, params: ${tsValue(params ?? [], holes)} })`;
  const wanted = node?.members.get("expect")?.value;
  if (wanted === undefined || !expectsError(exactValue(cell.text, wanted))) return `${client}.${call}`;
  module.constants.set(" failure", failureOf);
  return `failureOf(${client}.${call})`;
}

const wireType = `/** What a request takes and gives where viem has no types for it. */
type Wire = { Parameters: unknown; ReturnType: any };`;

const failureOf = `/** The error of a request that is expected to fail. */
const failureOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => Promise.reject(new Error("The request was expected to fail.")),
    (error: unknown) => error,
  );`;

/** Reads a variable of the environment; the declaration spares a project the types of Node. */
function environment(name: string, { constants }: Module): string {
  constants.set(" process", "declare const process: { readonly env: Readonly<Record<string, string | undefined>> };");
  return `process.env${tsPath([name])}`;
}

function clientOf(cell: Cell, module: Module): string {
  const { url, headers } = module.context.endpointOf(cell);
  const values = headers.map((name) => `${tsProperty(name)}: ${environment(headerVariable(name), module)} ?? ""`);
  const options = values.length > 0 ? `, { fetchOptions: { headers: { ${values.join(", ")} } } }` : "";
  const transport = `${url === undefined ? environment("RPC_URL", module) : JSON.stringify(url)}${options}`;
  const name = module.clients.get(transport) ?? (module.clients.size === 0 ? "client" : module.identifier("client"));
  module.clients.set(transport, name);
  return name;
}

function expressionOf({ path }: Hole, module: Module): string {
  const { constants, context, identifier, results } = module;
  const [first, ...rest] = path;
  const name = String(first);
  if (name.startsWith("$")) {
    const own = identifier(String(rest[0]), path.join("."));
    constants.set(own, `const ${own} = ${environment(String(rest[0]), module)} ?? "";`);
    return own;
  }
  const variable = context.scope.variables.get(name);
  if (variable !== undefined) {
    const own = identifier(name, name);
    constants.set(own, `const ${own} = ${tsValue(variable)};`);
    return own + tsPath(rest);
  }
  const cell = names(context.scope.cells).get(name)?.cell;
  const at = cell?.kind === "batch" ? cell.requests.findIndex((request) => request.name === name) : -1;
  const member: readonly Segment[] = at >= 0 ? [at] : [];
  return `${(cell && results.get(cell)) ?? "undefined"}${tsPath([...member, ...rest.slice(1)])}`;
}

function lineComment(line: string): string {
  return `// ${line}`;
}
