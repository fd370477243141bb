import { isEveryday } from "./keyLike.ts";

/** Shorter parts of a path reveal too little on their own. */
const leastSegment = 8;

/**
 * Returns the parts of an address that are as sensitive as the whole, as they are written: its user, password, both as a header has
 * them, values of the query, parts of its path, and path and query as a whole. Words that an address has by itself are not among
 * them: they would be hidden wherever else they occur.
 *
 * @param address - That `URL` can parse.
 * @example secretPieces("https://ops:hunter22@rpc.example.com/reports"); //=> ["hunter22", "ops:hunter22"]
 */
export function secretPieces(address: string): readonly string[] {
  const { username, password, pathname, search } = new URL(address);
  const user = password !== "" && isOrdinary(username) ? "" : username;
  const parameters = search.slice(1).split("&");
  const values = parameters.map((one) => one.slice(one.indexOf("=") + 1)).filter((one) => one !== "" && !isWord(one));
  const segments = pathname.split("/").filter((one) => one !== "" && !isOrdinary(one));
  const isOpen = address.includes("://") && values.length + segments.length === 0; // `user:password` is an address as well
  const whole = isOpen ? "" : pathname + search;
  const both = username !== "" && password !== "" ? `${username}:${password}` : "";
  const pieces = [user, password, both, whole, ...values, ...segments.filter(({ length }) => length >= leastSegment)];
  return pieces.filter((piece) => piece !== "");
}

/** Returns how to find whether nothing secret is between two characters of an address: only its scheme, host and ordinary path. */
export function openParts(address: string): (from: number, to: number) => boolean {
  const [origin = ""] = /^[a-z][\w+.-]*:\/\/(?:[^/?#]*@)?[^/?#]*/i.exec(address) ?? [];
  if (origin === "" || !URL.canParse(address)) return () => false;
  const { pathname, search } = new URL(address);
  const isPathOpen = !address.includes("#") && !secretPieces(address).includes(pathname + search);
  return (from, to) => from > origin.lastIndexOf("@") && (isPathOpen || to <= origin.length + 1);
}

/** A short name or number, or words of networks and APIs: `ops-team`, `8545`, `mainnet-archive`. */
function isOrdinary(text: string): boolean {
  const parts = text.split(/[-_.~]+/);
  const isShort = text.length < 12;
  return parts.every((part) => isWord(part) || /^\d{1,5}$/.test(part) || (isShort && /^[A-Z]?[a-z]*$/.test(part)));
}

function isWord(text: string): boolean {
  return isEveryday(text) && !/^\d+$/.test(text);
}
