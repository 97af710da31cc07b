import type { AnalysisRules } from '../analysis/pod-aggregate.js';
import { summariseCohort } from '../analysis/summarise-cohort.js';
import { formatUtc } from '../base/utc-time.js';
import type { ChartRenderer } from '../chart/chart-renderer.js';
import type { Config } from '../config/schema.js';
import type { PublishedEntry, ResultsDocument } from '../documents/results-document.js';
import type { ChartStore } from '../store/chart-store.js';
import type { ResultsStore } from '../store/results-store.js';
import { removeOld } from '../store/retention.js';
import { buildResults } from './build-results.js';
import { cohortDisclosure } from './cohort-disclosure.js';
import type { Connection } from './connection.js';
import { discoverShares } from './discover-shares.js';
import { drawCharts } from './draw-charts.js';
import { judgeShares, keepShares } from './keep-shares.js';
import type { Observer } from './observer.js';
import { planDeliveries } from './plan-deliveries.js';
import type { PodResult } from './pod-result.js';
import { publish } from './publish.js';
import type { RunControl } from './run-control.js';
import { patienceFor } from './server-patience.js';
import { readUndisputed } from './undisputed-reading.js';
import { findVanishedShares } from './vanished-shares.js';
import { isDrawnFor, type Workforce } from './workforce.js';

export interface CycleRequest {
  /** Null: run-once, for every contributor. */
  caller: string | null;
  onPodRead?: (done: number, all: number) => void;
  onRecipient?: (done: number, all: number) => void;
}

export interface CycleTools {
  config: Config;
  workforce: Workforce;
  renderer: ChartRenderer;
  results: ResultsStore;
  charts: ChartStore;
  now: () => Date;
  observer: Observer;
}

export interface CycleOutcome {
  document: ResultsDocument;
  /** Every Pod that shared something, also those of which nothing could be read. */
  pods: readonly PodResult[];
  /** Addresses that were shared but are not what the analysis is for. */
  notWanted: readonly string[];
  /** The folders that were shared. */
  folders: readonly string[];
  /** Where the run is stored. */
  path: string;
}

/** The analysis cycle of the specification from step 2 on; between every pair of steps it can be stopped. */
export async function runCycle(
  { config, workforce, renderer, results, charts, now, observer }: CycleTools,
  connection: Connection,
  { caller, onPodRead, onRecipient }: CycleRequest,
  control: RunControl,
): Promise<CycleOutcome> {
  const { signal } = control;
  const { minimum_observations, window_days, plausible } = config.analysis;
  const patience = patienceFor(config.analyser, connection.pod, caller);

  control.checkpoint();
  const shares = await observer.step('discover', () =>
    discoverShares(connection, config, patience, signal),
  );

  control.checkpoint();
  // Half a second that nobody has to wait for: few analyses come within a minute of the last.
  if (config.output.render_charts) renderer.warmUp();
  const rules: AnalysisRules = { now: now().getTime(), windowDays: window_days, plausible };
  const task = { rules, caller, patience, onPod: onPodRead, signal };
  const reading = await observer.step('read', () =>
    readUndisputed(workforce, connection, shares, task),
  );
  const all = reading.results;
  const news = await judgeShares(connection, shares, reading, config.data.keep_removed_shares);
  observer.files(
    all.reduce((sum, { filesRead }) => sum + filesRead, 0),
    all.reduce((sum, { filesSkipped }) => sum + filesSkipped, 0),
  );

  control.checkpoint();
  const pods = all.filter(({ filesRead }) => filesRead > 0);
  const recipients = pods.filter(({ owner }) => isDrawnFor(caller, owner.webId));
  const cohort = summariseCohort(
    pods.map(({ summary }) => summary),
    minimum_observations,
  );
  const disclose = cohortDisclosure(config, cohort, pods);

  control.checkpoint();
  const drawn = await observer.step('draw', () =>
    drawCharts(config, renderer, recipients, disclose, signal),
  );

  await control.commit();
  const generatedAt = formatUtc(now());
  const kept = await keepShares(connection.ledger, news, shares, all);
  const vanished = await compareWithLastRun(results, all);
  await removeOld(config.output, stillSharing(all), now());
  const warnings = [
    ...vanished,
    ...kept,
    ...reading.warnings,
    ...shares.warnings,
    ...all.flatMap((pod) => pod.warnings),
    ...drawn.warnings,
  ];
  const chartNames = new Map<string, string>();
  for (const [podId, picture] of drawn.pictures) {
    chartNames.set(podId, await charts.write(podId, picture));
  }
  const record = (published: PublishedEntry[]) => {
    const document = buildResults(config, {
      runId: control.runId,
      generatedAt,
      requestedBy: caller,
      cohort,
      pods,
      charts: chartNames,
      published,
      warnings,
    });
    return results.write(document).then((path) => ({ document, path }));
  };
  const rest = { pods: all, notWanted: shares.notWanted, folders: [...shares.folderKeys.keys()] };
  const unpublished = await record([]);
  const deliveries = planDeliveries({
    sharing: config.sharing,
    analyser: connection.pod,
    generatedAt,
    pods: recipients,
    pictures: drawn.pictures,
    disclose,
  });
  if (deliveries.length === 0) return { ...unpublished, ...rest };
  const encrypt = config.sharing.encrypt_results;
  const publication = await observer.step('publish', () =>
    publish(connection, deliveries, { encrypt, now, onRecipient }),
  );
  warnings.push(...publication.warnings);
  const recorded = await record(publication.entries);
  if (publication.error !== null) throw publication.error;
  return { ...recorded, ...rest };
}

/** The pod_ids of all but those whose server refused every file. */
function stillSharing(pods: readonly PodResult[]): string[] {
  const hasLeft = ({ filesRead, traces }: PodResult) =>
    filesRead === 0 && traces.length > 0 && traces.every(({ outcome }) => outcome === 'refused');
  return pods.filter((pod) => !hasLeft(pod)).map(({ owner }) => owner.podId);
}

async function compareWithLastRun(
  results: ResultsStore,
  now: readonly PodResult[],
): Promise<string[]> {
  const last = await results.readLatest();
  const warning = last.state === 'found' ? findVanishedShares(last.document, now) : null;
  return warning === null ? [] : [warning];
}
