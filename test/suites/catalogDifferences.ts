import assert from "node:assert/strict";
import { Ajv } from "ajv";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../../server/src/base/json.ts";
import { methodNamed } from "../../server/src/catalog/catalog.ts";
import type { FieldSpec, MethodSpec, TypeRef } from "../../server/src/catalog/spec.ts";
import { shapesOf } from "../../server/src/catalog/types.ts";
import { diagnostics } from "../../server/src/features/diagnostics.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { faults, paramFaults } from "../server/catalog/conformance.ts";
import { scopeOf } from "../support/cell.ts";

/** A place in the document, as the keys that lead to it. */
type Path = readonly string[];

/**
 * Compares the catalogue with an OpenRPC document: methods, parameters and whether they are required, values that a schema
 * accepts and our checks refuse, fields of parameters and results, and the document's examples.
 *
 * @returns The differences, a line each: `eth_call stateOverrides: one more parameter`.
 */
export function catalogDifferences(document: JsonObject): readonly string[] {
  const comparison = new Comparison(document);
  for (const path of comparison.methods()) comparison.method(path);
  return [...new Set(comparison.found)].sort();
}

class Comparison {
  readonly found: string[] = [];
  readonly #document: JsonObject;
  readonly #ajv = new Ajv({ strict: false, logger: false, validateFormats: false });

  constructor(document: JsonObject) {
    this.#document = document;
    this.#ajv.addSchema(document, "document");
  }

  methods(): readonly Path[] {
    return this.#items(["methods"]);
  }

  method(path: Path): void {
    const { value: written, path: place } = this.#resolved(path);
    const name = String(written.name);
    if (!/^(?:eth|net|web3)_/.test(name)) return;
    const ours = methodNamed(name);
    if (!ours) {
      this.#note(`${name}: missing`);
      return;
    }
    const params = this.#items([...place, "params"]);
    for (const more of ours.params.slice(params.length)) this.#note(`${name} ${more.name}: one more parameter`);
    for (const [number, param] of params.entries()) this.#param(ours, number, param);
    const { path: result } = this.#resolved([...place, "result"]);
    this.#fields(`${name} result`, ours.result, [...result, "schema"]);
    for (const example of this.#items([...place, "examples"])) this.#example(ours, example);
  }

  #param(ours: MethodSpec, number: number, path: Path): void {
    const { value: param, path: place } = this.#resolved(path);
    const own = ours.params[number];
    if (!own) {
      this.#note(`${ours.name} ${param.name}: missing`);
      return;
    }
    const at = `${ours.name} ${own.name}`;
    if (own.required !== (param.required === true)) this.#note(`${at}: ${own.required ? "required" : "optional"}`);
    this.#values(ours, number, [...place, "schema"]);
    this.#fields(at, own.type, [...place, "schema"]);
  }

  /** Values that the schema accepts and our checks call an error. */
  #values(ours: MethodSpec, number: number, schema: Path): void {
    const accepts = this.#ajv.compile({ $ref: `document#/${schema.map(encodeURIComponent).join("/")}` });
    for (const value of values.filter((one) => accepts(one))) {
      const params = (ours.example.params as readonly JsonValue[]).map(printJson); // examples are JSON
      params[number] = printJson(value);
      const text = (list: readonly string[]): string => `{ "method": "${ours.name}", "params": [${list.join(", ")}`;
      const start = text([...params.slice(0, number), ""]).length;
      const end = text(params.slice(0, number + 1)).length;
      const cell = readCell(`${text(params)}] }`);
      const isWrong = diagnostics(cell, scopeOf(cell)).some(
        ({ severity, span }) => severity === "error" && span.start >= start && span.start < end,
      );
      if (isWrong) this.#note(`${ours.name} ${ours.params[number]?.name}: ${printJson(value)} is an error`);
    }
  }

  /** Fields of objects, down to all depths. */
  #fields(place: string, ref: TypeRef, schema: Path, seen = new Set<string>()): void {
    const theirs = this.#fieldsIn(schema);
    const key = [...theirs.keys()].join();
    if (theirs.size === 0 || seen.has(key)) return;
    seen.add(key);
    const own = fieldsOf(ref);
    if (own.length === 0) {
      this.#note(`${place}: not described`);
      return;
    }
    const known = new Map(own.flatMap((field) => [field.name, ...(field.aliases ?? [])].map((name) => [name, field])));
    for (const [name, path] of theirs) {
      const field = known.get(name);
      if (field) this.#fields(`${place}.${name}`, field.type, path, seen);
      else this.#note(`${place}.${name}: missing`);
    }
    for (const { name, required } of own) if (required && !theirs.has(name)) this.#note(`${place}.${name}: one more`);
  }

  /** Fields of a schema, of its items and of all its alternatives. */
  #fieldsIn(path: Path): ReadonlyMap<string, Path> {
    const { value, path: place } = this.#resolved(path);
    const fields = new Map<string, Path>();
    for (const name in isObject(value.properties) ? value.properties : {})
      fields.set(name, [...place, "properties", name]);
    const inner = ["oneOf", "anyOf", "allOf"].flatMap((keyword) => this.#items([...place, keyword]));
    if (isObject(value.items)) inner.push([...place, "items"]);
    for (const part of inner)
      for (const [name, where] of this.#fieldsIn(part)) if (!fields.has(name)) fields.set(name, where);
    return fields;
  }

  #example(ours: MethodSpec, path: Path): void {
    const { path: place } = this.#resolved(path);
    const params = this.#items([...place, "params"]).map((param) => this.#resolved(param).value.value ?? null);
    const result = this.#resolved([...place, "result"]).value.value ?? null;
    for (const fault of paramFaults(ours, params)) this.#note(`${ours.name} example: ${fault}`);
    if (result === null) return;
    for (const fault of faults(result, ours.result)) this.#note(`${ours.name} example result: ${fault}`);
  }

  #note(what: string): void {
    this.found.push(what);
  }

  #at(path: Path): JsonValue | undefined {
    let here: JsonValue | undefined = this.#document;
    for (const key of path) here = isArray(here) ? here[Number(key)] : isObject(here) ? here[key] : undefined;
    return here;
  }

  #items(path: Path): Path[] {
    const list = this.#at(path);
    return isArray(list) ? [...list.keys()].map((index) => [...path, String(index)]) : [];
  }

  /** A part of the document and its place, with references followed. */
  #resolved(path: Path): { readonly value: JsonObject; readonly path: Path } {
    const value = this.#at(path);
    if (!isObject(value)) return { value: {}, path };
    if (typeof value.$ref !== "string") return { value, path };
    assert.match(value.$ref, /^#\//);
    return this.#resolved(value.$ref.split("/").slice(1));
  }
}

function fieldsOf(ref: TypeRef): readonly FieldSpec[] {
  return shapesOf(ref).flatMap((shape) => {
    if (shape.kind === "list") return fieldsOf(shape.items);
    if (shape.type.kind === "map") return fieldsOf(shape.type.values);
    return shape.type.kind === "object" ? shape.type.fields : [];
  });
}

const word = `0x${"ab".repeat(32)}`;
const account = `0x${"ab".repeat(20)}`;
/** Values of every form that a parameter of Ethereum has. */
const values: readonly JsonValue[] = [
  null,
  true,
  0,
  1,
  1.5,
  "",
  "latest",
  "earliest",
  "pending",
  "safe",
  "finalized",
  "newest",
  "0x",
  "0x0",
  "0x1",
  "0x01",
  "0xABC",
  "0x12",
  "12",
  `0x${"f".repeat(64)}`,
  word,
  account,
  account.toUpperCase().replace("0X", "0x"),
  [],
  [1, 50.5],
  [word],
  ["0x0"],
  [account],
  {},
  { blockHash: word },
  { blockNumber: "0x1" },
  { blockHash: word, requireCanonical: true },
  { fromBlock: "0x1", toBlock: "latest" },
  { address: account, topics: [word] },
  { address: [account, account], topics: [null, [word, word]] },
  { address: null, topics: null },
  { topics: [null] },
  { to: account },
  { from: account, to: null, input: "0x12", value: "0x1", gas: "0x5208" },
  { from: account, to: account, type: "0x2", maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1", chainId: "0x1" },
  { to: account, type: "0x3", maxFeePerBlobGas: "0x1", blobVersionedHashes: [word], blobs: ["0x12"] },
  { to: account, accessList: [{ address: account, storageKeys: [word] }], gasPrice: "0x1", nonce: "0x0" },
  "logs",
  "newHeads",
  "newPendingTransactions",
  "syncing",
];
