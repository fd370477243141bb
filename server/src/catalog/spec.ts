/**
 * The shape of the catalogue: what it can say about a method, a type, an error. Facts live in the files beside this
 * one, each with a source; completion, hover, checks, reports and the JSON Schema all read them from there.
 */

/**
 * The type of a value: a name in the type table, such a name with `[]` for a list, or a type of a user's document,
 * which holds its own meaning.
 */
export type TypeRef = string | DocumentTypeRef;

/** A type that an OpenRPC document describes, or a list of such: either `type` or `items` is there. */
export interface DocumentTypeRef {
  /** For people; another document may have the same: `Transfer@acme`. */
  readonly name: string;
  readonly type: TypeSpec | undefined;
  readonly items: TypeRef | undefined;
}

export type TypeSpec =
  | QuantityType
  | BytesType
  | OneOfType
  | ObjectType
  | MapType
  | UnionType
  | { readonly kind: "boolean"; readonly summary: string }
  | {
      readonly kind: "integer";
      readonly summary: string;
      /** Numbers with a fraction pass too. */
      readonly fraction?: true;
    }
  | { readonly kind: "null"; readonly summary: string }
  | { readonly kind: "string"; readonly summary: string; readonly pattern?: string; readonly form?: string }
  | { readonly kind: "any"; readonly summary: string };

/**
 * `0x` and hex digits without leading zeros. People may also write a number, decimal digits, and for `wei` an amount
 * with its unit.
 */
export interface QuantityType {
  readonly kind: "quantity";
  readonly summary: string;
  /** The unit of the number; decides how it is displayed. */
  readonly unit: "wei" | "gas" | "block" | "seconds" | "milliseconds" | "count" | "index" | "none";
  readonly bits: 64 | 256;
}

export interface BytesType {
  readonly kind: "bytes";
  readonly summary: string;
  /** Exact length in bytes. */
  readonly length?: number;
  /** Greatest length in bytes. */
  readonly maxLength?: number;
  /** Half a byte passes, as in `0x0`. */
  readonly odd?: true;
  /** The role of the bytes, if tools treat them specially. */
  readonly role?: "address" | "hash" | "calldata" | "returndata" | "code" | "slot" | "word" | "topic" | "bloom";
  /** The object that people may write instead; this tool encodes it before sending. */
  readonly readable?: TypeRef;
}

export interface OneOfType {
  readonly kind: "oneOf";
  readonly summary: string;
  readonly values: readonly { readonly value: string; readonly summary: string }[];
}

export interface ObjectType {
  readonly kind: "object";
  readonly summary: string;
  readonly fields: readonly FieldSpec[];
  /** Fields that people may write instead of wire fields; this tool converts them before sending. */
  readonly readable?: readonly FieldSpec[];
  /** Fields, readable ones among them, of which at most one may be there. */
  readonly exclusive?: readonly FieldRule[];
  /** Fields, readable ones among them, of which at least one must be there. */
  readonly oneOfRequired?: readonly FieldRule[];
  /** Keys that no node takes but people write, with the field that they mean. */
  readonly mistaken?: readonly { readonly name: string; readonly field: string }[];
  /** Whether nodes accept members that are not listed. */
  readonly open: boolean;
}

export interface FieldRule {
  readonly fields: readonly string[];
  /** One sentence: what nodes do otherwise. */
  readonly why: string;
  /** Nodes let it pass, so it deserves a warning and no more. */
  readonly advice?: true;
}

export interface MapType {
  readonly kind: "map";
  readonly summary: string;
  readonly keys: TypeRef;
  readonly values: TypeRef;
}

/** Alternatives, the usual one first. */
export interface UnionType {
  readonly kind: "union";
  readonly summary: string;
  readonly of: readonly TypeRef[];
  /** It names a block: people may also write a decimal number, `"latest - 100"`, and the like. */
  readonly role?: "block";
}

export interface FieldSpec {
  readonly name: string;
  readonly type: TypeRef;
  readonly required?: boolean;
  /** `null` is as good as absent. */
  readonly nullable?: boolean;
  /** Greatest length, where the type is a list. */
  readonly maxItems?: number;
  /** A reason to write it although it is not `required`, in a sentence. Its absence deserves a warning. */
  readonly advised?: string;
  /** The default, as JSON, for an absent field. */
  readonly default?: string;
  /** Other names that some clients take and others refuse or ignore; `name` is the one to write. */
  readonly aliases?: readonly string[];
  readonly summary: string;
}

export interface ParamSpec extends FieldSpec {
  readonly required: boolean;
  /** Checked only if another parameter is of this type: what follows a kind that a node added itself is unknown. */
  readonly after?: {
    readonly position: number;
    readonly type: TypeRef;
    /** What some of its values are followed by; nothing for an empty list. */
    readonly followed?: Readonly<Record<string, readonly ("object" | "boolean")[]>>;
  };
}

/** Whether running it can change anything, and where. */
export type Effect =
  | "reads"
  | "simulates"
  | "signs"
  | "broadcasts"
  | "changes-node"
  /** Only an OpenRPC document describes the method, or nothing does. It may change anything. */
  | "unknown";

export interface MethodSpec {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Positional. */
  readonly params: readonly ParamSpec[];
  readonly result: TypeRef;
  /** The meaning of a `null` result, if one is possible. */
  readonly nullResult?: string;
  readonly effect: Effect;
  /** The meaning of the block tag `pending` here; absent if the method does not take a block. */
  readonly pending?: string;
  readonly errors?: readonly MethodErrorSpec[];
  /** Limits and refusals, a sentence each. */
  readonly limits?: readonly string[];
  /** Permanent link; empty for a method of a user's document that names none. */
  readonly source: string;
  readonly example: { readonly params: readonly unknown[]; readonly result: unknown };
}

export interface MethodErrorSpec {
  /** A JSON-RPC code, or an HTTP status where `http` is set. */
  readonly code: number;
  readonly http?: true;
  readonly message: string;
  readonly when: string;
}

export interface TagSpec {
  readonly tag: string;
  /** The state that it names. */
  readonly summary: string;
}

export interface ErrorSpec {
  readonly code: number;
  /** A few words, as a title: `insufficient funds`. */
  readonly name: string;
  /** One sentence, in which every use of the code that was seen has its place. */
  readonly meaning: string;
  readonly source: string;
}

export interface ChainSpec {
  readonly id: number;
  readonly name: string;
  /** The prefix of its addresses (`eth:0x…`). */
  readonly shortName?: string;
  /** Symbol of the native currency. */
  readonly symbol: string;
  /** Origin of a block explorer that takes `/address/0x…`, `/tx/0x…` and `/block/N`. */
  readonly explorer?: string;
  readonly testnet?: true;
  /** How new state reaches its clients, the oldest fact first. */
  readonly cadence?: readonly CadenceFact[];
}

/**
 * How new state reaches a client.
 *
 * - `pre-confirmed`: a block every second or two, and `pending` ahead of `latest`, refreshed several times a block.
 * - `fast`: several blocks a second; `pending` is only `latest`.
 * - `ordinary`: a block every second or more; `pending` is the node's own guess, or no more than `latest`.
 */
export type CadenceKind = "pre-confirmed" | "fast" | "ordinary";

/** The documented cadence of a chain. Says nothing about a given endpoint, which is measured. */
export interface CadenceFact {
  readonly kind: CadenceKind;
  /** Milliseconds between two blocks. */
  readonly blockMs: number;
  /** Since when, in ISO 8601; absent of the first fact. */
  readonly from?: string;
  readonly source: string;
}
