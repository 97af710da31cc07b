import { z } from 'zod';
import { measureNames } from '../../../src/analysis/reading.js';
import { isIncluded } from '../../../src/analysis/summarise-cohort.js';
import type { CountedSums } from '../../../src/analysis/sums.js';
import {
  cohortAverageSchema,
  podAverageSchema,
} from '../../../src/documents/published-document.js';
import { storePod } from '../../../src/memory/memory-format.js';
import { webIdOfRoot } from '../../../src/pod/addresses.js';
import { isFor } from '../../../src/pod/outcome.js';
import type { AnalysisReport } from '../../../src/run/analysis-report.js';
import { filesOf, type Row } from '../../../src/run/table/row.js';
import type { Standing } from '../../../src/run/table/settle.js';
import { HONEST } from './honest-pods.js';
import { type Analysis, keyedDigest } from './world.js';

const honestWebIds: readonly string[] = HONEST.map(webIdOfRoot);
const isStranger = (webId: string) => !honestWebIds.includes(webId);

/** Everything that strangers see, whoever they call as: replies to all, and documents that they may read. */
export function seenByStrangers({ told, cohort, askedElsewhere }: Analysis) {
  return {
    replies: told.map(({ webId, report }) => ({ webId, report })),
    documents: told.flatMap(({ own }) => own.filter(({ readers }) => readers.some(isStranger))),
    cohort: cohort?.readers.some(isStranger) === true ? cohort : null,
    askedElsewhere: [...askedElsewhere].sort(),
  };
}

export type Answered = ReturnType<typeof answeredBy>;

/** The files of a Pod that were read, and those that gave no answer. */
export function answeredBy({ readings }: Analysis, root: string) {
  const pod = readings.find(({ owner }) => owner.root === root);
  const files = pod === undefined ? [] : filesOf(pod);
  const urlsOf = (rows: readonly Row[]) => new Set(rows.map(({ url }) => url));
  return {
    read: urlsOf(files.filter(({ outcome }) => outcome.kind === 'read')),
    silent: urlsOf(files.filter(({ outcome }) => isFor(outcome, 'silence'))),
  };
}

/** Whether the Pod counts with what was read now. */
export function isWhole({ conclusion: { contributors } }: Analysis, root: string): boolean {
  return contributors.some(
    ({ owner, standing }) => owner.root === root && standing.kind === 'whole',
  );
}

function isSaid({ kind }: Standing): boolean {
  return kind !== 'empty';
}

/** What an honest Pod counts with, is remembered with, is called and is served; not the figures of all. */
export function standingOf({ conclusion, told }: Analysis, root: string) {
  const { contributors, charted } = conclusion;
  const reading = contributors.find(({ owner }) => owner.root === root);
  const isRead = reading !== undefined && reading.filesRead > 0;
  const webId = webIdOfRoot(root);
  return {
    // A Pod that shares nothing any more has a standing while somebody names an address in it.
    standing: reading !== undefined && isSaid(reading.standing) ? reading.standing : null,
    keepsChart: charted?.has(reading?.owner.podId ?? ''),
    read: isRead
      ? [
          reading.owner,
          reading.summary,
          reading.sums,
          reading.home,
          reading.recent,
          reading.filesRead,
        ]
      : null,
    replies: told.filter((one) => one.webId === webId).map(({ report }) => ownPart(report)),
    results: told.flatMap(({ own }) =>
      own
        .filter(({ readers }) => readers.includes(webId))
        .map(({ url, readers, text }) => ({ url, readers, content: withoutCohort(text) })),
    ),
  };
}

/** Without what anybody can raise by an entry, and what is about all Pods. */
function ownPart({ status, observation_count, files_read, published }: AnalysisReport) {
  return { status, observation_count, files_read, published };
}

function withoutCohort(text: string) {
  const {
    cohort: _cohort,
    cohort_noise: _noise,
    pod,
    ...rest
  } = podAverageSchema.parse(JSON.parse(text));
  const { files_skipped: _skipped, ...own } = pod;
  return { ...rest, pod: own };
}

export type Stored = ReturnType<typeof storedFor>;

/** Everything that is stored for a Pod, whatever its order. */
export function storedFor({ memory }: Pick<Analysis, 'memory'>, root: string) {
  const pod = memory.pods.get(root);
  const { shares = [], ...rest } = pod === undefined ? {} : storePod(pod);
  const digest = keyedDigest('root', root);
  const claims = [...memory.claims].filter(([, pods]) => pods.includes(digest));
  return { shares, rest, claims: claims.map(([key, pods]) => `${key} ${pods.join(' ')}`).sort() };
}

/** How many exact figures of the cohort each reader was sent of a measure, how many Pods are behind them, and how many have to be. */
export function figuresSent({ config, conclusion, toldOfCohort, told, cohort }: Analysis) {
  if (toldOfCohort.release !== null) return [];
  const { minimum_observations: minimum } = config.analysis;
  const { share_cohort_average, minimum_cohort_pods } = config.sharing;
  const fewest = share_cohort_average ? minimum_cohort_pods : Number.POSITIVE_INFINITY;
  const included = conclusion.contributors.flatMap(
    ({ owner, standing }): [string, CountedSums][] =>
      'sums' in standing && isIncluded(standing.sums, minimum) ? [[owner.root, standing.sums]] : [],
  );
  const documents = [...told.flatMap(({ own }) => own), ...(cohort === null ? [] : [cohort])];
  return documents.flatMap(({ readers, text }) =>
    readers.flatMap((reader) =>
      measureNames.map((name) => {
        const { average_of_averages: one, pooled_average: pooled } = cohortSchema.parse(
          JSON.parse(text),
        ).cohort;
        const behind = included.filter(([, { measures }]) => measures[name].count > 0);
        return {
          figures: [one[name], pooled[name]].filter((figure) => figure !== null).length,
          own: behind.filter(([root]) => webIdOfRoot(root) === reader).length,
          others: behind.filter(([root]) => webIdOfRoot(root) !== reader).length,
          fewest,
        };
      }),
    ),
  );
}

/** Readers of something that was sent, who had not called. */
export function uncalledReaders({ told, cohort }: Analysis): string[] {
  const callers = told.map(({ webId }) => webId);
  if (callers.includes(null)) return [];
  const documents = [...told.flatMap(({ own }) => own), ...(cohort === null ? [] : [cohort])];
  return documents.flatMap(({ readers }) => readers).filter((reader) => !callers.includes(reader));
}

const cohortSchema = z.object({ cohort: cohortAverageSchema.shape.cohort });
