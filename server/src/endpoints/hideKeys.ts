import type { Mask } from "../base/mask.ts";
import type { Endpoint } from "./endpoint.ts";
import { namesSecret } from "./readFiles.ts";

/** Keys that stand in files as they are: an endpoint that echoes one must not get it shown. */
export function hideKeys({ url, ws, headers }: Endpoint, mask: Mask): void {
  const keys = [url, ...(ws === undefined ? [] : [ws])].flatMap((address) => {
    const { username, password, pathname, search } = new URL(address);
    return username + password + search + pathname.replace(/^\/$/, "") === "" ? [] : [address];
  });
  const secret = Object.entries(headers).filter(([name]) => namesSecret(name));
  // what holds a value that has a name of its own is hidden by that name
  const unnamed = secret.map(([, value]) => value).filter((value) => mask.text(value) === value);
  for (const key of [...keys, ...unnamed]) mask.add(key, "‹hidden›");
}
