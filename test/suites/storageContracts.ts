import fc from "fast-check";
import type { JsonValue } from "../../server/src/base/json.ts";

/** Declarations of a contract whose constructor stores values, and those values by their paths. */
export interface RandomContract {
  readonly declarations: string;
  readonly expected: readonly (readonly [string, JsonValue])[];
}

type Kind = "uint" | "int" | "bool" | "address" | "fixedBytes" | "string" | "bytes";

type Type =
  | { readonly kind: Kind; readonly size: number }
  | { readonly kind: "struct"; readonly members: readonly Type[] }
  | { readonly kind: "fixed" | "dynamic"; readonly of: Type; readonly length: number }
  | { readonly kind: "mapping"; readonly key: Type; readonly of: Type };

const scalars = fc.record({
  kind: fc.constantFrom<Kind>("uint", "int", "bool", "address", "fixedBytes", "uint", "int"),
  size: fc.integer({ min: 1, max: 32 }),
});
const keyed = fc.record({
  kind: fc.constantFrom<Kind>("uint", "int", "bool", "address", "fixedBytes", "string"),
  size: fc.integer({ min: 1, max: 32 }),
});
const leaves = fc.oneof(
  { weight: 6, arbitrary: scalars },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom<Kind>("string", "bytes"), size: fc.integer({ min: 0, max: 90 }) }),
  },
);
const types = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 5, arbitrary: leaves },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("struct"),
        members: fc.array(tie("type"), { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom("fixed", "dynamic"),
        of: tie("type"),
        length: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("mapping"), key: keyed, of: tie("type") }) },
  ),
})).type as fc.Arbitrary<Type>;

/** A contract with some variables of random types. */
export const randomContract: fc.Arbitrary<RandomContract> = fc
  .record({ variables: fc.array(types, { minLength: 4, maxLength: 9 }), seed: fc.integer({ min: 1, max: 2 ** 30 }) })
  .map(({ variables, seed }) => new Writer(seed).contract(variables));

class Writer {
  readonly #structs: string[] = [];
  readonly #statements: string[] = [];
  readonly #expected: (readonly [string, JsonValue])[] = [];
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  contract(variables: readonly Type[]): RandomContract {
    const declared = variables.map((type, at) => `${this.#name(type)} v${at};`);
    for (const [at, type] of variables.entries()) this.#store(type, `v${at}`, `v${at}`);
    // a function for each group of statements: too many of them do not fit on one stack
    const groups = Array.from({ length: Math.ceil(this.#statements.length / 10) }, (_, at) =>
      this.#statements.slice(at * 10, at * 10 + 10).join(" "),
    );
    const functions = groups.map((body, at) => `function set${at}() private { ${body} }`);
    const calls = groups.map((_, at) => `set${at}();`).join(" ");
    const parts = [...this.#structs, ...declared, `constructor() { ${calls} }`, ...functions];
    return { declarations: parts.join("\n"), expected: this.#expected };
  }

  #name(type: Type): string {
    switch (type.kind) {
      case "uint":
      case "int":
        return `${type.kind}${type.size * 8}`;
      case "fixedBytes":
        return `bytes${type.size}`;
      case "struct": {
        const members = type.members.map((one, at) => `${this.#name(one)} m${at};`).join(" ");
        const name = `S${this.#structs.length}`;
        this.#structs.push(`struct ${name} { ${members} }`);
        return name;
      }
      case "fixed":
        return `${this.#name(type.of)}[${type.length}]`;
      case "dynamic":
        return `${this.#name(type.of)}[]`;
      case "mapping":
        return `mapping(${this.#name(type.key)} => ${this.#name(type.of)})`;
      default:
        return type.kind;
    }
  }

  #store(type: Type, inSolidity: string, path: string): void {
    switch (type.kind) {
      case "struct":
        for (const [at, one] of type.members.entries()) this.#store(one, `${inSolidity}.m${at}`, `${path}.m${at}`);
        return;
      case "dynamic":
        this.#expected.push([`${path}.length`, String(type.length)]);
        for (let at = 0; at < type.length; at++) this.#statements.push(`${inSolidity}.push();`);
        for (let at = 0; at < type.length; at++) this.#store(type.of, `${inSolidity}[${at}]`, `${path}[${at}]`);
        return;
      case "fixed":
        for (let at = 0; at < type.length; at++) this.#store(type.of, `${inSolidity}[${at}]`, `${path}[${at}]`);
        return;
      case "mapping": {
        const key = this.#value(type.key, 6);
        this.#store(type.of, `${inSolidity}[${key.literal}]`, `${path}[${key.inPath}]`);
        return;
      }
      default: {
        const { literal, value } = this.#value(type, type.size);
        this.#statements.push(`${inSolidity} = ${literal};`);
        this.#expected.push([path, value]);
      }
    }
  }

  #value(type: Type, length: number): { readonly literal: string; readonly inPath: string; readonly value: JsonValue } {
    switch (type.kind) {
      case "bool": {
        const value = this.#random(2) === 1;
        return { literal: String(value), inPath: String(value), value };
      }
      case "uint":
      case "int": {
        const bits = type.size * 8;
        const number = type.kind === "uint" ? this.#bits(bits) : BigInt.asIntN(bits, this.#bits(bits));
        return { literal: `${type.kind}${bits}(${number})`, inPath: String(number), value: String(number) };
      }
      case "address": {
        const number = this.#bits(160);
        const hex = `0x${number.toString(16).padStart(40, "0")}`;
        return { literal: `address(uint160(${number}))`, inPath: hex, value: hex };
      }
      case "fixedBytes": {
        const hex = `0x${this.#digits(type.size)}`;
        return { literal: `bytes${type.size}(hex"${hex.slice(2)}")`, inPath: hex, value: hex };
      }
      case "bytes": {
        const digits = this.#digits(length);
        return { literal: `hex"${digits}"`, inPath: `0x${digits}`, value: `0x${digits}` };
      }
      default: {
        const text = Array.from({ length }, () => "abcdef .[]x"[this.#random(11)]).join("");
        return { literal: `"${text}"`, inPath: `'${text}'`, value: text };
      }
    }
  }

  #bits(count: number): bigint {
    return BigInt.asUintN(count, BigInt(`0x${this.#digits(32)}`));
  }

  #digits(bytes: number): string {
    return Array.from({ length: bytes * 2 }, () => this.#random(16).toString(16)).join("");
  }

  #random(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (this.#seed >> 12) % below;
  }
}
