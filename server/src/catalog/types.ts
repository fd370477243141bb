import { blockTypes } from "./blockTypes.ts";
import { callTypes } from "./callTypes.ts";
import { logTypes } from "./logTypes.ts";
import { simulationTypes } from "./simulationTypes.ts";
import type { TypeSpec } from "./spec.ts";
import { valueTypes } from "./valueTypes.ts";

/** The type table: what every {@link TypeRef} of the catalogue stands for. */
export const types: Readonly<Record<string, TypeSpec>> = {
  ...valueTypes,
  ...callTypes,
  ...logTypes,
  ...blockTypes,
  ...simulationTypes,
};
