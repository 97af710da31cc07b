/** Prints the table of docs/cohort-release.md: npx tsx scripts/noise-table.ts */
import { pathToFileURL } from 'node:url';
import { noiseError, samplingError } from '../src/analysis/release/expected-noise.js';
import { configSchema } from '../src/config/schema.js';

const cohorts = [5, 20, 100, 1000, 10_000];
const epsilons = [0.1, 0.3, 1];

/** Standard deviations in mm Hg, of the noise and of the sample itself. */
export function noiseTable(): string {
  const { bounds } = configSchema.parse({
    analyser: {
      web_id: 'https://pods.example.org/analyser/profile/card#me',
      server_url: 'https://pods.example.org/',
    },
  }).sharing.cohort_release;
  const columns = [
    'Pods',
    ...(['systolic', 'diastolic'] as const).flatMap((name) => [
      ...epsilons.map((epsilon) => `${name}, epsilon ${epsilon}`),
      `${name}, sampling error`,
    ]),
  ];
  const rows = cohorts.map((pods) => [
    pods.toLocaleString('en'),
    ...(['systolic', 'diastolic'] as const).flatMap((name) => [
      ...epsilons.map((epsilon) => shown(noiseError({ epsilon, bounds }, name, pods))),
      shown(samplingError(name, pods)),
    ]),
  ]);
  return [columns, columns.map(() => '---:'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function shown(value: number): string {
  return value >= 10 ? Math.round(value).toString() : Number(value.toPrecision(2)).toString();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(noiseTable());
