import type { Markdown } from "../base/markdown.ts";

// Messages about requests that are sent without a run: addresses and watches.

/** `rpcNotebook/address`: returns the current state of an address in a file that is not a notebook. */
export interface AddressParams {
  /** The URI of the file. Endpoints are read from its folder. */
  readonly uri: string;
  /** The line that the pointer is on. */
  readonly text: string;
  /** In the line, in UTF-16 code units. */
  readonly offset: number;
}

/** `null` without an address, or if the server may not send requests. `needsEndpoint`: a person only has to choose an endpoint. */
export type AddressResult = {
  readonly address: string;
  /** Its name in a notebook. */
  readonly name?: string;
  /** In the line. */
  readonly span: { readonly start: number; readonly end: number };
  /** Untrusted. */
  readonly markdown: Markdown;
  readonly needsEndpoint?: true;
} | null;

/** `rpcNotebook/label`: names an address in the header of a notebook, as an edit that can be undone. */
export interface LabelParams {
  /** The URI of a notebook or one of its cells. For any other file, the notebook that was opened last is edited. */
  readonly uri: string;
  readonly address: string;
  readonly name: string;
}

export type LabelResult =
  | {
      readonly notebook: string;
      /** The text of a header that the client puts before the first cell: a notebook of cells without a header. */
      readonly header?: string;
    }
  | { readonly refused: string };

/** `rpcNotebook/watch`: polls an address or a request. Changes come as `rpcNotebook/watchesChanged`. */
export interface WatchParams {
  /** Chosen by the client. A watch with the same id is replaced. */
  readonly id: string;
  /** The URI of a notebook, a cell or any file. Endpoints are read from its folder. */
  readonly uri: string;
  /** An address, or a cell by its ordinal or by `uri`. */
  readonly address?: string;
  readonly index?: number;
}

export type WatchResult =
  /** `name` is the name of the address in a notebook. */
  | { readonly endpoint: string; readonly name?: string }
  /** `needsEndpoint`: no endpoint is chosen. */
  | { readonly refused: string; readonly needsEndpoint?: true };

/** `rpcNotebook/unwatch`, a notification. */
export interface Unwatch {
  readonly id: string;
}

/** `rpcNotebook/showWatches`, a notification: whether the watches are visible. Hidden ones are not polled. */
export interface ShowWatches {
  readonly visible: boolean;
}

/** `rpcNotebook/watchesChanged`, a notification: the watches at one endpoint whose values have changed. */
export interface WatchesChanged {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly endpoint: string;
  /** Number of the latest block, in decimal. */
  readonly head?: string;
  /** Milliseconds since the tick before. */
  readonly sinceLast?: number;
  /** The pace of new state: "pre-confirmed, every 200 ms"; empty if that is unknown. */
  readonly cadence: string;
  /** The kind of subscription that a timer has replaced, because it stayed silent while there were new blocks. */
  readonly silent?: string;
  readonly changed: readonly {
    readonly id: string;
    /** In six digits, if it is an amount. */
    readonly value: string;
    /** The same without rounding, for a tooltip. */
    readonly exact?: string;
    /** The difference to `latest`. */
    readonly detail?: string;
    readonly ok: boolean;
    /** The last values as bars; empty if all are equal. */
    readonly spark: string;
  }[];
}
