import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeAbiParameters, encodePacked, keccak256, parseAbiParameters } from "viem";
import { namespaceSlot } from "../../../server/src/abi/slots.ts";
import { continuations } from "../../../server/src/abi/storageContinuations.ts";
import { type Keys, noKeys } from "../../../server/src/abi/storageKey.ts";
import { layoutsInText, type StorageLayout, storageLayouts } from "../../../server/src/abi/storageLayout.ts";
import { commonPlace, findPlace } from "../../../server/src/abi/storagePlace.ts";
import { storageRows } from "../../../server/src/abi/storageRows.ts";
import { partsOfContract } from "../../../server/src/abi/storageSearch.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../../server/src/base/json.ts";
import { times } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";
import { pluck } from "../../support/pluck.ts";
import { type CompiledSolidity, compileSolidity, solcOutput } from "../../support/solidity.ts";

const alice = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const named: Keys = {
  variables: new Map<string, JsonValue>([
    ["bob", "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"],
    ["three", 3],
    ["word", "hello"],
  ]),
  labels: new Map([
    [alice, "alice"],
    ["0x90f79bf6eb2c4f870365e785982e1f101e93b906", "twin"],
    ["0x15d34aaf54267db7d7c367839aaf71a00a2c6a65", "twin"],
  ]),
};

/** The examples of Solidity's documentation, and types that it only describes. */
const source = `
contract Documented {
  struct S { uint128 a; uint128 b; uint[2] staticArray; uint[] dynArray; }
  uint x; uint y; S s; address addr;
  mapping(uint => mapping(address => bool)) map;
  uint[] array; string s1; bytes b1;
}
contract Nested {
  struct S { uint16 a; uint16 b; uint256 c; }
  uint x;
  mapping(uint => mapping(uint => S)) data;
}
contract A { uint64 first; uint private hidden; }
contract B { uint64 second; }
contract C is A, B { uint64 third; uint private hidden; }
contract At layout at 0xAAAA + 0x11 { uint24[3][] x; uint a; }
type Id is bytes4;
type Pool is bytes32;
contract Keyed {
  enum Kind { One, Two }
  mapping(Id => uint) byId; mapping(Pool => uint) byPool; mapping(Kind => uint) byKind; mapping(string => uint) byText;
  mapping(bytes => uint) byBytes; mapping(bool => uint) byFlag; mapping(int8 => uint) byInt; uint[3] fixedList;
  uint transient lock;
  function f(Pool pool) external {}
}
contract Namespaced { struct Main { uint x; mapping(address => uint) balances; } Main main; }
contract Loop { struct Node { uint value; Node[] children; mapping(uint => Node) byKey; } Node root; }`;

describe("a storage layout", () => {
  let compiled: Readonly<Record<string, CompiledSolidity>>;
  before(() => {
    compiled = compileSolidity(source);
  });

  const layoutOf = (name: string): StorageLayout =>
    storageLayouts({ ...compiled[name], contractName: name } as unknown as JsonValue, `${name}.json`)[0] ??
    assert.fail();
  const slotOf = (contract: string, path: string, keys: Keys = named): string => {
    const found = findPlace(layoutOf(contract), path, keys, (text) => text.includes("{{"));
    if (found.kind !== "place") return found.kind === "open" ? "open" : found.what;
    return `0x${found.place.slot.toString(16)}+${found.place.offset}`;
  };
  const mapping = (type: string, key: unknown, slot: bigint | string): `0x${string}` =>
    keccak256(encodeAbiParameters(parseAbiParameters(`${type}, uint256`), [key, BigInt(slot)]));
  const at = (slot: string | bigint, add = 0n, offset = 0): string =>
    `0x${(BigInt(slot) + add).toString(16)}+${offset}`;
  const data = (slot: bigint): string => keccak256(encodeAbiParameters(parseAbiParameters("uint256"), [slot]));

  describe("with types that are defined on others", () => {
    const declared = `
type Sg is int72; type Wide is uint256;
contract Typed {
  type Flag is bool; type Half is bytes8; type Owner is address;
  Sg sg; Half half; Flag flag; Owner owner; Wide wide; mapping(Sg => uint) bySg;
}`;
    const values = { sg: (1n << 72n) - 77n, half: 0x6869n, flag: 1n, owner: BigInt(alice), wide: 5n };
    const rowsOf = (layout: StorageLayout | undefined) => {
      assert.ok(layout);
      const words = new Map<bigint, string>();
      for (const { name, slot, offset } of layout.variables) {
        const value = values[name as keyof typeof values] ?? 0n; // the mapping has none
        const word = BigInt(words.get(slot) ?? 0) + (value << BigInt(offset * 8));
        words.set(slot, `0x${word.toString(16).padStart(64, "0")}`);
      }
      const { rows } = storageRows(layout, words, noKeys);
      return Object.fromEntries(rows.map(({ path, type, value }) => [path, [type.label, value]]));
    };
    let output: JsonObject;
    before(() => {
      output = solcOutput(declared);
    });

    it("reads them by the compiler's syntax tree, wherever it is", () => {
      const expected = {
        sg: ["Sg", "-77"],
        half: ["Typed.Half", "0x0000000000006869"],
        flag: ["Typed.Flag", true],
        owner: ["Typed.Owner", alice],
        wide: ["Wide", "5"],
        bySg: ["mapping(Sg => uint256)", undefined],
      };
      const [{ ast } = assert.fail()] = Object.values(output.sources as unknown as Record<string, { ast: JsonValue }>);
      const [typed] = Object.values(output.contracts as unknown as Record<string, Record<string, JsonObject>>);
      for (const json of [output, { output }, { ...typed?.Typed, ast }])
        assert.deepEqual(rowsOf(storageLayouts(json, "Typed.json")[0]), expected);
      assert.deepEqual(rowsOf(layoutsInText(JSON.stringify(output), "Typed.json")[0]), expected);
    });

    it("reads them by the ABI if there is no syntax tree, unless two types have a name", () => {
      const [typed = assert.fail()] = Object.values(output.contracts as unknown as Record<string, JsonObject>);
      const param = (internalType: string, type: string) => ({ internalType, type, name: "" });
      const inputs = [param("Sg", "int72"), param("Typed.Half", "bytes8"), param("Typed.Flag[]", "bool[]")];
      const outputs = [param("Typed.Half", "uint64")];
      const abi = [{ type: "function", name: "f", inputs, outputs }];
      const rows = rowsOf(storageLayouts({ ...(typed.Typed as JsonObject), abi }, "Typed.json")[0]);
      assert.deepEqual(rows.sg, ["Sg", "-77"]);
      assert.deepEqual(rows.flag, ["Typed.Flag", true]);
      assert.deepEqual(rows.half, ["Typed.Half (type unknown)", "0x0000000000006869"]);
    });

    it("marks them and shows their bytes if nothing says what they are", () => {
      const raw = rowsOf(storageLayouts({ contracts: output.contracts ?? null }, "Typed.json")[0]);
      assert.deepEqual(raw.sg, ["Sg (type unknown)", `0x${(values.sg).toString(16)}`]);
      assert.deepEqual(raw.half, ["Typed.Half (type unknown)", "0x0000000000006869"]);
      assert.deepEqual(raw.flag, ["Typed.Flag (type unknown)", "0x01"]);
      assert.deepEqual(raw.owner, ["Typed.Owner (type unknown)", alice]);
    });
  });

  it("places the variables of Solidity's documentation", () => {
    const expected = "x 0, y 1, s.a 2, s.staticArray[1] 4, s.dynArray 5, addr 6, array 8, s1 9";
    for (const one of expected.split(", ")) {
      const [path = "", slot] = one.split(" ");
      assert.equal(slotOf("Documented", path), `0x${slot}+0`, path);
    }
    assert.equal(slotOf("Documented", "s.b"), "0x2+16");
    assert.equal(slotOf("Documented", `map[7][${alice}]`), at(mapping("address", alice, mapping("uint256", 7n, 7n))));
    // "the position of data[4][9].c is keccak256(uint256(9) . keccak256(uint256(4) . uint256(1))) + 1"
    assert.equal(slotOf("Nested", "data[4][9].c"), at(mapping("uint256", 9n, mapping("uint256", 4n, 1n)), 1n));
    // "the location of element x[i][j], where the type of x is uint24[][]": here in rows of a fixed length
    assert.equal(slotOf("At", "x[2][1]"), at(data(0xaabbn), 2n, 3));
    assert.equal(slotOf("At", "a"), "0xaabc+0");
  });

  it("keeps the order of inheritance, and refuses a name that two contracts use", () => {
    assert.deepEqual(
      layoutOf("C").variables.map(({ name, slot, offset }) => `${name} ${slot}+${offset}`),
      ["first 0+0", "hidden 1+0", "second 2+0", "third 2+8", "hidden 3+0"],
    );
    assert.equal(slotOf("C", "hidden"), "several variables are called `hidden`, at the slots 1 and 3: write the slot");
  });

  it("takes keys by value and by name", () => {
    const { variables } = layoutOf("Keyed");
    const slot = (name: string): bigint => variables.find((one) => one.name === name)?.slot ?? assert.fail();
    const text = (key: string, of: bigint): string => at(keccak256(encodePacked(["string", "uint256"], [key, of])));
    assert.equal(
      slotOf("Keyed", `byPool[0x${"ab".repeat(32)}]`),
      at(mapping("bytes32", `0x${"ab".repeat(32)}`, slot("byPool"))),
    );
    assert.equal(slotOf("Keyed", "byKind[1]"), at(mapping("uint8", 1, slot("byKind"))));
    assert.equal(slotOf("Keyed", 'byText["a]b"]'), text("a]b", slot("byText")));
    assert.equal(slotOf("Keyed", "byText['it\\'s']"), text("it's", slot("byText")));
    assert.equal(slotOf("Keyed", "byText[word]"), text("hello", slot("byText")));
    assert.equal(slotOf("Keyed", "byFlag[true]"), at(mapping("bool", true, slot("byFlag"))));
    assert.equal(slotOf("Keyed", "byInt[-5]"), at(mapping("int8", -5, slot("byInt"))));
    assert.equal(slotOf("Keyed", "fixedList[three]"), "uint256[3] has the items 0 to 2");
    assert.equal(slotOf("Documented", "map[three][alice]"), slotOf("Documented", `map[3][${alice}]`));
    assert.equal(slotOf("Documented", "map[{{three}}][alice]"), "open");
  });

  for (const [contract, path, fault] of [
    ["Documented", "s.c", "it has no member `c`: a similar name is `a`"],
    ["Documented", "adr", "`Documented` has no variable `adr` in storage: a similar name is `addr`"],
    ["Documented", "map[1]", "it is a mapping(address => bool): add a key, as in `map[1][…]`"],
    ["Documented", "map[1][twin]", "several addresses are called `twin`: write the address"],
    ["Documented", "map[1][carol]", "`carol` is not an address, a label or a variable"],
    ["Documented", "x[1]", "no key is expected here: this is `uint256`"],
    ["Documented", "x.y", "`y` does not exist: this is `uint256`, which has no members"],
    ["Documented", "array[-1]", "expected the index of an item of uint256[]: a whole number, zero or more"],
    ["Documented", "array[", "expected `]` after the key"],
    ["Documented", "array[]", "expected a key between `[` and `]`"],
    ["Documented", "", "expected the name of a variable"],
    ["Documented", "s.", "expected the name of a member after `.`"],
    ["Documented", "x y", "expected `.` and a member, or `[` and a key"],
    ["Keyed", "byText[x]", "expected text in quotes, as in `['x']`, or a variable that holds it"],
    ["Keyed", "byId[0x12345678]", "expected a number: the key has the type `Id (type unknown)`"],
    ["Keyed", "lock", "`lock` is in transient storage, which is empty after each transaction"],
  ] as const)
    it(`says of ${contract}.${path}: ${fault}`, () => assert.equal(slotOf(contract, path), fault));

  it("begins in a struct at a namespace", () => {
    // the example of ERC-7201
    const slot = namespaceSlot("erc7201:example.main") ?? assert.fail();
    assert.equal(slot, 0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500n);
    const base = { type: "Main", slot };
    const found = findPlace(layoutOf("Namespaced"), `balances[${alice}]`, noKeys, () => false, base);
    assert.equal(found.kind === "place" && found.place.slot, BigInt(mapping("address", alice, slot + 1n)));
  });

  it("names what is in a slot", () => {
    const names = (contract: string, slot: bigint): readonly string[] =>
      partsOfContract(layoutOf(contract), slot, named).map(({ path, offset }) => `${path}+${offset}`);
    assert.deepEqual(names("Documented", 2n), ["s.a+0", "s.b+16"]);
    assert.deepEqual(names("Documented", BigInt(data(8n)) + 5n), ["array[5]+0"]);
    assert.deepEqual(names("Documented", BigInt(data(9n)) + 1n), ["s1+0"]);
    assert.deepEqual(names("Documented", BigInt(mapping("address", alice, mapping("uint256", 3n, 7n)))), [
      "map[three][alice]+0",
    ]);
    assert.deepEqual(names("Documented", 1_000n), []);
    assert.deepEqual(names("Loop", BigInt(data(1n))), ["root.children[0].value+0"]);
  });

  it("continues a path that is being written", () => {
    const paths = (contract: string, text: string): readonly string[] =>
      continuations(layoutOf(contract), text, named).map(({ path, needsKey }) => path + (needsKey ?? ""));
    assert.deepEqual(
      paths("Documented", "").slice(0, 7),
      "x y s.a s.b s.staticArray[index s.dynArray[index s.dynArray.length".split(" "),
    );
    assert.deepEqual(paths("Nested", "data[4][9]."), ["data[4][9].a", "data[4][9].b", "data[4][9].c"]);
    assert.ok(paths("Documented", "map[").includes("map[three][alice]"));
  });

  it("is found in every file that compilers write", () => {
    const layout = {
      storage: [{ astId: 1, contract: "src/A.sol:A", label: "x", offset: 0, slot: "0", type: "t_uint256" }],
      types: { t_uint256: { encoding: "inplace", label: "uint256", numberOfBytes: "32" } },
    };
    const contract = { abi: [], storageLayout: layout };
    const forms: readonly JsonValue[] = [
      contract,
      layout,
      { contracts: { "src/A.sol": { A: contract } } },
      { contracts: { "src/A.sol:A": { "storage-layout": layout } } },
      { output: { contracts: { "src/A.sol": { A: contract } } } },
    ];
    for (const form of forms) {
      const [found] = storageLayouts(form, "out/A.json");
      assert.deepEqual([found?.contract, found?.qualified, found?.variables.length], ["A", "src/A.sol:A", 1]);
    }
    const text = JSON.stringify({
      input: { sources: { a: { content: '{"storageLayout":{' } }, outputSelection: ["storageLayout"] },
      ...(forms[2] as object),
    });
    assert.deepEqual(
      layoutsInText(text, "a").map((one) => one.contract),
      ["A"],
    );
    assert.deepEqual(layoutsInText(text.slice(0, -80), "a"), []);
  });

  it("may be hostile: nothing throws, nothing takes long", () =>
    expectLinear(50, (size) => {
      const self = {
        encoding: "inplace",
        label: "struct S",
        numberOfBytes: "32",
        members: Array.from({ length: size }, (_, at) => ({ label: `m${at}`, offset: 0, slot: "0", type: "t_s" })),
      };
      const list = {
        encoding: "inplace",
        label: `uint8[${2n ** 255n}]`,
        base: "t_l",
        numberOfBytes: String(2n ** 255n),
      };
      const hostile =
        parseJson(
          `{"storage":[{"label":"__proto__","offset":0,"slot":"0","type":"__proto__"},{"label":"a","offset":0,"slot":"1","type":"t_s"},
        {"label":"l","offset":0,"slot":"${2n ** 256n - 1n}","type":"t_l"},{"label":"m","offset":31,"slot":"9","type":"t_m"}],
        "types":{"__proto__":{"encoding":"bytes","label":"string","numberOfBytes":"32"},"t_s":${JSON.stringify(self)},"t_l":${JSON.stringify(list)},
        "t_m":{"encoding":"mapping","key":"t_m","value":"t_m","label":"mapping(m => m)","numberOfBytes":"32"}}}`,
        ) ?? assert.fail();
      const [layout = assert.fail()] = storageLayouts(hostile, "a.json");
      exercise(layout);
      assert.equal(Object.hasOwn(Object.prototype, "encoding"), false);
    }));

  it("has no value that begins in one word and ends in another", () => {
    const at = (label: string, offset: number, type: string) => ({ label, slot: "0", offset, type });
    const members = [at("inside", 31, "t_bool"), at("across", 31, "t_uint256"), at("nothing", 1, "t_unknown")];
    const types = {
      t_bool: { encoding: "inplace", label: "bool", numberOfBytes: "1" },
      t_uint256: { encoding: "inplace", label: "uint256", numberOfBytes: "32" },
      t_struct: { encoding: "inplace", label: "struct S", numberOfBytes: "32", members },
    };
    const storage = [...members, at("all", 0, "t_struct"), at("unknown", 0, "t_unknown")];
    for (const layout of storageLayouts({ storageLayout: { storage, types } }, "a")) {
      const { rows } = storageRows(layout, new Map([[0n, `0x${"f".repeat(64)}`]]), named);
      assert.deepEqual(pluck(rows, "path"), ["inside", "all.inside", "unknown"]);
    }
  });

  it("has rows for 500 variables, and says if there are more", () => {
    const types = { t_a: { encoding: "inplace", label: "uint256", numberOfBytes: "32" } };
    const shown = (count: number) => {
      const storage = Array.from({ length: count }, (_, at) => ({
        label: `v${at}`,
        slot: `${at}`,
        offset: 0,
        type: "t_a",
      }));
      const [layout = assert.fail("no layout")] = storageLayouts({ storageLayout: { storage, types } }, "a");
      const { rows, hasMore } = storageRows(layout, new Map(), named);
      return [rows.length, hasMore];
    };
    assert.deepEqual(
      [shown(500), shown(501)],
      [
        [500, false],
        [500, true],
      ],
    );
  });

  it("may be anything", () => {
    const type = fc.constantFrom("t_a", "t_b", "t_c", "t_d", "__proto__");
    const number = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 261n }).map(String),
      fc.constantFrom("0", "1", "32", "-1", "x"),
      fc.integer(),
    );
    const variable = fc.record({
      label: fc.constantFrom("a", "b", "constructor"),
      slot: number,
      offset: fc.integer({ min: -1, max: 33 }),
      type,
    });
    const labels = "uint8|struct S|uint8[4]|uint8[]|mapping(a => b)|bytes|string|address|Kind".split("|");
    const described = fc.record(
      {
        encoding: fc.constantFrom("inplace", "mapping", "dynamic_array", "bytes"),
        label: fc.constantFrom(...labels),
        numberOfBytes: number,
        key: type,
        value: type,
        base: type,
        members: fc.array(variable, { maxLength: 4 }),
      },
      { requiredKeys: ["encoding", "label", "numberOfBytes"] },
    );
    const any = fc.record({ storage: fc.array(variable, { maxLength: 5 }), types: fc.dictionary(type, described) });
    fc.assert(
      fc.property(any, (json) => {
        for (const layout of storageLayouts({ storageLayout: json as unknown as JsonValue }, "a")) exercise(layout);
      }),
      { numRuns: times(300) },
    );
    fc.assert(fc.property(fc.jsonValue(), (json) => void storageLayouts(json as JsonValue, "a")));
  });
});

describe("storage layouts that differ", () => {
  it("agree on a place only if slot and offset are the same", () => {
    const types = { t_b: { encoding: "inplace", label: "bool", numberOfBytes: "1" } };
    const layoutWith = (label: string, offset: number): StorageLayout => {
      const storage = [{ label, slot: "0", offset, type: "t_b" }];
      return storageLayouts({ storageLayout: { storage, types } }, "a")[0] ?? assert.fail();
    };
    const kindOf = (...layouts: readonly StorageLayout[]): string =>
      commonPlace(layouts.map((layout) => findPlace(layout, "on", noKeys, () => false))).kind;
    const [here, there, without] = [layoutWith("on", 0), layoutWith("on", 1), layoutWith("off", 0)];
    assert.deepEqual(
      [kindOf(here), kindOf(here, here), kindOf(here, there), kindOf(here, without), kindOf(without)],
      ["place", "place", "several", "several", "fault"],
    );
  });
});

/** Asks everything of a layout: it may refuse, and must not throw. */
function exercise(layout: StorageLayout): void {
  const words = new Map<bigint, string>();
  for (let round = 0; round < 3; round++) {
    const { missing, rows } = storageRows(layout, words, named);
    assert.ok(rows.length <= 600 && missing.size <= 2_000);
    for (const slot of missing) words.set(slot, `0x${round === 0 ? "f".repeat(64) : "3".padStart(64, "0")}`);
  }
  partsOfContract(layout, 5n, named);
  continuations(layout, "", named);
  for (const path of ["a", "b.a", "a[1]", "a[alice].b[2]", "constructor", "l[5]", "m[1]", "__proto__"])
    findPlace(layout, path, named, () => false);
}
