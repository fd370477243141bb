import type { Markdown } from "../base/markdown.ts";

// Messages about what is asked without a run: addresses and watches.

/** `rpcNotebook/address`: what the chain says now of an address in a file that is no notebook. */
export interface AddressParams {
  /** Of the file; its endpoint is looked for from there. */
  readonly uri: string;
  /** The line that the pointer is on. */
  readonly text: string;
  /** In the line, in UTF-16 code units. */
  readonly offset: number;
}

/** `null` where there is no address, or nothing may be asked. */
export type AddressResult = {
  readonly address: string;
  /** What a notebook calls it. */
  readonly name?: string;
  /** In the line. */
  readonly span: { readonly start: number; readonly end: number };
  /** Untrusted. */
  readonly markdown: Markdown;
} | null;

/** `rpcNotebook/label`: gives an address a name in the header of a notebook, as an edit that can be undone. */
export interface LabelParams {
  /** Of a notebook or one of its cells; of any other file for the notebook that was opened last. */
  readonly uri: string;
  readonly address: string;
  readonly name: string;
}

export type LabelResult = { readonly notebook: string } | { readonly refused: string };

/** `rpcNotebook/watch`: looks at something again and again, and tells of it by `rpcNotebook/ticked`. */
export interface WatchParams {
  /** Chosen by the client; a watch with the same one is replaced. */
  readonly id: string;
  /** Of a notebook, a cell or any file; the endpoint is looked for from there. */
  readonly uri: string;
  /** An address, or a cell by its ordinal or by `uri`. */
  readonly address?: string;
  readonly index?: number;
}

export type WatchResult =
  /** `name` is what a notebook calls the address. */
  { readonly endpoint: string; readonly name?: string } | { readonly refused: string };

/** `rpcNotebook/unwatch`, a notification. */
export interface Unwatch {
  readonly id: string;
}

/** `rpcNotebook/showWatches`, a notification: whether anybody looks at what is watched. */
export interface ShowWatches {
  readonly visible: boolean;
}

/** `rpcNotebook/ticked`, a notification: what has changed of what is watched at one endpoint. */
export interface Ticked {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly endpoint: string;
  /** Number of the latest block, in decimal. */
  readonly head?: string;
  /** Milliseconds since the tick before. */
  readonly sinceLast?: number;
  /** How new state comes, in a few words: "pre-confirmed, every 200 ms"; empty where that is not known. */
  readonly cadence: string;
  /** The kind of subscription that stayed silent while blocks came, so that a timer took its place. */
  readonly silent?: string;
  readonly changed: readonly {
    readonly id: string;
    readonly value: string;
    readonly detail?: string;
    readonly ok: boolean;
    /** The last values as bars; empty where they were all the same. */
    readonly spark: string;
  }[];
}
