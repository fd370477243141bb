/** An object with these members and no others. */
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  additionalProperties: false,
  required,
  properties,
});
const list = (items: object) => ({ type: "array", items });
const [text, number, index] = [{ type: "string" }, { type: "number" }, { type: "integer", minimum: 0 }];
const units = ["none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"];
const profile = object({
  type: { const: "evented" },
  name: text,
  unit: { enum: units },
  startValue: number,
  endValue: number,
  events: list(object({ type: { enum: ["O", "C"] }, at: number, frame: index })),
});

/**
 * The part of speedscope's file format that we write.
 *
 * @see https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts
 */
export const speedscopeSchema = object(
  {
    $schema: { const: "https://www.speedscope.app/file-format-schema.json" },
    name: text,
    exporter: text,
    activeProfileIndex: index,
    shared: object({ frames: list(object({ name: text })) }),
    profiles: list(profile),
  },
  ["$schema", "shared", "profiles"],
);

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
