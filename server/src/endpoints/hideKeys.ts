import { secretPieces } from "../base/addressPieces.ts";
import type { Mask } from "../base/mask.ts";
import { isSecretHeader } from "../base/secretText.ts";
import { percentDecoded } from "../base/text.ts";
import type { Endpoint } from "./endpoint.ts";
import { shownSite } from "./site.ts";

/**
 * Returns keys that are written literally in files: if an endpoint echoes one, it must not be shown. A text that is part of a host
 * as well is not a key: hiding it would hide the hosts of requests.
 */
export function hideKeys({ url, ws, headers }: Endpoint, mask: Mask): void {
  const addresses = [url, ...(ws === undefined ? [] : [ws])];
  const sites = addresses.map(shownSite);
  const isInHost = (part: string): boolean => sites.some((site) => site.includes(percentDecoded(part).toLowerCase()));
  const keys = addresses.flatMap((address) => {
    const parts = secretPieces(address);
    if (parts.length === 0) return [];
    return parts.some(isInHost) ? parts.filter((part) => part.length >= 8 && !isInHost(part)) : [address];
  });
  const secret = Object.entries(headers).flatMap(([name, value]) => (isSecretHeader(name) ? [value] : []));
  // a text with a named value is hidden by that name
  const unnamed = secret.filter((value) => mask.text(value) === value && !value.split(" ").some(isInHost));
  for (const key of [...keys, ...unnamed]) mask.add(key, "‹hidden›");
}
