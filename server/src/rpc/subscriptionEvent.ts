import type { JsonValue } from "../base/json.ts";
import type { Outcome } from "./outcome.ts";

/** An event of a subscription. Events arrive in order. */
export type SubscriptionEvent =
  /** The endpoint has accepted the subscription for the first time. */
  | { readonly kind: "open"; readonly outcome: Outcome }
  /** The result of one notification, or a log that was read again after an interruption. */
  | { readonly kind: "row"; readonly value: JsonValue; readonly bytes: number; readonly replayed: boolean }
  /** Rows that were not taken in time. */
  | { readonly kind: "dropped"; readonly rows: number }
  /** A row that is not JSON, or is nested too deeply. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "lost"; readonly why: string; readonly waitMs: number }
  /** It continues. `missed` says what could not be read again. */
  | { readonly kind: "back"; readonly afterMs: number; readonly replayed: number; readonly missed: string | undefined }
  /** It could not begin, or cannot continue. */
  | { readonly kind: "end"; readonly outcome: Outcome };
