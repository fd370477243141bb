import fc from "fast-check";
import type { Hex } from "viem";
import {
  type Code,
  calling,
  creating,
  log,
  passingOn,
  program,
  push,
  returning,
  reverting,
  selfdestruct,
  store,
} from "./evm.ts";

/** A call among contracts with random code. */
export interface RandomCall {
  /** Code of each contract of {@link callable}. */
  readonly codes: readonly Hex[];
  readonly from: string;
  /** `undefined` if it creates a contract. */
  readonly to: string | undefined;
  readonly data: Hex;
  readonly value: bigint;
  readonly gas: bigint;
}

/** The contracts that have code. */
export const callable = [1, 2, 3, 4, 5].map((number) => `0x${`c0de${number}`.repeat(8)}`);
/** An account that can pay. */
export const payer = `0x${"ab".repeat(20)}`;
const precompiles = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 256].map((number) => `0x${number.toString(16).padStart(40, "0")}`);
const others = [payer, `0x${"f0".repeat(20)}`, `0x${"f1".repeat(20)}`, ...precompiles];

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const someone = fc.oneof({ weight: 5, arbitrary: pick(...callable) }, { weight: 2, arbitrary: pick(...others) });
const slot = fc.integer({ min: 0, max: 4 });
const word = fc.oneof(fc.integer({ min: 0, max: 3 }).map(BigInt), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
const amount = fc.oneof({ weight: 4, arbitrary: pick(0n) }, { weight: 2, arbitrary: pick(1n, 7n) }, pick(10n ** 30n));
const gasGiven = fc.oneof({ weight: 3, arbitrary: pick(undefined) }, pick(0n, 100n, 2300n, 30_000n, 100_000n));
const callData = fc.uint8Array({ maxLength: 70 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
const environment = pick(
  "30",
  "32",
  "33",
  "34",
  "36",
  "3a",
  "3d",
  "41",
  "42",
  "43",
  "44",
  "45",
  "46",
  "47",
  "48",
  "4a",
  "5a",
  "59",
  "58",
);

/** Changes the instruction of a call: another kind has one parameter less. */
function callingBy(kind: string, to: string, data: Hex, gas: bigint | undefined): Code {
  const code = calling({ to, data, ...(gas !== undefined && { gas }) });
  const value = code.length - 5; // before the address: the value
  return code.flatMap((one, at) => (at === value && kind !== "f2" ? [] : at === code.length - 2 ? [kind] : [one]));
}

const statement: fc.Arbitrary<Code> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(slot, word).map(([at, value]) => store(at, value)) },
  { weight: 2, arbitrary: fc.tuple(slot, slot).map(([from, to]) => [push(from), "54", push(to), "55"]) },
  { weight: 1, arbitrary: fc.tuple(slot, slot).map(([from, to]) => [push(from), "5c", push(to), "55"]) },
  { weight: 1, arbitrary: fc.tuple(slot, word).map(([at, value]) => [push(value), push(at), "5d"]) },
  {
    weight: 2,
    arbitrary: fc.tuple(word, fc.array(word, { maxLength: 4 })).map(([value, topics]) => log(value, ...topics)),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(someone, amount, callData, gasGiven)
      .map(([to, value, data, gas]) => calling({ to, value, data, ...(gas !== undefined && { gas }) })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(pick("f2", "f4", "fa"), someone, callData, gasGiven)
      .map(([kind, to, data, gas]) => callingBy(kind, to, data, gas)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(pick("31", "3b", "3f"), someone, slot)
      .map(([of, who, to]) => [push(BigInt(who)), of, push(to), "55"]),
  },
  { weight: 1, arbitrary: someone.map((who) => [push(32), push(0), push(0), push(BigInt(who)), "3c"]) },
  { weight: 2, arbitrary: fc.tuple(environment, slot).map(([of, to]) => [of, push(to), "55"]) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.integer({ min: 0, max: 5000 }), word).map(([at, value]) => [push(value), push(at), "52"]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(word, word, pick("02", "04", "05", "06", "0a", "0b", "10", "12", "1c", "1d"))
      .map(([a, b, of]) => [push(a), push(b), of, push(0), "55"]),
  },
  { weight: 1, arbitrary: slot.map((to) => [push(64), push(0), "20", push(to), "55"]) },
  { weight: 1, arbitrary: fc.tuple(word, slot).map(([value, to]) => [push(value), "1e", push(to), "55"]) },
  {
    weight: 1,
    arbitrary: fc.tuple(pick(0, 1, 300), slot).map(([back, to]) => [push(back), "43", "03", "40", push(to), "55"]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(pick(0, 32, 64), pick(0, 40), pick(0, 31, 100))
      .map(([to, from, size]) => [push(size), push(from), push(to), "5e"]),
  },
  {
    weight: 1,
    arbitrary: pick<Code>(["5a", push(0), "52"], ["36", push(0), push(0), "37"], ["38", push(0), push(0), "39"]),
  },
);

const ending: fc.Arbitrary<Code> = fc.oneof(
  { weight: 3, arbitrary: pick<Code>(["00"], passingOn) },
  { weight: 3, arbitrary: word.map((value) => returning(push(value))) },
  { weight: 3, arbitrary: word.map(reverting) },
  {
    weight: 1,
    arbitrary: pick<Code>(
      ["fe"],
      ["01"],
      [push(3), "56"],
      ["1e"],
      [push(0xef), push(0), "53", push(1), push(0), "f3"],
      [push(0), push(0), "fd"],
    ),
  },
  { weight: 1, arbitrary: someone.map(selfdestruct) },
);

const plain = fc.tuple(fc.array(statement, { maxLength: 5 }), ending).map(([lines, last]) => program(...lines, last));

/** Creates a contract: its code is in the data of the instructions before. */
function creatingWith(init: Hex, value: bigint, salt: bigint | undefined, fate: Code): Code {
  const bytes = init.slice(2).match(/.{2}/g) ?? [];
  const stored = bytes.flatMap((byte, at) => [push(BigInt(`0x${byte}`)), push(at), "53"]);
  const last = salt === undefined ? [] : [push(salt)];
  return [...stored, ...last, push(bytes.length), push(0), push(value), salt === undefined ? "f0" : "f5", ...fate];
}

const creation = fc
  .tuple(
    plain,
    fc.array(statement, { maxLength: 2 }),
    fc.boolean(),
    amount,
    fc.option(pick(0n, 1n), { nil: undefined }),
  )
  .chain(([code, before, isWhole, value, salt]) => {
    const init = isWhole ? creating(code, before.flat()) : code;
    // called with what is left, forgotten, or stored
    const called: Code = ["80", push(0), push(0), push(0), push(0), push(0), "85", "5a", "f1", "50", "50"];
    return pick<Code>(["50"], called, [push(2), "55"]).map((fate) => creatingWith(init, value, salt, fate));
  });

const code = fc
  .tuple(
    fc.array(fc.oneof({ weight: 8, arbitrary: statement }, { weight: 1, arbitrary: creation }), { maxLength: 8 }),
    ending,
  )
  .map(([lines, last]) => program(...lines, last));

export const randomCall: fc.Arbitrary<RandomCall> = fc.record({
  codes: fc.tuple(code, code, code, code, code),
  from: fc.constant(payer),
  to: fc.oneof(
    { weight: 9, arbitrary: pick(...callable) },
    { weight: 1, arbitrary: pick(payer, precompiles[1], undefined) },
  ),
  data: fc.oneof({ weight: 3, arbitrary: callData }, { weight: 1, arbitrary: plain.map((one) => creating(one)) }),
  value: pick(0n, 0n, 5n),
  gas: pick(60_000n, 150_000n, 500_000n, 2_000_000n),
});
