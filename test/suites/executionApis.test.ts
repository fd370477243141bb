import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isArray, isObject, parseJson } from "../../server/src/base/json.ts";
import { methodNamed } from "../../server/src/catalog/catalog.ts";
import { openrpc } from "../../server/src/catalog/openrpc.ts";
import { paramFaults } from "../server/catalog/conformance.ts";
import { catalogDifferences } from "./catalogDifferences.ts";
import { differences } from "./executionApisDifferences.ts";
import { packaged } from "./packaged.ts";

/**
 * Compares the catalogue with the compiled OpenRPC document of the execution-apis
 * (https://github.com/ethereum/execution-apis, CC0), as the package `@metamask/api-specs` (Apache-2.0) has it: without
 * the methods that a wallet does not offer, and with all that the schemas of the others say.
 */
describe("the catalogue and the document of the execution-apis", () => {
  const document = parseJson(readFileSync(join(packaged.openrpc, "dist/build/openrpc.json"), "utf8"));
  assert.ok(isObject(document) && isArray(document.methods));
  const names = document.methods.map((method) => (isObject(method) ? String(method.name) : ""));
  let found: readonly string[];
  before(() => {
    found = catalogDifferences(document);
  });

  it("share their methods", () => assert.equal(names.filter(methodNamed).length, 37));

  it("differ only if a reason is given", () => {
    const isExplained = (one: string): boolean => differences.some(({ at }) => at.test(one));
    assert.deepEqual(
      found.filter((one) => !isExplained(one)),
      [],
    );
  });

  it("differ in every case with a reason", () => {
    const stale = differences.filter(({ at }) => !found.some((one) => at.test(one)));
    assert.deepEqual(
      stale.map(({ at }) => String(at)),
      [],
    );
    for (const { why } of differences) assert.match(why, /^[A-Z`].{15,}\.$/);
  });
});

describe("the example documents of OpenRPC", () => {
  const folder = join(packaged.openrpcExamples, "build/service-descriptions");
  for (const name of readdirSync(folder)) {
    it(`${name} is read whole, but for parameters by name`, () => {
      const value = parseJson(readFileSync(join(folder, name), "utf8"));
      assert.ok(isObject(value) && isArray(value.methods));
      const { methods, problems } = openrpc(value, name);
      assert.deepEqual(
        problems.filter(({ what }) => !what.includes("by name")),
        [],
      );
      assert.equal(methods.length + problems.length, value.methods.length);
      for (const spec of methods) assert.deepEqual(paramFaults(spec, spec.example.params), [], spec.name);
    });
  }
});
