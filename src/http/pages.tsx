import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResultsDocument } from '../documents/results-document.js';
import { historyAsCsv, podsAsCsv } from '../pages/csv.js';
import type { Known } from '../pages/find-alerts.js';
import { HistoryPage } from '../pages/history-page.js';
import { EmptyPage, ProblemPage } from '../pages/other-pages.js';
import { Overview } from '../pages/overview.js';
import { PodLabel, splitPodId } from '../pages/pod-name.js';
import { PodPage } from '../pages/pod-page.js';
import { PodsPage } from '../pages/pods-page.js';
import { type Page, renderPage } from '../pages/shell.js';
import { moment } from '../pages/words.js';
import { readServiceState } from '../store/state.js';
import type { ServedFiles } from './api.js';
import {
  describeError,
  HttpProblem,
  nothingHere,
  type Problem,
  requireLatest,
  requireRun,
} from './http-problem.js';

interface Asked {
  Params: { run_id: string; pod_id: string };
  Querystring: { days?: string };
}

type Draw = (known: Known) => Promise<Page>;

/** Every page of a run lies below `runs/<run_id>`; the overview of the newest is at the root as well. */
export function addPages(
  server: FastifyInstance,
  { results, charts }: ServedFiles,
  stateDir: string,
): void {
  const hidden = { schema: { hide: true } };

  async function know(): Promise<Known> {
    const stored = await results.readLatest();
    const state = await readServiceState(stateDir).catch(() => null);
    return { state, latest: stored.state === 'found' ? stored.document : null, now: new Date() };
  }

  async function overview(run: ResultsDocument, known: Known): Promise<Page> {
    const history = await results.history.list();
    const index = history.findIndex(({ generated_at }) => generated_at === run.generated_at);
    const earlier = index < 0 ? undefined : history[index + 1];
    const before = earlier && (await results.readRun(earlier.runs[0]?.run_id ?? ''));
    const isNewest = run.run_id === known.latest?.run_id;
    return {
      view: isNewest ? 'overview' : 'history',
      title: isNewest ? 'The cohort now' : `Run of ${moment(run.generated_at)}`,
      above: isNewest ? linkToRun(run) : <a href="/history">All runs</a>,
      lead: 'The average of the Pods’ averages: every Pod counts the same.',
      body: <Overview results={run} before={before?.state === 'found' ? before.document : null} />,
    };
  }

  async function pod(run: ResultsDocument, id: string, known: Known): Promise<Page> {
    const found = run.pods.find(({ pod_id }) => pod_id === id);
    if (found === undefined) {
      throw new HttpProblem(
        404,
        'This run does not have this Pod. Its owner may have taken the readings back, or none of them could be read. An earlier run may have it.',
      );
    }
    const isThere = known.latest?.pods.some(({ pod_id }) => pod_id === id) ?? false;
    const hasChart = isThere && (await charts.has(id));
    return {
      view: 'pods',
      title: splitPodId(found).name,
      heading: <PodLabel pod={found} />,
      above: linkToRun(run),
      lead: found.web_id,
      body: <PodPage pod={found} results={run} hasChart={hasChart} />,
    };
  }

  async function showProblem(url: string, reply: FastifyReply, { status, detail }: Problem) {
    const known = await know().catch(() => ({ state: null, latest: null, now: new Date() }));
    const title = status === 404 ? 'Not there' : 'Something is wrong';
    const body = <ProblemPage detail={detail} />;
    return send(reply.code(status), renderPage(url, known, { title, view: null, body }));
  }

  // People get a page, and clients of the API what they can read.
  const isForPeople = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html');
  server.setErrorHandler((error, request, reply) => {
    const problem = describeError(error, request);
    if (isForPeople(request)) return showProblem(request.url, reply, problem);
    return reply.code(problem.status).send({ detail: problem.detail });
  });
  server.setNotFoundHandler((request, reply) => {
    if (!isForPeople(request)) return reply.code(404).send({ detail: nothingHere });
    return showProblem(request.url, reply, mistyped);
  });

  const show = async (url: string, reply: FastifyReply, draw: Draw) => {
    const known = await know();
    return send(reply, renderPage(url, known, await draw(known)));
  };

  server.get('/', hidden, ({ url }, reply) =>
    show(url, reply, async (known) => {
      if (known.latest !== null) return overview(known.latest, known);
      if ((await results.readLatest()).state === 'absent') return emptyPage;
      return overview(await requireLatest(results), known);
    }),
  );

  server.get<Asked>('/runs/:run_id', hidden, ({ params, url }, reply) =>
    show(url, reply, async (known) => overview(await requireRun(results, params.run_id), known)),
  );

  server.get<Asked>('/runs/:run_id/pods', hidden, ({ params, url }, reply) =>
    show(url, reply, async () => {
      const run = await requireRun(results, params.run_id);
      return {
        view: 'pods',
        title: 'Pods',
        above: linkToRun(run),
        lead: 'Every Pod of which at least one shared file could be read.',
        body: <PodsPage results={run} />,
      };
    }),
  );

  server.get<Asked>('/runs/:run_id/pods/:pod_id', hidden, ({ params, url }, reply) =>
    show(url, reply, async (known) =>
      pod(await requireRun(results, params.run_id), params.pod_id, known),
    ),
  );

  server.get<Asked>('/history', hidden, ({ query, url }, reply) =>
    show(url, reply, async () => {
      const history = await results.history.list();
      if (history.length === 0) return emptyPage;
      return {
        view: 'history',
        title: 'History',
        lead: 'How the cohort’s averages developed from analysis to analysis.',
        body: <HistoryPage history={history} days={query.days} />,
      };
    }),
  );

  server.get<Asked>('/runs/:run_id/pods.csv', hidden, async ({ params }, reply) =>
    sendCsv(reply, podsAsCsv(await requireRun(results, params.run_id))),
  );

  server.get('/history.csv', hidden, async (_request, reply) =>
    sendCsv(reply, historyAsCsv(await results.history.list())),
  );
}

const mistyped = { status: 404, detail: 'There is nothing at this address.' };

const emptyPage: Page = { view: null, title: 'The cohort now', body: <EmptyPage /> };

function linkToRun(run: ResultsDocument) {
  return <a href={`/runs/${run.run_id}`}>Run of {moment(run.generated_at)}</a>;
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
