import { listed, oneLine, plural } from "../base/text.ts";
import type { Recording } from "../recording/recording.ts";
import { Replay } from "../recording/replay.ts";
import type { ServeOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { openRecording } from "./replay.ts";
import { exitCodes } from "./terminal.ts";

/** `rpc-notebook serve`: answers other programs from a recording until Ctrl-C. */
export async function serve(
  { files: [file = ""], port, strict, endpoint }: ServeOptions,
  { terminal, signal, recording: read, serve: listen }: CommandLineHost,
): Promise<number> {
  const recording = openRecording(file, await read(file), terminal);
  if (!recording) return exitCodes.usage;
  const names = Object.keys(recording.endpoints);
  const name = endpoint ?? (names.length === 1 ? names[0] : undefined);
  if (names.length > 0 && (name === undefined || !names.includes(name))) {
    const listing = listed(names.map((one) => oneLine(one, 60)));
    terminal.complain(`${oneLine(file)} has answers of ${listing}.`, "Choose one with --endpoint.");
    return exitCodes.usage;
  }
  const missing = new Set<string>();
  const replay = new Replay(ofEndpoint(recording, name), {
    matching: strict ? "strict" : "lenient",
    notRecorded(method, message) {
      if (missing.size < maxMissing && !missing.has(message)) terminal.note(`${oneLine(method)}: ${message}`);
      missing.add(message);
    },
  });
  const server = await listen(replay, port).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException; // what a server rejects with
    const inUse = code === "EADDRINUSE";
    terminal.complain(
      inUse ? `Port ${port} is in use.` : `The port cannot be opened: ${message}.`,
      inUse ? "Choose another with --port, or --port 0 for any free one." : "Choose another with --port.",
    );
    return undefined;
  });
  if (!server) return exitCodes.failed;
  const { exchanges, streams } = recording;
  const subscriptions = streams.length > 0 ? ` and ${plural(streams.length, "subscription")}` : "";
  terminal.print(
    `${server.url} answers from ${oneLine(file)}: ${plural(exchanges.length, "exchange")}${subscriptions}. Ctrl-C ends it.`,
  );
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.close();
  return exitCodes.ok;
}

/** Returns the part of a recording that one endpoint answered. */
function ofEndpoint(recording: Recording, name: string | undefined): Recording {
  const facts = name === undefined ? undefined : recording.endpoints[name];
  if (name === undefined || !facts) return recording;
  const isOwn = (one: { readonly endpoint: string }): boolean => one.endpoint === name;
  const { exchanges, streams } = recording;
  return {
    ...recording,
    endpoints: { [name]: facts },
    exchanges: exchanges.filter(isOwn),
    streams: streams.filter(isOwn),
  };
}

/** Messages about what was not recorded; the rest repeats itself. */
const maxMissing = 1000;
