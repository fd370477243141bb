import {
  type Connection,
  type ConnectionOptions,
  ErrorCodes,
  LSPErrorCodes,
  Message,
  ResponseError,
} from "vscode-languageserver";

/** Through which all messages of a connection go. */
export interface Gate {
  /** For the connection, when it is made. */
  readonly options: ConnectionOptions;
  /** Messages wait for this, however it ends, and then go on in the order in which they came. */
  hold(until: Promise<unknown>): void;
}

/** The name under which requests arrive that come after `shutdown`. */
const lateRequest = "rpcNotebook/lateRequest";

/** Refuses requests that come after `shutdown`, as the protocol wants it. */
export function refuseLateRequests(connection: Connection): void {
  connection.onRequest(lateRequest, () => new ResponseError(ErrorCodes.InvalidRequest, "The server has shut down."));
}

export function openGate(): Gate {
  let held: Promise<void> | undefined;
  let isDown = false;
  const admitted = (message: Message): Message => {
    if (!Message.isRequest(message)) return message;
    if (isDown) return { ...message, method: lateRequest } as Message; // its id is that of the answer
    isDown = message.method === "shutdown";
    return message;
  };
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
        handleMessage(message, next) {
          const one = admitted(message);
          return held ? held.then(() => next(one)) : next(one);
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
