import { DAY_MS } from '../base/utc-time.js';
import type { ResultsDocument } from '../documents/results-document.js';
import { whyWithheld } from '../documents/withheld.js';
import type { ServiceState } from '../store/service-state.js';
import { failedDeliveriesOf, type History } from './stored-analyses.js';
import { counted, moment } from './words.js';

/** What a reader has to know before any figure, and what to do about it. */
export interface Alert {
  title: string;
  text: string;
  /** To be typed as it stands. */
  command?: string;
  /** Where more is told: a path below the root of the pages. */
  link?: { path: string; text: string };
}

export interface Known {
  /** Null where the state marker is damaged. */
  state: ServiceState | null;
  /** The newest run; null where there is none that can be read. */
  latest: ResultsDocument | null;
  /** The newest analysis in the history. */
  newest: History[number] | undefined;
  now: Date;
}

/** Nothing runs on its own, so nobody can say when the next run is due: after a week it is said. */
const OLD_DAYS = 7;

/** The most important first. */
export function findAlerts({ state, latest, newest, now }: Known): Alert[] {
  return [
    ...withheld(latest),
    ...ofState(state, latest, newest),
    ...old(latest, now),
    ...undelivered(newest),
  ];
}

function withheld(latest: ResultsDocument | null): Alert[] {
  const why = latest && whyWithheld(latest);
  if (why === null) return [];
  const title = 'Callers get no figures of the cohort';
  if (!why.untilConfirmed) return [{ title, text: why.text }];
  return [{ title, text: why.text, command: './run.sh release --confirm' }];
}

function ofState(
  state: ServiceState | null,
  latest: ResultsDocument | null,
  newest: History[number] | undefined,
): Alert[] {
  if (state === null) {
    return [
      {
        title: 'The state of the service cannot be read',
        text: 'The state marker in output.state_dir is damaged. The next analysis replaces it.',
      },
    ];
  }
  const shown =
    latest === null ? '' : ` What is shown is the run of ${moment(latest.generated_at)}.`;
  const { analyser, last_run: last, interrupted } = state;
  const alerts: Alert[] = [];
  if (analyser?.state === 'killed') {
    alerts.push({
      title: 'The analyser was killed',
      text: `Its process, which began ${moment(analyser.at)}, ended without a word: nobody gets an analysis until it runs again.${shown}`,
    });
  }
  if (last?.status === 'FAILED') {
    const text = `${moment(last.finished_at)}: ${last.message}${shown}`;
    alerts.push({ title: 'The last analysis failed', text });
  } else if (last !== null && isMissing(last.run_id, latest, newest)) {
    alerts.push({
      title: 'The results of the last analysis are not here',
      text: `An analysis ended ${moment(last.finished_at)}, and its results are not in the folder that these pages read (output.results_dir).${shown}`,
    });
  }
  if (interrupted !== null) {
    alerts.push({
      title: 'An analysis has not reported its end',
      text: `It began ${moment(interrupted.started_at)}, and its process is gone.${shown}`,
    });
  }
  return alerts;
}

/** Whether a run is none of the newest analysis, once that is known to be the one that is shown. */
function isMissing(
  runId: string | null,
  latest: ResultsDocument | null,
  newest: History[number] | undefined,
): boolean {
  if (runId === null || latest === null) return runId !== null;
  if (newest?.generated_at !== latest.generated_at) return false;
  return newest.runs.every(({ run_id }) => run_id !== runId);
}

function old(latest: ResultsDocument | null, now: Date): Alert[] {
  if (latest === null) return [];
  const days = Math.floor((now.getTime() - Date.parse(latest.generated_at)) / DAY_MS);
  if (days < OLD_DAYS) return [];
  return [
    {
      title: `These results are ${days} days old`,
      text: `Readings that were shared or taken back since ${moment(latest.generated_at)} are not in them. An analysis runs only when somebody asks for one.`,
    },
  ];
}

/** Deliveries that failed in the newest analysis, for any of its callers. */
function undelivered(newest: History[number] | undefined): Alert[] {
  const runs = newest?.runs ?? [];
  const told = runs.find(({ failed_deliveries }) => failed_deliveries > 0);
  if (told === undefined) return [];
  return [
    {
      title: `${counted(failedDeliveriesOf(runs), 'delivery', 'deliveries')} failed`,
      text: 'Somebody who asked for the newest analysis has not received what was meant for them.',
      link: { path: `runs/${told.run_id}#shared-back`, text: 'Which, and why' },
    },
  ];
}
