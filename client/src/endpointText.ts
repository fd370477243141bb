/** What makes an address unusable as an endpoint. */
export type AddressFault = "not-an-address" | "not-http";

/** @example addressFault("localhost:8545"); //=> "not-http" */
export function addressFault(text: string): AddressFault | undefined {
  if (!URL.canParse(text)) return "not-an-address";
  const { protocol, hostname } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "not-http";
  return hostname === "" ? "not-an-address" : undefined;
}

/** Letters and digits in a row that people would not write: a key, not a name. */
const key = /[A-Za-z0-9_-]{20,}/;

/**
 * Whether an address seems to hold a key: credentials, a query, or a long random part of the path.
 *
 * @param address - One that {@link addressFault} has nothing against.
 */
export function looksPrivate(address: string): boolean {
  const { username, password, search, pathname } = new URL(address);
  return username !== "" || password !== "" || search !== "" || key.test(pathname);
}

/**
 * Adds an endpoint to the text of `rpc-endpoints.json`; every other byte stays.
 *
 * @param text - The file as it is; `undefined` or blank for a new one.
 * @returns `undefined` where that cannot be done without a loss: the text is no JSON object, or has that name already.
 * @example addEndpoint('{ "a": "http://a" }', "b", "http://b"); //=> '{ "a": "http://a", "b": "http://b" }'
 */
export function addEndpoint(text: string | undefined, name: string, address: string): string | undefined {
  const member = `${JSON.stringify(name)}: ${JSON.stringify(address)}`;
  if (text === undefined || text.trim() === "") return `{\n  ${member}\n}\n`;
  const root = parsedObject(text);
  if (root === undefined || Object.hasOwn(root, name)) return undefined;
  const end = text.lastIndexOf("}");
  const body = text.slice(0, end).trimEnd();
  const gap = text.slice(body.length, end);
  if (Object.keys(root).length === 0) return `${body}\n  ${member}\n${text.slice(end)}`;
  // Stands as its neighbours do: on a line of its own, or in the line.
  const before = /^[^{]*\{(\s*)/.exec(text)?.[1] ?? " ";
  return `${body},${before === "" ? " " : before}${member}${gap}${text.slice(end)}`;
}

function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Adds a file to `.gitignore`.
 *
 * @returns `undefined` where a line names it already.
 */
export function addIgnored(text: string, file: string): string | undefined {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  if (lines.some((line) => line === file || line === `/${file}` || line === `**/${file}`)) return undefined;
  return `${text}${text === "" || /[\r\n]$/.test(text) ? "" : "\n"}${file}\n`;
}
