import assert from "node:assert/strict";
import fc from "fast-check";
import { maxAnswerDepth, parseJson, printJson } from "../../../server/src/base/json.ts";

describe("parseJson", () => {
  it("keeps integers that a double cannot hold", () =>
    assert.deepEqual(parseJson('{"a":[9007199254740993, -18446744073709551616, 1]}'), {
      a: [9007199254740993n, -18446744073709551616n, 1],
    }));

  it("leaves digits in strings alone", () =>
    assert.deepEqual(parseJson('["12345678901234567890", "\\"12345678901234567890"]'), [
      "12345678901234567890",
      '"12345678901234567890',
    ]));

  it("reads the rest as JSON.parse does beside a big integer", () =>
    assert.deepEqual(
      parseJson('[12345678901234567890, 1.5, 1e3, -0.5, true, null, {"__proto__": 1, "": {}}, [], "\\u00e9"]'),
      [12345678901234567890n, 1.5, 1000, -0.5, true, null, JSON.parse('{"__proto__": 1, "": {}}'), [], "é"],
    ));

  for (const text of ["", "{", "[1,]", "{'a':1}", "nope", "[1 2]", "12345678901234567890,"]) {
    it(`says that ${JSON.stringify(text)} is not JSON`, () => assert.equal(parseJson(text), undefined));
  }

  it("gives up on nesting that would overflow the stack", () => {
    const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    assert.notEqual(parseJson(nested(512)), undefined);
    assert.equal(parseJson(nested(514)), undefined);
    assert.equal(parseJson(nested(100_000)), undefined);
    assert.equal(parseJson(`[12345678901234567890, ${nested(100_000)}]`), undefined);
  });

  it("keeps every number as it was written, where a double would change it", () => {
    for (const text of ["-0", "-0.0", "0.12345678901234567890", "1e400", "-1.5e-400", "123456789012345678.5"]) {
      const value = parseJson(`[${text},{"a":${text}}]`) ?? null;
      assert.equal(printJson(value), `[${text},{"a":${text}}]`);
      assert.equal(printJson(parseJson(text) ?? null), text);
    }
  });

  it("keeps the same number a number, however it is written", () => {
    for (const [text, value] of [
      ["0.10", 0.1],
      ["1.50e3", 1500],
      ["15E-1", 1.5],
      ["0.0", 0],
      ["1E+2", 100],
      ["1e21", 1e21],
      ["5e-324", 5e-324],
    ] as const)
      assert.equal(parseJson(text), value);
  });

  it("keeps what is no integer a number", () => {
    assert.equal(parseJson("1e300"), 1e300);
    assert.equal(parseJson("0.1"), 0.1);
  });

  it("prints back what JSON.parse would have read", () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        assert.equal(printJson(parseJson(text) ?? null), JSON.stringify(JSON.parse(text)));
      }),
    ));

  it("takes any integer through parsing and printing", () =>
    fc.assert(
      fc.property(fc.bigInt(), (value) =>
        assert.equal(printJson(parseJson(`{"n":${value}}`) ?? null), `{"n":${value}}`),
      ),
    ));

  it("takes no text for a big integer, whoever wrote it", () => {
    const forged = "\u{f0000}n:7";
    const value = { [forged]: forged, big: 2n ** 64n };
    assert.equal(printJson(value), `{"${forged}":"${forged}","big":18446744073709551616}`);
  });

  it("prints the deepest answer when most of the stack is used", () => {
    const depth = maxAnswerDepth / 2 - 1;
    const text = `${'{"a":["x",'.repeat(depth)}[[],{},1e400,18446744073709551616,null]${"]}".repeat(depth)}`;
    const value = parseJson(text, maxAnswerDepth) ?? null;
    for (const indent of [0, 2]) {
      const whole = printJson(value, indent);
      let [levels, printedAt] = [0, -1];
      const fill = (level: number): void => {
        levels = level;
        try {
          fill(level + 1);
        } catch {} // the stack is full
        if (printedAt >= 0 || level % 25 > 0) return;
        try {
          if (printJson(value, indent) === whole) printedAt = level;
        } catch {} // it is tried again where more of the stack is free
      };
      fill(0);
      assert.ok(printedAt > levels * 0.8, `${printedAt} of ${levels}`);
    }
  });
});
