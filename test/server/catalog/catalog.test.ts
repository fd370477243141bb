import assert from "node:assert/strict";
import { directiveTypes } from "../../../server/src/catalog/assumptionTypes.ts";
import { bundledCatalog, chain, errorMeaning, methodNamed } from "../../../server/src/catalog/catalog.ts";
import { chains } from "../../../server/src/catalog/chains.ts";
import { errors } from "../../../server/src/catalog/errors.ts";
import type { ChainSpec, FieldSpec, ObjectType, TypeRef, TypeSpec } from "../../../server/src/catalog/spec.ts";
import { logRange, tags } from "../../../server/src/catalog/tags.ts";
import { itemsOf, textOfRef, typeNamed, typeOf, types } from "../../../server/src/catalog/types.ts";
import { corpusLines } from "../../support/corpus.ts";
import { faults, paramFaults } from "./conformance.ts";

const sentence = /^[A-Z`0-9].*[.]$/;

describe("the catalogue of methods", () => {
  it("begins with the nine methods of the service, and says how they see pending blocks", () => {
    const names = bundledCatalog.methods.map((spec) => spec.name);
    assert.equal(new Set(names).size, names.length);
    for (const name of names.slice(0, 9)) assert.match(methodNamed(name)?.pending ?? "", /pre-confirmed|sealed/i, name);
  });

  it("knows nothing of names that only look like methods", () => {
    for (const name of ["", "eth_getbalance", "constructor", "__proto__"]) assert.equal(methodNamed(name), undefined);
  });

  for (const spec of bundledCatalog.methods)
    it(`explains ${spec.name}, with an example that is as its types say`, () => {
      assert.match(spec.source, /^https:\/\//);
      const notes = [...(spec.limits ?? []), ...(spec.errors ?? []).map(({ when }) => when)];
      for (const text of [spec.summary, ...spec.params.map(({ summary }) => summary), ...notes])
        assert.match(text, sentence);
      assert.deepEqual(paramFaults(spec, spec.example.params), []);
      assert.deepEqual(faults(spec.example.result, spec.result), []);
      const order = spec.params.map(({ required }) => Number(required));
      assert.deepEqual(
        order,
        order.toSorted((a, b) => b - a),
        "no required parameter comes after an optional one",
      );
      for (const { advised, required } of spec.params) if (advised) assert.equal(required, false);
    });

  it("says of the block parameter what both specification and service say of it", () => {
    const block = methodNamed("eth_getBalance")?.params[1];
    assert.equal(block?.required, false);
    assert.equal(block?.default, '"latest"');
    assert.match(block?.advised ?? "", /require/);
    assert.equal(methodNamed("eth_getBlockReceipts")?.params[0]?.required, true);
  });

  it("tells the refusals and limits of public endpoints", () => {
    const receipts = methodNamed("eth_getBlockReceipts");
    assert.ok(receipts?.errors?.some(({ code, http }) => code === 403 && http));
    assert.ok(methodNamed("eth_getLogs")?.limits?.some((limit) => limit.includes("under 2,000")));
    assert.equal(logRange, 1999n);
    const codes = methodNamed("eth_call")?.errors?.map(({ code }) => code);
    assert.ok(codes?.includes(3) && codes.includes(-32000));
  });
});

describe("the type table", () => {
  const all: readonly (readonly [string, TypeSpec])[] = Object.entries(types);
  const fieldsOf = (type: ObjectType): readonly FieldSpec[] => [...type.fields, ...(type.readable ?? [])];
  const refsOf = (type: TypeSpec): readonly TypeRef[] => {
    if (type.kind === "object") return fieldsOf(type).map((field) => field.type);
    if (type.kind === "map") return [type.keys, type.values];
    if (type.kind === "union") return type.of;
    return type.kind === "bytes" && type.readable ? [type.readable] : [];
  };
  const plain = (ref: TypeRef): string => textOfRef(itemsOf(ref) ?? ref);

  it("looks lists up by their items", () => {
    assert.deepEqual(typeOf("log[]"), { type: typeNamed("log"), list: true });
    assert.equal(typeOf("log")?.list, false);
    for (const ref of ["logs", "log[][]", "toString", "__proto__", "[]"]) assert.equal(typeOf(ref), undefined, ref);
  });

  it("has a type for every reference", () => {
    const refs = [
      ...all.flatMap(([, type]) => refsOf(type)),
      ...bundledCatalog.methods.flatMap((spec) => [spec.result, ...spec.params.map((param) => param.type)]),
    ];
    assert.deepEqual(
      refs.filter((ref) => !typeOf(ref)),
      [],
    );
  });

  it("has no type that nothing refers to", () => {
    const used = new Set<string>();
    const use = (ref: TypeRef): void => {
      if (used.has(plain(ref))) return;
      used.add(plain(ref));
      const found = typeOf(ref);
      for (const next of found ? refsOf(found.type) : []) use(next);
    };
    for (const spec of bundledCatalog.methods)
      for (const ref of [spec.result, ...spec.params.map(({ type }) => type)]) use(ref);
    for (const ref of directiveTypes.values()) use(ref);
    assert.deepEqual(
      all.map(([name]) => name).filter((name) => !used.has(name)),
      [],
    );
  });

  it("explains each type, field and rule in a sentence", () => {
    for (const [name, type] of all) {
      assert.match(type.summary, /\.$/, name);
      if (type.kind !== "object") continue;
      for (const field of fieldsOf(type)) assert.match(field.summary, /\.$/, `${name}.${field.name}`);
      for (const rule of [...(type.exclusive ?? []), ...(type.oneOfRequired ?? [])]) assert.match(rule.why, sentence);
    }
  });

  it("names only fields that there are in its rules, and no field twice", () => {
    for (const [name, type] of all) {
      if (type.kind !== "object") continue;
      const keys = fieldsOf(type).flatMap((field) => [field.name, ...(field.aliases ?? [])]);
      assert.equal(new Set(keys).size, keys.length, name);
      for (const rule of [...(type.exclusive ?? []), ...(type.oneOfRequired ?? [])]) {
        for (const field of rule.fields) assert.ok(keys.includes(field), `${name}: ${field}`);
      }
      for (const { name: wrong, field } of type.mistaken ?? []) {
        assert.ok(keys.includes(field) && !keys.includes(wrong), `${name}: ${wrong}`);
      }
    }
  });

  it("has patterns that compile and defaults that are of their type", () => {
    const defaulted = [
      ...all.flatMap(([, type]) => (type.kind === "object" ? fieldsOf(type) : [])),
      ...bundledCatalog.methods.flatMap((spec) => spec.params),
    ];
    for (const [, type] of all) if (type.kind === "string") assert.ok(new RegExp(type.pattern ?? ""));
    for (const field of defaulted) {
      if (field.default !== undefined) assert.deepEqual(faults(JSON.parse(field.default), field.type), [], field.name);
    }
  });

  it("takes what nodes take", () => {
    const right: readonly (readonly [unknown, string])[] = [
      ["0x0", "slot"],
      ["0x", "slot"],
      [{ blockNumber: "latest" }, "block"],
      [{ blockHash: `0x${"ab".repeat(32)}`, requireCanonical: true }, "block"],
      [{ topics: [], address: [] }, "filter"],
      [{ topics: [[], [null], null] }, "filter"],
      [{ address: null, topics: null, fromBlock: "0x0", toBlock: "pending" }, "filter"],
      [{ timestamp: "0x1", coinbase: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "blockOverrides"],
      ["execution reverted", "callError"],
      [{ code: 3, message: "execution reverted" }, "callError"],
      [1722000000, "timestamp"],
      ["0x7e", "transactionType"],
      ["0x77", "transactionType"],
    ];
    for (const [value, ref] of right) assert.deepEqual(faults(value, ref), [], `${ref}: ${JSON.stringify(value)}`);
  });
});

describe("tags, errors and chains", () => {
  it("names the five block tags once each", () => {
    assert.deepEqual(tags.map(({ tag }) => tag).toSorted(), ["earliest", "finalized", "latest", "pending", "safe"]);
    for (const { summary } of tags) assert.match(summary, sentence);
  });

  it("explains every code of an error once, with a source", () => {
    assert.equal(new Set(errors.map(({ code }) => code)).size, errors.length);
    for (const { code, meaning, source } of errors) {
      assert.match(meaning, sentence);
      assert.match(source, /^https:\/\//);
      assert.equal(errorMeaning(code)?.meaning, meaning);
    }
    assert.equal(errorMeaning(3)?.name, "execution reverted");
    assert.equal(errorMeaning(-38014)?.name, "insufficient funds");
    assert.equal(errorMeaning(42), undefined);
  });

  it("explains every code that a method's entry names", () => {
    for (const spec of bundledCatalog.methods) {
      for (const { code, http } of spec.errors ?? []) if (!http) assert.ok(errorMeaning(code), `${spec.name} ${code}`);
    }
  });

  it("knows chains by id, each once", () => {
    assert.equal(new Set(chains.map(({ id }) => id)).size, chains.length);
    assert.deepEqual(
      [1n, 8453n, 84532n, 31337n].map((id) => chain(id)?.symbol),
      ["ETH", "ETH", "ETH", "ETH"],
    );
    for (const { cadence = [] } of chains as readonly ChainSpec[])
      for (const [at, { source, from, blockMs }] of cadence.entries()) {
        assert.match(source, /^https:/);
        assert.equal(from === undefined, at === 0, "all but the first have a date");
        assert.ok(from === undefined || Date.parse(from) > 0);
        assert.ok(blockMs > 0);
      }
    assert.equal(chain(2n ** 80n), undefined);
    for (const { explorer } of chains as readonly { readonly explorer?: string }[]) {
      if (explorer) assert.equal(new URL(explorer).origin, explorer);
    }
  });
});

describe("the published tests of the specification", () => {
  interface Pair {
    readonly file: string;
    readonly method: string;
    readonly params: readonly unknown[] | null;
    readonly result?: unknown;
    readonly error?: unknown;
  }
  const pairs = corpusLines("apis")
    .map((line): Pair => JSON.parse(line))
    .filter((pair) => methodNamed(pair.method) !== undefined && pair.error === undefined);

  for (const { file, method, params, result } of pairs) {
    it(file, () => {
      const spec = methodNamed(method);
      assert.ok(spec);
      assert.deepEqual(paramFaults(spec, params ?? []), []);
      if (result === null) assert.ok(spec.nullResult);
      else assert.deepEqual(faults(result, spec.result), []);
    });
  }
});
