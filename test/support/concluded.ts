import type { Reading } from '../../src/analysis/reading.js';
import { sumReadings } from '../../src/analysis/sums.js';
import { configSchema } from '../../src/config/schema.js';
import type { PublishedRecord } from '../../src/documents/results-document.js';
import { emptyMemory } from '../../src/memory/memory.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { analysisRules } from '../../src/run/analysis-rules.js';
import { conclude } from '../../src/run/conclude/conclude.js';
import { buildResultsDocument } from '../../src/run/publish/build-results-document.js';
import { podReading } from '../../src/run/read/pod-reading.js';
import type { FileRead, Pod } from '../../src/run/table/row.js';
import { digestOf, readWith } from './table.js';

const server = 'https://pods.example/';
const webIdOf = (name: string) => `${server}${name}/profile/card#me`;

interface Given {
  /** Of the configuration. */
  sections?: object;
  memory?: ReturnType<typeof emptyMemory>;
  now?: Date;
  notInView?: readonly string[];
  whyInboxUnread?: string | null;
  published?: PublishedRecord[];
  warnings?: readonly string[];
}

/** What an analysis for Anna concludes of Pods that were read, and the run document that it leaves. */
export function concludedOf(
  pods: readonly Pod[],
  {
    sections = {},
    memory = emptyMemory(),
    now = new Date('2026-11-01T00:00:00Z'),
    notInView = [],
    whyInboxUnread = null,
    published = [],
    warnings = [],
  }: Given = {},
) {
  const analyser = { web_id: webIdOf('analyser'), server_url: server };
  const config = configSchema.parse({ analyser, ...sections });
  const requestedBy = webIdOf('anna');
  const gathered = { notInView, excluded: [], podIdOf: podIdOfRoot, whyInboxUnread };
  const conclusion = conclude(config, {
    gathered,
    podReadings: pods.map((pod) => podReading(pod, analysisRules(config, now))),
    before: { memory, digestOf },
    served: [requestedBy],
    now,
  });
  const { told } = conclusion;
  const common = { generatedAt: '', period: null, readingSeconds: 1 };
  const results = { ...common, conclusion, told, gathered, warnings };
  const run = { runId: '', requestedBy, recipients: [], charts: new Map(), published };
  const document = buildResultsDocument(config, results, { ...run, warnings: [] });
  return { config, results, document };
}

/** A file with one reading that counts. */
export function fileWith(change: Partial<Reading> = {}, key: Buffer | null = null): FileRead {
  const reading = { time: 0, offset: 0, systolic: 120, diastolic: 80, heart_rate: 60, ...change };
  const rules = { now: reading.time ?? 0, windowDays: null, period: null };
  const { sums } = sumReadings({ readings: [reading], incomplete: 0 }, rules);
  return { ...readWith(key), sums };
}
