import assert from "node:assert/strict";
import { scopeOf } from "../../../../server/src/abi/abiScope.ts";
import { wellKnownAbis } from "../../../../server/src/abi/wellKnownAbis.ts";
import { isArray, isObject, type JsonValue, printJson } from "../../../../server/src/base/json.ts";
import { type NextText, printedItems } from "../../../../server/src/base/lazyList.ts";
import { methodNamed } from "../../../../server/src/catalog/catalog.ts";
import { readCell } from "../../../../server/src/notebook/readCell.ts";
import type { CellRun } from "../../../../server/src/run/cellRun.ts";
import { answersOf } from "../../../../server/src/run/result/output.ts";
import { alice, answered, bob, topic, transferTopic } from "../../report/outcomes.ts";

const contract = (at: number): string => `0x${(0x1000 + at).toString(16).padStart(40, "0")}`;
const log = (at: number) => ({
  ...{ address: contract(at), topics: [transferTopic, topic(alice), topic(bob)], data: topic(`0x${at + 1}`) },
  ...{ blockNumber: "0x1", logIndex: "0x0", transactionIndex: "0x0" },
});
const logs = Array.from({ length: 20 }, (_, at) => log(at));
const usd = { symbol: 'U"S\u202eD', decimals: 2, source: "the header" };

function allTexts(next: NextText | undefined): readonly string[] {
  const texts: string[] = [];
  for (let text = next?.(); text !== undefined; text = next?.()) texts.push(text);
  return texts;
}

/** How often an event is looked up to make the JSON of an answer with these logs. */
function lookups(tokens: Parameters<typeof answersOf>[1]["tokens"]): number {
  let count = 0;
  const counting = {
    ...wellKnownAbis,
    events: (hash: string, address?: string) => {
      count++;
      return wellKnownAbis.events(hash, address);
    },
  };
  const first = answerOf(logs, tokens, counting);
  assert.equal(JSON.stringify(first).includes("amounts"), tokens.size > 0);
  return count;
}

function answerOf(
  result: JsonValue,
  tokens: Parameters<typeof answersOf>[1]["tokens"],
  known = wellKnownAbis,
): JsonValue {
  const text = '{ "method": "eth_getLogs", "params": [{}] }';
  const spec = methodNamed("eth_getLogs");
  const request = { text, id: 1, method: "eth_getLogs", spec, params: [{}], returns: undefined };
  const answers = [{ request, outcome: answered(result), scope: scopeOf([], [], known) }];
  const run = { step: { cell: readCell(text) }, answers } as unknown as CellRun;
  return answersOf(run, { labels: new Map(), names: () => [], snapshot: undefined, tokens })[0] ?? null;
}

describe("the JSON of an answer", () => {
  it("decodes the logs once, and once more only for amounts, after a look for the first of them", () => {
    const tokens = new Map([[contract(3), usd]]);
    // all logs have the same event, which each decoding looks up once
    assert.deepEqual([lookups(new Map()), lookups(tokens)], [1, 3]);
  });

  it("has the amounts of many logs as those of each, also where it prints them without making them", () => {
    const many = Array.from({ length: 3000 }, (_, at) => log(at % 3));
    const answer = answerOf(many, new Map([0, 1].map((at) => [contract(at), usd])));
    const amounts = isObject(answer) && isArray(answer.amounts) ? answer.amounts : [];
    const expected = many.flatMap((_, at) => {
      const place = { path: `decoded[${at}].args.value`, token: contract(at % 3), symbol: usd.symbol, decimals: 2 };
      return at % 3 === 2 ? [] : [{ ...place, amount: `${(at % 3) + 1}`, formatted: `0.0${(at % 3) + 1}` }];
    });
    const texts = expected.map((one) => printJson(one));
    assert.deepEqual(allTexts(printedItems(amounts)), texts);
    assert.deepEqual(Array.from(amounts), expected);
    assert.deepEqual(allTexts(printedItems(amounts)), texts);
  });
});
