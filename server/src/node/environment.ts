import { clockOf } from "../base/deadline.ts";
import type { Environment } from "../base/ports.ts";

export const environment: Environment = {
  variable: (name) => process.env[name],
  names: () => Object.keys(process.env),
};

export const clock = clockOf(globalThis);
