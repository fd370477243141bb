import type { Mask } from "../base/mask.ts";
import { isSecretHeader } from "../base/secretText.ts";
import type { Endpoint } from "./endpoint.ts";
import { shownSite } from "./site.ts";

/**
 * Keys that stand in files as they are: an endpoint that echoes one must not get it shown. A text that is part of a host
 * as well is no key: hiding it would hide where requests go.
 */
export function hideKeys({ url, ws, headers }: Endpoint, mask: Mask): void {
  const addresses = [url, ...(ws === undefined ? [] : [ws])];
  const sites = addresses.map(shownSite);
  const isInHost = (part: string): boolean => sites.some((site) => site.includes(decoded(part).toLowerCase()));
  const keys = addresses.flatMap((address) => {
    const parts = partsOf(address);
    if (parts.length === 0) return [];
    return parts.some(isInHost) ? parts.filter((part) => part.length >= 8 && !isInHost(part)) : [address];
  });
  const secret = Object.entries(headers).flatMap(([name, value]) => (isSecretHeader(name) ? [value] : []));
  // what holds a value that has a name of its own is hidden by that name
  const unnamed = secret.filter((value) => mask.text(value) === value && !value.split(" ").some(isInHost));
  for (const key of [...keys, ...unnamed]) mask.add(key, "‹hidden›");
}

/** What of an address may be a key. */
function partsOf(address: string): readonly string[] {
  const { username, password, pathname, search } = new URL(address);
  const queries = search.split("&").map((part) => part.slice(part.indexOf("=") + 1));
  const path = pathname === "/" ? "" : pathname;
  return [username, password, ...queries, ...path.split("/"), path + search].filter((part) => part !== "");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a sign of percent that is none of an encoding
  }
}
