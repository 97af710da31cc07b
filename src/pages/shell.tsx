import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ServiceState } from '../store/state.js';
import { Notice } from './blocks.js';
import { findAlerts, type Known } from './find-alerts.js';
import { counted, moment, number } from './words.js';

export interface Page {
  /** Of the browser tab; also the heading, unless `heading` shows it differently. */
  title: string;
  view: 'overview' | 'pods' | 'history' | null;
  heading?: ComponentChildren;
  /** Above the heading: where the page belongs. */
  above?: ComponentChildren;
  lead?: ComponentChildren;
  body: ComponentChildren;
}

/** The whole text of a page. It has no script and no form: what changes is asked for anew, by links. */
export function renderPage(url: string, known: Known, page: Page): string {
  const { title, heading = title, above, lead, body } = page;
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title} · Blood pressure cohort</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Header known={known} view={page.view} />
        <main id="main" tabIndex={-1}>
          <Alerts known={known} />
          <p class="eyebrow">
            {above}
            {above !== undefined && ' · '}Made {moment(known.now)}
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
            <a href="/docs">HTTP API</a>
            <a href="/api/summary">Newest results as JSON</a>
          </p>
        </footer>
      </body>
    </html>,
  );
  // Pages write their links from the root; relative ones also work below a path of a proxy. No text can look like a link,
  // because its quotes are escaped.
  return `<!doctype html>${html.replace(/ (href|src)="\//g, ` $1="${rootOf(url)}`)}`;
}

/** Leads from a page to the overview, and in front of its path to every other page. */
function rootOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return './' + '../'.repeat(path.split('/').length - 2);
}

function Header({ known, view: current }: { known: Known; view: Page['view'] }) {
  const { latest } = known;
  const views = [
    { view: 'overview', path: '', title: 'Overview' },
    ...(latest === null
      ? []
      : [{ view: 'pods', path: `runs/${latest.run_id}/pods`, title: 'Pods' }]),
    { view: 'history', path: 'history', title: 'History' },
  ];
  return (
    <header class="top">
      <div>
        <a class="brand" href="/">
          <img src="/icon.svg" width="30" height="30" alt="" />
          Blood pressure cohort
        </a>
        <nav aria-label="Views">
          {views.map(({ view, path, title }) => (
            <a href={`/${path}`} aria-current={view === current ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <State known={known} />
      </div>
    </header>
  );
}

function State({ known: { state, latest } }: { known: Known }) {
  if (state === null) return <p class="state">State unknown</p>;
  const { running, interrupted, analyser, last_run: last } = state;
  if (running !== null && interrupted === null) {
    return <p class="state">Analysis running since {describeProgress(running)}</p>;
  }
  if (analyser?.state === 'killed') return <p class="state">Killed</p>;
  if (analyser?.state === 'stopped') {
    return <p class="state">Stopped at {moment(analyser.at)}</p>;
  }
  if (last?.status === 'FAILED') return <p class="state">Last run failed</p>;
  return <p class="state">{latest === null && last === null ? 'No run yet' : 'Idle'}</p>;
}

/** `19 Nov 2026, 09:15:02 UTC · read 40 of 312 files` */
function describeProgress({ started_at, files }: NonNullable<ServiceState['running']>): string {
  const since = moment(started_at);
  if (files === null) return since;
  return `${since} · read ${number(files.read)} of ${counted(files.all, 'file')}`;
}

function Alerts({ known }: { known: Known }) {
  const alerts = findAlerts(known);
  if (alerts.length === 0) return null;
  return (
    <section class="alerts" aria-label="Attention">
      {alerts.map(({ title, text }) => (
        <Notice title={title}>
          <p>{text}</p>
        </Notice>
      ))}
    </section>
  );
}
