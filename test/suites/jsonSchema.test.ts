import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  printJson,
} from "../../server/src/base/json.ts";
import { bundledCatalog, type Catalog, catalogWith } from "../../server/src/catalog/catalog.ts";
import { openrpc } from "../../server/src/catalog/openrpc.ts";
import { diagnostics } from "../../server/src/features/diagnostics.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { scopeOf } from "../support/cell.ts";
import { times } from "../support/depth.ts";
import { packaged } from "./packaged.ts";

/**
 * JSON-Schema-Test-Suite (https://github.com/json-schema-org/JSON-Schema-Test-Suite, MIT), draft 4: the last one that a
 * package holds as data. Ajv implements draft 7; its verdict on random schemas is compared with ours.
 *
 * Our checks use a parameter's schema to find certain mistakes, so the law has one direction: what a schema accepts is
 * never an error. What it refuses may pass.
 */
describe("schemas of OpenRPC parameters", () => {
  interface Group {
    readonly description: string;
    readonly schema: JsonValue;
    readonly tests: readonly { readonly description: string; readonly data: JsonValue; readonly valid: boolean }[];
  }
  const folder = join(packaged.jsonSchema, "tests/draft4");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  const groups = files.flatMap((file) =>
    (parseJson(readFileSync(join(folder, file), "utf8")) as unknown as readonly Group[]).map((group) => ({
      file,
      group,
    })),
  ); // the README of the suite describes its files

  /** Authors forget `type`: a schema with `properties`, `items` or `pattern` means objects, lists or strings here. */
  const meansItsType = /^ignores non-|^(?:recursive )?match$/;

  it("the suite is whole", () =>
    assert.deepEqual([files.length, groups.length, groups.flatMap(({ group }) => group.tests).length], [31, 89, 295]));

  it("draft 4: no value that a schema accepts is an error", () => {
    const wrong = groups.flatMap(({ file, group: { description, schema, tests } }) => {
      const catalog = catalogOf(schema);
      return tests
        .filter(({ valid, data }) => valid && errors(data, catalog).length > 0)
        .filter((test) => !meansItsType.test(test.description))
        .map((test) => `${file}: ${description}: ${test.description}: ${errors(test.data, catalog)}`);
    });
    assert.deepEqual(wrong, []);
  });

  it("draft 4: values of the wrong type, missing fields and fields that a schema forbids are errors", () => {
    const missed = (name: string): readonly string[] =>
      groups
        .filter(({ file }) => file === `${name}.json`)
        .flatMap(({ group: { schema, tests } }) => {
          const catalog = catalogOf(schema);
          return tests.filter(({ valid, data }) => !valid && errors(data, catalog).length === 0);
        })
        .map(({ description }) => description);
    assert.deepEqual(missed("type"), []);
    assert.deepEqual(missed("required"), []);
  });

  it("draft 7: no value that ajv accepts is an error", () => {
    const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 10, maxLength: 10 }), (given, values) => {
        const accepts = ajv.compile(given as object | boolean);
        const catalog = catalogOf(given);
        for (const one of values) if (accepts(one)) assert.deepEqual(errors(one, catalog), [], printJson(one));
        ajv.removeSchema();
      }),
      { numRuns: times(400) },
    );
  });
});

/** A catalogue with one method, `acme_do`, whose parameter has the schema. */
function catalogOf(schema: JsonValue): Catalog {
  const document = openrpc(
    {
      openrpc: "1.3.2",
      info: { title: "Suite", version: "1" },
      methods: [
        {
          name: "acme_do",
          params: [{ name: "value", required: true, schema: { $ref: "#/components/schemas/Tested" } }],
          result: { name: "done", schema: { type: "null" } },
        },
      ],
      components: { schemas: { Tested: rooted(schema) } },
    },
    "suite",
  );
  return catalogWith(bundledCatalog, [document]);
}

/** The schema is only a part of the document, so `#` refers to a different value. */
function rooted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(rooted);
  if (typeof value !== "object" || value === null) return value;
  const isHere = ([key, part]: readonly [string, JsonValue]): boolean => key === "$ref" && String(part).startsWith("#");
  return Object.fromEntries(
    Object.entries(value as JsonObject).map((entry) => [
      entry[0],
      isHere(entry) ? `#/components/schemas/Tested${String(entry[1]).slice(1)}` : rooted(entry[1]),
    ]),
  );
}

function errors(value: JsonValue, catalog: Catalog): readonly string[] {
  const cell = readCell(`{ "method": "acme_do", "params": [${printJson(value)}] }`);
  return diagnostics(cell, scopeOf(cell, { catalog })).flatMap(({ severity, message }) =>
    severity === "error" ? [message] : [],
  );
}

const name = fc.constantFrom("a", "b", "to", "0x12");
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 300 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -3, max: 3 }),
  fc.constantFrom("", "a", "latest", "pending", "0x", "0x0", "0x1", "0x12", "0xzz", `0x${"ab".repeat(20)}`, "12"),
);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Schemas of draft 7 that name their type if a keyword implies one. */
const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const some = tie("schema");
  const several = fc.array(some, { minLength: 1, maxLength: 3 });
  // a field that one form of an object names has that form's type in the others too
  const choices = several.filter((list) => list.reduce<number>((sum, one) => sum + objectForms(one), 0) <= 1);
  const fields = fc.dictionary(name, some, { maxKeys: 3 });
  const typed = (type: string, keywords: Readonly<Record<string, fc.Arbitrary<JsonValue>>>): fc.Arbitrary<JsonValue> =>
    fc
      .record({ ...keywords, nullable: fc.boolean() }, { requiredKeys: ["nullable"] })
      .map(({ nullable, ...rest }) => ({ type: nullable ? [type, "null"] : type, ...rest }) as JsonObject); // made of JSON
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.constantFrom<JsonValue[]>(true, {}, { type: "boolean" }, { type: "null" }, { type: "integer" }),
      typed("number", { minimum: fc.integer({ min: 0, max: 2 }), exclusiveMaximum: fc.integer({ min: 0, max: 9 }) }),
      typed("string", {
        minLength: fc.nat(3),
        format: fc.constantFrom("uri", "byte"),
        pattern: fc.constantFrom(
          "^0x[0-9a-fA-F]{40}$",
          "^0x([0-9a-f]{2})*$",
          "^0x(0|[1-9a-f][0-9a-f]{0,31})$",
          "^[0-9]+$",
          "a",
        ),
      }),
      fc.record({ const: scalar }),
      fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4, selector: (one) => `${one}` }) }),
      typed("array", {
        items: fc.oneof(some, several),
        contains: some,
        minItems: fc.nat(2),
        uniqueItems: fc.boolean(),
      }),
      typed("object", {
        properties: fields,
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: some,
        patternProperties: fc.dictionary(fc.constantFrom("^a", ".*", "^0x"), some, { maxKeys: 2 }),
        propertyNames: fc.constantFrom<JsonValue[]>({ pattern: "^0x" }, { minLength: 1 }, true),
        minProperties: fc.nat(2),
        dependencies: fc.dictionary(name, some, { maxKeys: 1 }),
      }),
      fc.record({ anyOf: choices }),
      fc.record({ oneOf: choices }),
      fc.record({ allOf: several }),
      fc.record({ not: some }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      fc.record({ if: some, then: some, else: some }),
    ),
  };
});

function objectForms(schema: JsonValue): number {
  if (!isObject(schema)) return 0;
  const { type = [], anyOf = [], oneOf = [], allOf = [] } = schema;
  const parts = [anyOf, oneOf, allOf].flatMap((list) => (isArray(list) ? list : []));
  return parts.reduce<number>((sum, part) => sum + objectForms(part), [type].flat().includes("object") ? 1 : 0);
}
