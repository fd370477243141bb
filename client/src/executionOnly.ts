/** As much of a cell as tells whether a change concerns it. */
export interface ObservedCell {
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A change of a notebook, as the language client hands it to its middleware. */
export interface ObservedChange<C extends ObservedCell> {
  readonly metadata?: unknown;
  readonly cells?: {
    readonly structure?: { readonly didOpen?: readonly C[] };
    readonly data?: readonly C[];
    readonly textContent?: readonly unknown[];
  };
}

export interface ExecutionFilter<C extends ObservedCell> {
  /** Cells that the server gets with their metadata. */
  seen(cells: readonly C[]): void;
  /** Nothing in this change is of interest to the server: a run has begun or ended, no more. */
  drops(change: ObservedChange<C>): boolean;
}

/**
 * A run changes each of its cells four times; none of that says anything to the server, which did the run itself. Such
 * a change looks like one of metadata, so it takes a memory to tell them apart.
 */
export function executionFilter<C extends ObservedCell>(): ExecutionFilter<C> {
  const known = new WeakMap<C, string>();
  const seen = (cells: readonly C[]): void => {
    for (const cell of cells) known.set(cell, JSON.stringify(cell.metadata));
  };
  return {
    seen,
    drops({ metadata, cells }) {
      const changed = (cells?.data ?? []).filter((cell) => known.get(cell) !== JSON.stringify(cell.metadata));
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
