import assert from "node:assert/strict";
import fc from "fast-check";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { describedCalls } from "../../../server/src/abi/describedCalls.ts";
import { type AbiEvent, isEvent } from "../../../server/src/abi/item.ts";
import { logGroups } from "../../../server/src/abi/logGroups.ts";
import { needsSignatures } from "../../../server/src/abi/needsSignatures.ts";
import { isArray, type JsonValue, printJson } from "../../../server/src/base/json.ts";
import { concatenated, listOfTexts, printedItems } from "../../../server/src/base/lazyList.ts";
import { ListScanner } from "../../../server/src/base/listScanner.ts";
import { decodedValue } from "../../../server/src/report/decoded.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { tableSource } from "../../../server/src/report/table.ts";
import { amountsIn } from "../../../server/src/report/tokensIn.ts";
import { readPiece } from "../../../server/src/rpc/logMemory.ts";
import { times } from "../../support/depth.ts";
import { alice, answered, bob, encoded, item, reportFor, topic, transferTopic } from "./outcomes.ts";

const nativeLogger = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** One argument has no name, and one the name of another. */
const mixed = event("event Mixed(uint256 a, bool, string b, int8 a)");
const values = encoded(mixed.inputs, ["5", true, '\u202e"', "-1"]);

/** What is said of logs must not depend on whether they were read one at a time. No member is named twice: such a list is read as a whole. */
describe("logs of a long list", () => {
  const word = fc.constantFrom(topic(alice), topic(bob), topic("0x01"));
  const topics = fc.oneof(
    { weight: 8, arbitrary: fc.array(word, { maxLength: 2 }).map((more) => [transferTopic, ...more]) },
    { weight: 4, arbitrary: fc.tuple(word) },
    { weight: 4, arbitrary: fc.constant([mixed.hash]) },
    fc.array(fc.oneof(word, fc.constantFrom<JsonValue>("0x", 1, null, [], "x".repeat(135))), { maxLength: 5 }),
  );
  const log = fc
    .record({
      address: fc.constantFrom<JsonValue>(alice, bob, nativeLogger, null, "0x"),
      topics: fc.oneof({ weight: 9, arbitrary: topics }, fc.constantFrom<JsonValue>(null, "0x", {})),
      data: fc.constantFrom<JsonValue>("0x", topic("0x05"), values, 5),
      blockTimestampMs: fc.constantFrom<JsonValue>("0x18bcfe56800", null),
      blockNumber: fc.constantFrom<JsonValue>("0x1", "0x2", null),
      transactionHash: fc.constantFrom(topic("0x07"), topic("0x08")),
      removed: fc.boolean(),
    })
    .chain((members) => fc.shuffledSubarray(Object.entries(members), { minLength: 3 }))
    .map((members): JsonValue => Object.fromEntries(members));
  const logs = fc
    .array(fc.oneof({ weight: 12, arbitrary: log }, fc.constantFrom<JsonValue>(null, "a", [])), {
      minLength: 1,
      maxLength: 5,
    })
    .chain((few) => fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 260 }));
  const scopes = [
    undefined,
    scopeOf([item("event Transfer(address indexed a, uint256 b, address c)")]),
    scopeOf([mixed]),
    scopeOf([item("event Hidden(address indexed a) anonymous")]),
  ];

  it("are shown, decoded and counted as those of a list that is there", () => {
    let sorted = 0;
    fc.assert(
      fc.property(logs, fc.constantFrom(...scopes), fc.nat(260), (some, scope, cut) => {
        const texts = some.map((one) => printJson(one));
        const all = texts.map((text): JsonValue => JSON.parse(text));
        const listed = concatenated([lazily(texts.slice(0, cut)), lazily(texts.slice(cut))]);
        if (logGroups(listed)) sorted++;
        assert.deepEqual(Array.from(listed), all);
        const around = scope ? { scope } : {};
        assert.deepEqual(
          whole(reportFor("eth_getLogs", [{}], listed, around)),
          whole(reportFor("eth_getLogs", [{}], all, around)),
        );
        assert.equal(needsSignatures(listed), needsSignatures(all));
        assert.deepEqual(describedCalls([listed], 1n), describedCalls([all], 1n));
        const asked = { method: "eth_getLogs", params: [{}], returns: undefined };
        const decoded = [listed, all].map((list) => decodedValue(asked, answered(list, ""), scope) ?? null);
        const [one, other] = decoded.map(copied);
        assert.deepEqual(one, other);
        const nextText = isArray(decoded[0]) ? printedItems(decoded[0]) : undefined;
        for (const value of (nextText && other) ?? []) assert.equal(nextText?.(), printJson(value));
        assert.equal(nextText?.(), undefined);
        assert.deepEqual([...amountsIn(asked, listed, scope)], [...amountsIn(asked, all, scope)]);
      }),
      { numRuns: times(500, 60) },
    );
    assert.ok(sorted > 10);
  });
  it("are grouped by one log of each kind of each part", () => {
    const texts = Array.from({ length: 50 }, (_, at) =>
      printJson({ address: at % 2 ? alice : bob, topics: [transferTopic], data: "0x" }),
    );
    let looks = 0;
    const part = (): readonly JsonValue[] =>
      listOfTexts({
        ...{ length: 50, names: new Set<string>(), around: ["", ""], text: () => "", textLength: 0 },
        kindAt: (index) => index % 2,
        textAt(index) {
          looks++;
          return texts[index] ?? "";
        },
      });
    const groups = logGroups(concatenated([part(), concatenated([part(), part()]), part()]));
    assert.deepEqual(groups?.sizes, [100, 100]);
    assert.deepEqual([...groups.groupOf.slice(48, 52)], [0, 1, 0, 1]);
    assert.ok(looks <= 2 * 4 + 2, `${looks} looks`);
  });
  it("are not passed over by a search for hex digits that they show", () => {
    const said = event("event Said(string text)");
    const names = ["0xAbCdEf0123456789", "\\n0X00000000000000000"].map((text) => ({
      address: alice,
      topics: [said.hash],
      data: encoded(said.inputs, [text]),
    }));
    let denied = 0;
    fc.assert(
      fc.property(logs, fc.constantFrom(...scopes, scopeOf([said])), fc.boolean(), (some, scope, isNamed) => {
        const all = [...some, ...names];
        const labels = new Map(isNamed ? [[alice, "the old 0x1111111111111111"]] : []);
        const found = reportFor("eth_getLogs", [{}], all, { ...(scope && { scope }), labels });
        for (const section of found.sections) {
          const source = section.kind === "table" ? tableSource(section) : undefined;
          if (!source) continue;
          const texts = all.map((_, at) => source.searchText(at));
          for (const filter of new Set(texts.flatMap((text) => text.match(/0x[0-9a-f]{16,199}/g) ?? []))) {
            const mayContain = source.mayContain(filter.toUpperCase());
            for (const [at, text] of texts.entries()) {
              if (mayContain?.(at) !== false) continue;
              denied++;
              assert.equal(text.includes(filter), false, `${filter} is in ${text}`);
            }
          }
        }
      }),
      { numRuns: times(300, 40) },
    );
    assert.ok(denied > 10);
  });
  it("count as strays if they are of other blocks, and stay out", () => {
    fc.assert(
      fc.property(logs, (all) => {
        const range = { from: 2n, to: 3n };
        const piece = (list: readonly JsonValue[]) => readPiece(range, answered(list, JSON.stringify(all)));
        const [one, other] = [piece(lazily(all.map((one) => printJson(one)))), piece(all)];
        assert.deepEqual(
          [one?.strays, one && Array.from(one.logs), one?.text],
          [other?.strays, other?.logs, other?.text],
        );
      }),
      { numRuns: times(500, 60) },
    );
  });
  it("are of an anonymous event if their data fits", () => {
    const log = { address: alice, topics: [topic(alice)] };
    const listed = lazily(["0x", topic("0x05")].map((data) => printJson({ ...log, data })));
    const scope = scopeOf([item("event Hidden(address indexed a) anonymous")]);
    assert.equal(reportFor("eth_getLogs", [{}], listed, { scope }).summary, "2 logs: 1 Hidden and 1 unknown");
  });
});

function lazily(texts: readonly string[]): readonly JsonValue[] {
  const names = new Set(texts.flatMap((text) => Object.keys(Object(JSON.parse(text)))));
  const textAt = (index: number): string => texts[index] ?? "";
  const scanner = new ListScanner();
  scanner.push(`"result":[${texts.join(",")}]`);
  const kinds = scanner.found()?.kinds;
  const kindAt = (index: number): number => kinds?.[index] ?? -1;
  return listOfTexts({ length: texts.length, names, around: ["", ""], textAt, kindAt, text: () => "", textLength: 0 });
}

/** A report with all rows of its tables, of their kinds too. */
function whole(report: Report): unknown {
  return {
    ...report,
    sections: report.sections.map((section) => (section.kind === "table" ? rows(section) : section)),
  };
}

function rows(section: Parameters<typeof tableSource>[0]): unknown {
  const source = tableSource(section);
  if (!source) return section;
  const all = Array.from({ length: section.total }, (_, at) => [
    source.row(at),
    source.json(at),
    source.searchText(at),
  ]);
  const shared = section.columns.map((_, at) => source.isShared(at));
  return { section, all, shared, kinds: source.kinds.map(({ name, count, table }) => [name, count, rows(table())]) };
}

function copied(value: JsonValue): readonly JsonValue[] | undefined {
  return isArray(value) ? Array.from(value) : undefined;
}

function event(declaration: string): AbiEvent {
  const found = item(declaration);
  return isEvent(found) ? found : assert.fail(declaration);
}
