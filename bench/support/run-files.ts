import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { summariseRun } from '../../src/documents/analysis-summary.js';
import type { PodEntry, ResultsDocument } from '../../src/documents/results-document.js';

const START = Date.UTC(2015, 0, 1);
const HOUR_MS = 3_600_000;

/** Stores so many runs as the service leaves them, one an hour, but without waiting for the disk each time. */
export async function storeRunFiles(
  folder: string,
  { count, pods }: { count: number; pods: number },
): Promise<void> {
  const lines: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const run = storedRun(number, pods);
    await writeFile(join(folder, `run-${run.run_id}.json`), JSON.stringify(run, null, 2));
    lines.push(JSON.stringify(summariseRun(run, false)));
    if (number === count - 1) await writeFile(join(folder, 'latest.json'), JSON.stringify(run));
  }
  await writeFile(join(folder, 'analyses.jsonl'), `${lines.join('\n')}\n`);
}

function storedRun(number: number, pods: number): ResultsDocument {
  const time = new Date(START + number * HOUR_MS).toISOString();
  const figures = { systolic: 120 + (number % 17) / 7, diastolic: 80.25, heart_rate: 66.5 };
  const analyser = 'https://pods.example.org/analyser/profile/card#me';
  return {
    schema_version: 1,
    run_id: `${time.slice(0, 19).replace(/[-:]/g, '')}Z`,
    generated_at: time.replace('Z', '+00:00'),
    requested_by: null,
    analyser: { web_id: analyser, app_dir_name: 'app', server_url: 'https://pods.example.org' },
    analysis: { minimum_observations: 1, window_days: null },
    cohort: {
      pod_count: pods,
      included_pod_count: pods,
      observation_count: pods * 50,
      average_of_averages: figures,
      pooled_average: figures,
      spread_of_averages: figures,
    },
    pods: Array.from({ length: pods }, (_, index) => storedPod(index)),
    charts: { pods: {} },
    sharing: { enabled: true, published: [] },
    warnings: [],
  };
}

function storedPod(index: number): PodEntry {
  const measure = { average: 120, minimum: 100, maximum: 140, standard_deviation: 5.25, count: 50 };
  const root = `https://pods.example.org/person-${index}/`;
  return {
    pod_id: `pods.example.org-person-${index}`,
    web_id: `${root}profile/card#me`,
    pod_root: root,
    observation_count: 50,
    files_read: 50,
    files_skipped: 0,
    included_in_cohort: true,
    first_observation: '2015-01-01T07:00:00.000+00:00',
    last_observation: '2015-01-30T07:00:00.000+00:00',
    measures: { systolic: measure, diastolic: measure, heart_rate: measure },
    notes: [],
  };
}
