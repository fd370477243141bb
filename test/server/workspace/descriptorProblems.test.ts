import assert from "node:assert/strict";
import { descriptorHash, descriptorsOf } from "../../../server/src/abi/descriptors.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { createService } from "../../../server/src/service/service.ts";
import { descriptorConflicts } from "../../../server/src/workspace/descriptorProblems.ts";
import { textDocument } from "../../../server/src/workspace/documents.ts";
import { ProjectDescriptors } from "../../../server/src/workspace/projectDescriptors.ts";
import { some } from "../../support/depth.ts";
import { describedContracts, usdt } from "../../support/describedContracts.ts";
import { gatedHost, testHost } from "../../support/host.ts";
import { filesOf } from "../../support/memoryFiles.ts";

const uri = "file:///nowhere/a.rpc.json";
const treasury = `0x${"7".repeat(40)}`;

/** A descriptor of many functions of many contracts. */
function descriptorWith(functions: number, contracts: number): JsonValue {
  const address = (at: number): string => `0x${String(at).padStart(40, "0")}`;
  const deployments = Array.from({ length: contracts }, (_, at) => ({ chainId: 1, address: address(at) }));
  const formats = Array.from({ length: functions }, (_, at) => [`f${at}()`, { intent: "x", fields: [] }] as const);
  return { context: { contract: { deployments } }, display: { formats: Object.fromEntries(formats) } };
}

/** Writes another value at an offset of JSON. */
function replaceValue(text: string, start: number, value: string): string {
  let end = start + 1;
  for (; end < text.length; end++) {
    try {
      JSON.parse(text.slice(start, end));
      if (!/\d/.test(text[end] ?? "")) break;
    } catch {} // not whole yet
  }
  return text.slice(0, start) + value + text.slice(end);
}

describe("descriptors of a project", () => {
  describe("have problems at the path", () => {
    const problemsOf = async (
      contents: Readonly<Record<string, string>>,
      ...descriptors: readonly string[]
    ): Promise<readonly string[]> => {
      const service = createService(testHost({ files: filesOf(contents), roots: ["file:///nowhere"] }));
      service.openText(uri, JSON.stringify({ descriptors, cells: [] }));
      await service.settled(uri);
      return service.diagnostics(uri).map(({ message }) => message);
    };
    const whole = JSON.stringify(describedContracts["usdt.json"]);
    const including = (path: string): string => JSON.stringify({ includes: path });
    const deep = `{"context":${"[".repeat(60)}${"]".repeat(60)}}`;
    for (const [what, contents, path, expected] of [
      ["a file that is not there", {}, "./a.json", /there is no such file/],
      ["broken JSON", { "a.json": "{" }, "a.json", /it is not JSON/],
      ["another JSON", { "a.json": "{}" }, "a.json", /not an ERC-7730 descriptor/],
      [
        "no contract",
        { "a.json": '{"context":{"contract":{}},"display":{"formats":{"f()":{"fields":[]}}}}' },
        "a.json",
        /deployments/,
      ],
      ["what is not a function", { "a.json": whole.replace("approve(", "approve((") }, "a.json", /is not a function/],
      ["many levels", { "a.json": deep }, "a.json", /more than 40 levels/],
      ["a hundred thousand levels", { "a.json": "[".repeat(100_000) }, "a.json", /more than 40 levels/],
      ["a circle", { "a.json": including("b.json"), "b.json": including("a.json") }, "a.json", /includes itself/],
      ["a way out of the project", { "a.json": including("../../etc/x.json") }, "a.json", /leads out/],
      ["a path out of the project", {}, "../x.json", /outside/],
      ["a folder without any", { "words/a.json": "{}" }, "words", /contains no ERC-7730 descriptor/],
      [
        "a folder with a broken one",
        { "words/a.json": whole, "words/b.json": "{" },
        "words",
        /b\.json: it is not JSON/,
      ],
    ] as const)
      it(what, async () => {
        const [problem = "", ...more] = await problemsOf(contents, path);
        assert.match(problem, expected);
        assert.deepEqual(more, []);
      });

    const other = whole.replace('"intent":"Approve"', '"intent":"Allow"');
    const conflict = (one: string, two: string): RegExp =>
      new RegExp(
        `: .${one}:3. and .${two}:1. disagree about .approve\\(address spender,uint256 value\\). of ${usdt} on chain 1`,
      );
    for (const [what, contents, paths, expected] of [
      [
        "two of a folder that disagree",
        { "words/a.json": whole.replace('"approve(', '\n\n"approve('), "words/b.json": other },
        ["words"],
        conflict("words/a.json", "words/b.json"),
      ],
      [
        "two paths that disagree",
        { "z.json": whole.replace('"approve(', '\n\n"approve('), "words/b.json": other },
        ["z.json", "words"],
        conflict("z.json", "words/b.json"),
      ],
    ] as const)
      it(`${what}, with the places of both`, async () => {
        const [problem = "", ...more] = await problemsOf(contents, ...paths);
        assert.match(problem, expected);
        assert.deepEqual(more, []);
      });

    it("and none if two say the same, or speak of different contracts", async () => {
      const elsewhere = other.replaceAll(usdt, treasury);
      const contents = { "words/a.json": whole, "words/b.json": whole, "words/c.json": elsewhere };
      assert.deepEqual(await problemsOf(contents, "words", "words/a.json"), []);
    });

    it("and none if they are whole, with what they include", async () => {
      const contents = { "words/a.json": including("base/b.json"), "words/base/b.json": whole };
      assert.deepEqual(await problemsOf(contents, "words/a.json"), []);
    });
  });

  describe("have problems in their own files", () => {
    const file = (name: string): string => `file:///nowhere/${name}`;
    const at = (name: string, line: number, start: number, end = start) => ({
      uri: file(name),
      start: { line, column: start },
      end: { line, column: end },
    });
    /** Those of a notebook with these paths in its header, and `set` in the settings. */
    const problemsOf = async (contents: Readonly<Record<string, string>>, ...named: readonly string[]) => {
      const settings = { rpcNotebook: { descriptors: ["set"] } };
      const given = gatedHost({ files: filesOf(contents), roots: ["file:///nowhere"], settings });
      const descriptors = new ProjectDescriptors(given);
      const document = textDocument(uri, JSON.stringify({ descriptors: named, cells: [] }));
      descriptors.follow(document);
      await descriptors.of(document);
      await descriptors.settled(uri);
      return descriptors.fileProblems();
    };
    const whole = JSON.stringify(describedContracts["usdt.json"], null, 1);
    const other = whole.replace('"intent": "Approve"', '"intent": "Allow"');
    const key = '"approve(address spender,uint256 value)"';
    const line = whole.slice(0, whole.indexOf(key)).split("\n").length;
    const column = (whole.split("\n")[line - 1]?.indexOf('"') ?? 0) + 1;
    const place = (name: string) => at(name, line, column, column + key.length);

    for (const [what, text, where, expected] of [
      ["broken JSON", '{\n "context": {}\n "display": 1 }', [3, 2, 11], /it is not JSON: .*comma/],
      [
        "what is not a function",
        whole.replace("transfer(", "transfer(("),
        undefined,
        /`transfer\(\(.*is not a function/,
      ],
      [
        "a label that is no text",
        whole.replace('"label": "Spender"', '"label": 5'),
        undefined,
        /no `fields` with texts/,
      ],
      [
        "no list of fields",
        whole.replace('"fields": [', '"fields": {}, "other": ['),
        undefined,
        /no `fields` with texts/,
      ],
      ["many levels", `{"context":\n${"[".repeat(60)}${"]".repeat(60)}}`, [2, 40, 41], /more than 40 levels/],
      ["a way out", '{\n"includes": "../../etc/x.json"}', [2, 1, 11], /leads out of the folder/],
      ["an absolute path", '{"includes": "/etc/passwd"}', [1, 2, 12], /leads out of the folder/],
      ["itself", '{"includes": "b.json"}', [1, 2, 12], /it includes itself/],
      ["what is not there", '{"includes": "none.json"}', [1, 2, 12], /^`none\.json`: there is no such file/],
      ["another type", '{"includes": 5}', [1, 2, 12], /not a path/],
      ["a huge file", `{"context":"${"x".repeat(2_000_000)}"}`, [1, 1, 1], /larger than 2 MB/],
      ["a long list", JSON.stringify({ context: Array(1_001).fill(1) }), [1, 1, 1], /more than 1000 items/],
      [
        "decimals that no token has",
        whole.replace('"owner":', '"token": { "ticker": "T", "decimals": 300000000 },\n "owner":'),
        undefined,
        /`decimals` is not a whole number from 0 to 255/,
      ],
      [
        "a long text",
        whole.replace('"message": "Unlimited"', `"message": "${"x".repeat(2_001)}"`),
        undefined,
        /`message` has more than 2000 characters/,
      ],
      ["many formats", JSON.stringify(descriptorWith(2_001, 1)), [1, 0, 0], /more than 2000 formats/],
      ["many contracts", JSON.stringify(descriptorWith(1_000, 900)), [1, 1, 1], /more than 200000 functions/],
    ] as const)
      it(`of ${what}, with the place`, async () => {
        const [problem, ...more] = await problemsOf({ "set/a.json": whole, "set/b.json": text });
        assert.ok(problem);
        assert.deepEqual(more, []);
        assert.match(problem.what, expected);
        assert.equal(problem.uri, file("set/b.json"));
        const { start, end } = problem;
        if (where?.[1]) assert.deepEqual([start.line, start.column, end.column], where);
      });

    it("of one of several deployments that is not one", async () => {
      const text = whole.replace('"deployments": [', '"deployments": [\n{ "chainId": "0x1", "address": "0x" },');
      const [problem, ...more] = await problemsOf({ "set/b.json": text });
      assert.deepEqual(more, []);
      assert.match(problem?.what ?? "", /^an entry of `deployments`/);
    });

    it("of a path that leads nowhere, in its own function: the same text is right in another", async () => {
      const text = whole.replace('"path": "to"', '"path": "spender"');
      const [problem, ...more] = await problemsOf({ "set/b.json": text });
      assert.deepEqual(more, []);
      assert.match(problem?.what ?? "", /^`spender` is not a parameter/);
      const before = text.slice(0, text.lastIndexOf('"spender"'));
      assert.equal(problem?.start.line, before.split("\n").length);
    });

    it("of two that disagree: in the settings' folder, in the header and the settings", async () => {
      const contents = { "set/a.json": whole, "set/b.json": other };
      const [problem, ...more] = await problemsOf(contents);
      assert.deepEqual(more, []);
      assert.deepEqual({ ...problem, what: "" }, { ...place("set/b.json"), what: "", mayBeMeant: false });
      assert.match(problem?.what ?? "", new RegExp(`^.set/a\\.json:${line}. and .set/b\\.json:${line}. disagree`));
      const [between] = await problemsOf({ "own.json": other, "set/a.json": whole }, "own.json");
      assert.match(between?.what ?? "", new RegExp(`^.own\\.json:${line}. and .set/a\\.json:${line}. disagree`));
    });

    it("of one that says something else than a registry, where a person can change it; a registry's own have none", async () => {
      const folder = "node_modules/clear-signing-erc7730-registry/registry/tether";
      const registry = {
        [`${folder}/calldata-a.json`]: whole,
        [`${folder}/calldata-b.json`]: other,
        [`${folder}/c.json`]: "{",
      };
      const problems = await problemsOf({ "set/own.json": other, ...registry });
      assert.deepEqual(
        problems.map(({ what: _, ...one }) => one),
        [{ ...place("set/own.json"), mayBeMeant: true }],
      );
      assert.match(
        problems[0]?.what ?? "",
        /^.set\/own\.json:\d+. and .node_modules\/.*calldata-a\.json:\d+. disagree/,
      );
      assert.deepEqual(await problemsOf(registry), []);
    });

    it("and none, whatever JSON they are: reading never fails", async () => {
      const odd = ["null", "5", '"x"', "[]", "{}", "[null]", '{"__proto__":{"a":1}}'];
      const members = [...whole.matchAll(/"(\w+)": /g)].map(({ index, 0: written }) => index + written.length);
      const cases = members.flatMap((start) => odd.map((value) => [start, value] as const));
      for (const [start, value] of some(cases, 60)) {
        const text = replaceValue(whole, start, value);
        const contents = { "set/a.json": text, "set/b.json": `{"includes":"a.json","display":{"formats":{}}}` };
        await problemsOf({
          ...contents,
          "set/c.json": text.replace("{", '{"includes":"d.json",'),
          "set/d.json": whole,
        });
      }
    });
  });
});

describe("descriptors that disagree", () => {
  const place = (digit: string): string => `1:0x${digit.repeat(40)}`;
  const entry = (name: string, hashes: readonly string[], places: readonly string[]) => {
    return { entity: name, uri: name, kind: "call", hashes, places } as const;
  };

  it("are compared once, however many contracts they are of", () => {
    let bodies = 0;
    const functions = ["a()", "b()", "c()"];
    const hashes = functions.map((one) => descriptorHash("call", one) ?? "");
    const places = Array.from({ length: 50 }, (_, at) => `1:0x${String(at).padStart(40, "0")}`);
    const listOf = (name: string) =>
      descriptorsOf(
        [entry(name, hashes, places)],
        () => {
          bodies++;
          return { display: { formats: Object.fromEntries(functions.map((one) => [one, { fields: [] }])) } };
        },
        String,
      );
    assert.deepEqual(descriptorConflicts([listOf("a"), listOf("b")]), []);
    assert.equal(bodies, 2);
  });

  it("are looked for only among those of one function of one contract: a registry has thousands of others", () => {
    let bodies = 0;
    const entries = [
      entry("a", ["095ea7b3", "a9059cbb"], [place("1"), place("2")]),
      entry("b", ["095ea7b3"], [place("3")]),
      entry("c", ["d0e30db0"], [place("1")]),
    ];
    const read = (at: number) => {
      bodies++;
      return { display: { formats: { "approve(address,uint256)": { intent: String(at), fields: [] } } } };
    };
    assert.deepEqual(descriptorConflicts([descriptorsOf(entries, read, String)]), []);
    assert.equal(bodies, 0);
    const again = descriptorsOf([entry("d", ["095ea7b3"], [place("3"), place("2")])], (at) => read(at + 9), String);
    const found = descriptorConflicts([descriptorsOf(entries, read, String), again]);
    assert.deepEqual(
      found.map(({ first, second }) => [first.uri, second.uri]),
      [
        ["b", "d"],
        ["a", "d"],
      ],
    );
  });
});
