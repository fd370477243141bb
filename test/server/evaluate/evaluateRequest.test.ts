import assert from "node:assert/strict";
import fc from "fast-check";
import { type JsonValue, parseJson } from "../../../server/src/base/json.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { type Evaluated, evaluateRequest } from "../../../server/src/evaluate/evaluateRequest.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";

const values = new Map<string, JsonValue>(
  Object.entries({
    alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    amount: 21000,
    big: 2n ** 70n,
    yes: true,
    none: null,
    filter: { fromBlock: "0x1", toBlock: "latest" },
    quoted: `a "b"\n\u{1f600}`,
    logs: { result: [{ topics: ["0xddf2"] }, null], decoded: [{ args: { to: "0x3C44" } }] },
  }),
);

/** No ABIs, no heads. */
const nothing = { catalog: bundledCatalog, abi: [], heads: new Map<string, bigint>() };

function evaluate(text: string, freshId = 7): Evaluated {
  const [request] = readCell(text).requests;
  assert.ok(request, "the cell holds a request");
  return evaluateRequest(text, request, { of: (name) => values.get(name) }, freshId, nothing);
}

/** The request that goes out for a cell. */
function sent(text: string): string {
  const { request, problems } = evaluate(text);
  assert.equal(problems, undefined);
  return request?.text ?? "";
}

/** Each problem with the text that it stands under. */
function problems(text: string): readonly unknown[] {
  return (evaluate(text).problems ?? []).map((problem) => [
    text.slice(problem.span.start, problem.span.end),
    problem.code === "not-a-request" ? problem.what : problem.code === "unresolved-placeholder" ? problem.why : "",
  ]);
}

/** The parameter that goes out for one that is written. */
function param(written: string): string {
  const [, found = ""] = /"params":\[(.*)\]\}$/s.exec(sent(`{"method":"m","params":[${written}]}`)) ?? [];
  return found;
}

describe("a request as it goes over the wire", () => {
  for (const text of [
    `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`,
    `{ "id" : "a" , "params" : [ 1.0 , 1e3 , -0 , 9007199254740993 ],\n  "method" : "m", "jsonrpc":"2.0" }`,
    `{"jsonrpc":"1.0","id":null,"method":"m","params":{"by":"name"}}`,
    `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"m"}`,
    `{"jsonrpc":"2.0","id":1,"method":"m","params":["\\u007b\\ud83d\\ude00","{{","}}","{ {x} }","{{1}}"]}`,
  ])
    it(`is sent byte for byte: ${text}`, () => assert.equal(sent(text), text));

  for (const [text, want] of [
    [`{ "method": "eth_chainId" }`, `{"jsonrpc":"2.0","id":7,"method": "eth_chainId"}`],
    [`{"params":[ 1.50 ],"method":"m"}`, `{"jsonrpc":"2.0","id":7,"params":[ 1.50 ],"method":"m"}`],
    [`{"method":"m","id":"x"}`, `{"jsonrpc":"2.0","method":"m","id":"x"}`],
    [
      `{"name":"n","jsonrpc":"2.0","endpoint":"e","id":1,"expect":{"result":1},"method":"m","abi":[],"foo":1}`,
      `{"jsonrpc":"2.0","id":1,"method":"m"}`,
    ],
    [`{"jsonrpc":"2.0","id":1,"method":"m","params":["{{alice}}"],"within":"1 s"}`, undefined],
  ] as const)
    it(`adds in front what is missing, and leaves out what is ours: ${text}`, () =>
      assert.equal(
        sent(text),
        want ?? `{"jsonrpc":"2.0","id":1,"method":"m","params":["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]}`,
      ));

  for (const [text, at, name] of [
    [`{"jsonrpc":"2.0","id":1,"method":"a","method":"m"}`, 37, "method"],
    [`{"jsonrpc":"2.0","id":1,"m\\u0065thod":"a","method":"m"}`, 42, "method"],
    [`{"id":1,"id":2,"method":"m"}`, 8, "id"],
    [`{"method":"m","params":[1],"params":[2]}`, 27, "params"],
    [`{"method":"m","params":[{"k":1,"j":[{"a":{"b":1,"b":2}}]}]}`, 48, "b"],
    [`{"method":"m","params":[{"to":"0x1","TO":"0x2"}]}`, 36, "TO"],
    [`{"method":"m","params":["0x1",{"gas":1,"ga\u017f":2}]}`, 39, "ga\u017f"],
  ] as const)
    it(`is not sent with a member twice: ${text}`, () =>
      assert.deepEqual(evaluate(text).problems, [
        { code: "duplicate-key", span: { start: at, end: at + name.length + 2 }, name, sent: true },
      ]));

  it("may hold names of people that differ in case: typed data has them", () =>
    assert.equal(evaluate(`{"method":"m","params":[{"message":{"to":1,"To":2}}]}`).problems, undefined));

  it("may have a directive twice, which is not sent", () =>
    assert.equal(evaluate(`{"name":"a","name":"b","method":"m"}`).problems, undefined));

  it("keeps ids as values of their type", () => {
    const idOf = (text: string): unknown => evaluate(text).request?.id;
    assert.equal(idOf(`{"id":1,"method":"m"}`), 1);
    assert.equal(idOf(`{"id":"1","method":"m"}`), "1");
    assert.equal(idOf(`{"id":null,"method":"m"}`), null);
    assert.equal(idOf(`{"id":9007199254740993,"method":"m"}`), 9007199254740993n);
    assert.equal(idOf(`{"method":"m"}`), 7);
  });

  for (const [text, at, what] of [
    [`{"id":{"a":1},"method":"m"}`, `{"a":1}`, "an id of the wrong type"],
    [`{"id":[1],"method":"m"}`, "[1]", "an id of the wrong type"],
    [`{"id":true,"method":"m"}`, "true", "an id of the wrong type"],
    [`{"params":[]}`, `{"params":[]}`, "no method"],
    [`{"method":5}`, `{"method":5}`, "no method"],
    [`{"method":"m","params":[1,]}`, `{"method":"m","params":[1,]}`, "broken JSON"],
  ] as const)
    it(`is none: ${text}`, () => assert.deepEqual(problems(text), [[at, what]]));

  it("comes out as it is written, whatever is in it", () => {
    const json = fc
      .tuple(fc.json({ maxDepth: 4 }), fc.constantFrom("", " ", "\n\t"))
      .map(([value, space]) => `${space}${withPlainKeys(value).replaceAll("{{", "{")}${space}`);
    const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null)).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, id, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (params, written, order) => {
        const members = [`"jsonrpc":"2.0"`, `"id": ${written}`, `"method":"m"`, `"params":${params}`];
        const text = `{${order.map((at) => members[at]).join(" , ")}}`;
        assert.equal(sent(text), text);
      }),
    );
  });

  it("is JSON with the values in it, whatever they are", () => {
    // members that differ in case are not sent
    const plainJson = fc.json({ maxDepth: 3 }).map((text): JsonValue => JSON.parse(withPlainKeys(text)));
    fc.assert(
      fc.property(plainJson, fc.string(), (value, around) => {
        const text = `{"method":"m","params":["{{x}}",${JSON.stringify(around.replaceAll("{", ""))}]}`;
        const [request] = readCell(text).requests;
        assert.ok(request);
        const made = evaluateRequest(text, request, { of: () => value }, 1, nothing).request;
        const { params } = JSON.parse(made?.text ?? "");
        assert.equal(JSON.stringify(params), JSON.stringify([value, around.replaceAll("{", "")]));
      }),
    );
  });
});

describe("a placeholder", () => {
  for (const [written, want] of [
    [`"{{alice}}"`, `"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"`],
    [`"{{ amount }}"`, "21000"],
    [`"{{big}}"`, "1180591620717411303424"],
    [`"{{yes}}"`, "true"],
    [`"{{none}}"`, "null"],
    [`"{{filter}}"`, `{"fromBlock":"0x1","toBlock":"latest"}`],
    [`"{{quoted}}"`, `"a \\"b\\"\\n\u{1f600}"`],
    [`"0x{{amount}}/{{big}}"`, `"0x21000/1180591620717411303424"`],
    [`"{{yes}}, {{quoted}}"`, `"true, a \\"b\\"\\n\u{1f600}"`],
    [`{ "{{alice}}" : 1.0 }`, `{ "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" : 1.0 }`],
    [`{"a{{amount}}":["{{yes}}"]}`, `{"a21000":[true]}`],
    [`"{{logs.decoded[0].args.to}}"`, `"0x3C44"`],
    [`"{{logs.result[0].topics[0]}}"`, `"0xddf2"`],
    [`"{{logs.result[1]}}"`, "null"],
    [`"{{{{alice}}}}"`, `"{{alice}}"`],
    [`"{{{{alice}}}} {{amount}}"`, `"{{alice}} 21000"`],
    [`"\\u007b{alice}}"`, `"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"`],
    [`"{{not a name}} {{}}"`, `"{{not a name}} {{}}"`],
  ] as const)
    it(`${written} becomes ${want}`, () => assert.equal(param(written), want));

  it("is filled in parameters alone", () =>
    assert.equal(sent(`{"method":"{{alice}}"}`), `{"jsonrpc":"2.0","id":7,"method":"{{alice}}"}`));

  const inParams = (written: string): readonly unknown[] => problems(`{"method":"m","params":[${written}]}`);
  const missing = (until: string, found: string) => ({ kind: "no-such-path", missing: { until, found } });
  const filter = "an object with fromBlock, toBlock";
  for (const [written, at, why] of [
    [`"{{bob}}"`, "bob", { kind: "unknown-name", name: "bob" }],
    [`"{{$env.KEY}}"`, "$env.KEY", { kind: "unset", reference: { source: "env", name: "KEY" } }],
    [`"x {{constructor}}"`, "constructor", { kind: "unknown-name", name: "constructor" }],
    [`"{{logs.result[2].x}}"`, "logs.result[2].x", missing("logs.result", "an array of 2")],
    [`"{{logs.decoded[0].args.b}}"`, "logs.decoded[0].args.b", missing("logs.decoded[0].args", "an object with to")],
    [`"{{amount.x}}"`, "amount.x", missing("amount", "a number")],
    [`"{{none.x}}"`, "none.x", missing("none", "null")],
    [`"{{filter.toString}}"`, "filter.toString", missing("filter", filter)],
    [`"a {{none}}"`, "none", { kind: "not-text", found: "null" }],
    [`"a {{filter}}"`, "filter", { kind: "not-text", found: filter }],
    [`{"{{logs.result}}":1}`, "logs.result", { kind: "not-text", found: "an array of 2" }],
  ] as const)
    it(`${written} cannot be sent`, () => assert.deepEqual(inParams(written), [[`{{${at}}}`, why]]));

  it("that cannot be sent hides no other", () =>
    assert.deepEqual(
      inParams(`"{{bob}} {{carol}}", "{{alice}}", ["{{dave}}"]`).map((one) => (one as readonly unknown[])[0]),
      ["{{bob}}", "{{carol}}", "{{dave}}"],
    ));

  it("does not read text of a value again", () => {
    const text = `{"method":"m","params":["{{x}}"]}`;
    const [request] = readCell(text).requests;
    assert.ok(request);
    const made = evaluateRequest(text, request, { of: () => "{{secret}}" }, 1, nothing).request;
    assert.deepEqual(made?.params, ["{{secret}}"]);
  });

  it("leaves the parameters as a report wants them", () =>
    assert.deepEqual(evaluate(`{"method":"m","params":["{{big}}", 1]}`).request?.params, [2n ** 70n, 1]));

  it("keeps integers of any size in what is sent", () => assert.deepEqual(parseJson(param(`"{{big}}"`)), 2n ** 70n));
});

/** Members that differ in case alone are not sent. */
function withPlainKeys(json: string): string {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toUpperCase().toLowerCase(), plain(one)]));
  };
  return JSON.stringify(plain(JSON.parse(json)));
}
