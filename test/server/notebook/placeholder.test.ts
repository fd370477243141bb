import assert from "node:assert/strict";
import fc from "fast-check";
import { escapePlaceholders, parsePath, partsOf } from "../../../server/src/notebook/placeholder.ts";

/** Parts as text: what is sent, or `<path>`. */
const shown = (token: string): readonly string[] =>
  partsOf(token).map((part) => (part.kind === "text" ? part.text : `<${part.path.join(" ")}>`));

describe("placeholders", () => {
  for (const [token, parts] of [
    [`"{{alice}}"`, ["<alice>"]],
    [`"to {{alice}}!"`, ["to ", "<alice>", "!"]],
    [`"{{ balance.result }}"`, ["<balance result>"]],
    [`"{{logs.decoded[0].args.to}}"`, ["<logs decoded 0 args to>"]],
    [`"{{$env.HOME}}{{$secret.KEY}}{{$dotenv.A_B}}"`, ["<$env HOME>", "<$secret KEY>", "<$dotenv A_B>"]],
    [`"{{my-cell.result}}"`, ["<my-cell result>"]],
    [`"{{größe}}"`, ["<größe>"]],
    [`"{{{{x}}}}"`, ["{{x}}"]],
    [`"{{{{{{x}}}}}}"`, ["{{{{x}}}}"]],
    [`"{{{x}}}"`, ["{", "<x>", "}"]],
    [`"{{$other.x}}"`, ["{{$other.x}}"]],
    [`"{{$env.a.b}}"`, ["{{$env.a.b}}"]],
    [`"{{1x}} {{}} {{a b}} {{a..b}} {{a[x]}} {{a"`, ["{{1x}} {{}} {{a b}} {{a..b}} {{a[x]}} {{a"]],
    [`"\\u007b{x}\\u007D"`, ["<x>"]],
    [`"\\n\\"{{x}}"`, ['\n"', "<x>"]],
    [`"{{x}}`, ["<x>"]],
    [`""`, []],
    [`"`, []],
  ] as const)
    it(`in ${token}`, () => assert.deepEqual(shown(token), parts));

  it("say where they stand in the text as written", () => {
    const token = String.raw`"\u00e9\\ {{logs.a[12]}} \t{{x}}"`;
    const references = partsOf(token).filter((part) => part.kind === "reference");
    assert.deepEqual(
      references.map(({ span }) => token.slice(span.start, span.end)),
      ["{{logs.a[12]}}", "{{x}}"],
    );
    assert.deepEqual(
      references[0]?.segments.map((at) => token.slice(at.start, at.end)),
      ["logs", "a", "12"],
    );
  });

  it("cover the whole string without a gap", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("{", "}", "{{", "}}", "{{a}}", "x", ".", "[0]", "\\n", "\\u007b", "😀", " ")),
        (pieces) => {
          const token = `"${pieces.join("")}"`;
          let end = 1;
          for (const { span } of partsOf(token)) {
            assert.equal(span.start, end);
            end = span.end;
          }
          assert.equal(end, token.length - 1);
        },
      ),
    ));

  it("stay away where text is escaped", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("{", "}", "{{", "}}", "{{a}}", "a", " ", "$env.x", '"', "\\", "é")),
        (pieces) => {
          const text = pieces.join("");
          const parts = partsOf(JSON.stringify(escapePlaceholders(text)));
          assert.equal(parts.map((part) => (part.kind === "text" ? part.text : "<>")).join(""), text);
        },
      ),
    ));

  it("know when a text is sent otherwise than it is written", () =>
    assert.deepEqual(
      partsOf(`"{{{{a}}}} {{b}} c"`).map((part) => part.kind === "text" && part.unescaped),
      [true, false, false],
    ));

  it("answer on hostile text at once", () => {
    for (const piece of ["{", "{{", "{{a", "{{a.", "{{ ", "}", "\\u007b"]) partsOf(`"${piece.repeat(100_000)}"`);
  });
});

describe("parsePath", () => {
  it("reads the paths that expectations have", () => {
    assert.deepEqual(parsePath("result"), ["result"]);
    assert.deepEqual(parsePath("decoded[0].args.to"), ["decoded", 0, "args", "to"]);
  });
  it("takes nothing else", () => {
    for (const text of ["", "a.", ".a", "a[", "a[b]", "a b", "[0]"]) assert.equal(parsePath(text), undefined);
  });
});
