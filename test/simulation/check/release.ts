import { z } from 'zod';
import { cohortAverageSchema } from '../../../src/documents/published-document.js';
import type { ResultsDocument } from '../../../src/documents/results-document.js';
import { type Scene, same } from './scene.js';
import { averageOfAverages, names, type Sums } from './sums.js';

const contentSchema = z.object({ cohort: cohortAverageSchema.shape.cohort });

/** What is sent in place of the exact figures: what was recorded, no second equation, and near the truth when it is new. */
export function checkRelease(
  scene: Scene,
  content: unknown,
  { run, counted }: { run: ResultsDocument; counted: ReadonlyMap<string, Sums> },
): void {
  const { cohort } = contentSchema.parse(content);
  const { cohort_release: release, cohort_withheld: withheld } = run.sharing;
  const isRecorded = same(cohort.average_of_averages, release?.average_of_averages);
  scene.expect(isRecorded, 'another release is sent than was recorded');
  const hasPooled = names.some((name) => cohort.pooled_average[name] !== null);
  scene.expect(!hasPooled, 'a pooled average is sent beside a release');
  const hasFigures = names.some((name) => cohort.average_of_averages[name] !== null);
  scene.expect(withheld === undefined || !hasFigures, 'a release is sent although it is withheld');
  const least = scene.world.service.config.analysis.minimum_observations;
  const exact = averageOfAverages(counted.values(), least);
  for (const name of names) {
    const sent = cohort.average_of_averages[name];
    // An earlier release is of other readings.
    if (sent === null || !isNew(release?.released_at[name] ?? null, run.generated_at)) continue;
    const pods = [...counted.values()].filter(
      ({ readings, measures }) => readings >= least && measures[name].count > 0,
    ).length;
    scene.expect(pods > 1, `a release of ${name} rests on ${pods} Pods`);
    const distance = Math.abs(sent - (exact[name] ?? Number.POSITIVE_INFINITY));
    scene.expect(distance < SPREAD / pods, `the release of ${name} is off by ${distance}`);
  }
}

/** Many times the spread of the noise at the epsilon of the plans, for one Pod. */
const SPREAD = 12;
/** Longer than an analysis takes. */
const A_WHILE_MS = 600_000;

function isNew(releasedAt: string | null, generatedAt: string): boolean {
  return releasedAt !== null && Date.parse(generatedAt) - Date.parse(releasedAt) < A_WHILE_MS;
}
