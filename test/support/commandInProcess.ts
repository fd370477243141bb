import type { Clock } from "../../server/src/base/ports.ts";
import type { CommandLineHost } from "../../server/src/cli/commandLineHost.ts";
import type { Ended } from "./commandLine.ts";
import { pageScript } from "./pageScript.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

export interface CommandOptions {
  /** Environment variables beside those of this process; `undefined` removes one. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Standard input. */
  readonly input?: string;
  readonly version?: string;
  /** Ends the command, as Ctrl-C does. */
  readonly signal?: AbortSignal;
  /** In place of the real one. */
  readonly clock?: Clock;
  /** Called with what is printed. */
  readonly heard?: (text: string) => void;
}

/**
 * Runs `rpc-notebook` in this process: what its `main` prints and returns, with the host that the real command has. Tests
 * of signals, pipes, permissions and start-up use `startCommandLine` instead.
 */
export async function runCommand(args: readonly string[], cwd: string, options: CommandOptions = {}): Promise<Ended> {
  cacheFolder ??= temporaryFolder();
  const leave = await enter(cwd, { XDG_CACHE_HOME: cacheFolder, ...options.variables });
  try {
    return await runMain(args, options);
  } finally {
    leave();
  }
}

/** What commands keep here is not among what the person keeps. */
let cacheFolder: string | undefined;

/** Imported at first use, so that Node's own loader loads all of it: with two loaders each class exists twice. */
const importCommand = () =>
  Promise.all([
    import("../../server/src/cli/main.ts"),
    import("../../server/src/cli/terminal.ts"),
    import("../../server/src/node/cliHost.ts"),
    import("../../server/src/node/recordingServer.ts"),
    import("../../server/src/node/readRecording.ts"),
  ]);

/** Imported once: every `import()` asks the loader's thread. */
let modules: ReturnType<typeof importCommand> | undefined;

async function runMain(
  args: readonly string[],
  { input, version = "0.0.0", signal = new AbortController().signal, clock, heard }: CommandOptions,
): Promise<Ended> {
  modules ??= importCommand();
  const [{ main }, { terminal }, { cliHost }, { serveReplay }, { readRecordingFile }] = await modules;
  let [out, err] = ["", ""];
  const write = (text: string): void => {
    out += text;
    heard?.(text);
  };
  const screen = terminal({ write }, { write: (text) => (err += text) }, process.env);
  const host: CommandLineHost = {
    terminal: screen,
    version,
    signal,
    input: async () => input,
    host: async (hostOptions) => ({
      ...(await cliHost(hostOptions, screen)),
      openTracer: async (ended) => (await import("./traceInThread.ts")).traceInThread(ended),
      readCode: async (code) => (await import("./codeInProcess.ts")).codeInProcess(code),
      ...(clock && { clock }),
    }),
    recording: (path) => readRecordingFile(path),
    pageScript,
    serve: (replay, port) => serveReplay(replay, port),
    lsp: () => Promise.reject(new RangeError("A language server needs a process of its own.")),
  };
  const code = await main(args, host);
  return { code: code ?? null, out, err };
}

/** A folder and an environment that commands of this process share while they run. */
interface Surroundings {
  readonly key: string;
  users: number;
  readonly left: Promise<void>;
  readonly leave: () => void;
}

let current: Surroundings | undefined;

/** Waits until no command runs in other surroundings: a process has one folder and one environment. */
async function enter(cwd: string, variables: Readonly<Record<string, string | undefined>>): Promise<() => void> {
  const key = JSON.stringify([cwd, Object.entries(variables)]);
  while (current && current.key !== key) await current.left;
  current ??= surround(key, cwd, variables);
  current.users++;
  return current.leave;
}

function surround(key: string, cwd: string, variables: Readonly<Record<string, string | undefined>>): Surroundings {
  const [folder, before] = [process.cwd(), Object.keys(variables).map((name) => [name, process.env[name]] as const)];
  process.chdir(cwd);
  setVariables(Object.entries(variables));
  let end: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    end = resolve;
  });
  const made: Surroundings = {
    key,
    users: 0,
    left,
    leave() {
      if (--made.users > 0) return;
      setVariables(before);
      process.chdir(folder);
      current = undefined;
      end();
    },
  };
  return made;
}

function setVariables(variables: readonly (readonly [name: string, value: string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
