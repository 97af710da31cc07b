import { fetchJson } from '../api/fetch-json.js';
import { isResultsDocument } from '../api/guards.js';
import { isBoolean, isString, shape } from '../api/shape.js';
import { type Live, notYet } from './live.js';
import { isServiceStatus } from './status.js';

const pollMs = 5000;
/** The marker announces new results; results that came without one are found after this long. */
const recheckMs = 60_000;

const isHealth = shape<{ status: string; has_results: boolean }>({
  status: isString,
  has_results: isBoolean,
});

/** Tells `report` of every change until the returned function is called; rests while the page is hidden. */
export function watchService(report: (live: Live) => void): () => void {
  const stop = new AbortController();
  let live = notYet;
  let lastRun = '';
  let polling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function poll(): Promise<void> {
    if (polling) return;
    polling = true;
    clearTimeout(timer);
    const next = await lookAgain();
    polling = false;
    if (stop.signal.aborted) return;
    live = next;
    report(live);
    if (!document.hidden) timer = setTimeout(() => void poll(), pollMs);
  }

  async function lookAgain(): Promise<Live> {
    const tick = live.tick + 1;
    const answer = await fetchJson('api/status', isServiceStatus, stop.signal);
    const status = answer.ok ? answer.value : null;
    const statusProblem = answer.ok ? null : answer.problem;
    if (statusProblem?.kind === 'unreachable') {
      return { ...live, tick, status, problem: statusProblem };
    }
    const marker = JSON.stringify(status?.last_run);
    const fresh = live.loadedAt !== null && Date.now() - live.loadedAt < recheckMs;
    if (fresh && marker === lastRun && live.problem === null && statusProblem === null) {
      return { ...live, tick, status };
    }
    lastRun = marker;
    const loaded = await loadResults();
    const problem = loaded.empty ? null : (loaded.problem ?? statusProblem);
    return { ...live, ...loaded, tick, status, problem };
  }

  async function loadResults(): Promise<Pick<Live, 'empty' | 'problem'> & Partial<Live>> {
    const answer = await fetchJson('api/summary', isResultsDocument, stop.signal);
    if (answer.ok) {
      return { results: answer.value, loadedAt: Date.now(), empty: false, problem: null };
    }
    const { problem } = answer;
    // 503 also means a document of a newer version; only /health tells the two apart.
    if (problem.kind === 'refused' && problem.status === 503) {
      const health = await fetchJson('health', isHealth, stop.signal);
      if (health.ok && !health.value.has_results && health.value.status !== 'degraded') {
        return { results: null, loadedAt: null, empty: true, problem: null };
      }
    }
    return { empty: false, problem };
  }

  const wake = () => {
    if (!document.hidden) void poll();
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  void poll();
  return () => {
    stop.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wake);
    window.removeEventListener('online', wake);
  };
}
