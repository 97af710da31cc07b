import { createHash } from 'node:crypto';
import { AnalyserError } from '../../../src/base/errors.js';
import { studyPeriod } from '../../../src/base/study-period.js';
import { DAY_MS, formatUtc } from '../../../src/base/utc-time.js';
import { type Config, configSchema } from '../../../src/config/schema.js';
import type { PublishedRecord } from '../../../src/documents/results-document.js';
import {
  emptyMemory,
  type KeyedDigest,
  keyedDigests,
  type Memory,
} from '../../../src/memory/memory.js';
import { readMemory, writeMemory } from '../../../src/memory/memory-format.js';
import { webIdOfRoot } from '../../../src/pod/addresses.js';
import type { AnalysisReport } from '../../../src/run/analysis-report.js';
import { analysisRules } from '../../../src/run/analysis-rules.js';
import { servedBy } from '../../../src/run/assignment.js';
import { type Conclusion, conclude } from '../../../src/run/conclude/conclude.js';
import { type Told as ToldOfCohort, withhold } from '../../../src/run/conclude/tell-cohort.js';
import {
  buildCommonReport,
  buildReport,
  buildUnfinishedReport,
} from '../../../src/run/publish/build-report.js';
import { buildRunDocument } from '../../../src/run/publish/build-run-document.js';
import { groupCallers } from '../../../src/run/publish/group-callers.js';
import {
  cohortDocument,
  ownDocument,
  type RecipientDocument,
} from '../../../src/run/publish/recipient-documents.js';
import { Deadline } from '../../../src/run/read/deadline.js';
import type { PodReading } from '../../../src/run/read/pod-reading.js';
import { localPodReader } from '../../../src/run/read/read-shares.js';
import { withoutInbox } from '../../../src/run/read-inbox-and-memory.js';
import { moveClaims } from '../../../src/run/table/claims.js';
import { shareRules } from '../../../src/run/table/classify-share.js';
import { forget } from '../../../src/run/table/forget.js';
import { type Gathered, gatherShares } from '../../../src/run/table/gather-shares.js';
import { analyserPod } from '../../support/analyser-pod.js';
import { seededRandom } from '../../support/seeded-random.js';
import { gatherEntries, type Inbox } from './inbox.js';
import { Storage } from './storage.js';

export const HOME = 'https://pods.example';
/** A server of data.allowed_origins that belongs to a stranger. */
export const ELSEWHERE = 'https://elsewhere.example';
export const APP = 'app';
const ROOT = `${HOME}/analyser/`;
export const ANALYSER = webIdOfRoot(ROOT);

const RUN_ID = '20260101T000000Z';

const { signal: never } = new AbortController();
const until = Number.POSITIVE_INFINITY;

/** One call, of a WebID or of run-once. */
export interface Call {
  webId: string | null;
  /** Cancelled before the last checkpoint. */
  isStopped: boolean;
}

/** What one analysis has found out, and told. */
export interface Analysis {
  config: Config;
  conclusion: Conclusion;
  toldOfCohort: ToldOfCohort;
  readings: readonly PodReading[];
  told: readonly Told[];
  /** Null when it was sent to nobody. */
  cohort: RecipientDocument | null;
  recipients: readonly PodReading[];
  /** What was asked of the stranger's server. */
  askedElsewhere: readonly string[];
  /** What is remembered now. */
  memory: Memory;
}

export interface Told {
  webId: string | null;
  report: AnalysisReport;
  own: readonly RecipientDocument[];
}

/**
 * The analyses of src/run/analyse.ts without a server: all between the opened entries of the inbox and
 * what each caller is told and sent is the real code.
 */
export class World {
  readonly config: Config;
  readonly storage = new Storage(ROOT);
  readonly inbox: Inbox = new Map();
  memory: Memory = emptyMemory();
  /** Since 1970. */
  day = 20_000;
  readonly #random = seededRandom('noise');
  readonly #pod = analyserPod({
    webId: ANALYSER,
    root: ROOT,
    appDir: APP,
    masterKey: keyNamed('master'),
  });

  constructor(sections: Record<string, object>) {
    this.config = configSchema.parse({
      analyser: { web_id: ANALYSER, server_url: `${HOME}/`, app_dir_name: APP },
      data: { allowed_origins: [ELSEWHERE] },
      ...sections,
    });
  }

  /**
   * `isUnkept`: somebody else was quicker to write the memory. `isSpoilt`: the inbox cannot be read. `reached`: there is
   * only time for so many addresses that were not read before. Null when all calls were stopped.
   */
  async analyse(
    calls: readonly Call[],
    {
      isUnkept,
      isSpoilt,
      reached,
    }: { isUnkept: boolean; isSpoilt: boolean; reached: number | null },
  ): Promise<Analysis | null> {
    const { config, storage } = this;
    storage.asked = [];
    const served = servedBy(calls);
    const gathered = this.#gather(isSpoilt);
    const now = new Date((this.day + 0.5) * DAY_MS);
    const known = [...this.memory.pods.values()].flatMap(({ shares, folders }) => [
      ...shares.keys(),
      ...folders.keys(),
    ]);
    // Run-once has no limit.
    const reading = storage.limitTo(new Set(known), served === 'everybody' ? null : reached);
    const readings = await localPodReader.readShares(
      { client: storage, pod: this.#pod },
      gathered.pods,
      {
        rules: analysisRules(config, now),
        served,
        memory: this.memory,
        time: {
          reading: new Deadline(until, reading),
          confirming: new Deadline(until, never),
          stop: never,
        },
        patienceOf: () => until,
        isData: gathered.isData,
        orderOf: (url) => keyedDigest('order', url),
      },
    );
    const before = { memory: this.memory, keyedDigest };
    const random = this.#random;
    const conclusion = conclude(config, {
      gathered,
      podReadings: readings,
      before,
      served,
      now,
      random,
    });
    const goingOn = calls.filter(({ isStopped }) => !isStopped);
    if (goingOn.length === 0) return null;
    if (!isUnkept) this.memory = writtenAndRead(conclusion.memory);
    const unkept = { reason: 'it changed', until_confirmed: false };
    const toldOfCohort = isUnkept ? withhold(conclusion.told, unkept) : conclusion.told;
    return {
      config,
      conclusion,
      toldOfCohort,
      readings,
      memory: this.memory,
      ...this.#serve(goingOn, { conclusion, told: toldOfCohort, gathered }, now),
      askedElsewhere: storage.asked.filter((url) => url.startsWith(ELSEWHERE)),
    };
  }

  forget(root: string): void {
    this.memory = forget(this.memory, root).memory;
  }

  moveKeys(from: string, to: string): void {
    const [one, other] = [keyedDigest('root', from), keyedDigest('root', to)];
    this.memory = { ...this.memory, claims: moveClaims(this.memory.claims, one, other).claims };
  }

  /** Steps 2 and 3. */
  #gather(isSpoilt: boolean): Gathered {
    const rules = shareRules(this.config, ROOT);
    const inbox = isSpoilt
      ? withoutInbox(new AnalyserError('malformed', 'It is spoilt.'))
      : gatherEntries(this.inbox, rules, ANALYSER);
    return gatherShares(inbox, this.memory, rules, keyedDigest);
  }

  /** Steps 6 to 8, where everything that is published arrives. */
  #serve(
    calls: readonly Call[],
    found: { conclusion: Conclusion; told: ToldOfCohort; gathered: Gathered },
    now: Date,
  ) {
    const { config } = this;
    const { conclusion, gathered } = found;
    const { sharing } = config;
    const named = calls.map(({ webId }, index) => ({ id: `${index}`, webId, runId: RUN_ID }));
    const groups = groupCallers(named, conclusion.contributors, gathered);
    const recipients = groups.flatMap((group) => group.recipients);
    const generatedAt = formatUtc(now);
    const settings = {
      sharing,
      analyser: this.#pod,
      generatedAt,
      podCount: conclusion.cohort.pod_count,
      disclose: found.told.disclose,
      noise: found.told.release?.noise,
      period: studyPeriod(config.analysis),
    };
    const cohort = recipients.length === 0 ? null : cohortDocument(settings, recipients);
    const results = {
      generatedAt,
      period: settings.period,
      ...found,
      readingSeconds: 0,
      warnings: [],
    };
    const told = groups.map(({ webId, recipients: ofGroup, unfinished }): Told => {
      if (unfinished !== null) {
        const report = buildUnfinishedReport(unfinished, 0, config);
        return { webId: unfinished.owner.webId, report, own: [] };
      }
      const own = ofGroup.map((recipient) => ownDocument(settings, recipient, null));
      const all = cohort === null || own.length === 0 ? own : [...own, cohort];
      const document = buildRunDocument(config, results, {
        runId: RUN_ID,
        requestedBy: webId,
        recipients: ofGroup,
        charts: new Map(),
        published: all.map(published),
        warnings: [],
      });
      const report =
        webId === null
          ? buildCommonReport(results, document)
          : buildReport(results, document, webId, config);
      return { webId, report, own };
    });
    return { told, cohort, recipients };
  }
}

/** Deterministic, so that two worlds have the same keys and ciphertexts of the same length. */
export function keyNamed(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}

function fingerprint(text: string): Buffer {
  return keyNamed(`sealed ${text}`);
}

export const keyedDigest: KeyedDigest = keyedDigests(fingerprint);

/** As it is after it was stored and read. */
function writtenAndRead(memory: Memory): Memory {
  const read = readMemory(writeMemory(memory));
  if (read === null) throw new Error('The memory cannot be read again.');
  return read;
}

function published({ kind, podId, url, readers }: RecipientDocument): PublishedRecord {
  return { kind, pod_id: podId, resource_url: url, recipients: [...readers], failures: {} };
}

/** Of its keys, nothing here makes use. */
