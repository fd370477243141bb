/** Token types: names of the protocol's own, so that themes colour them. */
export const tokenTypes = [
  "method",
  "enumMember",
  "variable",
  "property",
  "keyword",
  "operator",
  "string",
  "number",
] as const;
export const tokenModifiers = ["declaration", "defaultLibrary"] as const;
