import assert from "node:assert/strict";
import fc from "fast-check";
import { printJson } from "../../../server/src/base/json.ts";
import { openMask } from "../../../server/src/base/mask.ts";
import { anyText } from "../../support/anyText.ts";
import { times } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";

const key = "s3cr3t/key+1?";

function masking(value: string): ReturnType<typeof openMask> {
  const mask = openMask();
  mask.add(value, "‹env KEY›");
  return mask;
}

describe("a mask", () => {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  for (const [form, text] of [
    ["as it is", `a ${key} b`],
    ["twice", `${key}${key}`],
    ["in capitals", key.toUpperCase()],
    ["in a URL", `https://h/?k=${encodeURIComponent(key)}`],
    ["in a URL, in small letters", encodeURIComponent(key).toLowerCase()],
    ["in JSON", JSON.stringify({ [key]: key })],
    ["in base64", base64(key)],
    ["in base64 behind a user", base64(`user:${key}`)],
    ["in base64 behind others", base64(`me:${key}:rest`)],
    ["in base64 for URLs", Buffer.from(`x${key}`).toString("base64url")],
    ["in hex", `0x${Buffer.from(key).toString("hex")}`],
  ] as const) {
    it(`hides a value ${form}`, () => {
      const found = masking(key).text(text);
      assert.ok(found.includes("‹env KEY›"), found);
      assert.ok(!found.toLowerCase().includes("s3cr3t") && !found.includes(base64(key).slice(2, 10)), found);
    });
  }

  it("hides all of the base64 of a user and a password, its end too", () => {
    for (const password of ["passw0rdXY", "passw0rdXYZ", "passw0rdXYZa"]) {
      const header = `Basic ${base64(`user:${password}`)}`;
      for (const value of [`user:${password}`, `https://user:${password}@eth.example/`])
        assert.equal(masking(value).text(header), "Basic ‹env KEY›");
      const ends = masking(password)
        .text(base64(`me:${password}`))
        .split("‹env KEY›");
      assert.equal(ends[1], "", password);
    }
  });

  it("hides a number in an ABI string, also where the byte of its length is a digit", () => {
    const token = "s3cr3tKey9zQ4xT7mB2wL6";
    const digits = BigInt(`0x${Buffer.from(token).toString("hex")}`).toString();
    assert.equal(digits.length, 0x35); // "5"
    const hex = Buffer.from(digits).toString("hex");
    const word = (number: number) => number.toString(16).padStart(64, "0");
    const hidden = masking(token).text(`0x08c379a0${word(32)}${word(digits.length)}${hex}${"0".repeat(22)}`);
    assert.ok(hidden.includes("‹env KEY›") && !hidden.includes(hex.slice(10, 34)), hidden);
  });

  it("hides bytes in whatever lists and objects they are", () => {
    const bytes = [...Buffer.from(key)];
    const halves = [bytes.slice(0, 6), bytes.slice(6)];
    for (const spread of [
      bytes,
      { ...bytes },
      bytes.map((b) => ({ b })),
      bytes.map((byte) => [`0x${byte.toString(16)}`]),
      halves,
      { first: { r: halves[0] }, second: [halves[1]] },
    ]) {
      const hidden = masking(key).value({ spread, rest: "more than a byte" });
      assert.match(JSON.stringify(hidden.spread), /^[^\d]*‹env KEY›[^\d]*$/);
      assert.equal(hidden.rest, "more than a byte");
    }
    const numbers = Array.from({ length: 300 }, (_, n) => ({ n }));
    assert.equal(masking(key).value(numbers), numbers);
  });

  it("leaves the host, the user and the words of an address, and hides the rest", () => {
    for (const [address, kept, hidden] of [
      ["http://reports:pw12345678@127.0.0.1:18599/", ["127.0.0.1:18599", "ops-reports.csv"], ["pw12345678"]],
      ["http://ops-team:letters@127.0.0.1:18599/wallets", ["ops-team", "my-wallets.csv"], ["letters"]],
      ["https://a-very-long-name-of-a-host.example.com:8545/", ["long-name-of-a-host.example.com:8545"], []],
      ["https://a.example/eth/mainnet-archive?network=mainnet", ["mainnet-archive", "mainnet"], []],
      ["https://a.example/eth/mainnet?key=letters", ["mainnet"], ["letters"]],
      ["https://a.example/eth/correcthorsebattery", ["eth"], ["correcthorsebattery"]],
      ["https://letters@a.example/", ["a.example"], ["letters"]],
      ["https://a.example/123456789/x", ["a.example"], ["123456789"]],
      ["admin:letters", ["admin"], ["letters"]],
      ["https://ümläüt:letters@a.example/wallets", ["a.example"], ["letters"]],
    ] as const) {
      const mask = masking(address);
      for (const text of kept) assert.equal(mask.text(text), text, address);
      for (const text of [...hidden, address]) assert.equal(mask.text(text), "‹env KEY›", address);
    }
  });
  it("hides what of an address is a key, and leaves the host", () => {
    const mask = masking("https://user:passw0rd@eth.example/v2/AbCdEfGhIjKlMn?token=q1w2e3r4");
    for (const text of ["passw0rd", "AbCdEfGhIjKlMn", "q1w2e3r4", "invalid key AbCdEfGhIjKlMn"])
      assert.match(mask.text(text), /‹env KEY›$/);
    assert.equal(mask.text("eth.example /v2/ said no"), "eth.example /v2/ said no");
  });

  it("hides the token of an authorization", () =>
    assert.equal(masking("Bearer abc.def.ghi").text("abc.def.ghi"), "‹env KEY›"));

  it("hides a short value as a word of its own", () => {
    const mask = masking("12");
    assert.equal(mask.text("12, x=12 0x12 512"), "‹env KEY›, x=‹env KEY› 0x12 512");
  });

  it("leaves no rest of the longer of two values", () => {
    const mask = openMask();
    mask.add("abcdef", "‹env A›");
    mask.add("abcdefgh", "‹env B›");
    assert.equal(mask.text("abcdefgh abcdef"), "‹env B› ‹env A›");
  });

  it("hides nothing for an empty value, and hands back what it does not change", () => {
    const value = { a: ["b", 1n, null] };
    const mask = masking("");
    assert.equal(mask.isEmpty, true);
    assert.equal(mask.value(value), value);
    assert.equal(masking(key).value(value), value);
  });

  it("looks into keys and lists, and takes any depth", () => {
    assert.deepEqual(masking(key).value({ [key]: [key, { a: key }] }), {
      "‹env KEY›": ["‹env KEY›", { a: "‹env KEY›" }],
    });
    let deep: unknown = key;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    let shown: unknown = masking(key).value(deep);
    while (Array.isArray(shown)) shown = shown[0];
    assert.equal(shown, "‹env KEY›");
  });

  it("hides the beginning of a value where a text was cut within it", () => {
    const mask = openMask();
    const value = "aB3dE5gH7jK9mN1pQ3sT5vW7";
    mask.add(value, "‹key›");
    for (let length = 8; length < value.length; length++)
      assert.equal(mask.text(`cannot ${value.slice(0, length)}… of … all`), "cannot ‹key›… of … all");
    assert.equal(masking("12345678").text("1234567… …"), "1234567… …");
    for (const text of ["aB3dE5g…", "aB3dE5gH7j", "aB3dE5gH7jx…"]) assert.equal(mask.text(text), text);
  });

  it("leaves no value that it was told of in any text", () =>
    fc.assert(
      fc.property(anyText({ minLength: 6 }), fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!"‹env key›".includes(value.toLowerCase()));
        const mask = masking(value);
        const made = mask.text(`${before} ${value} ${after}`);
        assert.ok(made.includes("‹env KEY›"));
        assert.deepEqual(mask.text(made), made);
      }),
    ));
});

describe("the encodings that a mask knows", () => {
  const token = "s3cr3tKey9zQ4xT7mB2w";
  const hex = "0x4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d";
  const digits = "7351908264";
  const long = "correct Horse 7 battery staple, and 9 more words that are over 32 bytes";
  const bytes = Buffer.from(hex.slice(2), "hex");
  const utf8 = (text: string): string => Buffer.from(text).toString("hex");
  const all = (text: string, each: (char: string) => string): string => [...text].map(each).join("");
  const code = (char: string): string => char.charCodeAt(0).toString(16);
  const accented = "schlüssel-ñandú-密码";
  const byteEscapes = (radix: 16 | 8, sign: string): string =>
    [...Buffer.from(accented)].map((byte) => `\\${sign}${byte.toString(radix)}`).join("");
  const wei = (decimals: number): string => `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;

  for (const [encoding, secret, text, tell] of [
    ["hex without 0x", hex, hex.slice(2), "4f3edf98"],
    ["hex in upper case", hex, hex.toUpperCase(), "4F3EDF98"],
    ["hex in upper case without 0x", hex, hex.slice(2).toUpperCase(), "4F3EDF98"],
    ["hex with colons", hex, hex.slice(2).replace(/..(?=.)/g, "$&:"), "4f:3e:df"],
    ["hex with dashes", hex, hex.slice(2).replace(/.{8}(?=.)/g, "$&-"), "4f3edf98"],
    ["hex with spaces, on lines", hex, hex.slice(2).replace(/.{16}/g, "$&\n  "), "4f3edf98"],
    ["hex as base64", hex, bytes.toString("base64"), bytes.toString("base64").slice(4, 12)],
    [
      "hex as base64url behind a byte",
      hex,
      Buffer.concat([bytes.subarray(0, 1), bytes]).toString("base64url"),
      "35g6xjamWoQs",
    ],
    ["hex as a number", hex, BigInt(hex).toString(), BigInt(hex).toString().slice(0, 8)],
    ["hex as a grouped number", hex, BigInt(hex).toLocaleString("en"), BigInt(hex).toLocaleString("en").slice(0, 8)],
    ["hex as a list of bytes", hex, JSON.stringify([...bytes]), "79,62,223"],
    ["hex of its letters", hex, utf8(hex), utf8(hex).slice(10, 20)],
    ["short hex without 0x", "0xabc123def4", "key abc123def4.", "abc123"],
    ["a bytes32 argument", digits, `0x${"0".repeat(64 - digits.length)}${digits}`, digits],
    ["a bytes32 argument of text", token, `0x${utf8(token).padEnd(64, "0")}`, utf8(token)],
    [
      "a uint256 argument",
      digits,
      `0xa9059cbb${BigInt(digits).toString(16).padStart(64, "0")}${"f".repeat(64)}`,
      "1b63537",
    ],
    ["a quantity", digits, `0x${BigInt(digits).toString(16)}`, BigInt(digits).toString(16)],
    ["a number in JSON", digits, `{"a":${digits},"b":1}`, digits],
    ["a grouped number", digits, Number(digits).toLocaleString("en"), "7,351"],
    [
      "a number grouped with spaces",
      digits,
      Number(digits).toLocaleString("en").replaceAll(",", "\u202f"),
      "7\u202f351",
    ],
    ["an amount of a token", digits, `${wei(6)} USDC`, "7351.908"],
    ["an amount without its zeros", "735190800000000000", "0.7351908 ether", "7351908"],
    ["percent-encoding", "a/b?c=d&e f", encodeURIComponent("a/b?c=d&e f"), "c%3Dd"],
    ["percent-encoding of every character", token, all(token, (char) => `%${code(char)}`), "%73%33"],
    ["percent-encoding, twice", token, all(token, (char) => `%25${code(char)}`), "%2573"],
    ["HTML entities in hex", token, all(token, (char) => `&#x${code(char)};`), "&#x73;"],
    ["HTML entities in digits", token, all(token, (char) => `&#${char.charCodeAt(0)};`), "&#115;"],
    ["HTML entities of signs", 'a&b<c>d"e&f9', "a&amp;b&lt;c&gt;d&quot;e&amp;f9", "a&amp;b"],
    ["JSON with \\/", "abc/def/ghi9", "abc\\/def\\/ghi9", "abc"],
    ["JSON with \\u", token, all(token, (char) => `\\u00${code(char)}`), "\\u0073"],
    ["JSON within JSON", `a"b\\c"d9f`, JSON.stringify(JSON.stringify(`a"b\\c"d9f`)), "d9f"],
    ["JSON with \\u within JSON", token, JSON.stringify(all(token, (char) => `\\u00${code(char)}`)), "\\u0073"],
    ["JavaScript with \\x", token, all(token, (char) => `\\x${code(char)}`), "\\x73"],
    ["bytes with \\x", accented, byteEscapes(16, "x"), "\\x73"],
    ["bytes with \\x within JSON", accented, JSON.stringify(byteEscapes(16, "x")), "\\x73"],
    [
      "bytes with \\x where they are not ASCII",
      accented,
      accented.replace(/[^ -~]/g, (c) => [...Buffer.from(c)].map((b) => `\\x${b.toString(16)}`).join("")),
      "schl",
    ],
    ["bytes in octal", accented, byteEscapes(8, ""), "\\163"],
    ["JavaScript in octal", token, all(token, (char) => `\\${char.charCodeAt(0).toString(8)}`), "\\163"],
    ["Python with \\U", token, all(token, (char) => `\\U000000${code(char)}`), "\\U00000073"],
    ["percent-encoding with %u", token, all(token, (char) => `%u00${code(char)}`), "%u0073"],
    ["a list of bytes in hex", hex, [...bytes].map((byte) => `0x${byte.toString(16)}`).join(", "), "0x4f, 0x3e"],
    ["both ends of a key, around asterisks", token, `${token.slice(0, 9)}****${token.slice(-9)}`, token.slice(0, 9)],
    ["Markdown", "a_b*c`d[e]9", "a\\_b\\*c\\`d\\[e\\]9", "a\\_b"],
    ["white space collapsed", "two  words\n and\t9 more", "two words and 9 more", "words"],
    ["white space doubled", "two words and 9 more", "two  words  and\n9  more", "words"],
    ["white space left out", "two words and 9 more", "twowordsand9more", "words"],
    ["ends of lines as \\n", "two words\nand 9 more", JSON.stringify("two words\nand 9 more"), "words"],
    ["full-width letters", token, all(token, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)), "\uff53"],
    ["invisible characters between", token, all(token, (char) => `${char}\u200b`), "s\u200b3"],
    ["the first word of 32 bytes", long, `0x${utf8(long).slice(0, 64)}`, utf8(long).slice(0, 20)],
    ["a later word of 32 bytes", long, `0x${utf8(long).slice(64, 128)}`, utf8(long).slice(64, 84)],
    ["a word as text", long, long.slice(0, 32), "Horse"],
    ["the last word, padded", long, `0x${utf8(long).slice(128).padEnd(64, "0")}`, utf8(long).slice(128)],
    ["a part of a key", token, `…${token.slice(2, 18)}`, token.slice(4, 12)],
    ["the end of a key, where a text begins within it", token, `from 12 on …"${token.slice(-9)}"`, token.slice(-9)],
    ["both ends of a key", hex, `32 bytes: ${hex.slice(0, 18)}…${hex.slice(-8)}`, hex.slice(-8)],
  ] as const)
    it(`include ${encoding}`, () => {
      const mask = openMask();
      assert.ok(text.includes(tell), `${text} includes ${tell}`);
      mask.add(secret, "‹x›");
      const made = mask.text(`before ${text} after`);
      assert.ok(made.startsWith("before ") && made.endsWith(" after") && made.includes("‹x›"), made);
      assert.ok(!made.includes(tell) && !made.toLowerCase().includes(tell.toLowerCase()), made);
    });

  it("hide numbers as numbers", () => {
    const mask = openMask();
    mask.add(digits, "‹x›");
    assert.deepEqual(mask.value([7351908264, 7351908264n, 1, 7351908265]), ["‹x›", "‹x›", 1, 7351908265]);
  });

  it("leave other values alone", () => {
    const mask = openMask();
    for (const value of [
      "0x00000000000000000000000000000000000000aa",
      "123456",
      `0x${"0".repeat(64)}`,
      "https://node.example/v2/abcdefghijkl9",
    ])
      mask.add(value, "‹x›");
    for (const text of [
      "[1,2,3,4,5,6]",
      '{"a":12,"b":3456}',
      `0x${"0".repeat(63)}1`,
      "0x0000000000000000000000000000000000000000",
      "https://node.example/ said no",
      "0x1e2400",
      "0x1e240f",
    ])
      assert.equal(mask.text(text), text);
  });

  for (const piece of ["abcd", "0", "…abcdabcd", "%252525", "&amp;", "\\\\u0061"])
    it(`take time in proportion to the text, if it repeats ${piece}`, () => {
      const mask = openMask();
      mask.add(`${"abcd".repeat(800)}1`, "‹x›");
      mask.add(`0x${"0".repeat(3000)}ab12`, "‹x›");
      return expectLinear(times(100_000, 20_000), (size) => mask.text(piece.repeat(size)));
    });

  it("are added in time in proportion to a long address", () =>
    expectLinear(80_000, (size) => openMask().add(`https://node.example/${"mainnet/".repeat(size / 8)}`, "‹x›")));

  it("hides both halves of a value, and no more than them", () => {
    const mask = openMask();
    const [key, token] = ["k9XvQ2mZ8rT4wLp7NaB3cD", "Qx7Lw3Zp9Rt5Vb2"];
    for (const value of [token, key, `https://node.example/v2/${key}`]) mask.add(value, `‹${value.length}›`);
    const [half, other] = [key.slice(0, 11), key.slice(11)];
    for (const halves of [
      [half, other],
      { user: half, pass: other },
      [half, 1, null, "-", other],
      [[half], { b: other }],
    ]) {
      for (const shown of [mask.value(halves), mask.pieces(halves)])
        for (const one of [half, other]) assert.ok(!JSON.stringify(shown).includes(one), JSON.stringify(shown));
    }
    const beside = { code: -32000, list: [token, key], two: [2, key], id: "2" };
    assert.deepEqual(mask.value(beside), { code: -32000, list: ["‹15›", "‹22›"], two: [2, "‹22›"], id: "2" });
    assert.equal(mask.pieces(beside), beside);
  });

  it("hides a value that is spread over a list or an object, and JSON stays JSON", () => {
    const mask = openMask();
    for (const secret of ["sk-9Zx81Qw7", "hunter2secretvalue", "0xf00dfeedf00dfeedf00dfeedf00dfeed"]) {
      mask.add(secret, "‹secret K›");
      const bytes = [...new TextEncoder().encode(secret)];
      for (const spread of [
        bytes,
        bytes.map((byte) => `0x${byte.toString(16)}`),
        bytes.map(String),
        [secret.slice(0, 5), secret.slice(5)],
        [["a"], [[bytes]]],
      ]) {
        const given = { result: [1, { bytes: spread, other: [true, null, 12] }] };
        const shown = printJson(mask.value(given));
        assert.ok(shown.includes("‹secret K›"), shown);
        assert.deepEqual(JSON.parse(shown).result[1].other, [true, null, 12], shown);
        assert.equal(mask.text(shown), shown);
      }
    }
    const long = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";
    mask.add(long, "‹secret K›");
    for (const place of [4, 10, 16, 22]) {
      const parts = [long.slice(0, place), long.slice(place)] as const;
      for (const given of [[...parts], { a: parts[0], b: parts[1] }, parts.map((part) => ({ part, left: true }))]) {
        const kept = mask.value(mask.value(given, () => false)); // as answers are: decoded first, then as a whole
        const shown = printJson([mask.value(given), kept, mask.own(given)]);
        assert.ok(
          parts.every((part) => !shown.includes(part)),
          shown,
        );
      }
    }
    const harmless = { list: [1, 2, 3], deep: { bytes: [65, 66] } };
    assert.equal(mask.value(harmless), harmless);
  });
});
