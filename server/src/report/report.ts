import type { CellRef } from "../notebook/cellRef.ts";

/**
 * What a person sees of an outcome, as plain JSON data that every face renders: the notebook output, the terminal,
 * hovers, the text view. Strings are plain text and already safe to show (`visible`), never Markdown or HTML.
 */
export interface Report {
  /** What was asked: `eth_getBalance`, or the cell's name and method. */
  readonly title: string;
  /** One line: `1.5 ether`, `12 logs`, `reverted: Reverter: x too small`. */
  readonly summary: string;
  readonly status: "ok" | "failed";
  readonly sections: readonly Section[];
  /** Small facts on one line: endpoint, host, what block was asked, time taken. */
  readonly facts: readonly Fact[];
  /** It changes by itself, and can be paused, filtered and stopped by `rpcNotebook/stream`. */
  readonly live?: LiveControls;
}

export interface LiveControls {
  readonly uri: string;
  readonly cell: CellRef;
  readonly paused: boolean;
  readonly filter: string;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

export type Section = FieldsSection | TableSection | FailureSection | NoteSection | TextSection;

/** Named values, one a line. */
export interface FieldsSection {
  readonly kind: "fields";
  readonly title?: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly value: Shown;
}

/** A value in the form that people read, with the others one step away. */
export interface Shown {
  /** The form to read first: `1.5 ether`. */
  readonly text: string;
  /** As it came over the wire, where that differs. */
  readonly raw?: string;
  /** Other readings: wei, gwei, hex, time, the reason for a name. */
  readonly also?: readonly string[];
  /** The declaration that it goes by, where no ABI of the project has it: `transfer(address,uint256) from ERC-20`. */
  readonly guess?: string;
  /** It holds no more: a reorganisation took it back. */
  readonly struck?: true;
  readonly role?: "address" | "hash" | "amount" | "bytes" | "name" | "time" | "bad";
}

/** Rows of equal shape: logs, receipts, calls. */
export interface TableSection {
  readonly kind: "table";
  readonly title?: string;
  readonly columns: readonly Column[];
  /** The first rows; each as long as `columns`. */
  readonly rows: readonly (readonly Shown[])[];
  /** All rows that there are. */
  readonly total: number;
  /** By what `rpcNotebook/rows` finds the rows after these; absent where there are none, or they are not kept. */
  readonly rest?: string;
}

export interface Column {
  readonly name: string;
  readonly align: "left" | "right";
}

/** What went wrong, why, and what to do. */
export interface FailureSection {
  readonly kind: "failure";
  readonly what: string;
  readonly todo: string;
  readonly fields: readonly Field[];
}

/** Something to know beside the result: a limit, a lag, a guess. */
export interface NoteSection {
  readonly kind: "note";
  readonly text: string;
}

/** Preformatted: JSON of a result whose type is not known, bytecode. */
export interface TextSection {
  readonly kind: "text";
  readonly title?: string;
  readonly text: string;
  /** The text was cut to this many characters of `length`. */
  readonly length: number;
}
