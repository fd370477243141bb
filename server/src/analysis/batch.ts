import { nearest } from "../base/text.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Cell, directives } from "../notebook/cell.ts";
import { items, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { checkMemberValue } from "./directives.ts";
import { checkExpect, checkWithin } from "./expectation.ts";
import { duplicates, membersOf } from "./object.ts";
import { listOfResults } from "./placeholders.ts";
import type { Problem } from "./problem.ts";
import { kindOfNode } from "./value.ts";

const batchMembers = ["batch", ...directives];

/** Checks what surrounds the requests of a batch; the requests are checked one by one. */
export function checkBatch(cell: Cell, catalog: Catalog): readonly Problem[] {
  const { text, root, faults } = cell;
  if (!root) return [];
  if (root.type === "array") return checkItems(root, faults.length > 0);
  const members = membersOf(root);
  const [batch, expect, within] = ["batch", "expect", "within"].map((key) => member(root, key));
  const expects = expect !== undefined || cell.requests.some(({ members: own }) => own.has("expect"));
  return [
    ...duplicates(members),
    ...members.flatMap(({ name, key, value }): readonly Problem[] => {
      if (batchMembers.includes(name)) return checkMemberValue(text, name, value);
      return [{ code: "unknown-member", span: spanOf(key), name, nearest: nearest(name, batchMembers, 1) }];
    }),
    ...(batch ? checkItems(batch, faults.length > 0) : []),
    ...(expect ? checkExpect(text, expect, ([item]) => listOfResults(cell, item, catalog)) : []),
    ...(within && !expects ? checkWithin(within) : []),
  ];
}

function checkItems(batch: JsonNode, broken: boolean): readonly Problem[] {
  if (batch.type !== "array") {
    return [{ code: "wrong-type", span: spanOf(batch), expected: "a list of requests", found: kindOfNode(batch) }];
  }
  const requests = items(batch);
  if (requests.length === 0) return broken ? [] : [{ code: "missing-method", span: spanOf(batch) }];
  return requests.flatMap((item): readonly Problem[] =>
    item.type === "object"
      ? []
      : [{ code: "wrong-type", span: spanOf(item), expected: "a request", found: kindOfNode(item) }],
  );
}
