import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { bundledCatalog, catalogWith } from "../../../server/src/catalog/catalog.ts";
import { type OpenrpcDocument, openrpc } from "../../../server/src/catalog/openrpc.ts";
import type { DocumentTypeRef, FieldSpec, MethodSpec, ObjectType, TypeRef } from "../../../server/src/catalog/spec.ts";
import { shapesOf, textOfRef, typeNamed, typeOf } from "../../../server/src/catalog/types.ts";
import { methodDocs } from "../../../server/src/features/docs.ts";
import { expectProblems } from "../../support/cell.ts";
import { times } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";
import { pluck } from "../../support/pluck.ts";
import { markdownFaults } from "../../support/renderedMarkdown.ts";
import { faults, paramFaults } from "./conformance.ts";

const schemas = {
  Address: { title: "hex encoded address", type: "string", pattern: "^0x[0-9a-fA-F]{40}$" },
  Amount: { type: "string", pattern: "^0x(0|[1-9a-f][0-9a-f]{0,63})$" },
  Tag: { type: "string", enum: ["earliest", "finalized", "safe", "latest", "pending"] },
  Hash: { type: "string", pattern: "^0x[0-9a-f]{64}$" },
  Block: {
    anyOf: [
      { $ref: "#/components/schemas/Amount" },
      { $ref: "#/components/schemas/Tag" },
      { $ref: "#/components/schemas/Hash" },
    ],
  },
  Transfer: {
    title: "A transfer of tokens",
    type: "object",
    required: ["to", "amount"],
    additionalProperties: false,
    properties: {
      to: { $ref: "#/components/schemas/Address" },
      amount: { description: "how much", allOf: [{ $ref: "#/components/schemas/Amount" }] },
      note: { type: ["string", "null"] },
      next: { $ref: "#/components/schemas/Transfer" },
    },
  },
};

/** Reads a document with one method, `acme_do`, whose parameters have these schemas. */
function withParams(...params: readonly JsonValue[]): OpenrpcDocument & { readonly method: MethodSpec } {
  const document = openrpc(
    {
      openrpc: "1.3.2",
      info: { title: "Acme", version: "1" },
      methods: [{ name: "acme_do", params: params.map((schema, at) => ({ name: `p${at}`, required: true, schema })) }],
      components: { schemas },
    },
    "acme",
  );
  const [method] = document.methods;
  assert.ok(method, JSON.stringify(document.problems));
  return { ...document, method };
}

const typeOfSchema = (schema: JsonValue): TypeRef => withParams(schema).method.params[0]?.type ?? "";
/** A name without the document's. */
const plain = (ref: TypeRef): string => textOfRef(ref).replace(/@[\w.-]+/g, "");

/** All types of a document that its methods lead to, by reference. */
function typesIn({ methods }: OpenrpcDocument): ReadonlySet<DocumentTypeRef> {
  const all = new Set<DocumentTypeRef>();
  const left: TypeRef[] = methods.flatMap(({ params, result }) => [result, ...params.map(({ type }) => type)]);
  for (let ref = left.pop(); ref !== undefined; ref = left.pop()) {
    if (typeof ref === "string" || all.has(ref)) continue;
    all.add(ref);
    const { type, items } = ref;
    if (items !== undefined) left.push(items);
    if (type?.kind === "object") left.push(...type.fields.map((field: FieldSpec) => field.type));
    if (type?.kind === "map") left.push(type.keys, type.values);
    if (type?.kind === "union") left.push(...type.of);
  }
  return all;
}

describe("an OpenRPC document", () => {
  it("brings its methods, with what they take, give and are for", () => {
    const method = `{
      "name": "acme_transfer", "summary": "Moves tokens", "deprecated": true, "x-internal": { "anything": true },
      "params": [
        { "name": "Transfer", "required": true, "schema": { "$ref": "#/components/schemas/Transfer" }, "summary": "what" },
        { "$ref": "#/components/contentDescriptors/Block" }
      ],
      "result": { "name": "Hash", "schema": { "$ref": "#/components/schemas/Hash" } },
      "errors": [{ "code": -32010, "message": "not enough" }, { "$ref": "#/components/errors/Busy" }],
      "externalDocs": { "url": "https://acme.example/docs(1)" },
      "examples": [{
        "name": "one", "result": { "name": "Hash", "value": "0x${"22".repeat(32)}" },
        "params": [{ "name": "Transfer", "value": { "to": "0x${"11".repeat(20)}", "amount": "0x1" } }, { "name": "Block", "value": "latest" }]
      }]
    }`;
    const contentDescriptors = { Block: { name: "Block", schema: { $ref: "#/components/schemas/Block" } } };
    const components = { schemas, contentDescriptors, errors: { Busy: { code: -32011, message: "busy" } } };
    const { methods, problems } = openrpc({ openrpc: "1.3.2", methods: [JSON.parse(method)], components }, "acme.json");
    assert.deepEqual(problems, []);
    const [found = assert.fail()] = methods;
    const { params, result, example, ...rest } = found;
    assert.deepEqual(rest, {
      name: "acme_transfer",
      summary: "Moves tokens.",
      errors: [
        { code: -32010, message: "not enough", when: "" },
        { code: -32011, message: "busy", when: "" },
      ],
      limits: ["Deprecated."],
      effect: "unknown",
      source: "https://acme.example/docs(1)",
    });
    assert.deepEqual(
      params.map(({ type, ...param }) => ({ ...param, type: plain(type) })),
      [
        { name: "Transfer", required: true, summary: "what.", type: "Transfer" },
        { name: "Block", required: false, summary: "", type: "block" },
      ],
    );
    assert.equal(result, "hash");
    assert.deepEqual(paramFaults(found, example.params), []);
    assert.deepEqual(faults(example.result, result), []);
  });

  it("maps what is exactly a type of ours onto it", () => {
    const cases: readonly (readonly [JsonValue, string])[] = [
      [{ type: "string", pattern: "^0x[0-9a-fA-F]{40}$" }, "address"],
      [{ type: "string", pattern: "^0x([1-9a-f]+[0-9a-f]*|0)$" }, "uint256"],
      [{ type: "string", pattern: "^0x(0|[1-9a-f][0-9a-f]{0,15})$" }, "uint64"],
      [{ type: "string", pattern: "^0x[0-9a-f]*$" }, "bytes"],
      [{ type: "string", pattern: "^0x([a-fA-F0-9]{2})*$" }, "bytes"],
      [{ type: "string", pattern: "^0x[0-9a-f]{64}$" }, "hash"],
      [{ type: "string", pattern: "^0x[0-9a-f]{0,64}$" }, "slot"],
      [{ type: "string", pattern: "^[0-9]+$" }, "digits"],
      [{ type: "boolean" }, "boolean"],
      [{ type: "integer" }, "integer"],
      [{ type: "null" }, "null"],
      [{}, "any"],
      [true, "any"],
      [{ type: "array", items: { $ref: "#/components/schemas/Address" } }, "address[]"],
      [{ $ref: "#/components/schemas/Block" }, "block"],
      [{ oneOf: [{ $ref: "#/components/schemas/Tag" }, { $ref: "#/components/schemas/Amount" }] }, "blockNumberOrTag"],
      [{ allOf: [{ $ref: "#/components/schemas/Address" }, { description: "the owner" }] }, "address"],
    ];
    for (const [schema, type] of cases) assert.equal(typeOfSchema(schema), type, JSON.stringify(schema));
  });

  it("keeps objects, maps, lists of lists, choices and values, under names of their own", () => {
    const type = (schema: JsonValue): object => {
      const ref = typeOfSchema(schema);
      const found = typeOf(ref);
      assert.ok(found && typeof ref !== "string", textOfRef(ref));
      return found;
    };
    const table: readonly (readonly [JsonValue, object, boolean?])[] = [
      [
        { type: "string", enum: ["low"], description: "how fast" },
        { kind: "oneOf", summary: "how fast.", values: [{ value: "low", summary: "" }] },
      ],
      [
        { type: "object", patternProperties: { "^0x[0-9a-f]{40}$": { type: "integer" } } },
        { kind: "map", keys: "address", values: "integer", summary: "" },
      ],
      [
        { type: "string", pattern: "^0x[0-9a-f]{16}$" },
        { kind: "bytes", length: 8, summary: "" },
      ],
      [
        { type: "array", items: { type: "array", items: { type: "integer" } } },
        { kind: "union", of: ["integer[]"], summary: "One of several forms." },
        true,
      ],
      [{ type: "number" }, { kind: "integer", fraction: true, summary: "A JSON number." }],
    ];
    for (const [schema, expected, list = false] of table) assert.deepEqual(type(schema), { type: expected, list });
  });

  it("reads objects that hold themselves, and those that are made of parts", () => {
    const transfer = withParams({ $ref: "#/components/schemas/Transfer" });
    const ref = transfer.method.params[0]?.type ?? "";
    const type = typeNamed(ref);
    assert.ok(type?.kind === "object" && !type.open);
    assert.deepEqual(
      type.fields.map((field: FieldSpec) => [field.name, plain(field.type), field.required ?? false]),
      [
        ["to", "address", true],
        ["amount", "uint256", true],
        ["note", "Transfer.note", false],
        ["next", "Transfer", false],
      ],
    );
    const whole = withParams({
      allOf: [
        { $ref: "#/components/schemas/Transfer" },
        { type: "object", required: ["fee"], properties: { fee: { type: "integer" } } },
      ],
    });
    const parts = typeNamed(whole.method.params[0]?.type ?? "");
    assert.ok(parts?.kind === "object" && parts.open);
    const fields = (parts as ObjectType).fields;
    assert.deepEqual(
      pluck(
        fields.filter(({ required }) => required),
        "name",
      ),
      ["to", "amount", "fee"],
    );
  });

  it("asks of one of several objects no more than all of them do", () => {
    const { method } = withParams({
      oneOf: [
        { type: "object", required: ["id", "a"], properties: { id: { type: "integer" }, a: { type: "string" } } },
        { type: "object", required: ["id", "b"], properties: { id: { type: "string" }, b: { type: "string" } } },
      ],
    });
    const type = typeNamed(method.params[0]?.type ?? "");
    assert.ok(type?.kind === "object");
    assert.deepEqual(
      type.fields.map((field: FieldSpec) => [field.name, field.required ?? false, shapesOf(field.type).length]),
      [
        ["id", true, 2],
        ["a", false, 1],
        ["b", false, 1],
      ],
    );
  });

  it("tells what it cannot read, with the place, and reads the rest", () => {
    const { methods, problems } = openrpc(
      {
        methods: [
          7,
          { name: "a b" },
          { name: "acme_named", paramStructure: "by-name" },
          { name: "acme_one", params: [{ name: "x", schema: { $ref: "#/components/schemas/Gone" } }, { name: "y" }] },
          { name: "acme_one" },
          { name: "acme_two", params: [{ name: "x", schema: { $ref: "https://example.org/x.json" } }] },
          { name: "acme_three", params: [], result: { schema: { type: "strang" } } },
          { name: "acme_four", params: { x: 1 } },
        ],
      },
      "acme",
    );
    assert.deepEqual(
      methods.map(({ name, params }) => [name, ...params.map(({ type }) => type)]),
      [["acme_one", "any", "any"], ["acme_two", "any"], ["acme_three"]],
    );
    assert.deepEqual(
      problems.map(({ path, what }) => `${path}: ${what}`),
      [
        "methods[0]: a method is an object with a `name` of letters, digits, `_` and `.`",
        "methods[1]: a method is an object with a `name` of letters, digits, `_` and `.`",
        "methods[2]: `acme_named` takes its parameters by name, which is not supported",
        "methods[3].params[0].schema: nothing is at `#/components/schemas/Gone`",
        "methods[3].params[1]: a parameter has a `schema`",
        "methods[4]: `acme_one` is there already",
        "methods[5].params[0].schema: only references into the document itself are followed",
        "methods[6].result.schema: `strang` is not a type of JSON Schema",
        "methods[7].params: parameters are a list",
      ],
    );
    for (const value of [null, undefined, 7, [], {}, { methods: {} }]) {
      assert.deepEqual(openrpc(value, "acme").problems, [
        { path: "", what: "an OpenRPC document is an object with a list of `methods`" },
      ]);
    }
  });

  it("leaves nothing of its text that Markdown could take for more than text", () => {
    const evil = "[run](command:evil) ![x](https://x.example/p.png) <img src=x>\n# Big ``` `";
    const { methods } = openrpc(
      {
        methods: [
          {
            name: "acme_do",
            summary: evil,
            params: [{ name: evil, description: evil, schema: { title: evil, enum: ["a"], default: "`a`" } }],
            errors: [{ code: 1, message: evil }],
            externalDocs: { url: "command:evil" },
          },
          { name: "acme_more", externalDocs: { url: "https://x.example/)<script>`" } },
        ],
      },
      "a`c](m)e",
    );
    for (const spec of methods) {
      assert.deepEqual(markdownFaults(methodDocs(spec)), []);
    }
  });
});

describe("hostile documents", () => {
  it("end: cycles, depth, breadth, and keys that objects have by themselves", () => {
    const deep = (levels: number): JsonValue =>
      levels === 0
        ? {}
        : { type: "array", items: { oneOf: [deep(levels - 1), { type: "object", properties: { a: {} } }] } };
    const cyclic = {
      A: { $ref: "#/components/schemas/B" },
      B: { $ref: "#/components/schemas/A" },
      C: { oneOf: [{ $ref: "#/components/schemas/C" }, { type: "array", items: { $ref: "#/components/schemas/C" } }] },
      D: { allOf: [{ $ref: "#/components/schemas/D" }, { properties: { d: { $ref: "#/components/schemas/D" } } }] },
      E: {
        anyOf: [1, 2, 3].map((n) => ({
          type: "object",
          properties: { [`e${n}`]: { $ref: "#/components/schemas/E" } },
        })),
      },
    };
    const schemas = JSON.parse(JSON.stringify({ ...cyclic, deep: deep(100) }).replace('"d":', '"__proto__":'));
    const { methods } = openrpc(
      {
        methods: [...Object.keys(schemas), "__proto__", "constructor", ""].map((name) => ({
          name: `acme_${name}`,
          params: [{ name: "__proto__", schema: { $ref: `#/components/schemas/${name}` } }],
        })),
        components: { schemas },
      },
      "acme",
    );
    assert.equal(methods.length, 9);
    for (const { params } of methods) for (const { type } of params) assert.ok(shapesOf(type));
    assert.equal(({} as { readonly d?: unknown }).d, undefined);
  });

  it("end: where every object chooses among all others", () =>
    expectLinear(times(300, 80) ** 3, (size) => {
      const names = Array.from({ length: Math.cbrt(size) }, (_, at) => `S${at}`);
      const any = { oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) };
      const schemas = Object.fromEntries(
        names.map((name, at) => [
          name,
          {
            properties: Object.fromEntries(names.slice(0, at).map((key) => [key, { oneOf: any.oneOf.slice(at % 7) }])),
          },
        ]),
      );
      const document = openrpc(
        { methods: [{ name: "acme_do", params: [{ name: "x", schema: any }] }], components: { schemas } },
        "acme",
      );
      assert.ok(typesIn(document).size <= 3_010, "the types are bounded");
    }));

  it("end: ten megabytes", () =>
    expectLinear(100_000, (size) => {
      const properties = Object.fromEntries(
        Array.from({ length: size }, (_, at) => [`property${at}`, { $ref: "#/x" }]),
      );
      const methods = Array.from({ length: size * 0.03 }, (_, at) => ({
        name: `acme_m${at}`,
        summary: "x".repeat(1_000),
        params: [{ name: "x", schema: { $ref: "#/big" } }],
      }));
      const document = openrpc(
        { methods, big: { type: "object", properties, enum: [] }, x: { type: "string" } },
        "acme",
      );
      assert.equal(document.methods.length, Math.min(methods.length, 2_000));
    }));

  it("never throw, whatever they hold", () => {
    const schema = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.jsonValue({ maxDepth: 1 }),
        fc.record(
          {
            type: fc.oneof(
              fc.constantFrom("string", "object", "array", 7),
              fc.array(fc.constantFrom("null", "object")),
            ),
            $ref: fc.constantFrom(
              ..."# #/methods/0 #/components/schemas/a #/components/schemas/%E0%A4%A x.json".split(" "),
              7,
            ),
            properties: fc.dictionary(fc.constantFrom("a", "b", "__proto__", "toString"), tie("schema"), {
              maxKeys: 2,
            }),
            required: fc.jsonValue({ maxDepth: 1 }),
            items: tie("schema"),
            oneOf: fc.array(tie("schema"), { maxLength: 2 }),
            allOf: fc.array(tie("schema"), { maxLength: 2 }),
            enum: fc.jsonValue({ maxDepth: 1 }),
            additionalProperties: tie("schema"),
            default: fc.jsonValue({ maxDepth: 1 }),
            pattern: fc.string(),
          },
          { requiredKeys: [] },
        ),
      ),
    })).schema as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(schema, schema, fc.jsonValue({ maxDepth: 2 }), (a, b, junk) => {
        const params = [{ name: "p", schema: a }];
        const method = { name: "acme_a", params, result: { schema: b }, examples: [junk as JsonValue] };
        const document = openrpc({ methods: [method, junk as JsonValue], components: { schemas: { a: b } } }, "acme");
        for (const spec of document.methods) {
          assert.ok(methodDocs(spec));
          for (const ref of [spec.result, ...spec.params.map(({ type }) => type)])
            assert.ok(typeOf(ref), textOfRef(ref));
        }
        for (const ref of typesIn(document)) assert.ok(typeOf(ref) ?? ref.items, ref.name);
      }),
    );
  });
});

describe("a catalogue with documents", () => {
  const document = openrpc(
    {
      methods: [
        { name: "eth_sendRawTransaction", summary: "Only reads, I promise.", params: [] },
        { name: "acme_sendTransaction", params: [] },
        { name: "acme_height", params: [{ name: "block", required: true, schema: { $ref: "#/b" } }] },
      ],
      b: schemas.Tag,
    },
    "acme",
  );
  const catalog = catalogWith(bundledCatalog, [document, openrpc({ methods: [{ name: "acme_height" }] }, "later")]);

  it("has their methods after its own, the first of one name", () => {
    assert.equal(catalog.methods.length, bundledCatalog.methods.length + 2);
    assert.equal(catalog.methodNamed("acme_height")?.params.length, 1);
    assert.equal(catalog.methodNamed("acme_depth"), undefined);
  });

  it("lets no document say that a method that sends only reads", () => {
    const own = bundledCatalog.methodNamed("eth_sendRawTransaction");
    assert.ok(own);
    assert.equal(catalog.methodNamed("eth_sendRawTransaction"), own);
    assert.equal(catalog.methodNamed("acme_sendTransaction")?.effect, "broadcasts");
  });

  it("checks requests by them", () =>
    expectProblems(`{ "method": "acme_height", "params": [‹unknown-value→"newest"›] }`, { catalog }));

  it("reports a value as what it looks like", () => {
    const document = withParams({ oneOf: [schemas.Amount, schemas.Hash] });
    const around = { catalog: catalogWith(bundledCatalog, [document]) };
    expectProblems('{ "method": "acme_do", "params": [‹bad-quantity→"0x01"›] }', around);
    expectProblems(`{ "method": "acme_do", "params": [‹bad-hex→"0x${"1".repeat(65)}"›] }`, around);
  });

  it("takes null for a required field whose schema has it", () => {
    const note = { type: ["string", "null"] };
    const document = withParams({ type: "object", required: ["note"], properties: { note } });
    const around = { catalog: catalogWith(bundledCatalog, [document]) };
    expectProblems('{ "method": "acme_do", "params": [{ "note": null }] }', around);
    expectProblems(`{ "method": "acme_do", "params": [‹missing-field→{›}] }`, around);
  });

  it("keeps the types of two documents of one name apart", () => {
    const refs = [1, 2].map((n) => {
      const read = openrpc({ methods: [{ name: "m", result: { schema: { title: `v${n}`, enum: ["x"] } } }] }, "same");
      return read.methods[0]?.result ?? "";
    });
    assert.deepEqual(refs.map(textOfRef), ["m.result@same", "m.result@same"]);
    assert.deepEqual(
      refs.map((ref) => typeNamed(ref)?.summary),
      ["v1.", "v2."],
    );
  });
});
