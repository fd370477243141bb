import assert from "node:assert/strict";
import { encodeFunctionData, parseAbi } from "viem";
import { callInWords, type InWords, type KnownNames, typedDataInWords } from "../../../server/src/abi/clearSigning.ts";
import { descriptorsOf, entryOf } from "../../../server/src/abi/descriptors.ts";
import { plainTypedData } from "../../../server/src/abi/typedData.ts";
import { wordsText } from "../../../server/src/report/words.ts";

const contract = `0x${"c0".repeat(20)}` as const;
const abi = parseAbi(["function run(address to, bytes data)", "function pay(uint256[] amounts)", "function stop()"]);
const stop = encodeFunctionData({ abi, functionName: "stop" });
const names: KnownNames = { token: () => undefined, label: () => undefined, chain: () => undefined };

/** A call that holds one, which holds one, and so on. */
function nested(levels: number): `0x${string}` {
  let data = stop;
  for (let level = 0; level < levels; level++)
    data = encodeFunctionData({ abi, functionName: "run", args: [contract, data] });
  return data;
}
const pay = (amounts: number) => encodeFunctionData({ abi, functionName: "pay", args: [Array(amounts).fill(7n)] });

const call = { path: "data", label: "Call", format: "calldata", params: { calleePath: "to" } };
const amount = { path: "amounts.[]", label: "Amount", format: "raw" };
const many = (field: object, count: number) => Array(count).fill(field);

/** A descriptor of {@link contract} with these fields of a function. */
function described(kind: "contract" | "eip712", key: string, fields: readonly object[], sentence = ""): object {
  const context = { [kind]: { deployments: [{ chainId: 1, address: contract }] } };
  const said = { intent: "Do it", ...(sentence && { interpolatedIntent: sentence }), fields };
  return { context, display: { formats: { [key]: said, "stop()": { intent: "Stop", fields: [] } } } };
}

function tableOf(descriptor: object) {
  const entry = entryOf(Object(descriptor), "a", "a.json");
  assert.ok("body" in entry, "it is a descriptor");
  return descriptorsOf([entry], () => entry.body, String);
}

function said(data: string, key: string, fields: readonly object[], sentence?: string): Promise<InWords | undefined> {
  const table = tableOf(described("contract", key, fields, sentence));
  return callInWords({ chainId: 1n, to: contract, data }, table, names);
}

describe("a descriptor that wants more work than a call is worth", () => {
  const [run, list] = ["run(address to,bytes data)", "pay(uint256[] amounts)"];
  for (const [what, isSaid, data, key, fields] of [
    ["one call in another, four times", true, nested(4), run, [call]],
    ["one call in twenty fields, each with one in twenty fields", false, nested(3), run, many(call, 20)],
    ["a list of three thousand in one field", true, pay(3000), list, [amount]],
    ["a list of three thousand in a hundred fields", false, pay(3000), list, many(amount, 100)],
    ["such a list in groups", false, pay(3000), list, many({ label: "G", fields: many(amount, 10) }, 10)],
  ] as const)
    it(`${isSaid ? "is not that of" : "says nothing:"} ${what}`, async () =>
      assert.equal((await said(data, key, fields)) !== undefined, isSaid));

  it("says nothing of typed data either", async () => {
    const types = { Pay: [{ name: "amounts", type: "uint256[]" }] };
    const inWords = async (count: number, fields: number) => {
      const domain = { chainId: 1, verifyingContract: contract };
      const data = { types, primaryType: "Pay", domain, message: { amounts: Array(count).fill("7") } };
      const plain = plainTypedData(data, contract);
      const table = tableOf(described("eip712", "Pay(uint256[] amounts)", many(amount, fields)));
      return plain && typedDataInWords(plain, table, names);
    };
    assert.equal((await inWords(3000, 1))?.fields.length, 3000);
    assert.equal(await inWords(30_000, 100), undefined);
  });

  it("has no sentence so long that its end, with an amount, would be cut", async () => {
    const text = async (padding: number) => {
      const words = await said(pay(1), list, [amount], `${"Thank you. ".repeat(padding)}Send {amounts.[]}`);
      return words && wordsText(words);
    };
    assert.equal(await text(2), "Thank you. Thank you. Send 7");
    assert.equal(await text(30), "Do it: Amount 7");
  });

  it("has no values so long, or so many, that an amount behind them is cut without a word", async () => {
    const long = { value: "x".repeat(200), label: "Note", format: "raw" };
    const text = async (before: number, amounts: number) => {
      const words = await said(pay(amounts), list, [...many(long, before), amount]);
      return words && wordsText(words);
    };
    assert.match((await text(2, 1)) ?? "", /^Do it: Note x{200}, Note x{200}, Amount 7$/);
    assert.match((await text(0, 100)) ?? "", /^Do it: (Amount 7, ){59}Amount 7 and 40 more values$/);
    assert.match((await text(60, 100)) ?? "", /x and 100 more values$/);
  });

  it("has decimals and texts that end, but may call its constants and definitions decimals", () => {
    const fault = (descriptor: object) => {
      const entry = entryOf(Object(descriptor), "a", "a.json");
      return "what" in entry ? entry.what : undefined;
    };
    const of = (metadata: object, display: object = {}) => {
      const { context, display: own } = Object(described("contract", list, [amount]));
      return { context, metadata, display: { ...own, ...display } };
    };
    const decimals = { label: "Decimals", format: "raw" };
    assert.equal(fault(of({ constants: { decimals: "18" } }, { definitions: { decimals } })), undefined);
    assert.match(fault(of({ token: { decimals: 1e9 } })) ?? "", /^`decimals` is not a whole number/);
    const unit = { format: "unit", params: { decimals: "18" } };
    assert.match(fault(of({}, { definitions: { unit } })) ?? "", /^`decimals` is not a whole number/);
    assert.match(fault(of({ constants: { decimals: "9".repeat(2_001) } })) ?? "", /has more than 2000 characters/);
  });
});
