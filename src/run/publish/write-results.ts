import { mapConcurrently } from '../../base/concurrency.js';
import { compare, present } from '../../base/lists.js';
import type { Config } from '../../config/schema.js';
import type { ResultsDocument } from '../../documents/results-document.js';
import type { ChartStore } from '../../store/chart-store.js';
import type { ResultsStore } from '../../store/results-store.js';
import type { PodReading } from '../read/pod-reading.js';
import { type AnalysisResults, buildRunDocument } from './build-run-document.js';
import type { Picture } from './draw-picture.js';
import type { CallerGroup } from './group-callers.js';
import { listPublished, type RecipientOutcome } from './hand-over.js';
import {
  type CohortPublication,
  type OwnResult,
  type Publishing,
  type Written,
  writeCohortDocument,
  writeOwnDocument,
} from './publish-documents.js';

/** How many own documents are written at a time. All of them go to one Pod, the Analyser's. */
const DOCUMENTS_AT_ONCE = 8;

export interface StoredRun {
  document: ResultsDocument;
  path: string;
}

/** What all phases work with. */
export interface Work {
  tools: { config: Config; results: ResultsStore; charts: ChartStore; now: () => Date };
  analysis: AnalysisResults;
  /** Null when nothing is published. */
  publishing: Publishing | null;
  pictureOf: (pod: PodReading) => Promise<Picture>;
  /** Is told how many recipients of a group have been handed their keys. */
  onRecipient?: ((done: number, all: number) => void) | undefined;
}

export interface Recorded {
  group: CallerGroup;
  /** Null if nothing is recorded of this caller. */
  run: StoredRun | null;
  /** Why the calls of this group fail. */
  failure: { error: unknown } | null;
}

/** A result is published only after its run document is on the disk. */
export async function recordRuns(groups: readonly CallerGroup[], work: Work): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const group of groups) {
    const document = runDocumentOf({ group, charts: new Map(), warnings: [] }, [], work);
    try {
      const run = await storeRun(group, document, false, work);
      recorded.push({ group, run, failure: null });
    } catch (error) {
      recorded.push({ group, run: null, failure: { error } });
    }
  }
  return recorded;
}

export async function storeRun(
  { isRecorded }: CallerGroup,
  document: ResultsDocument,
  hasSentFigures: boolean,
  { tools: { results } }: Work,
): Promise<StoredRun | null> {
  if (!isRecorded) return null;
  return { document, path: await results.write(document, hasSentFigures) };
}

export interface WrittenGroup extends Recorded {
  /** File names of the charts by pod_id. */
  charts: ReadonlyMap<string, string>;
  warnings: readonly string[];
  /** Sorted by the roots of their Pods. */
  ownResults: readonly OwnResult[];
}

/** Stores the chart of each recipient, and writes their own document. */
export async function writeOwnDocuments(
  recorded: readonly Recorded[],
  work: Work,
): Promise<WrittenGroup[]> {
  const { tools, publishing, pictureOf } = work;
  const wanted = recorded
    .filter(({ failure }) => failure === null)
    .flatMap(({ group }) => group.recipients.map((pod) => ({ group, pod })));
  const made = await mapConcurrently(wanted, DOCUMENTS_AT_ONCE, async ({ group, pod }) => {
    const { podId } = pod.owner;
    try {
      const { png, warning } = await pictureOf(pod);
      const chart = png && (await tools.charts.write(podId, png));
      const ownResult = publishing && (await writeOwnDocument(publishing, pod, png));
      return { group, podId, chart, warning, ownResult, failure: null };
    } catch (error) {
      return { group, podId, chart: null, warning: null, ownResult: null, failure: { error } };
    }
  });
  return recorded.map((one): WrittenGroup => {
    const own = made.filter(({ group }) => group === one.group);
    const ownResults = present(own.map(({ ownResult }) => ownResult));
    return {
      ...one,
      failure: one.failure ?? own.find(({ failure }) => failure !== null)?.failure ?? null,
      charts: new Map(own.flatMap(({ podId, chart }) => (chart === null ? [] : [[podId, chart]]))),
      warnings: present(own.map(({ warning }) => warning)),
      ownResults: ownResults.sort((a, b) => compare(a.pod.owner.root, b.pod.owner.root)),
    };
  });
}

export interface Published {
  groups: readonly WrittenGroup[];
  cohort: CohortPublication;
}

/** After all own documents, because only recipients with a document of their own may read that of the cohort. */
export async function publishCohort(
  groups: readonly WrittenGroup[],
  { publishing }: Work,
): Promise<Published> {
  const ownResults = groups.flatMap((group) => group.ownResults);
  const nothing = { document: null, notClosed: null };
  return {
    groups,
    cohort: publishing === null ? nothing : await writeCohortDocument(publishing, ownResults),
  };
}

/** All documents of an analysis. */
export function writtenDocuments({ groups, cohort }: Published): Written[] {
  const own = groups.flatMap((group) => group.ownResults).map((ownResult) => ownResult.own);
  return present([...own, cohort.document]);
}

export function runDocumentOf(
  { group, charts, warnings }: Pick<WrittenGroup, 'group' | 'charts' | 'warnings'>,
  outcomes: readonly RecipientOutcome[],
  { tools, analysis }: Work,
): ResultsDocument {
  return buildRunDocument(tools.config, analysis, {
    runId: group.calls[0]?.runId ?? '',
    requestedBy: group.webId,
    recipients: group.recipients,
    charts,
    published: listPublished(outcomes),
    warnings,
  });
}
