import assert from "node:assert/strict";
import fc from "fast-check";
import { openMask } from "../../../server/src/base/mask.ts";

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
    const shown = (value: unknown): string => (Array.isArray(value) ? shown(value[0]) : String(value));
    assert.ok(!shown(masking(key).value((deep as readonly unknown[]).slice(0))).includes(key));
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
      fc.property(fc.string({ minLength: 6, unit: "binary" }), fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!"‹env key›".includes(value.toLowerCase()));
        const mask = masking(value);
        const made = mask.text(`${before} ${value} ${after}`);
        assert.ok(made.includes("‹env KEY›"));
        assert.deepEqual(mask.text(made), made);
      }),
    ));
});
