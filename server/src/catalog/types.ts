import { accountTypes } from "./accountTypes.ts";
import { assumptionTypes } from "./assumptionTypes.ts";
import { blockTypes } from "./blockTypes.ts";
import { callTypes } from "./callTypes.ts";
import { devTypes } from "./devTypes.ts";
import { logTypes } from "./logTypes.ts";
import { nodeTypes } from "./nodeTypes.ts";
import { opTypes } from "./opTypes.ts";
import { simulationTypes } from "./simulationTypes.ts";
import type { TypeSpec } from "./spec.ts";
import { subscriptionTypes } from "./subscriptionTypes.ts";
import { traceTypes } from "./traceTypes.ts";
import { valueTypes } from "./valueTypes.ts";

/** The type table: the type behind every {@link TypeRef} of the catalogue. */
export const types: Readonly<Record<string, TypeSpec>> = {
  ...valueTypes,
  ...callTypes,
  ...logTypes,
  ...blockTypes,
  ...simulationTypes,
  ...assumptionTypes,
  ...accountTypes,
  ...nodeTypes,
  ...subscriptionTypes,
  ...traceTypes,
  ...opTypes,
  ...devTypes,
};
