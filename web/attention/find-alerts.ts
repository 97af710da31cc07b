import type { ResultsDocument } from '../../src/documents/results-document.js';
import type { Analysis } from '../api/guards.js';
import { describeProblem } from '../api/problem.js';
import { countOf } from '../format/format-number.js';
import { formatTime } from '../format/format-time.js';
import type { Live } from '../live/live.js';
import type { ServiceStatus } from '../live/status.js';
import { hrefTo } from '../routing/route.js';
import { jumpTo } from '../routing/use-jump.js';
import type { Undelivered } from './find-undelivered.js';

/** One thing that every page has to say before it shows a figure. */
export interface Alert {
  kind: 'api' | 'silent' | 'failed' | 'unfinished' | 'missing' | 'old' | 'delivery';
  title: string;
  text: string;
  /** Where more is told. */
  link?: { href: string; text: string };
}

const dayMs = 24 * 60 * 60_000;
/** Nothing runs on its own, so nobody can say when the next run is due: after a week it is said. */
const oldAfterDays = 7;

/** What is wrong with what the page shows, the most important first. */
export function findAlerts(
  live: Live,
  newest: Analysis | undefined,
  undelivered: Undelivered,
): Alert[] {
  const { status, results } = live;
  const alerts: Alert[] = [];
  if (live.problem !== null) {
    const kept = results === null ? '' : ' What is shown was loaded before.';
    alerts.push({
      kind: 'api',
      title: 'The newest results cannot be loaded',
      text: `${describeProblem(live.problem)}${kept} This page tries again every five seconds.`,
    });
  }
  if (status !== null) alerts.push(...alertsOfStatus(status, results, newest));
  if (results !== null && status !== null) {
    const days = Math.floor((Date.parse(status.time) - Date.parse(results.generated_at)) / dayMs);
    if (days >= oldAfterDays) {
      alerts.push({
        kind: 'old',
        title: `These results are ${days} days old`,
        text: `Readings that were shared or taken back since ${formatTime(results.generated_at)} are not in them. An analysis runs only when somebody asks for one.`,
      });
    }
  }
  const { count, runId } = undelivered;
  if (runId !== null) {
    alerts.push({
      kind: 'delivery',
      title: `${countOf(count, 'delivery', 'deliveries')} failed`,
      text: 'Somebody who asked for the newest analysis has not received what was meant for them.',
      link: { href: hrefTo({ view: 'run', runId }, jumpTo('deliveries')), text: 'Which, and why' },
    });
  }
  return alerts;
}

function alertsOfStatus(
  status: ServiceStatus,
  results: ResultsDocument | null,
  newest: Analysis | undefined,
): Alert[] {
  const run = status.last_run;
  const shown =
    results === null ? '' : ` What is shown is the run of ${formatTime(results.generated_at)}.`;
  const alerts: Alert[] = [];
  if (status.analyser?.state === 'silent') {
    alerts.push({
      kind: 'silent',
      title: `The analyser has not been heard of since ${formatTime(status.analyser.at)}`,
      text: `Its process was killed or hangs, or its state folder (output.state_dir) is out of its reach: nobody gets an analysis until it runs again.${shown}`,
    });
  }
  if (run?.status === 'FAILED') {
    alerts.push({
      kind: 'failed',
      title: 'The last analysis failed',
      text: `${formatTime(run.finished_at)}: ${run.message}${shown}`,
    });
  } else if (run !== null && isMissing(run.run_id, results, newest)) {
    alerts.push({
      kind: 'missing',
      title: 'The results of the last analysis are not here',
      text: `An analysis ended ${formatTime(run.finished_at)}, and its results are not in the folder that this API reads (output.results_dir).${shown}`,
    });
  }
  if (status.interrupted !== null) {
    alerts.push({
      kind: 'unfinished',
      title: 'An analysis has not reported its end',
      text: `It began ${formatTime(status.interrupted.started_at)}, and its process is gone.${shown}`,
    });
  }
  return alerts;
}

/** Whether a run is none of the newest analysis, once that is known to be the one that is shown. */
function isMissing(
  runId: string | null,
  results: ResultsDocument | null,
  newest: Analysis | undefined,
): boolean {
  if (runId === null || results === null) return runId !== null;
  const isShown = newest?.generated_at === results.generated_at;
  return isShown && newest.runs.every(({ run_id }) => run_id !== runId);
}
