import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { countWarnings } from '../documents/count-warnings.js';
import type { ServiceState } from '../store/service-state.js';
import { type Alert, findAlerts, type Known } from './find-alerts.js';
import type { PageAddress } from './page-address.js';
import { counted, elapsed, moment, number, second } from './words.js';

/** What one page has of its own. */
export interface Page {
  /** Of the browser tab; also the heading, unless `heading` shows it differently. */
  title: string;
  view: 'overview' | 'pods' | 'history' | 'warnings' | null;
  heading?: ComponentChildren;
  /** Above the heading: where the page belongs. */
  above?: ComponentChildren;
  lead?: ComponentChildren;
  body: ComponentChildren;
}

const views = [
  { view: 'overview', path: '', title: 'Overview' },
  { view: 'pods', path: 'pods', title: 'Pods' },
  { view: 'history', path: 'history', title: 'History' },
  { view: 'warnings', path: 'warnings', title: 'Warnings' },
] as const;

const REFRESH_SECONDS = '10';

/** The whole text of a page. It has no script: what changes is asked for anew, by links. */
export function renderPage(address: PageAddress, known: Known, page: Page): string {
  const { root, query } = address;
  const { title, heading = title, above, lead, body } = page;
  const refresh = query.get('refresh') === REFRESH_SECONDS;
  const alerts = findAlerts(known);
  return `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh && <meta http-equiv="refresh" content={REFRESH_SECONDS} />}
        <title>{title} · Blood pressure cohort</title>
        <link rel="icon" href={`${root}icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${root}style.css`} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Header address={address} known={known} view={page.view} />
        <main id="main" tabIndex={-1}>
          <Alerts alerts={alerts} root={root} />
          <p class="eyebrow">
            {above}
            {above !== undefined && ' · '}
            <Made at={known.now} address={address} refresh={refresh} />
          </p>
          <h1>{heading}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
          {body}
        </main>
        <footer class="bottom">
          <p>
            Averages of readings that people recorded themselves. They describe; they are not a
            medical assessment.
          </p>
          <p>
            <a href={`${root}docs`}>HTTP API</a>
            <a href={`${root}api/summary`}>Newest results as JSON</a>
          </p>
        </footer>
      </body>
    </html>,
  )}`;
}

/** When the page was made: what it says may have changed since. */
function Made({ at, address, refresh }: { at: Date; address: PageAddress; refresh: boolean }) {
  return (
    <>
      Made {second(at)}{' '}
      <span class="reload">
        <a href={address.here({})}>Reload</a>{' '}
        {refresh ? (
          <>
            every {REFRESH_SECONDS} seconds: <a href={address.here({ refresh: null })}>stop</a>
          </>
        ) : (
          <a href={address.here({ refresh: REFRESH_SECONDS })}>Every {REFRESH_SECONDS} seconds</a>
        )}
      </span>
    </>
  );
}

interface HeaderProps {
  address: PageAddress;
  known: Known;
  view: Page['view'];
}

function Header({ address: { root }, known, view: current }: HeaderProps) {
  const warnings = countWarnings(known.latest?.warnings ?? []);
  return (
    <header class="top">
      <div>
        <a class="brand" href={root}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path class="systolic" d="M2 7.5 8 5l7 3 7-3.5" />
            <path class="diastolic" d="M2 13l6-1.5 7 2.5 7-2" />
            <path class="heart_rate" d="M2 19.5l6-2 7 1.5 7-2.5" />
          </svg>
          Blood pressure cohort
        </a>
        <nav aria-label="Views">
          {views.map(({ view, path, title }) => (
            <a href={`${root}${path}`} aria-current={view === current ? 'page' : undefined}>
              {title}
              {view === 'warnings' && warnings > 0 && (
                <>
                  {' '}
                  <span class="badge">{number(warnings)}</span>
                </>
              )}
            </a>
          ))}
        </nav>
        <State known={known} />
      </div>
    </header>
  );
}

function State({ known: { state, latest, now } }: { known: Known }) {
  if (state === null) return <p class="state state-off">State unknown</p>;
  const { running, interrupted, analyser, last_run: last } = state;
  if (running !== null && interrupted === null) {
    return <p class="state state-running">Analysis running · {describeProgress(running, now)}</p>;
  }
  if (analyser?.state === 'killed') return <p class="state state-off">Killed</p>;
  if (analyser?.state === 'stopped') {
    return <p class="state state-off">Stopped at {moment(analyser.at)}</p>;
  }
  if (last?.status === 'FAILED') return <p class="state state-off">Last run failed</p>;
  return <p class="state">{latest === null && last === null ? 'No run yet' : 'Idle'}</p>;
}

/** `42 s · read 40 of 312 files · 2 callers`: how far the analysis at work has come, and for whom. */
export function describeProgress(
  { started_at, callers, files }: NonNullable<ServiceState['running']>,
  now: Date,
): string {
  return [
    elapsed(now.getTime() - Date.parse(started_at)),
    ...(files === null ? [] : [`read ${number(files.read)} of ${counted(files.all, 'file')}`]),
    ...(callers === 0 ? [] : [counted(callers, 'caller')]),
  ].join(' · ');
}

function Alerts({ alerts, root }: { alerts: readonly Alert[]; root: string }) {
  if (alerts.length === 0) return null;
  return (
    <section class="alerts" aria-label="Attention">
      {alerts.map(({ title, text, command, link }) => (
        <div>
          <h2>{title}</h2>
          <p>
            {text}
            {command !== undefined && (
              <>
                {' '}
                <code>{command}</code>
              </>
            )}
            {link !== undefined && (
              <>
                {' '}
                <a href={`${root}${link.path}`}>{link.text}</a>
              </>
            )}
          </p>
        </div>
      ))}
    </section>
  );
}
