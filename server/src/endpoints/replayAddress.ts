/** The scheme of addresses that only a recording answers. */
const scheme = "replay:";

/** Returns the address of an endpoint that nothing but the recording with this id answers. */
export function replayUrl(id: string): string {
  return `${scheme}${id}`;
}

/** Returns whether requests to this address never leave this program. */
export function isReplay(url: string): boolean {
  return url.startsWith(scheme);
}

/** Returns the id of the recording that answers this address. */
export function replayId(url: string): string | undefined {
  return isReplay(url) ? url.slice(scheme.length) : undefined;
}

/** How the name of a file with a recording ends. */
export const recordingSuffix = ".rpc.recording.json";
