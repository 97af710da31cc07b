import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { PodEntry, ResultsDocument } from '../../src/documents/results-document.js';
import { type HttpApi, startHttpApi } from '../../src/http/start-http-api.js';
import { openChartStore } from '../../src/store/chart-store.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { sampleChart, samplePicture } from '../support/chart-sample.js';
import { runMode } from '../support/command-line.js';
import { noLog } from '../support/no-log.js';
import { outputBelow } from '../support/output-below.js';
import { samplePod, sampleResults } from '../support/results-sample.js';
import { testBuild } from '../support/test-build.js';

/** With api.names: false, staff must not learn from the API who is who. */
const people = ['walburga', 'zacharias', 'hildegard', 'ottokar'];
const [walburga = '', zacharias = '', hildegard = '', ottokar = ''] = people;
const host = 'clinic.example';
const podIdOf = (person: string) => `${host}-${person}`;
const webIdOf = (person: string) => `https://${host}/${person}/profile/card#me`;
const [first, second] = ['20260819T091500Z', '20260820T091500Z'];

function podOf(person: string): PodEntry {
  return {
    ...samplePod(podIdOf(person)),
    web_id: webIdOf(person),
    pod_root: `https://${host}/${person}/`,
  };
}

/** Of an analysis that somebody without readings has asked for. */
function runOf(runId: string, day: number, persons: readonly string[]): ResultsDocument {
  const [someone = ''] = persons;
  const url = `https://${host}/analyser/app/data/analyser/${podIdOf(someone)}/bp-average.json.enc.ttl`;
  return {
    ...sampleResults(runId, []),
    generated_at: `2026-08-${day}T09:15:00.000+00:00`,
    requested_by: webIdOf(ottokar),
    pods: persons.map(podOf),
    charts: { pods: { [podIdOf(someone)]: `${podIdOf(someone)}.png` } },
    sharing: {
      enabled: true,
      published: [
        {
          ...{ kind: 'pod-average', pod_id: podIdOf(someone), resource_url: url },
          recipients: [webIdOf(someone)],
          failures: {
            [webIdOf(someone)]: `https://${host}/${someone}/app/x.ttl answered HTTP 500`,
          },
        },
        {
          ...{ kind: 'cohort-average', pod_id: 'cohort', resource_url: url },
          ...{ recipients: persons.map(webIdOf), failures: {} },
        },
      ],
    },
    warnings: [`https://${host}/${someone}/app/data/x.ttl: it was refused (file skipped)`],
  };
}

/** Of run-once, which publishes for all, in the order of their addresses. */
function runForAll(runId: string, day: number, persons: readonly string[]): ResultsDocument {
  const sorted = persons.toSorted();
  const common = { resource_url: 'https://clinic.example/result' };
  const failures = Object.fromEntries(sorted.map((person) => [webIdOf(person), 'It is full.']));
  return {
    ...runOf(runId, day, sorted),
    requested_by: null,
    sharing: {
      enabled: true,
      cohort_release: {
        mechanism: 'steps',
        withheld: `https://${host}/analyser/memory.txt is damaged`,
        average_of_averages: { systolic: null, diastolic: null, heart_rate: null },
        released_at: { systolic: null, diastolic: null, heart_rate: null },
      },
      published: [
        ...sorted.map((person) => ({
          ...{ ...common, kind: 'pod-average' as const, pod_id: podIdOf(person) },
          ...{ recipients: [webIdOf(person)], failures: {} },
        })),
        {
          ...{ ...common, kind: 'cohort-average' as const, pod_id: 'cohort' },
          ...{ recipients: sorted.map(webIdOf), failures },
        },
      ],
    },
  };
}

let root: string;
let output: ReturnType<typeof outputBelow>;
let api: HttpApi;

const start = () =>
  startHttpApi({
    api: {
      ...{ enabled: true, host: '127.0.0.1', port: 0 },
      ...{ allowed_hosts: [], cors_origins: [], names: false },
    },
    output: { ...output, render_charts: true, keep_days: null, keep_megabytes: null },
    ...{ webDir: join(root, 'web'), build: testBuild, log: noLog },
  });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'names-'));
  output = outputBelow(root);
  const results = openResultsStore(output.results_dir);
  await results.write(runOf(first, 19, [zacharias, walburga, hildegard]));
  await results.write(runOf(second, 20, [zacharias, walburga]));
  await openChartStore(output).write(podIdOf(walburga), samplePicture(), sampleChart(1));
  api = await start();
});
afterEach(async () => {
  await api.stop();
  await rm(root, { recursive: true });
});

const ask = (path: string) => fetch(new URL(path, api.address), { redirect: 'manual' });
const jsonOf = async (path: string): Promise<unknown> => (await ask(path)).json();

const podsSchema = z.object({
  pods: z.array(z.object({ pod_id: z.string(), web_id: z.string(), pod_root: z.string() })),
  left: z.array(z.object({ pod_id: z.string() })),
});

async function namesOf(): Promise<Map<string, string>> {
  const { code, out } = await runMode(['names', '--json'], { cwd: root, env: {} });
  expect(code).toBe(0);
  const rows = z.array(z.object({ name: z.string(), pod_id: z.string() })).parse(JSON.parse(out));
  return new Map(rows.map(({ name, pod_id }) => [pod_id, name]));
}

beforeEach(async () => {
  const config = {
    analyser: { web_id: 'https://pods.example.org/analyser/profile/card#me' },
    ...{ output, api: { names: false } },
  };
  await writeFile(join(root, 'config.yaml'), JSON.stringify(config));
});

test('no answer of any route names anybody', async () => {
  const description = z
    .object({ paths: z.record(z.string(), z.unknown()) })
    .parse(await jsonOf('/docs/json'));
  const names = await namesOf();
  const podIds = [...names.values(), ...people.map(podIdOf), 'nobody'];
  const paths = Object.keys(description.paths).flatMap((path) =>
    path.includes('{pod_id}')
      ? podIds.map((podId) => path.replace('{pod_id}', encodeURIComponent(podId)))
      : path.includes('{run_id}')
        ? [first, second, '20990101T000000Z'].map((runId) => path.replace('{run_id}', runId))
        : [path, `${path}?`],
  );
  const queries = [...names.values()].map((name) => `/api/analyses?pod_id=${name}`);
  const asked = [...paths, ...queries, '/', '/docs', '/docs/json', '/nowhere'];
  expect(asked.length).toBeGreaterThan(30);
  const told: string[] = [];
  for (const path of asked) {
    const answer = await ask(path);
    const text = `${JSON.stringify([...answer.headers])}${await answer.text()}`.toLowerCase();
    // An address that was asked for by the asker is theirs; no answer repeats it.
    for (const person of people) if (text.includes(person)) told.push(`${path}: ${person}`);
    if (text.includes(host)) told.push(`${path}: ${host}`);
  }
  expect(told).toEqual([]);
});

test('each Pod has one stable name everywhere, which leads to its chart and figures', async () => {
  const names = await namesOf();
  const [name = '', other = '', gone = ''] = [walburga, zacharias, hildegard].map(
    (person) => names.get(podIdOf(person)) ?? '',
  );
  expect(new Set([name, other, gone]).size).toBe(3);
  for (const one of [name, other, gone]) expect(one).toMatch(/^P-[0-9A-V]{10}$/);
  const { pods, left } = podsSchema.parse(await jsonOf('/api/pods'));
  const sorted = [name, other].sort();
  expect(pods).toMatchObject(sorted.map((one) => ({ pod_id: one, web_id: one, pod_root: one })));
  expect(left).toMatchObject([{ pod_id: gone }]);
  expect(await jsonOf('/api/summary')).toMatchObject({
    charts: { pods: { [other]: `${other}.png` } },
    sharing: { published: [{ pod_id: other, recipients: [other] }, { pod_id: 'cohort' }] },
    warnings: ['1 warning, not shown here because they can name people (api.names).'],
  });
  const png = Buffer.from(await (await ask(`/api/pods/${name}/chart.png`)).arrayBuffer());
  expect(png.equals(samplePicture())).toBe(true);
  expect(JSON.stringify(await jsonOf(`/api/pods/${name}/fhir`))).toContain(
    `"identifier":{"value":"${name}"}`,
  );
  expect(await jsonOf(`/api/analyses?pod_id=${gone}`)).toMatchObject({
    analyses: [
      { pod: null, left: [gone] },
      { pod: { observation_count: samplePod('x').observation_count } },
    ],
  });
});

const named = z.union([
  z.string(),
  z.object({ pod_id: z.string() }).transform((one) => one.pod_id),
]);

/** In each list and object of the answer that holds names: these names, in its order. */
function listsOfNames(answer: unknown): string[][] {
  if (typeof answer !== 'object' || answer === null) return [];
  const items: unknown[] = Array.isArray(answer) ? answer : Object.keys(answer);
  const names = items.flatMap((item) => named.safeParse(item).data ?? []);
  const own = names.filter((name) => /^P-[0-9A-V]{10}$/.test(name));
  return [own, ...Object.values(answer).flatMap(listsOfNames)];
}

test('no list is in the order of the addresses, from which somebody who knows the Pods could tell the names', async () => {
  await openResultsStore(output.results_dir).write(runForAll('20260821T091500Z', 21, people));
  await openResultsStore(output.results_dir).write(runForAll('20260822T091500Z', 22, []));
  const paths = ['/api/summary', '/api/pods', '/api/runs/20260821T091500Z', '/api/analyses'];
  const answers = await Promise.all(paths.map(jsonOf));
  const lists = answers.flatMap(listsOfNames).filter((names) => new Set(names).size > 1);
  expect(lists.length).toBeGreaterThan(5);
  const isInOrder = (names: string[], sorted: string[]) =>
    String(names) === String(sorted) || String(names) === String(sorted.toReversed());
  expect(lists.filter((names) => !isInOrder(names, names.toSorted()))).toEqual([]);
});

test('an address leads nowhere, as one that nobody has', async () => {
  for (const rest of ['', '/fhir', '/chart.png', '/chart.json']) {
    const real = await ask(`/api/pods/${podIdOf(walburga)}${rest}`);
    const invented = await ask(`/api/pods/nobody${rest}`);
    expect([real.status, await real.text()]).toEqual([404, await invented.text()]);
  }
  expect(await jsonOf(`/api/analyses?pod_id=${podIdOf(walburga)}`)).toMatchObject({
    analyses: [{ pod: null }, { pod: null }],
  });
});

test('names stay after a restart, even where nothing but a name is asked for', async () => {
  const name = (await namesOf()).get(podIdOf(walburga)) ?? '';
  await api.stop();
  api = await start();
  expect((await ask(`/api/pods/${name}/chart.png`)).status).toBe(200);
  expect((await stat(join(output.state_dir, 'names.key'))).mode & 0o777).toBe(0o640);
});
