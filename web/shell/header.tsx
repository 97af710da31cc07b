import { countWarnings } from '../../src/documents/count-warnings.js';
import { formatCount } from '../format/format-number.js';
import { formatTime } from '../format/format-time.js';
import type { Live } from '../live/live.js';
import { analysisAtWork, describeProgress } from '../live/status.js';
import { hrefTo, type Route } from '../routing/route.js';

const links: { title: string; route: Route; views: Route['view'][] }[] = [
  { title: 'Overview', route: { view: 'overview' }, views: ['overview'] },
  { title: 'Pods', route: { view: 'pods' }, views: ['pods', 'pod'] },
  { title: 'History', route: { view: 'history' }, views: ['history', 'run', 'run-pod'] },
  { title: 'Warnings', route: { view: 'warnings' }, views: ['warnings'] },
];

export function Header({ route, live }: { route: Route; live: Live }) {
  const warnings = countWarnings(live.results?.warnings ?? []);
  return (
    <header class="top">
      <div>
        <a class="brand" href={hrefTo({ view: 'overview' })}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path class="systolic" d="M2 7.5 8 5l7 3 7-3.5" />
            <path class="diastolic" d="M2 13l6-1.5 7 2.5 7-2" />
            <path class="heart_rate" d="M2 19.5l6-2 7 1.5 7-2.5" />
          </svg>
          Blood pressure cohort
        </a>
        <nav aria-label="Views">
          {links.map(({ title, route: to, views }) => (
            <a
              key={title}
              href={hrefTo(to)}
              aria-current={views.includes(route.view) ? 'page' : undefined}
            >
              {title}
              {to.view === 'warnings' && warnings > 0 && (
                <>
                  {' '}
                  <span class="badge">{formatCount(warnings)}</span>
                </>
              )}
            </a>
          ))}
        </nav>
        <ServiceState live={live} />
      </div>
    </header>
  );
}

function ServiceState({ live }: { live: Live }) {
  const { status, problem } = live;
  if (live.tick === 0) return <p class="state" />;
  if (problem?.kind === 'unreachable') return <p class="state state-off">Not reachable</p>;
  if (status === null) return <p class="state state-off">State unknown</p>;
  const running = analysisAtWork(status);
  if (running === null) return <ServiceAtRest live={live} />;
  return (
    <p class="state state-running">Analysis running · {describeProgress(running, status.time)}</p>
  );
}

function ServiceAtRest({ live: { status, empty } }: { live: Live }) {
  const { analyser, last_run: lastRun } = status ?? { analyser: null, last_run: null };
  if (analyser?.state === 'silent') {
    return <p class="state state-off">Not heard of since {formatTime(analyser.at)}</p>;
  }
  if (analyser?.state === 'stopped') {
    return <p class="state state-off">Stopped at {formatTime(analyser.at)}</p>;
  }
  if (lastRun?.status === 'FAILED') return <p class="state state-off">Last run failed</p>;
  return <p class="state">{empty && lastRun === null ? 'No run yet' : 'Idle'}</p>;
}
