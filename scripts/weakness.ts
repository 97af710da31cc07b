import { z } from 'zod';

/** What is read of an advisory in the OSV format (https://ossf.github.io/osv-schema/). */
export const weaknessSchema = z.object({
  id: z.string(),
  summary: z.string().default('no summary'),
  withdrawn: z.string().optional(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
        ranges: z
          .array(
            z.object({
              type: z.string(),
              events: z.array(
                z.object({
                  introduced: z.string().optional(),
                  fixed: z.string().optional(),
                  last_affected: z.string().optional(),
                }),
              ),
            }),
          )
          .default([]),
        versions: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});
export type Weakness = z.infer<typeof weaknessSchema>;

/** Whether the advisory is about this version of an npm package. */
export function isAffected(weakness: Weakness, name: string, version: string): boolean {
  if (weakness.withdrawn !== undefined) return false;
  const about = weakness.affected.filter(
    (one) => one.package?.ecosystem === 'npm' && one.package.name === name,
  );
  return about.some(
    ({ ranges, versions }) =>
      versions.includes(version) ||
      ranges.some(({ type, events }) => type === 'SEMVER' && isWithin(events, version)),
  );
}

type Events = Weakness['affected'][number]['ranges'][number]['events'];

/** As the events follow one another in the versions, whatever their order in the list. */
function isWithin(events: Events, version: string): boolean {
  const passed = events
    .flatMap(({ introduced, fixed, last_affected }) => [
      ...(introduced === undefined ? [] : [{ at: introduced, affects: true }]),
      ...(fixed === undefined ? [] : [{ at: fixed, affects: false }]),
      ...(last_affected === undefined ? [] : [{ at: last_affected, affects: false, after: true }]),
    ])
    .filter(({ at, after = false }) => {
      const order = compareVersions(version, at);
      return after ? order > 0 : order >= 0;
    })
    .sort((one, other) => compareVersions(one.at, other.at));
  return passed.at(-1)?.affects ?? false;
}

/** By the rules of semver.org; what is built from a version (+…) makes no difference. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map(parse);
  if (left === undefined || right === undefined) return 0;
  const numbers = compareLists(left.numbers, right.numbers);
  if (numbers !== 0) return numbers;
  // A version comes after all that were made to try it out.
  if (left.trial.length === 0 || right.trial.length === 0) {
    return right.trial.length - left.trial.length;
  }
  return compareLists(left.trial, right.trial);
}

function parse(version: string) {
  const [plain = ''] = version.split('+');
  const dash = plain.indexOf('-');
  const split = (text: string) =>
    text.split('.').map((part) => (/^\d+$/.test(part) ? +part : part));
  return {
    numbers: split(dash < 0 ? plain : plain.slice(0, dash)),
    trial: dash < 0 ? [] : split(plain.slice(dash + 1)),
  };
}

function compareLists(one: readonly (string | number)[], other: readonly (string | number)[]) {
  for (const [index, left] of one.entries()) {
    const right = other[index];
    if (right === undefined) return 1;
    if (left === right) continue;
    // Numbers come before words.
    if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return one.length - other.length;
}
