import type { ResultsDocument } from '../documents/results-document.js';
import { whyWithheld } from '../documents/withheld.js';
import type { ServiceState } from '../store/state.js';
import { moment } from './words.js';

/** What a reader has to know before any figure, and what to do about it. */
export interface Alert {
  title: string;
  text: string;
  /** To be typed as it stands. */
  command?: string;
}

export interface Known {
  /** Null where the state marker is damaged. */
  state: ServiceState | null;
  /** The newest run; null where there is none that can be read. */
  latest: ResultsDocument | null;
  now: Date;
}

/** The most important first. */
export function findAlerts({ state, latest }: Known): Alert[] {
  return [...withheld(latest), ...ofState(state)];
}

function withheld(latest: ResultsDocument | null): Alert[] {
  const why = latest && whyWithheld(latest);
  if (why === null) return [];
  const title = 'Callers get no figures of the cohort';
  if (!why.untilConfirmed) return [{ title, text: why.text }];
  return [{ title, text: why.text, command: './run.sh release --confirm' }];
}

function ofState(state: ServiceState | null): Alert[] {
  if (state === null) {
    return [
      {
        title: 'The state of the service cannot be read',
        text: 'The state marker in output.state_dir is damaged. The next analysis replaces it.',
      },
    ];
  }
  const { analyser, last_run: last, interrupted } = state;
  const alerts: Alert[] = [];
  if (analyser?.state === 'killed') {
    alerts.push({
      title: 'The analyser was killed',
      text: `Its process, which began ${moment(analyser.at)}, ended without a word: nobody gets an analysis until it runs again.`,
    });
  }
  if (last?.status === 'FAILED') {
    const text = `${moment(last.finished_at)}: ${last.message}`;
    alerts.push({ title: 'The last analysis failed', text });
  }
  if (interrupted !== null) {
    alerts.push({
      title: 'An analysis has not reported its end',
      text: `It began ${moment(interrupted.started_at)}, and its process is gone.`,
    });
  }
  return alerts;
}
