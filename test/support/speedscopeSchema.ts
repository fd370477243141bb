/**
 * The part of speedscope's file format that we write.
 *
 * @see https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts
 */
export const speedscopeSchema = {
  type: "object",
  additionalProperties: false,
  required: ["$schema", "shared", "profiles"],
  properties: {
    $schema: { const: "https://www.speedscope.app/file-format-schema.json" },
    name: { type: "string" },
    exporter: { type: "string" },
    activeProfileIndex: { type: "integer", minimum: 0 },
    shared: {
      type: "object",
      additionalProperties: false,
      required: ["frames"],
      properties: {
        frames: {
          type: "array",
          items: {
            type: "object",
            additionalProperties: false,
            required: ["name"],
            properties: { name: { type: "string" } },
          },
        },
      },
    },
    profiles: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["type", "name", "unit", "startValue", "endValue", "events"],
        properties: {
          type: { const: "evented" },
          name: { type: "string" },
          unit: { enum: ["none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"] },
          startValue: { type: "number" },
          endValue: { type: "number" },
          events: {
            type: "array",
            items: {
              type: "object",
              additionalProperties: false,
              required: ["type", "at", "frame"],
              properties: {
                type: { enum: ["O", "C"] },
                at: { type: "number" },
                frame: { type: "integer", minimum: 0 },
              },
            },
          },
        },
      },
    },
  },
} as const;

interface SpeedscopeFile {
  readonly shared: { readonly frames: readonly { readonly name: string }[] };
  readonly profiles: readonly {
    readonly name: string;
    readonly unit: string;
    readonly endValue: number;
    readonly events: readonly { readonly type: "O" | "C"; readonly at: number; readonly frame: number }[];
  }[];
}

/** Faults of a file that its schema cannot tell: events out of order, calls that do not end, frames that are not there. */
export function speedscopeFaults({ shared, profiles }: SpeedscopeFile): readonly string[] {
  return profiles.flatMap(({ events, endValue }) => {
    const faults: string[] = [];
    const open: number[] = [];
    let last = 0;
    for (const { type, at, frame } of events) {
      if (at < last || at > endValue) faults.push(`${at} after ${last}`);
      if (!shared.frames[frame]) faults.push(`no frame ${frame}`);
      if (type === "O") open.push(frame);
      else if (open.pop() !== frame) faults.push(`${frame} ends too early`);
      last = at;
    }
    return open.length > 0 ? [...faults, "calls that do not end"] : faults;
  });
}
