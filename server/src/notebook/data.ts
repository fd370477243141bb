/**
 * A notebook as an editor holds it. What the text of the cells cannot carry is in small flat metadata, which this
 * module alone reads; a cell that lost its metadata is saved in the notebook's own style.
 */
export interface NotebookData {
  readonly cells: readonly NotebookCell[];
  readonly metadata: Metadata;
}

export interface NotebookCell {
  readonly kind: "code" | "markdown";
  /** `rpc-request` or `markdown`. */
  readonly language: string;
  /** Lines end in LF, whatever the file has. */
  readonly text: string;
  readonly metadata?: Metadata | undefined;
}

export type Metadata = Readonly<Record<string, string | number | boolean>>;

export const requestLanguage = "rpc-request";
export const markdownLanguage = "markdown";

/** A string of the metadata that has the shape it should have; anything else was not written here. */
export function stringOf(metadata: Metadata | undefined, key: string, shape: RegExp): string | undefined {
  const value = metadata?.[key];
  return typeof value === "string" && shape.test(value) ? value : undefined;
}
