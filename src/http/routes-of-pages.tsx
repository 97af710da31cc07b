import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResultsDocument } from '../documents/results-document.js';
import { arrangePods, readArrangement } from '../pages/arrange-pods.js';
import { chooseDays, readRange } from '../pages/choose-days.js';
import { historyAsCsv, podsAsCsv } from '../pages/csv.js';
import type { Known } from '../pages/find-alerts.js';
import { HistoryPage } from '../pages/history-page.js';
import { describeWarnings, EmptyPage, ProblemPage, WarningsPage } from '../pages/other-pages.js';
import { Overview } from '../pages/overview.js';
import { type PageAddress, pageAddress } from '../pages/page-address.js';
import { PodLabel, splitPodId } from '../pages/pod-name.js';
import { PodPage } from '../pages/pod-page.js';
import { PodsPage } from '../pages/pods-page.js';
import { type Page, renderPage } from '../pages/shell.js';
import { moment } from '../pages/words.js';
import { readServiceState } from '../store/service-state.js';
import { HttpProblem, requireLatest, requireRun } from './http-problem.js';
import type { ServedFiles } from './served-files.js';

interface RunRequest {
  /** Absent for the newest run. */
  run_id?: string;
  pod_id?: string;
}

/** A run that is to be shown, and where. */
interface Shown {
  results: ResultsDocument;
  isNewest: boolean;
  address: PageAddress;
  known: Known;
}

type Describe = (error: unknown, request: FastifyRequest) => { status: number; detail: string };

/** In the lines below the figures of the overview. */
const ANALYSES_IN_LINES = 30;

/** The dashboard: pages that are drawn here, of the same files as the answers of the API. */
export async function addPages(
  server: FastifyInstance,
  files: ServedFiles,
  stateDir: string,
  describe: Describe,
): Promise<void> {
  const { results, charts } = files;
  const hidden = { schema: { hide: true } };

  async function know(): Promise<Known> {
    const stored = await results.readLatest();
    const [newest] = await files.history.list();
    const state = await readServiceState(stateDir).catch(() => null);
    const latest = stored.state === 'found' ? stored.document : null;
    return { state, latest, newest, now: new Date() };
  }

  /** Null where there is no run yet. */
  async function readRun(runId: string | undefined): Promise<ResultsDocument | null> {
    if (runId !== undefined) return await requireRun(results, runId);
    return (await results.readLatest()).state === 'absent' ? null : await requireLatest(results);
  }

  async function overview({ results: run, isNewest, address, known }: Shown): Promise<Page> {
    const history = await files.history.list();
    const index = history.findIndex(({ generated_at }) => generated_at === run.generated_at);
    const [, previous] = index < 0 ? [] : history.slice(index);
    const before = previous && (await results.readRun(previous.runs[0]?.run_id ?? ''));
    const title = isNewest ? 'The cohort now' : `Run of ${moment(run.generated_at)}`;
    return {
      view: isNewest ? 'overview' : 'history',
      title,
      above: isNewest ? linkToRun({ results: run, address }) : linkToHistory(address),
      lead: isNewest ? (
        'The average of the Pods’ averages: every Pod counts the same.'
      ) : (
        <code>{run.run_id}</code>
      ),
      body: (
        <Overview
          results={run}
          history={index < 0 ? [] : history.slice(index, index + ANALYSES_IN_LINES)}
          before={before?.state === 'found' ? before.document : null}
          address={address}
          service={isNewest ? known : null}
        />
      ),
    };
  }

  async function pod({ results: run, isNewest, address, known }: Shown, id: string): Promise<Page> {
    const pod = run.pods.find(({ pod_id }) => pod_id === id);
    if (pod === undefined) {
      throw new HttpProblem(
        404,
        'This run does not have this Pod. Its owner may have taken the readings back, or none of them could be read. An earlier run may have it.',
      );
    }
    const isThere = known.latest?.pods.some(({ pod_id }) => pod_id === id) ?? false;
    const hasChart = isThere && (await charts.has(id));
    const isOfThisRun = isNewest && Object.hasOwn(run.charts.pods, id);
    const chart = hasChart ? (isOfThisRun ? 'of this run' : 'older') : 'none';
    return {
      view: isNewest ? 'pods' : 'history',
      title: splitPodId(pod).name,
      heading: <PodLabel pod={pod} />,
      above: linkToRun({ results: run, address }),
      lead: <span class="address">{pod.web_id}</span>,
      body: <PodPage pod={pod} results={run} chart={chart} address={address} />,
    };
  }

  const ofRun: Record<string, (shown: Shown, request: RunRequest) => Page | Promise<Page>> = {
    '/': overview,
    '/pods': (shown) => ({
      view: shown.isNewest ? 'pods' : 'history',
      title: 'Pods',
      above: linkToRun(shown),
      lead: 'Every Pod of which at least one shared file could be read.',
      body: <PodsPage {...shown} />,
    }),
    '/pods/:pod_id': (shown, { pod_id = '' }) => pod(shown, pod_id),
    '/warnings': (shown) => ({
      view: shown.isNewest ? 'warnings' : 'history',
      title: 'Warnings',
      above: linkToRun(shown),
      lead: describeWarnings(shown.results),
      body: <WarningsPage {...shown} />,
    }),
  };

  await server.register((pages, _options, done) => {
    pages.setErrorHandler(async (error, request, reply) => {
      const { status, detail } = describe(error, request);
      const address = pageAddress(request.url, null);
      const known = await know().catch(() => ({
        ...{ state: null, latest: null, newest: undefined, now: new Date() },
      }));
      const title = status === 404 ? 'Not there' : 'Something is wrong';
      const body = <ProblemPage detail={detail} address={address} />;
      return send(reply.code(status), renderPage(address, known, { title, view: null, body }));
    });

    for (const [path, draw] of Object.entries(ofRun)) {
      for (const route of [path, `/runs/:run_id${path === '/' ? '' : path}`]) {
        pages.get<{ Params: RunRequest }>(route, hidden, async ({ params, url }, reply) => {
          const { run_id } = params;
          const address = pageAddress(url, run_id ?? null);
          const [known, run] = await Promise.all([know(), readRun(run_id)]);
          const page =
            run === null
              ? emptyPage
              : await draw(
                  { results: run, isNewest: run_id === undefined, address, known },
                  params,
                );
          return send(reply, renderPage(address, known, page));
        });
      }
    }

    pages.get('/history', hidden, async ({ url }, reply) => {
      const address = pageAddress(url, null);
      const [known, history] = await Promise.all([know(), files.history.list()]);
      const page: Page = {
        view: 'history',
        title: 'History',
        lead: 'How the cohort’s averages developed from analysis to analysis.',
        body: <HistoryPage history={history} address={address} />,
      };
      return send(reply, renderPage(address, known, history.length === 0 ? emptyPage : page));
    });

    for (const path of ['/pods.csv', '/runs/:run_id/pods.csv']) {
      pages.get<{ Params: RunRequest }>(path, hidden, async ({ params, url }, reply) => {
        const run = await readRun(params.run_id);
        if (run === null) throw new HttpProblem(404, 'No analysis has run yet.');
        const { query } = pageAddress(url, null);
        return sendCsv(reply, podsAsCsv(run, arrangePods(run.pods, readArrangement(query))));
      });
    }

    pages.get('/history.csv', hidden, async ({ url }, reply) => {
      const history = await files.history.list();
      const range = readRange(pageAddress(url, null).query, history[0]?.generated_at ?? null);
      return sendCsv(reply, historyAsCsv(chooseDays(history, range)));
    });
    done();
  });
}

const emptyPage: Page = { view: null, title: 'The cohort now', body: <EmptyPage /> };

function linkToRun({ results, address }: Pick<Shown, 'results' | 'address'>) {
  return (
    <a href={`${address.root}runs/${results.run_id}`}>Run of {moment(results.generated_at)}</a>
  );
}

function linkToHistory(address: PageAddress) {
  return <a href={`${address.root}history`}>All runs</a>;
}

function send(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(html);
}

function sendCsv(reply: FastifyReply, csv: string): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment')
    .send(csv);
}
