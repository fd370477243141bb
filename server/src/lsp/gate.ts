import {
  type Connection,
  type ConnectionOptions,
  ErrorCodes,
  LSPErrorCodes,
  Message,
  ResponseError,
} from "vscode-languageserver";

/** Holds the messages of a connection back until the session has started. */
export interface Gate {
  /** Options for the connection that passes through this gate. */
  readonly options: ConnectionOptions;
  /** Holds messages until this settles, and then passes them on in order. */
  hold(until: Promise<unknown>): void;
}

/** The method that requests after `shutdown` are given. */
const lateRequest = "rpcNotebook/lateRequest";

/** Refuses requests that come after `shutdown`, as the protocol requires. */
export function refuseLateRequests(connection: Connection): void {
  connection.onRequest(lateRequest, () => new ResponseError(ErrorCodes.InvalidRequest, "The server has shut down."));
}

export function openGate(): Gate {
  let held: Promise<void> | undefined;
  let isDown = false;
  const renamedIfLate = (message: Message): Message => {
    if (!Message.isRequest(message)) return message;
    if (isDown) return { ...message, method: lateRequest } as Message; // keeps its id, so that the answer reaches the caller
    isDown = message.method === "shutdown";
    return message;
  };
  return {
    options: {
      // A request that was cancelled before its turn is not handled. Typing cancels many.
      connectionStrategy: {
        cancelUndispatched: ({ jsonrpc }) => ({
          jsonrpc,
          id: null, // the library fills it in
          error: { code: LSPErrorCodes.RequestCancelled, message: "The request was cancelled." },
        }),
      },
      messageStrategy: {
        handleMessage(message, next) {
          const passed = renamedIfLate(message);
          return held ? held.then(() => next(passed)) : next(passed);
        },
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
