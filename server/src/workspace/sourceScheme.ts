/** The scheme of read-only documents with the source files of contracts. The answer to `initialize` needs it and nothing else of them. */
export const sourceScheme = "rpc-source";
