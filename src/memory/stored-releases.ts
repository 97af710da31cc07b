import { z } from 'zod';
import { figuresOf } from '../analysis/figures.js';
import type { MeasureName } from '../analysis/reading.js';
import type { ReleaseRecord, StepFigure } from '../analysis/release/release-record.js';

/** The stored form of releases: each Pod is listed once, and figures name it by number. */
const count = z.int().min(0);
const figure = z.number().nullable();
const perMeasure = <T extends z.ZodType>(value: T) =>
  z.strictObject({ systolic: value, diastolic: value, heart_rate: value });

const stepFigureSchema = z.strictObject({
  value: z.number(),
  released_at: count,
  replaced_at: count.nullable(),
  /** The number and the digest of each Pod as little-endian 32-bit numbers. */
  pods: z.string(),
});

export const releasesSchema = z.strictObject({
  pods: z.array(z.string()),
  steps: perMeasure(z.array(stepFigureSchema)),
  noise: z.array(
    z.strictObject({
      released_at: count,
      epsilon: z.number().positive(),
      figures: perMeasure(figure),
      pods: perMeasure(count),
    }),
  ),
});

type StoredReleases = z.infer<typeof releasesSchema>;

export function storeReleases(record: ReleaseRecord): StoredReleases {
  const numbers = new Map<string, number>();
  const numberOf = (pod: string) => {
    const number = numbers.get(pod) ?? numbers.size;
    numbers.set(pod, number);
    return number;
  };
  const steps = figuresOf((name) =>
    record.steps[name].map(({ value, releasedAt, replacedAt, pods }) => ({
      value,
      released_at: releasedAt,
      replaced_at: replacedAt,
      pods: packPods(pods, numberOf),
    })),
  );
  const noise = record.noise.map(({ releasedAt, epsilon, figures, pods }) => ({
    released_at: releasedAt,
    epsilon,
    figures,
    pods,
  }));
  return { pods: [...numbers.keys()], steps, noise };
}

/** Null when a figure rests on a Pod that is not listed. */
export function restoreReleases({ pods: names, steps, noise }: StoredReleases) {
  const stepsOf = (name: MeasureName) =>
    steps[name].map((step): StepFigure | null => {
      const pods = unpackPods(step.pods, names);
      if (pods === null) return null;
      const { value, released_at: releasedAt, replaced_at: replacedAt } = step;
      return { value, releasedAt, replacedAt, pods };
    });
  const all = figuresOf(stepsOf);
  if (Object.values(all).some((figures) => figures.includes(null))) return null;
  const record: ReleaseRecord = {
    steps: figuresOf((name) => all[name].filter((step) => step !== null)),
    noise: noise.map(({ released_at, ...rest }) => ({ ...rest, releasedAt: released_at })),
  };
  return record;
}

const ENTRY_BYTES = 8;

function packPods(pods: StepFigure['pods'], numberOf: (pod: string) => number): string {
  const bytes = Buffer.alloc(pods.size * ENTRY_BYTES);
  let at = 0;
  for (const [pod, digest] of pods) {
    bytes.writeUInt32LE(numberOf(pod), at);
    bytes.writeUInt32LE(digest, at + 4);
    at += ENTRY_BYTES;
  }
  return bytes.toString('base64');
}

function unpackPods(text: string, names: readonly string[]): Map<string, number> | null {
  const bytes = Buffer.from(text, 'base64');
  const pods = new Map<string, number>();
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const name = names[bytes.readUInt32LE(at)];
    if (name === undefined) return null;
    pods.set(name, bytes.readUInt32LE(at + 4));
  }
  return pods;
}
