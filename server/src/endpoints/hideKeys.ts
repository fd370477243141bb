import type { Mask } from "../base/mask.ts";
import { percentDecoded } from "../base/text.ts";
import type { Endpoint } from "./endpoint.ts";
import { namesSecret } from "./readFiles.ts";
import { shownSite } from "./site.ts";

/**
 * Hides keys that are written in files as they are, since an endpoint may echo them. A text that is also part of a host
 * is not hidden: that would hide where requests go.
 */
export function hideKeys({ url, ws, headers }: Endpoint, mask: Mask): void {
  const addresses = [url, ...(ws === undefined ? [] : [ws])];
  const sites = addresses.map(shownSite);
  const isInHost = (part: string): boolean => sites.some((site) => site.includes(percentDecoded(part).toLowerCase()));
  const keys = addresses.flatMap((address) => {
    const parts = partsOf(address);
    if (parts.length === 0) return [];
    return parts.some(isInHost) ? parts.filter((part) => part.length >= 8 && !isInHost(part)) : [address];
  });
  const secret = Object.entries(headers).flatMap(([name, value]) => (namesSecret(name) ? [value] : []));
  // a header that contains a named value is hidden by that name
  const unnamed = secret.filter((value) => mask.text(value) === value && !value.split(" ").some(isInHost));
  for (const key of [...keys, ...unnamed]) mask.add(key, "‹hidden›");
}

/** The parts of an address that may be keys. */
function partsOf(address: string): readonly string[] {
  const { username, password, pathname, search } = new URL(address);
  const queries = search.split("&").map((part) => part.slice(part.indexOf("=") + 1));
  const path = pathname === "/" ? "" : pathname;
  return [username, password, ...queries, ...path.split("/"), path + search].filter((part) => part !== "");
}
