import { type ConnectionOptions, LSPErrorCodes } from "vscode-languageserver";

/** Through which all messages of a connection go. */
export interface Gate {
  /** For the connection, when it is made. */
  readonly options: ConnectionOptions;
  /** Messages wait for this, however it ends, and then go on in the order in which they came. */
  hold(until: Promise<unknown>): void;
}

export function openGate(): Gate {
  let held: Promise<void> | undefined;
  return {
    options: {
      // A request that was taken back before its turn came is not looked at: typing leaves many of those behind.
      connectionStrategy: {
        cancelUndispatched: ({ jsonrpc }) => ({
          jsonrpc,
          id: null, // the library fills it in
          error: { code: LSPErrorCodes.RequestCancelled, message: "It was cancelled." },
        }),
      },
      messageStrategy: {
        handleMessage: (message, next) => (held ? held.then(() => next(message)) : next(message)),
      },
    },
    hold(until) {
      const open = (): void => {
        held = undefined;
      };
      held = until.then(open, open);
    },
  };
}
