import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ResultsDocument } from '../src/documents/results-document.js';
import { openChartStore } from '../src/store/chart-store.js';
import { openResultsStore } from '../src/store/results-store.js';
import { send, startApi } from './support/api-client.js';
import { samplePicture } from './support/chart-sample.js';
import { outputBelow } from './support/output-below.js';
import { samplePod, sampleResults } from './support/results-sample.js';
import { newFolder } from './support/temp-folder.js';

const root = await newFolder();
const output = outputBelow(root);
const api = await startApi(output);

afterEach(async () => {
  for (const folder of Object.values(output)) await rm(folder, { recursive: true, force: true });
});

async function write(...runs: ResultsDocument[]): Promise<void> {
  const results = openResultsStore(output.results_dir);
  for (const run of runs) await results.write(run);
}

function runOf(day: number, podIds: readonly string[]): ResultsDocument {
  return {
    ...sampleResults(`202608${day}T091500Z`, podIds),
    generated_at: `2026-08-${day}T09:15:00.000+00:00`,
  };
}

const page = async (path: string) => {
  const { status, headers, body } = await send(api.address, path);
  const [type, disposition] = [headers['content-type'], headers['content-disposition']];
  return { status, type, disposition, text: body.toString() };
};

/** The addresses that a page leads to or loads, as a browser resolves them, below a path of a proxy too. */
function addressesOn(path: string, html: string): string[] {
  const proxy = `${api.address}${path.startsWith('/docs') ? '' : '/cohort'}`;
  const found = html.matchAll(/ (?:href|src|action)="([^"]*)"/g);
  return Array.from(found, ([, link = '']) => {
    const { href, hash } = new URL(link.replaceAll('&amp;', '&'), `${proxy}${path}`);
    expect(href.startsWith(`${proxy}/`), `${link} on ${path}`).toBe(true);
    return href.slice(proxy.length, href.length - hash.length);
  });
}

/** The names of all elements and, with an equals sign, of all attributes. */
function namesIn(html: string): string[] {
  return Array.from(
    html.matchAll(/<([a-z]\w*)((?:[^">]|"[^"]*")*)>/gi),
    ([, name = '', rest = '']) => [
      name,
      ...(rest.replace(/"[^"]*"/g, '').match(/[^\s=]+=/g) ?? []),
    ],
  ).flat();
}

/** Pod ids that are all that a page must not take for its own text. */
const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)',
  'a href="/docs',
  '../../docs',
  'a?b#c&d=%2F',
  'x'.repeat(900),
  'مريم-\u202egnp.exe',
];

test('[T36] every link of every page leads somewhere, whatever the Pods are called, and nothing in a page can run', async () => {
  const pods = ['localhost:3000-alice', ...hostile];
  const [first, second] = [runOf(19, [...pods, 'gone']), runOf(20, pods)];
  for (const run of [first, second]) {
    run.warnings = hostile;
    for (const pod of run.pods) {
      pod.notes = hostile;
      pod.web_id = pod.pod_id;
    }
    run.sharing.published = [
      {
        kind: 'pod-average',
        pod_id: pods[0] ?? '',
        resource_url: '',
        recipients: [],
        failures: Object.fromEntries(hostile.map((text) => [text, text])),
      },
    ];
  }
  await write(first, second);
  for (const pod of pods) {
    await openChartStore(output).write(pod, samplePicture());
  }
  const asked = new Set(['/', '/history?days=/7']);
  const texts: string[] = [];
  const names = new Set<string>();
  for (const path of asked) {
    const { status, type = '', text } = await page(path);
    expect([path, status]).toEqual([path, 200]);
    if (!String(type).startsWith('text/html')) continue;
    for (const address of addressesOn(path, text)) asked.add(address);
    // The one page that is a program.
    if (path.startsWith('/docs')) continue;
    texts.push(text);
    expect(text).toMatch(/Made \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC/);
    for (const name of namesIn(text)) names.add(name);
  }
  // No element that runs or loads a program, and no attribute that is one.
  expect(
    [...names].filter((name) =>
      /^(script|iframe|object|embed|base|on.*|style=|srcdoc=|xlink.*)$/i.test(name),
    ),
  ).toEqual([]);
  expect(names).toContain('href=');
  expect([...asked]).toContain('/docs/static/swagger-ui-bundle.js');
  // The overview, the Pods and each Pod of both runs; the history.
  expect(texts.length).toBeGreaterThan(2 * (2 + pods.length));
  for (const text of hostile) {
    const written = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    expect(
      texts.some((one) => one.includes(written)),
      text,
    ).toBe(true);
  }
});

describe('the pages before the first run', () => {
  test.each(['/', '/history'])('%s says what to do', async (path) => {
    const { status, text } = await page(path);
    expect(status).toBe(200);
    expect(text).toContain('No analysis has run yet');
    expect(text).toContain('<code>run-once</code>');
    // Not everybody has it.
    expect(text).not.toContain('run.sh');
  });
});

describe('what cannot be shown', () => {
  beforeEach(() => write(runOf(19, ['a']), runOf(20, ['a'])));

  test.each([
    ['/runs/20260819T091500Z/pods/nobody', 404, 'This run does not have this Pod'],
    ['/runs/20200101T000000Z', 404, 'No run of this run_id is stored'],
    ['/runs/..%2f..%2fstate', 404, 'No run of this run_id is stored'],
    // No page: for who asks for HTML.
    ['/pdos', 404, 'There is nothing at this address.'],
    ['/runs/20260819T091500Z/pods/a/b', 404, 'There is nothing at this address.'],
    ['/api/runs/20200101T000000Z', 404, 'No run of this run_id is stored'],
  ])('%s is a page with %i and the reason', async (path, expected, reason) => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const answer = await send(api.address, path, { headers });
    expect(answer.status).toBe(expected);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const text = answer.body.toString();
    expect(text).toContain(reason);
    expect(text).not.toMatch(/detail|\/api\/runs lists/);
    expect(addressesOn(path, text)).toContain('/history');
  });

  test('files that cannot be read are told on their page alone, without their paths', async () => {
    await writeFile(join(output.results_dir, 'run-20260819T091500Z.json'), '{');
    const { status, text } = await page('/runs/20260819T091500Z');
    expect(status).toBe(500);
    expect(text).toContain(
      'This version cannot read the figures of run 20260819T091500Z; the log says why.',
    );
    expect(text).not.toContain(root);
    expect((await page('/')).status).toBe(200);
    await writeFile(join(output.results_dir, 'latest.json'), '{"schema_version": 2}');
    expect(await page('/')).toMatchObject({
      status: 500,
      text: expect.stringContaining('cannot read the figures of the latest run'),
    });
    expect((await page('/history')).status).toBe(200);
  });
});

test('the picture of a Pod is shown while the latest run has the Pod, also on pages of older runs', async () => {
  const [before, latest] = [runOf(19, ['a', 'b']), runOf(20, ['a'])];
  for (const run of [before, latest]) run.charts.pods = { a: 'a.png' };
  await write(before, latest);
  for (const pod of ['a', 'b']) {
    await openChartStore(output).write(pod, samplePicture());
  }
  for (const run of ['20260820T091500Z', '20260819T091500Z']) {
    expect((await page(`/runs/${run}/pods/a`)).text).toContain('api/pods/a/chart.png');
  }
  expect((await page('/runs/20260819T091500Z/pods/b')).text).not.toContain('chart.png');
  expect((await page('/api/pods/a/chart.png')).status).toBe(200);
  expect((await page('/api/pods/b/chart.png')).status).toBe(404);
});

test('who is missing is told by name: gone, left out, with earlier figures, with files that were not read', async () => {
  const names = ['here', 'few', 'new', 'silent'];
  const run = runOf(20, []);
  run.pods = names.map((name) => ({
    ...samplePod(`c.example-${name}`),
    files_skipped: name === 'silent' ? 2 : 0,
  }));
  const [, few, unread, silent] = run.pods;
  if (few === undefined || silent === undefined) throw new Error('They are there.');
  const { measures } = silent;
  const earlier = { from: '2026-08-17', observation_count: 3, measures };
  // What counts are the earlier figures, also where there are too few of them.
  Object.assign(few, { observation_count: 5, included_in_cohort: false, carried: earlier });
  Object.assign(unread ?? {}, { observation_count: 5, included_in_cohort: false });
  run.analysis.minimum_observations = 5;
  silent.carried = earlier;
  await write(runOf(19, ['c.example-gone', 'c.example-here']), run);
  const { text } = await page('/');
  const section = /Who is missing.*?<\/section>/s.exec(text)?.[0] ?? '';
  const told = Array.from(
    section.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g),
    ([, reason, names = '']) => [reason, names.replace(/<[^>]+>/g, '')],
  );
  expect(told).toEqual([
    ['In the run of 19 Aug 2026, 09:15:00 UTC, and not in this one', 'gone'],
    ['Left out of the averages', 'few 3 of 5 readingsnew not all could be read'],
    ['With earlier figures, as not everything could be read', 'silent with figures of 17 Aug 2026'],
    ['With files that could not be read', 'silent 2 of 5'],
  ]);
  expect((await page('/runs/20260819T091500Z')).text).toContain(
    'With files that could not be read',
  );
});

test('the table has first who is not whole in the averages, then all by name', async () => {
  const ids = [10, 4, 3, 2, 1].map((number) => `x.example-p${number}`);
  const run = runOf(20, ids);
  const [, four, three] = run.pods;
  if (four === undefined || three === undefined) throw new Error('They are there.');
  Object.assign(four, { observation_count: 0, included_in_cohort: false });
  const { measures } = samplePod('x.example-none');
  three.carried = { from: '2026-10-31', observation_count: 3, measures };
  await write(run);
  const { text } = await page('/runs/20260820T091500Z/pods');
  const names = Array.from(text.matchAll(/<b>(\w+)<\/b>/g), ([, name]) => name);
  expect(names).toEqual(['p3', 'p4', 'p1', 'p2', 'p10']);
});

test('the history of some days has no older analysis, and none of a clock that ran ahead', async () => {
  const ahead = { ...runOf(20, ['a']), run_id: '20310101T000000Z' };
  ahead.generated_at = '2031-01-01T00:00:00Z';
  await write(runOf(10, ['a']), runOf(18, ['a']), ahead, runOf(19, ['a']));
  const shown = async (days: string) => {
    const { text } = await page(`/history?days=${days}`);
    return ['10 Aug 2026', '18 Aug 2026', '1 Jan 2031'].map((day) => text.includes(day));
  };
  expect(await shown('7')).toEqual([false, true, false]);
  expect(await shown('all')).toEqual([true, true, true]);
});

test('the CSV files hold what the tables show, in full', async () => {
  await write(runOf(19, ['x-b', 'x-a']), runOf(20, ['x-b', 'x-a', 'x-c']));
  const csv = async (path: string) => {
    const { type, text, disposition } = await page(path);
    expect([type, disposition]).toEqual(['text/csv; charset=utf-8', 'attachment']);
    return text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
  };
  expect((await csv('/runs/20260819T091500Z/pods.csv')).map(([, , pod]) => pod)).toEqual([
    'x-b',
    'x-a',
  ]);
  expect((await csv('/history.csv')).map(([run_id]) => run_id)).toEqual([
    '20260820T091500Z',
    '20260819T091500Z',
  ]);
});

test('a table of thousands of Pods shows a thousand, and says where all are', async () => {
  await write(
    runOf(
      20,
      Array.from({ length: 1100 }, (_, index) => `c.example-${index + 1000}`),
    ),
  );
  const { text } = await page('/runs/20260820T091500Z/pods');
  expect(text.match(/<bdi><b>/g)).toHaveLength(1000);
  expect(text).toContain('1,100 Pods; 1,000 are shown, all are in the CSV');
  expect((await page('/runs/20260820T091500Z/pods.csv')).text.split('\r\n')).toHaveLength(1102);
});
