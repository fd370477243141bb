import type { FileRange } from "../base/text.ts";
import type { CellRef } from "../notebook/cell.ts";

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
  /** The summary in parts of different weight, the answer first; absent if the summary has only one. */
  readonly headline?: readonly HeadlinePart[];
  readonly sections: readonly Section[];
  /** Small facts on one line: endpoint, host, what block was asked, time taken. */
  readonly facts: readonly Fact[];
  /** Time of the answer, in milliseconds since 1970. */
  readonly ranAt?: number;
  /** Milliseconds between two blocks of the endpoint, so that an age can be given in blocks too. */
  readonly blockMs?: number;
  /** The value of the answer, if that is one number: later runs are compared with it. */
  readonly amount?: Amount;
  /** Origin of a block explorer that takes `/address/0x…` and `/tx/0x…`. */
  readonly explorer?: string;
  /** Something that the answer came from has changed since. */
  readonly stale?: true;
  /** It changes by itself, and can be paused, filtered and stopped by `rpcNotebook/stream`. */
  readonly live?: LiveControls;
}

/** A number with its unit. */
export interface Amount {
  /** Decimal digits, in the smallest unit. */
  readonly value: string;
  readonly unit: "wei" | "gas" | "count" | { readonly symbol: string; readonly decimals: number };
}

/** A part of a headline. Only the answer has no role. */
export interface HeadlinePart {
  readonly text: string;
  /** The same without rounding, for a tooltip. */
  readonly exact?: string;
  readonly role?: "quiet" | "plain" | "bad" | "pending" | "more" | "less";
  /** A share from 0 to 1, drawn as a bar before the text. */
  readonly share?: number;
  /** A time in milliseconds since 1970: its age follows the text. */
  readonly at?: number;
  /** A time in milliseconds since 1970: the clock's time follows the text, after “since”. */
  readonly since?: number;
}

export interface LiveControls {
  readonly uri: string;
  readonly cell: CellRef;
  readonly paused: boolean;
  readonly filter: string;
  /** It can only be stopped. */
  readonly onlyStop?: true;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
  /** The words of the quiet line under a result; absent if the fact is only among its details. */
  readonly short?: string;
  readonly role?: "pending";
}

export type Section = (
  | FieldsSection
  | TableSection
  | FailureSection
  | NoteSection
  | TextSection
  | ExactSection
  | TreeSection
  | FlowSection
  | SeriesSection
  | FlameSection
) & {
  /** Closed at first; such a section has a title, or is a table. */
  readonly folded?: true;
};

/** The exact forms of a value whose readable form is the summary: wei, hex. */
export interface ExactSection {
  readonly kind: "exact";
  readonly forms: readonly string[];
}

/** Calls inside calls. Says the same as a table of the report, for screens. */
export interface TreeSection {
  readonly kind: "tree";
  readonly title: string;
  /** Also printed as text, in place of the table with the same title. */
  readonly isText?: true;
  /** What the tree cannot show; such a tree is marked as partial. */
  readonly partial?: string;
  readonly nodes: readonly TreeNode[];
}

export interface TreeNode {
  readonly parts: readonly HeadlinePart[];
  /** Shown with its children at first. */
  readonly open?: true;
  readonly children: readonly TreeNode[];
}

/** Value that changes hands, for a picture. */
export interface FlowSection {
  readonly kind: "flow";
  readonly moves: readonly Move[];
  /** The change of each account: `alice −0.5 ether −2.5 DUSD`. */
  readonly balances: readonly string[];
  /** The same in a sentence: `alice gives bob 0.5 ether and 2.5 DUSD`. */
  readonly text: string;
}

/** Numbers in their order, for a chart. Says the same as a table of the report, for screens. */
export interface SeriesSection {
  readonly kind: "series";
  readonly title: string;
  readonly shape: "line" | "bars";
  /** The name of the places: `block`. */
  readonly place: string;
  readonly points: readonly { readonly at: string; readonly value: number; readonly text: string }[];
  /** The same in a sentence. */
  readonly text: string;
}

/** The gas of calls inside calls, for a picture. Says the same as a table of the report, for screens. */
export interface FlameSection {
  readonly kind: "flame";
  readonly title: string;
  /** In the order in which the calls began. */
  readonly frames: readonly FlameFrame[];
  /** The gas of all calls. */
  readonly total: number;
  /** The calls that used most gas for themselves, in a sentence. */
  readonly text: string;
  /** What is not drawn. */
  readonly note?: string;
  /** The key with which `rpcNotebook/saveProfile` finds all calls; absent if they are not kept. */
  readonly rest?: string;
}

export interface FlameFrame {
  readonly name: string;
  /** How many of the drawn calls it is in. */
  readonly depth: number;
  /** Gas to the left of it. */
  readonly start: number;
  /** The gas that it takes up in the picture. */
  readonly width: number;
  /** The gas that it used, and without the calls inside it. Absent if it is not known. */
  readonly gas?: string;
  readonly own?: string;
  /** Why it failed. */
  readonly failed?: string;
}

export interface Move {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
}

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
  /** `text` in six significant digits, if it has more. */
  readonly short?: string;
  /** The value on the wire, if it differs. */
  readonly raw?: string;
  /** Other readings: wei, gwei, hex, time, the reason for a name. */
  readonly also?: readonly string[];
  /**
   * The bundled declaration that was used because no ABI of the project has one: `transfer(address,uint256) from
   * ERC-20`.
   */
  readonly guess?: string;
  /** It was taken back by a reorganization. */
  readonly struck?: true;
  readonly role?: "address" | "hash" | "amount" | "bytes" | "name" | "time" | "bad";
  /** The number in the unit of its column, in six significant digits. Only in tables for screens. */
  readonly number?: string;
  /** The value for other programs, if that is neither `raw` nor `text`: digits, an ISO time. Only in tables for screens. */
  readonly plain?: string;
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
  /** The key with which `rpcNotebook/rows` finds all rows; absent if there is only one, or if they are not kept. */
  readonly rest?: string;
  /** Kinds of rows, the most frequent first; absent if there is only one. */
  readonly kinds?: readonly { readonly name: string; readonly count: number; readonly rest: string }[];
}

export interface Column {
  readonly name: string;
  readonly align: "left" | "right";
  /** The unit of each `number` in it, for its head. */
  readonly unit?: string;
  /** The value that all rows share, so that a screen can show it once. */
  readonly shared?: Shown;
}

/** The error, its cause, and how to fix it. */
export interface FailureSection {
  readonly kind: "failure";
  readonly what: string;
  readonly todo: string;
  readonly fields: readonly Field[];
  /** The fields are closed at first. */
  readonly hasDetails?: true;
  /** It is a revert without a reason. */
  readonly isSilent?: true;
  readonly actions?: readonly Action[];
}

/** Something that an editor can do about a failure or a note. */
export type Action =
  /** Selects the place in the cell. Offsets are UTF-16 code units from the start of the cell. */
  | { readonly kind: "show"; readonly label: string; readonly start: number; readonly end: number }
  /** Replaces a place in the cell. */
  | {
      readonly kind: "fix";
      readonly label: string;
      readonly start: number;
      readonly end: number;
      readonly text: string;
    }
  | { readonly kind: "run"; readonly label: string }
  | { readonly kind: "choose-endpoint"; readonly label: string }
  /** Starts a chain on this machine, uses it, and runs the cell again. */
  | { readonly kind: "start-local-chain"; readonly label: string }
  | { readonly kind: "open-docs"; readonly label: string }
  /** Opens a setting of the editor: `rpcNotebook.timeout`. */
  | { readonly kind: "open-setting"; readonly label: string; readonly setting: string }
  | { readonly kind: "show-log"; readonly label: string }
  /** Puts the request that explains a text below the cell, and runs it. */
  | { readonly kind: "explain"; readonly label: string; readonly text: string }
  /** Runs the cell with the calls inside. */
  | { readonly kind: "trace"; readonly label: string }
  | { readonly kind: "update-snapshot"; readonly label: string }
  | { readonly kind: "set-secret"; readonly label: string; readonly name: string }
  | { readonly kind: "trust"; readonly label: string }
  /** Looks up the contracts in the results of the notebook. */
  | { readonly kind: "look-up-names"; readonly label: string };

/** Something to know beside the result: a limit, a lag, a guess. */
export interface NoteSection {
  readonly kind: "note";
  readonly text: string;
  /** It says where the calls of the report come from. */
  readonly ofCalls?: true;
  readonly actions?: readonly Action[];
}

/** Preformatted: JSON of a result whose type is not known, bytecode. */
export interface TextSection {
  readonly kind: "text";
  readonly title?: string;
  readonly text: string;
  /** The text was cut to this many characters of `length`. */
  readonly length: number;
  /** The answer itself. Command line and hovers leave it out. */
  readonly isAnswer?: true;
}

/** A finished cell, ready to show in three forms of the same result. */
export interface CellOutput {
  readonly ok: boolean;
  /** For the renderer. One a request: a batch has several. */
  readonly reports: readonly Report[];
  readonly text: string;
  /** The JSON-RPC answer as it came, pretty-printed; cut with a note when very large. */
  readonly json: string;
  readonly startedAt: number;
  readonly durationMs: number;
}

/** An expectation that failed, or a snapshot that differs. */
export interface FailedCheck {
  readonly message: string;
  /** Both values for a comparison side by side; absent if there is only one. */
  readonly expected?: string;
  readonly actual?: string;
  /** The range of the member of `expect`, else of the cell. */
  readonly place?: FileRange;
}
