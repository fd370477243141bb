/** The part of a cell that the server gets. */
export interface ObservedCell {
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A change of a notebook, as the middleware of the language client gets it. */
export interface ObservedChange<C extends ObservedCell> {
  readonly metadata?: unknown;
  readonly cells?: {
    readonly structure?: { readonly didOpen?: readonly C[] };
    readonly data?: readonly C[];
    readonly textContent?: readonly unknown[];
  };
}

export interface ExecutionFilter<C extends ObservedCell> {
  /** Remembers the metadata of cells that the server gets. */
  seen(cells: readonly C[]): void;
  /** Whether a change has nothing for the server: a run has begun or ended. */
  drops(change: ObservedChange<C>): boolean;
}

/**
 * Recognizes the changes that a run makes to its cells, four to each. The server does not need them, and they look like
 * changes of metadata, so the filter remembers the metadata.
 */
export function executionFilter<C extends ObservedCell>(): ExecutionFilter<C> {
  const metadataByCell = new WeakMap<C, string>();
  const seen = (cells: readonly C[]): void => {
    for (const cell of cells) metadataByCell.set(cell, JSON.stringify(cell.metadata));
  };
  return {
    seen,
    drops({ metadata, cells }) {
      const changed = (cells?.data ?? []).filter((cell) => metadataByCell.get(cell) !== JSON.stringify(cell.metadata));
      seen([...(cells?.structure?.didOpen ?? []), ...changed]);
      return (
        metadata === undefined &&
        cells !== undefined &&
        cells.structure === undefined &&
        cells.textContent === undefined &&
        changed.length === 0
      );
    },
  };
}
