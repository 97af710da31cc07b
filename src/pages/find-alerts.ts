import type { ResultsDocument } from '../documents/results-document.js';
import { describeWithheld } from '../documents/withheld.js';
import type { ServiceState } from '../store/state.js';
import { moment } from './words.js';

/** What a reader has to know before any figure, and what to do about it. */
export interface Alert {
  title: string;
  text: string;
}

export interface Known {
  /** Null where the state marker is damaged. */
  state: ServiceState | null;
  /** The newest run; null where there is none that can be read. */
  latest: ResultsDocument | null;
  now: Date;
}

export function findAlerts({ state, latest }: Known): Alert[] {
  const withheld = latest?.sharing.cohort_withheld;
  if (withheld === undefined) return ofState(state);
  const title = 'Callers get no figures of the cohort';
  return [{ title, text: describeWithheld(withheld) }, ...ofState(state)];
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
