import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";

/** The parameters of the method around the cursor. */
export interface SignatureHelp {
  /** `eth_getBalance(address, block?) → wei` */
  readonly label: string;
  /** Markdown, untrusted. */
  readonly documentation: string;
  readonly params: readonly {
    /** In `label`. */
    readonly span: Span;
    /** Markdown, untrusted. */
    readonly documentation: string;
  }[];
  /** Ordinal of the one that the cursor is in; `undefined` behind the last. */
  readonly active: number | undefined;
}

/**
 * Shows what a method takes while its `params` are typed.
 *
 * @returns `undefined` outside of `params`, and for methods that the catalogue lacks.
 */
export function signatureHelp(_cell: Cell, _offset: number, _scope: Scope): SignatureHelp | undefined {
  return undefined;
}
