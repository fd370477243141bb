import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type AbiScope, scopeOf } from "../../../server/src/abi/abiScope.ts";
import { decodeLog } from "../../../server/src/abi/decodeLog.ts";
import { decodeRevert } from "../../../server/src/abi/decodeRevert.ts";
import { type AbiItem, declaration, parseItem } from "../../../server/src/abi/item.ts";
import { needsSignatures } from "../../../server/src/abi/needsSignatures.ts";
import { plainOf, shapeOf, shortOf, signaturesOf } from "../../../server/src/abi/signatures.ts";
import { bundledAbis } from "../../../server/src/abi/wellKnownAbis.ts";
import { pluck } from "../../support/pluck.ts";

const text = readFileSync("server/src/abi/signatures.txt", "utf8");
const word = (value: string): string => value.padStart(64, "0");

type Kind = "event" | "function" | "error";

interface Line {
  readonly kind: Kind;
  readonly key: string;
  readonly short: string;
}

/** Read in another way than the program reads it. */
function sections(): readonly { readonly source: string; readonly kind: string; readonly lines: readonly Line[] }[] {
  return text
    .split(/^@ /m)
    .slice(1)
    .flatMap((section) => {
      const [source = "", ...parts] = section.split(/^(?=event$|function$|error$)/m);
      return parts.map((part) => {
        const [kind = "", ...lines] = part.trimEnd().split("\n");
        return {
          source: source.trim(),
          kind,
          lines: lines.map((line) => ({ kind: kind as Kind, key: line.slice(0, 8), short: line.slice(9) })), // as parted
        };
      });
    });
}

describe("the table of signatures", () => {
  const all = sections();
  const lines = all.flatMap((section) => section.lines);
  const parsed = new Map<string, AbiItem | undefined>();
  const itemOf = (kind: Kind, short: string): AbiItem | undefined => {
    const plain = plainOf(kind, short);
    if (!parsed.has(plain)) parsed.set(plain, parseItem(plain, ""));
    return parsed.get(plain);
  };

  it("names package, exact version and a permissive licence for everything", () => {
    for (const { source } of all) assert.match(source, /^(@[\w-]+\/)?[\w-]+ \d+\.\d+\.\d+ (MIT|ISC|Apache-2\.0)$/);
    assert.doesNotMatch(text, /^(?!#|@ |event$|function$|error$|[0-9a-f]{8} [A-Za-z_$]|$)/m);
  });

  it("reads the same with the line ends of Windows", () => {
    const [table, crlf] = [signaturesOf(text), signaturesOf(text.replaceAll("\n", "\r\n"))];
    for (const { kind, key } of lines) assert.deepEqual(crlf.at(kind, `0x${key}`), table.at(kind, `0x${key}`));
    assert.deepEqual(crlf.beginningWith("function", "trans", 50), table.beginningWith("function", "trans", 50));
    assert.ok(lines.every(({ kind, key }) => crlf.at(kind, `0x${key}`).length > 0));
  });

  it("is what the document about it says", () => {
    const said = readFileSync("docs/signatures.md", "utf8").replaceAll(/ +/g, " ");
    for (const source of new Set(all.map((section) => section.source))) {
      const [name, version, licence] = source.split(" ");
      assert.ok(said.includes(`| \`${name}\` | ${version} | ${licence} |`), source);
    }
  });

  it("has the right topic or selector before every signature", () => {
    for (const { kind, key, short } of lines) {
      const item = itemOf(kind, short);
      assert.equal(item?.hash.slice(2, 10), key, short);
      assert.equal(item.kind, kind);
      assert.equal(shortOf(item), short);
    }
  });

  it("is sorted, and says nothing twice", () => {
    for (const section of all) {
      const keys = section.lines.map(({ key, short }) => `${key} ${short}`);
      assert.deepEqual(keys, keys.toSorted(), section.source);
    }
    const seen = new Set<string>();
    for (const { kind, short } of lines) {
      const item = itemOf(kind, short);
      const shape = item ? shapeOf(item) : short;
      assert.ok(!seen.has(shape), short);
      seen.add(shape);
    }
  });
});

describe("short signatures", () => {
  const table: readonly (readonly [Kind, string, string])[] = [
    [
      "event",
      "Transfer(a*from,a*to,u value)",
      "event Transfer(address indexed from, address indexed to, uint256 value)",
    ],
    [
      "function",
      "f(a,b[] x,(w y,t[2] z)[] w)(s)",
      "function f(address,bytes[] x,(bytes32 y,bool[2] z)[] w) returns (string)",
    ],
    ["error", "E()", "error E()"],
    ["event", "A(w*,i*u)", "event A(bytes32 indexed, int256 indexed u)"],
    ["function", "u(u a,uint8 u)", "function u(uint256 a, uint8 u)"],
  ];
  for (const [kind, short, plain] of table)
    it(short, () => {
      const item = parseItem(plainOf(kind, short), "");
      assert.ok(item);
      assert.deepEqual([item, shortOf(item)], [parseItem(plain, ""), short]);
    });
});

describe("look-ups in the table of signatures", () => {
  const hash = (plain: string): string => parseItem(plain, "")?.hash ?? "";
  const foo = hash("event Foo(address,uint256)");
  const small = [
    "# a comment",
    "@ one 1.0.0 MIT",
    "event",
    `${foo.slice(2, 10)} Foo(a*x,u y)`,
    `${foo.slice(2, 10)} Foo(a*x,u*y)`,
    "error",
    `${hash("error Bad(uint256)").slice(2, 10)} Bad(u code)`,
    "@ two 2.0.0 MIT",
    "event",
    `${foo.slice(2, 10)} Foo(a x,u y)`,
    "function",
    "aaaaaaaa Broken(((",
    `${hash("function food(uint256)").slice(2, 10)} food(u amount)(t)`,
    "",
  ].join("\n");
  const scopeWith = (table: string): AbiScope => scopeOf([], [], bundledAbis(signaturesOf(table)));

  it("gives every way of indexing, with its package", () =>
    assert.deepEqual(
      signaturesOf(small)
        .at("event", foo)
        .map((item) => `${declaration(item)} · ${item.source}`),
      [
        "event Foo(address indexed x, uint256 y) · one 1.0.0",
        "event Foo(address indexed x, uint256 indexed y) · one 1.0.0",
        "event Foo(address x, uint256 y) · two 2.0.0",
      ],
    ));

  it("needs the whole topic, not its first four bytes", () =>
    assert.deepEqual(signaturesOf(small).at("event", `${foo.slice(0, 10)}${"0".repeat(56)}`), []));

  it("finds by the beginning of a name in any case", () => {
    const table = signaturesOf(small);
    const names = (kind: Kind, start: string, most = 9) =>
      table.beginningWith(kind, start, most).map(({ name }) => name);
    assert.deepEqual(names("function", "FO"), ["food"]);
    assert.deepEqual(names("event", "foo", 2), ["Foo", "Foo"]);
    assert.deepEqual(names("error", "x"), []);
    assert.deepEqual(names("function", ""), ["food"]);
  });

  it("passes over lines that say nothing", () => {
    const table = signaturesOf("garbage\nevent\n12345678 \n\u0000\n@\n@ x\nfunction\n--------");
    for (const kind of ["event", "function", "error"] as const) assert.deepEqual(table.at(kind, "0x12345678"), []);
  });

  it("is not needed for what is well known", () => {
    const transfer = {
      topics: [hash("event Transfer(address,address,uint256)"), `0x${word("1")}`, `0x${word("2")}`],
      data: `0x${word("3")}`,
    };
    const call = { input: "0xa9059cbb", logs: [transfer], status: "0x1", returnData: "0x87654321" };
    assert.equal(needsSignatures([call, { topics: [], data: "0x12345678" }]), false);
  });

  for (const [what, value] of Object.entries({
    topic: { logs: [{ topics: [foo] }] },
    "call data": [{ input: "0x12345678" }],
    "call in the bytes of a call": [{ input: `${hash("function multicall(bytes[])").slice(0, 10)}${word("20")}` }],
    revert: [{ calls: [{ status: "0x0", returnData: "0x12345678" }] }],
    "number of topics": { topics: [hash("event Deposit(address,uint256)")], data: `0x${word("1")}${word("2")}` },
  })) {
    it(`is needed for an unknown ${what}`, () => assert.equal(needsSignatures(value), true));
  }

  it("is not needed for a filter that names the first topics only", () =>
    assert.equal(needsSignatures([{ topics: [hash("event Deposit(address,uint256)")] }]), false));

  it("leaves an event that is indexed in another way with a fault, until it is loaded", () => {
    const log = { topics: [hash("event Deposit(address,uint256)")], data: `0x${word("1")}${word("2")}` };
    assert.match(decodeLog(log)?.faults[0] ?? "", /declared with 1 indexed argument, and logged with 0/);
  });

  it("never loops or throws on an answer", () => {
    let deep: object = { topics: [1, null] };
    for (let level = 0; level < 100_000; level++) deep = [deep];
    assert.equal(needsSignatures(deep as never), false); // built of plain JSON
    const odd = { __proto__: "0x", topics: ["0x"], input: "0x", data: null, topicsX: [[]] };
    assert.equal(needsSignatures(odd), false);
  });

  it("decodes what no ABI names", () => {
    const log = { topics: [foo, `0x${word("1")}`], data: `0x${word("2")}` };
    assert.equal(decodeLog(log), undefined);
    const scope = scopeWith(small);
    assert.equal(decodeLog(log, scope)?.source, "one 1.0.0");
    assert.equal(decodeLog({ topics: [foo], data: `0x${word("1")}${word("2")}` }, scope)?.source, "two 2.0.0");
    const revert = decodeRevert(`${hash("error Bad(uint256)").slice(0, 10)}${word("7")}`, scope);
    assert.equal(revert.kind === "custom" && revert.name, "Bad");
    assert.equal(signaturesOf(small).beginningWith("function", "foo", 5)[0]?.name, "food");
  });

  it("comes behind the best known", () => {
    const key = "a9059cbb";
    const { bundled } = scopeWith(`@ x 1.0.0 MIT\nfunction\n${key} transfer(a other,u names)`);
    assert.deepEqual(pluck(bundled.functions(`0x${key}`), "source"), ["ERC-20"]);
  });
});
