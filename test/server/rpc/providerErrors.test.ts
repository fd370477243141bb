import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { classify } from "../../../server/src/rpc/classify.ts";
import type { RefusalReason } from "../../../server/src/rpc/outcome.ts";
import { statedCaps, suggestedRange } from "../../../server/src/rpc/range.ts";
import { corpusLines } from "../../support/corpus.ts";

/** The collection's words for our reasons. */
const reasons: Readonly<Record<string, readonly RefusalReason[]>> = {
  address_limit: ["bad-params"],
  archive_plan: ["plan-limit"],
  batch_too_large: ["batch-limit"],
  head_lag: ["unknown-block"],
  historical_state: ["missing-state"],
  invalid_params: ["bad-params"],
  method_unsupported: ["unknown-method", "not-allowed"],
  node_unhealthy: ["internal"],
  range_limit: ["range-limit"],
  rate_limit: ["rate-limit"],
  result_limit: ["result-limit"],
  revert: ["revert"],
  simulate: ["simulation"],
  timeout: ["timeout"],
  unauthorized: ["unauthorized"],
  vm_halt: ["vm-error"],
};

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly method: string;
  readonly code: number | null;
  readonly http: number | null;
  readonly message: string;
  readonly data?: JsonValue;
  readonly suggested_range?: { readonly from: string | number; readonly to: string | number };
  readonly stated_cap?: number;
  readonly cap_unit?: "blocks" | "results";
}

describe("errors of real providers", () => {
  const rows: readonly Row[] = corpusLines("errors").map((line) => JSON.parse(line) as Row); // rows of a file with a known shape
  for (const row of rows) {
    it(`${row.id} ${row.kind}: ${row.message.slice(0, 60)}`, () => {
      const { code, http, method, message, data } = row;
      const found = classify({ method, message, data, code: code ?? undefined, status: http ?? undefined });
      assert.ok(reasons[row.kind]?.includes(found.reason), `${found.reason} is not ${reasons[row.kind]?.join(" or ")}`);
      const want = row.suggested_range;
      assert.deepEqual(found.range, want && { from: BigInt(want.from), to: BigInt(want.to) });
      const texts = [message, ...(JSON.stringify(data ?? "").match(/"(?:[^"\\]|\\.)*"/g) ?? [])];
      if (row.stated_cap !== undefined) {
        assert.equal(statedCaps(texts)[row.cap_unit ?? "blocks"], BigInt(row.stated_cap));
      }
      if (row.cap_unit === "blocks") assert.equal(found.rangeLimit, BigInt(row.stated_cap ?? 0) - 1n);
      if (row.cap_unit !== "blocks" && row.kind === "result_limit") assert.equal(found.rangeLimit, undefined);
    });
  }
  it("reads a suggestion only from advice", () => {
    assert.equal(suggestedRange("range [0x1, 0x2] is too large"), undefined);
  });
});
