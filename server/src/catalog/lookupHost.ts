/**
 * The public server that looks up contracts, unless a person names another one with the same API.
 *
 * @see https://docs.sourcify.dev/docs/api/
 */
export const defaultLookupHost = "https://sourcify.dev/server";
