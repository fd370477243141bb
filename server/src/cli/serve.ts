import { oneLine, plural } from "../base/text.ts";
import { Replay } from "../recording/replay.ts";
import type { Host } from "../workspace/host.ts";
import type { ServeOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { openRecording } from "./replay.ts";
import { exitCodes } from "./terminal.ts";

/** `rpc-notebook serve`: answers other programs from a recording until Ctrl-C. */
export async function serve(
  { files: [file = ""], port, strict }: ServeOptions,
  host: Host,
  { terminal, signal, serve: listen }: CommandLineHost,
): Promise<number> {
  const recording = await openRecording(file, host, terminal);
  if (!recording) return exitCodes.usage;
  const missing = new Set<string>();
  const replay = new Replay(recording, {
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

/** Messages about what was not recorded; the rest repeats itself. */
const maxMissing = 1000;
