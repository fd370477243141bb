import { clockOf } from "../base/clock.ts";

export const clock = clockOf(globalThis);
