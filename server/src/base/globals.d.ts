/**
 * The web-standard globals that every runtime of the server has: Node, browsers, workers. The core is compiled with
 * no `lib` of a platform, so whatever is not named here or in ECMAScript is a compile error there.
 */
declare const AbortSignal: {
  /** Aborts as soon as one of them does. */
  any(signals: readonly AbortSignal[]): AbortSignal;
};

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class URL {
  constructor(url: string, base?: string);
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly username: string;
  readonly password: string;
  static canParse(url: string, base?: string): boolean;
}
/** Decodes base64 to a string with a character for each byte. Throws on characters that are not base64. */
declare function atob(base64: string): string;
/** Encodes a string with a character for each byte as base64. */
declare function btoa(bytes: string): string;
/** Browsers lend it to pages of secure origins only; VS Code has no others. */
declare const crypto: {
  readonly subtle: { digest(algorithm: "SHA-256", data: Uint8Array): Promise<ArrayBuffer> };
};
