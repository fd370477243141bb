import { checksummed } from "../../../server/src/abi/address.ts";
import { cursorContext } from "../../../server/src/analysis/cursorContext.ts";
import { isAddress } from "../../../server/src/base/hex.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { isBlock, shapesOf } from "../../../server/src/catalog/types.ts";
import type { Cell } from "../../../server/src/notebook/cell.ts";
import type { JsonNode } from "../../../server/src/notebook/json.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";

/** A request that a node accepts, and ways to spoil it. */
export interface Sound {
  readonly text: string;
  readonly cell: Cell;
  readonly method: string;
  /** The values in `params`, with the types that are expected. */
  readonly values: readonly Value[];
}

interface Value {
  readonly node: JsonNode;
  readonly kinds: readonly string[];
  readonly role: string | undefined;
  readonly unit: string | undefined;
  readonly block: boolean;
  readonly isKey: boolean;
}

/** Numbers from 0 to below a limit, the same ones in every run. */
export type Draw = (limit: number) => number;

export function draws(seed: number): Draw {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export function sound(method: string, params: unknown): Sound {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }, null, 1);
  const cell = readCell(text);
  const node = cell.requests[0]?.members.get("params")?.value;
  return { text, cell, method, values: node ? [...valuesIn(node)].flatMap((one) => typed(cell, one)) : [] };
}

function* valuesIn(node: JsonNode): Generator<{ readonly node: JsonNode; readonly isKey: boolean }> {
  if (node.type !== "property") yield { node, isKey: false };
  for (const child of node.children ?? []) {
    if (child.type !== "property") yield* valuesIn(child);
    else {
      const [key, value] = child.children ?? [];
      if (key) yield { node: key, isKey: true };
      if (value) yield* valuesIn(value);
    }
  }
}

function typed(cell: Cell, { node, isKey }: { readonly node: JsonNode; readonly isKey: boolean }): readonly Value[] {
  const container = node.type === "object" || node.type === "array";
  const place = cursorContext(cell, container ? node.offset : node.offset + 1, bundledCatalog);
  const type = place?.role.kind === "typed" ? place.role.type : undefined;
  const none = { node, isKey, kinds: [], role: undefined, unit: undefined, block: false };
  if (type === undefined || isKey) return [none];
  const shapes = shapesOf(type);
  const kinds = shapes.map((shape) => (shape.kind === "list" ? "list" : shape.type.kind));
  const roles = shapes.flatMap((shape) =>
    shape.kind === "one" && shape.type.kind === "bytes" ? (shape.type.role ?? "bytes") : [],
  );
  const units = shapes.flatMap((shape) =>
    shape.kind === "one" && shape.type.kind === "quantity" ? shape.type.unit : [],
  );
  return [{ node, isKey, kinds, role: roles[0], unit: units[0], block: isBlock(type) }];
}

/** Spoils a request in one place; `undefined` where it has no such place. */
type Spoil = (request: Sound, draw: Draw) => string | undefined;

export interface Kind {
  readonly name: string;
  readonly spoil: Spoil;
  /** The checks of which one catches it. */
  readonly codes: readonly string[];
}

function put(text: string, node: { readonly offset: number; readonly length: number }, json: string): string {
  return text.slice(0, node.offset) + json + text.slice(node.offset + node.length);
}

function pick<T>(list: readonly T[], draw: Draw): T | undefined {
  return list[draw(list.length)];
}

/** One of the places where a mark of JSON stands outside of strings. */
function mark(text: string, marks: RegExp, draw: Draw): number | undefined {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, (all) => `"${"_".repeat(all.length - 2)}"`);
  return pick([...bare.matchAll(marks)], draw)?.index;
}

function cutAt(marks: RegExp): Spoil {
  return ({ text }, draw) => {
    const at = mark(text, marks, draw);
    return at === undefined ? undefined : text.slice(0, at) + text.slice(at + 1);
  };
}

function insertAt(marks: RegExp, insert: string): Spoil {
  return ({ text }, draw) => {
    const at = mark(text, marks, draw);
    return at === undefined ? undefined : text.slice(0, at) + insert + text.slice(at);
  };
}

/** Changes one string of `params` that is wanted. */
function strings(
  wanted: (value: Value, text: string) => boolean,
  spoil: (text: string, draw: Draw) => string | undefined,
): Spoil {
  return ({ text, values }, draw) => {
    const fit = values.filter(
      (value) => value.node.type === "string" && !value.isKey && wanted(value, String(value.node.value)),
    );
    const node = pick(fit, draw)?.node;
    const json = node && spoil(String(node.value), draw);
    return node && json !== undefined ? put(text, node, json) : undefined;
  };
}

function inParams(change: (params: unknown[], draw: Draw, request: Sound) => unknown): Spoil {
  return (request, draw) => {
    const { params, ...rest } = JSON.parse(request.text) as { params?: unknown[] }; // it was printed from such an object
    if (!Array.isArray(params)) return undefined;
    const changed = change(params, draw, request);
    return changed === undefined ? undefined : JSON.stringify({ ...rest, params: changed });
  };
}

/** Changes the first parameter of a method where it is an object. */
function inObject(
  method: RegExp,
  change: (object: Record<string, unknown>, draw: Draw) => Record<string, unknown> | undefined,
): Spoil {
  return inParams((params, draw, request) => {
    const [first, ...rest] = params;
    if (!method.test(request.method) || typeof first !== "object" || first === null || Array.isArray(first))
      return undefined;
    const changed = change(first as Record<string, unknown>, draw); // neither null nor a list
    return changed && [changed, ...rest];
  });
}

function beside(members: string): Spoil {
  return ({ text }) => text.replace(/\n\}$/, `,\n ${members}\n}`);
}

/** One letter left out, doubled, or exchanged with the next. */
function slip(word: string, draw: Draw, from = 1): string {
  const at = from + draw(Math.max(1, word.length - from - 1));
  const [a = "", b = ""] = [word[at], word[at + 1]];
  const ways = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + a + word.slice(at),
    word.slice(0, at) + b + a + word.slice(at + 2),
  ];
  return ways.filter((one) => one !== word)[draw(2)] ?? `${word}x`;
}

const quoted = (text: string): string => JSON.stringify(text);
const to = (json: string) => (): string => json;
const any = (): boolean => true;
const aBlock = ({ block }: Value, text: string): boolean => block && text.length < 20;
const aRole =
  (roles: RegExp) =>
  ({ role = "", block }: Value, text: string): boolean =>
    !block && roles.test(role) && /^0x./.test(text);
const anAmount = ({ unit, block }: Value): boolean => unit === "wei" && !block;
const isQuantity = ({ kinds, block }: Value, text: string): boolean =>
  (kinds.includes("quantity") || block) && /^0x[0-9a-f]{1,16}$/i.test(text);
const ofLength = ({ role, block }: Value): boolean => !block && /^(address|hash|topic|word)$/.test(role ?? "");

/** Lists of unlike items, as `trace_callMany` has them, have no type. */
function fieldKey(spoil: (key: string, draw: Draw) => string): Spoil {
  return ({ text, method, values }, draw) => {
    if (method === "trace_callMany") return undefined;
    const keys = values.filter(({ node, isKey }) => isKey && /^[a-z]{3,}/i.test(String(node.value)));
    const key = pick(keys, draw)?.node;
    return key && put(text, key, quoted(spoil(String(key.value), draw)));
  };
}

const word = `0x${"ab".repeat(32)}`;
const block = ["bad-block", "bad-quantity", "bad-hex", "wrong-type"];
const amount = [...block, "bad-amount"];
const syntax = ["json-syntax"];

/** How many parameters a method takes, and how many of them it needs. */
function arity(method: string): { readonly most: number; readonly least: number } {
  const params = bundledCatalog.methodNamed(method)?.params ?? [];
  return { most: params.length, least: params.filter(({ required }) => required).length };
}

/** Writes the method of a request in another way. */
function named(rename: (method: string, draw: Draw) => string | undefined): Spoil {
  return ({ text, method }, draw) => {
    const name = rename(method, draw);
    return name === undefined ? undefined : text.replace(quoted(method), () => quoted(name));
  };
}

const filter = (change: object): Spoil =>
  inObject(/_getLogs$/, ({ blockHash: _, ...filter }) => ({ ...filter, ...change }));
const call = (change: object): Spoil => inObject(/_(call|estimateGas)$/, (call) => ({ ...call, ...change }));

export const kinds: readonly Kind[] = [
  { name: "missing comma", spoil: cutAt(/,/g), codes: syntax },
  { name: "missing colon", spoil: cutAt(/:/g), codes: syntax },
  { name: "missing quote", spoil: cutAt(/"/g), codes: syntax },
  { name: "missing bracket", spoil: cutAt(/[[\]{}]/g), codes: syntax },
  { name: "trailing comma", spoil: insertAt(/(?<=["\]}\w]\s*)[\]}]/g, ","), codes: syntax },
  { name: "comment", spoil: insertAt(/"_/g, "/* hi */"), codes: syntax },
  {
    name: "unquoted key",
    spoil: ({ text }, draw) => {
      const key = pick([...text.matchAll(/"(\w+)":/g)], draw);
      return key && text.slice(0, key.index) + key[1] + text.slice(key.index + key[0].length - 1);
    },
    codes: syntax,
  },
  {
    name: "single quotes",
    spoil: ({ text }, draw) => {
      const found = pick([...text.matchAll(/"[^"]*"/g)], draw);
      return found && put(text, { offset: found.index, length: found[0].length }, `'${found[0].slice(1, -1)}'`);
    },
    codes: syntax,
  },
  {
    name: "command in place of its data",
    spoil: ({ text }) => `curl https://a.example --data '${text}'`,
    codes: syntax,
  },
  { name: "placeholder without quotes", spoil: strings(any, to("{{alice}}")), codes: syntax },
  { name: "misspelt method", spoil: named((method, draw) => slip(method, draw, 4)), codes: ["unknown-method"] },
  {
    name: "method in another case",
    spoil: named((method, draw) =>
      pick([method.toUpperCase(), method.toLowerCase(), method.replace(/_[a-z]/, (all) => all.toUpperCase())], draw),
    ),
    codes: ["unknown-method"],
  },
  {
    name: "method without its namespace",
    spoil: named((method) => (method.startsWith("eth_") ? method.slice(4) : undefined)),
    codes: ["unknown-method"],
  },
  {
    name: "misspelt member",
    spoil: ({ text }, draw) => {
      const name = pick(["jsonrpc", "method", "params"], draw) ?? "";
      return text.includes(`"${name}":`) ? text.replace(`"${name}":`, () => `"${slip(name, draw)}":`) : undefined;
    },
    codes: ["unknown-member"],
  },
  { name: "misspelt field", spoil: fieldKey((key, draw) => slip(key, draw)), codes: ["unknown-field"] },
  {
    name: "field in the wrong case",
    spoil: fieldKey((key) => (key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase())),
    codes: ["unknown-field"],
  },
  {
    name: "missing required parameter",
    spoil: inParams((params, _, { method }) => {
      const { least } = arity(method);
      return least > 0 ? params.slice(0, least - 1) : undefined;
    }),
    codes: ["missing-param"],
  },
  {
    name: "null behind the last parameter",
    spoil: inParams((params, _, { method }) => (params.length === arity(method).most ? [...params, null] : undefined)),
    codes: ["extra-param"],
  },
  {
    name: "missing field",
    spoil: inObject(/_simulateV1$/, ({ blockStateCalls: _, ...payload }) => payload),
    codes: ["missing-field"],
  },
  {
    name: "missing block",
    spoil: inParams((params, _, { method }) => {
      const all = bundledCatalog.methodNamed(method)?.params ?? [];
      const at = all.findIndex(({ type, advised }) => isBlock(type) && advised);
      return at > 0 && params.length > at ? params.slice(0, at) : undefined;
    }),
    codes: ["missing-block"],
  },
  {
    name: "extra parameter",
    spoil: inParams((params, _, { method }) => [
      ...params,
      ...Array.from({ length: arity(method).most - params.length + 1 }, () => "latest"),
    ]),
    codes: ["extra-param"],
  },
  {
    name: "parameters by name",
    spoil: inParams((params, _, { method }) => {
      const all = bundledCatalog.methodNamed(method)?.params ?? [];
      return Object.fromEntries(params.map((value, at) => [all[at]?.name ?? `p${at}`, value]));
    }),
    codes: ["named-params"],
  },
  {
    name: "parameters in the wrong order",
    spoil: inParams(([first, second, ...rest], _, { values }) => {
      const isPair = [first, second].every((one) => typeof one === "string");
      const isMixed = isPair && String(first).length === 42 && String(second).length < 42;
      return isMixed && values.length > 2 ? [second, first, ...rest] : undefined;
    }),
    codes: ["swapped-params", "bad-hex"],
  },
  {
    name: "decimal number",
    spoil: strings(
      (value, text) => isQuantity(value, text) && !value.kinds.includes("integer"),
      (text) => BigInt(text).toString(),
    ),
    codes: ["decimal-number", ...block],
  },
  { name: "decimal block in a string", spoil: strings(aBlock, to('"1234567"')), codes: ["bad-block"] },
  { name: "boolean for a block", spoil: strings(aBlock, to("true")), codes: block },
  { name: "unknown tag", spoil: strings(aBlock, to('"newest"')), codes: block },
  { name: "power of ten in a string", spoil: strings(isQuantity, to('"1e18"')), codes: block },
  { name: "amount without a unit", spoil: strings(anAmount, to('"1.5"')), codes: ["bad-amount"] },
  {
    name: "call of an unknown function",
    spoil: strings(({ role }) => role === "calldata", to('{ "function": "nosuch" }')),
    codes: ["unknown-function"],
  },
  { name: "leading zeros", spoil: strings(isQuantity, (text) => quoted(`0x00${text.slice(2)}`)), codes: block },
  { name: "quantity without digits", spoil: strings(isQuantity, to('"0x"')), codes: block },
  { name: "quantity below zero", spoil: strings(isQuantity, to('"-0x1"')), codes: amount },
  {
    name: "quantity without 0x",
    // bare digits are an amount of wei
    spoil: strings(isQuantity, (text) => (/[a-f]/.test(text.slice(2)) ? quoted(text.slice(2)) : undefined)),
    codes: amount,
  },
  {
    name: "bytes without 0x",
    spoil: strings(aRole(/^(address|hash|topic|word)$/), (text) => quoted(text.slice(2))),
    codes: ["bad-hex"],
  },
  { name: "0X in front", spoil: strings(aRole(/./), (text) => quoted(`0X${text.slice(2)}`)), codes: ["bad-hex"] },
  { name: "space in front", spoil: strings(ofLength, (text) => quoted(` ${text}`)), codes: ["bad-hex"] },
  {
    name: "odd hex",
    spoil: strings(aRole(/^(calldata|code|bytes)$/), (text) => quoted(`${text}1`)),
    codes: ["bad-hex"],
  },
  {
    name: "a letter that is no digit",
    spoil: strings(ofLength, (text) => quoted(`${text.slice(0, -1)}g`)),
    codes: ["bad-hex"],
  },
  { name: "one digit short", spoil: strings(ofLength, (text) => quoted(text.slice(0, -1))), codes: ["bad-hex"] },
  { name: "one digit long", spoil: strings(ofLength, (text) => quoted(`${text}0`)), codes: ["bad-hex"] },
  {
    name: "bad checksum",
    spoil: strings(
      (_, text) => isAddress(text),
      (text, draw) => {
        const right = checksummed(text);
        const letters = [...right.slice(2).matchAll(/[a-f]/gi)];
        const at = (pick(letters, draw)?.index ?? 0) + 2;
        const letter = right.charAt(at);
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const wrong = right.slice(0, at) + other + right.slice(at + 1);
        return /[a-f]/.test(wrong.slice(2)) && /[A-F]/.test(wrong) ? quoted(wrong) : undefined;
      },
    ),
    codes: ["bad-checksum"],
  },
  { name: "mark that nobody sees", spoil: insertAt(/(?<=_)_/g, "\u202d"), codes: ["bidi-character"] },
  {
    name: "number for an address",
    spoil: strings(({ role }) => role === "address", to("12")),
    codes: ["wrong-type", "bad-hex"],
  },
  {
    name: "object for a string",
    spoil: strings(({ role = "calldata", block }) => role !== "calldata" && !block, to("{}")),
    codes: ["wrong-type", "bad-argument"],
  },
  { name: "value for a list", spoil: filter({ topics: word }), codes: ["wrong-type"] },
  { name: "five topics", spoil: filter({ topics: [word, null, null, null, word] }), codes: ["too-many-items"] },
  { name: "blockHash with a range", spoil: filter({ blockHash: word, fromBlock: "0x1" }), codes: ["exclusive-fields"] },
  { name: "backward range", spoil: filter({ fromBlock: "0x10", toBlock: "0x1" }), codes: ["inverted-range"] },
  {
    name: "backward offsets",
    spoil: filter({ fromBlock: "latest", toBlock: "latest - 5" }),
    codes: ["inverted-range"],
  },
  { name: "backward tags", spoil: filter({ fromBlock: "latest", toBlock: "safe" }), codes: ["inverted-range"] },
  { name: "long range", spoil: filter({ fromBlock: "0x1", toBlock: "0x10000" }), codes: ["log-range-over-limit"] },
  {
    name: "lists that match anything",
    spoil: inObject(/_getLogs$/, () => ({ address: [], topics: [null] })),
    codes: ["filter-without-criterion"],
  },
  { name: "filter without a criterion", spoil: inObject(/_getLogs$/, () => ({})), codes: ["filter-without-criterion"] },
  { name: "data and input that differ", spoil: call({ data: "0x12", input: "0x34" }), codes: ["exclusive-fields"] },
  { name: "both fees", spoil: call({ gasPrice: "0x1", maxFeePerGas: "0x1" }), codes: ["exclusive-fields"] },
  { name: "field that nodes do not know", spoil: call({ feeToken: "0x1" }), codes: ["unknown-field"] },
  {
    name: "duplicate key",
    spoil: ({ text }, draw) => {
      const found = pick([...text.matchAll(/"\w+": (?:"[^"]*"|\d+|true|false|null)(?=[,\n])/g)], draw);
      return found && `${text.slice(0, found.index)}${found[0]}, ${text.slice(found.index)}`;
    },
    codes: ["duplicate-key"],
  },
  { name: "unresolved placeholder", spoil: strings(any, to('"{{nobody}}"')), codes: ["unresolved-placeholder"] },
  {
    name: "placeholder of documentation",
    spoil: strings(
      (value) => ofLength(value) || value.block,
      (_, draw) => quoted(pick(["0x…", "<addr>", "0x...", "YOUR_ADDRESS", "{hash}"], draw) ?? ""),
    ),
    codes: ["sample-placeholder"],
  },
  { name: "unknown member", spoil: beside('"feeToken": 1'), codes: ["unknown-member"] },
  { name: "unknown operator", spoil: beside('"expect": { "result": { "=>": 1 } }'), codes: ["unknown-operator"] },
  { name: "operator among paths", spoil: beside('"expect": { "result": 1, ">=": 1 }'), codes: ["bad-path"] },
  {
    name: "misspelt path",
    spoil: (request, draw) => beside(`"expect": { "${slip("result", draw)}": 1 }`)(request, draw),
    codes: ["bad-path"],
  },
  { name: "broken pattern", spoil: beside('"expect": { "result": { "matches": "(" } }'), codes: ["bad-operand"] },
  { name: "unitless within", spoil: beside('"expect": { "result": 1 }, "within": "10"'), codes: ["bad-within"] },
  { name: "within and nothing to wait for", spoil: beside('"within": "10 s"'), codes: ["missing-field"] },
  {
    name: "reference to its own cell",
    spoil: (request, draw) =>
      strings(any, to('"{{me.result}}"'))(request, draw)?.replace(/\n\}$/, ',\n "name": "me"\n}'),
    codes: ["reference-cycle"],
  },
  {
    name: "step into a text",
    spoil: (request, draw) =>
      /^eth_(getBalance|getCode|call|blockNumber|estimateGas)$/.test(request.method)
        ? beside('"expect": { "result.value": 1 }')(request, draw)
        : undefined,
    codes: ["unknown-path"],
  },
  {
    name: "key in the file",
    spoil: beside('"endpoint": "https://rpc.example/v3/0123456789abcdef0123456789abcdef"'),
    codes: ["secret-in-file"],
  },
  { name: "unknown endpoint", spoil: beside('"endpoint": "locl"'), codes: ["unknown-endpoint"] },
  { name: "placeholder beside params", spoil: beside('"name": "{{alice}}"'), codes: ["unfilled-placeholder"] },
];
