import type { CellRef } from "../notebook/cellRef.ts";

/**
 * An outcome for display, as plain JSON data that every frontend renders: the notebook output, the terminal,
 * hovers, the text view. Strings are plain text and already safe to show (`visible`), never Markdown or HTML.
 */
export interface Report {
  /** The request: `eth_getBalance`, or the cell's name and method. */
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
  /** The value on the wire, if it differs. */
  readonly raw?: string;
  /** Other readings: wei, gwei, hex, time, the reason for a name. */
  readonly also?: readonly string[];
  /**
   * The bundled declaration that was used because no ABI of the project has one: `transfer(address,uint256) from
   * ERC-20`.
   */
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
  /**
   * The key with which `rpcNotebook/rows` finds the further rows; absent if there are none, or if they are not kept.
   */
  readonly rest?: string;
}

export interface Column {
  readonly name: string;
  readonly align: "left" | "right";
}

/** The error, its cause, and how to fix it. */
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
