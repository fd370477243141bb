/** Names that the manifest declares too. */
export const notebookType = "rpc-notebook";
/** The language of a whole file, in the text editor. */
export const fileLanguage = "rpc-notebook";
/** The language of one cell. */
export const cellLanguage = "rpc-request";
/** MIME type of outputs for our renderer: `Report[]`, one for each request. */
export const reportMime = "application/vnd.rpc-notebook.report+json";
/** The language of a document that shows results as text. */
export const resultLanguage = "rpc-result";
/** Scheme of the document that shows the results of a text. */
export const resultScheme = "rpc-result";
/** The picker's name for all files that are not notebooks. */
export const otherFiles = "rpc-notebook:files";
export const compareScheme = "rpc-compare";
/** Files that decide where requests go. */
export const endpointFiles = ["rpc-endpoints.json", "rpc-endpoints.private.json", "foundry.toml", ".env"] as const;
