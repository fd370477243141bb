import assert from "node:assert/strict";
import { Grants, methodNames } from "../../../server/src/gate/grants.ts";
import { methodGrant } from "../../../server/src/gate/verdict.ts";

describe("grants", () => {
  const site = "https://rpc.example";

  it("of a method hold for its site, those of a namespace for all of its methods", () => {
    const grants = new Grants([methodGrant(site, "acme_height"), methodGrant("*", "zks_*")]);
    const allowed = (where: string): readonly string[] =>
      ["acme_height", "acme_depth", "zks_estimateFee"].filter((method) => grants.allowsMethod(where, method));
    assert.deepEqual(allowed(site), ["acme_height", "zks_estimateFee"]);
    assert.deepEqual(allowed("https://other.example"), ["zks_estimateFee"]);
  });

  it("of a namespace need a name before the first `_`", () => {
    assert.deepEqual(methodNames("zks_estimate_fee"), ["zks_estimate_fee", "zks_*"]);
    assert.deepEqual(methodNames("_x"), ["_x"]);
  });

  it("that earlier versions stored without a scheme are for HTTPS", () => {
    const grants = new Grants(["rpc.example"]);
    assert.equal(grants.hasAll([site]), true);
    assert.equal(grants.hasAll(["http://rpc.example"]), false);
  });

  it("are added by answers, and count together", () => {
    const grants = new Grants([]);
    assert.equal(grants.hasAll([]), true);
    grants.add([site]);
    assert.equal(grants.hasAll([site]), true);
    assert.equal(grants.hasAll([site, `${site} $secret.KEY`]), false);
  });
});
