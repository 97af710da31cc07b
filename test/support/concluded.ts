import type { Reading } from '../../src/analysis/reading.js';
import { sumReadings } from '../../src/analysis/sums.js';
import { configSchema } from '../../src/config/schema.js';
import type { PublishedRecord } from '../../src/documents/results-document.js';
import { emptyMemory, type Memory } from '../../src/memory/memory.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { analysisRules } from '../../src/run/analysis-rules.js';
import { conclude } from '../../src/run/conclude/conclude.js';
import { buildRunDocument } from '../../src/run/publish/build-run-document.js';
import { podReading } from '../../src/run/read/pod-reading.js';
import type { Gathered } from '../../src/run/table/gather-shares.js';
import type { FileOutcome, FileRead, Pod } from '../../src/run/table/row.js';
import { type GivenRow, keyedDigest, podOf, readWith } from './table.js';

export const server = 'https://pods.example/';
export const rootOf = (name: string) => `${server}${name}/`;
export const webIdOf = (name: string) => `${rootOf(name)}profile/card#me`;
export const fileOf = (name: string, nth = 1) => `${rootOf(name)}app/data/${nth}.enc.ttl`;

interface Found extends Partial<Pick<Gathered, 'notInView' | 'excluded' | 'whyInboxUnread'>> {
  /** Of the configuration. */
  sections?: object;
  memory?: Memory;
  now?: Date;
  published?: PublishedRecord[];
  warnings?: readonly string[];
}

/** What an analysis for Anna concludes of Pods that were read, and the run document that it leaves. */
export function concludedOf(
  pods: readonly Pod[],
  { memory = emptyMemory(), now = new Date('2026-11-01T00:00:00Z'), ...found }: Found = {},
) {
  const { notInView = [], excluded = [], whyInboxUnread = null } = found;
  const { published = [], warnings = [] } = found;
  const analyser = { web_id: webIdOf('analyser'), server_url: server };
  const config = configSchema.parse({ analyser, ...found.sections });
  const requestedBy = webIdOf('anna');
  const gathered = { notInView, excluded, podIdOf: podIdOfRoot, whyInboxUnread };
  const conclusion = conclude(config, {
    gathered,
    podReadings: pods.map((pod) => podReading(pod, analysisRules(config, now))),
    before: { memory, keyedDigest },
    served: [requestedBy],
    now,
  });
  const common = { generatedAt: '', period: null, readingSeconds: 1 };
  const results = { ...common, conclusion, gathered, warnings };
  const run = { runId: '', requestedBy, recipients: [], charts: new Map(), published };
  const document = buildRunDocument(config, results, { ...run, warnings: [] });
  return { config, results, document };
}

/** A Pod whose files entries of the inbox name, with what was read of each. */
export function podOfFiles(name: string, outcomes: readonly FileOutcome[], memory = emptyMemory()) {
  const rows = outcomes.map((outcome, at): [string, GivenRow] => [
    fileOf(name, at + 1),
    { mayHaveEntry: true, outcome },
  ]);
  return podOf(rootOf(name), Object.fromEntries(rows), memory);
}

/** A file with one reading that counts. */
export function fileWith(change: Partial<Reading> = {}, key: Buffer | null = null): FileRead {
  const reading = { time: 0, offset: 0, systolic: 120, diastolic: 80, heart_rate: 60, ...change };
  const rules = { now: reading.time ?? 0, windowDays: null, period: null };
  const { sums } = sumReadings({ readings: [reading], incomplete: 0 }, rules);
  return { ...readWith(key), sums };
}
