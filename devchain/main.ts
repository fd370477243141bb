import { parseArgs } from "node:util";
import type { Devchain } from "./devchain.ts";
import { isKind, type Kind } from "./play.ts";

const usage = `Usage: npm run devchain -- [--port N] [--kind KIND] [--no-traffic] [--quiet]

  --port N       where to listen, 8545 by default; 0 takes a free port
  --kind KIND    how new state reaches clients:
                 preconfirmed   a block every 2 s, \`pending\` ahead of it every 200 ms (the default)
                 native         a block every 200 ms, \`pending\` is the same as \`latest\`
                 ordinary       a block every 2 s, \`pending\` is the node's own guess
  --no-traffic   no transactions but one's own
  --quiet        print the URL only
`;

const rhythms: Readonly<Record<Kind, string>> = {
  preconfirmed: "a block every 2 s, pre-confirmed state every 200 ms",
  native: "a block every 200 ms, no pre-confirmed state",
  ordinary: "a block every 2 s, no pre-confirmed state",
};

await main();

async function main(): Promise<void> {
  const options = read();
  if (options === undefined) return;
  const { startDevchain } = await import("./devchain.ts");
  const chain = await startDevchain({
    port: options.port,
    kind: options.kind,
    ...(options.traffic ? {} : { traffic: false as const }),
  }).catch(
    (fault: unknown) => fault as Error, // nothing else is thrown
  );
  if (chain instanceof Error) {
    console.error(chain.message);
    process.exitCode = 1;
    return;
  }
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    void chain.stop();
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  console.log(options.quiet ? chain.url : table(chain, options.kind));
  await chain.ended;
  if (stopped) return;
  console.error("The node ended by itself.");
  process.exitCode = 1;
}

interface Options {
  readonly port: number;
  readonly kind: Kind;
  readonly traffic: boolean;
  readonly quiet: boolean;
}

/** @returns `undefined` if there is nothing to start; the message is already printed. */
function read(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "8545" },
        kind: { type: "string", default: "preconfirmed" },
        "no-traffic": { type: "boolean", default: false },
        quiet: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > 65535)
      throw new Error(`--port takes a number up to 65535, not "${values.port}".`);
    const { kind } = values;
    if (!isKind(kind)) throw new Error(`--kind takes preconfirmed, native or ordinary, not "${kind}".`);
    if (!values.help) return { port, kind, traffic: !values["no-traffic"], quiet: values.quiet };
    console.log(usage);
  } catch (fault) {
    console.error(`${(fault as Error).message}\n\n${usage}`); // parseArgs and the line above throw nothing else
    process.exitCode = 2;
  }
  return undefined;
}

function table(chain: Devchain, kind: Kind): string {
  const rows = (entries: readonly (readonly [string, string])[]): string =>
    entries.map(([name, value]) => `  ${name.padEnd(14)}${value}`).join("\n");
  const accounts = Object.values(chain.accounts);
  return [
    `Chain ${chain.chainId} is running: ${rhythms[kind]}. Ctrl-C ends it.`,
    "",
    rows([
      ["HTTP", chain.url],
      ["WebSocket", chain.wsUrl],
      ["public role", `${chain.publicUrl} (no eth_getBlockReceipts, no node methods)`],
    ]),
    "",
    "Contracts",
    rows(Object.entries(chain.contracts).map(([name, { address }]) => [name, address])),
    "",
    "Accounts and their private keys, which everyone knows: never use them elsewhere",
    rows(accounts.map(({ name, address, privateKey }) => [name, `${address}  ${privateKey}`])),
    "",
  ].join("\n");
}
