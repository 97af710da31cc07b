import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../src/base/logger.js';
import { startHttpApi } from '../src/http/start-http-api.js';
import { testBuild } from '../test/support/test-build.js';
import type { Benchmark } from './benchmark.js';
import { storeRunFiles } from './support/run-files.js';
import { median, quantile } from './support/statistics.js';
import { type Row, short } from './table.js';

const PODS = 20;
const ANSWERS = 20;
const UNKNOWN = 1_000;
const AT_ONCE = 10;

/** The HTTP API over many stored runs. It and whoever asks share a process, which makes it slower than it is. */
export const storedRuns: Benchmark = {
  name: 'stored-runs',
  async run({ quick, say }) {
    const [some, many] = quick ? [100, 1_000] : [10_000, 100_000];
    return [
      ...(await withRuns({ count: some, pods: PODS }, say, analysesRows)),
      ...(await withRuns({ count: many, pods: 2 }, say, unknownRunRows)),
    ];
  },
};

interface Stored {
  count: number;
  resultsDir: string;
  address: string;
}

async function withRuns(
  size: { count: number; pods: number },
  say: (text: string) => void,
  measure: (stored: Stored) => Promise<Row[]>,
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-bench-'));
  const resultsDir = join(folder, 'results');
  await mkdir(resultsDir);
  await storeRunFiles(resultsDir, size);
  say(`${size.count} runs are stored`);
  const api = await startHttpApi({
    api: {
      enabled: true,
      host: '127.0.0.1',
      port: 0,
      allowed_hosts: [],
      cors_origins: [],
    },
    output: {
      results_dir: resultsDir,
      state_dir: join(folder, 'state'),
      charts_dir: join(folder, 'charts'),
      render_charts: true,
      keep_days: null,
      keep_megabytes: null,
    },
    build: testBuild,
    webDir: folder,
    log: createLogger({ verbose: false, stream: { write: () => undefined } }),
  });
  try {
    return await measure({ count: size.count, resultsDir, address: api.address });
  } finally {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function analysesRows({ count, resultsDir, address }: Stored): Promise<Row[]> {
  const ask = () => timeOf(`${address}/api/analyses?limit=1000`);
  const first = await ask();
  const later: number[] = [];
  for (let round = 0; round < ANSWERS; round += 1) later.push(await ask());
  const all = performance.now();
  let next = '';
  let pages = 0;
  for (; pages === 0 || next !== ''; pages += 1) {
    const answer = await fetch(`${address}/api/analyses?limit=1000${next}`);
    const body: unknown = await answer.json();
    next = nextOf(body);
  }
  const allMs = performance.now() - all;
  const ofPod = `${address}/api/analyses?limit=30&pod_id=pods.example.org-person-3`;
  const [podFirst, podLater] = [await timeOf(ofPod), await timeOf(ofPod)];
  await rm(join(resultsDir, 'analyses.jsonl'));
  const unlisted = [await ask(), await ask()];
  return [
    {
      what: `1,000 analyses of ${count}: the longest answer of /api/analyses from the second time on`,
      measured: quantile(later, 1),
      unit: 'ms',
      target: { most: 200 },
      details: `first ${short(first)} ms, median of ${ANSWERS} later ones ${short(median(later))} ms; all in ${pages} pages ${short(allMs)} ms; 30 with the figures of one Pod ${short(podFirst)} ms, then ${short(podLater)} ms`,
    },
    {
      what: 'the same where no run has a line in analyses.jsonl',
      measured: unlisted[1] ?? Number.NaN,
      unit: 'ms',
      target: { most: 200 },
      details: `first ${short(unlisted[0] ?? Number.NaN)} ms, when every run document of ${PODS} Pods is read`,
    },
  ];
}

async function unknownRunRows({ count, address }: Stored): Promise<Row[]> {
  const listed = [await timeOf(`${address}/api/runs`), await timeOf(`${address}/api/runs`)];
  const times: number[] = [];
  let asked = 0;
  const askOneByOne = async () => {
    while (asked < UNKNOWN) {
      asked += 1;
      times.push(await timeOf(`${address}/api/runs/20000101T0000${String(asked % 60)}Z`, 404));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOneByOne));
  return [
    {
      what: `${count} stored runs: p99 of an unknown run id, ${AT_ONCE} asked for at once`,
      measured: quantile(times, 0.99),
      unit: 'ms',
      target: { most: 50 },
      details: `median ${short(median(times))} ms of ${UNKNOWN}; /api/runs ${short(listed[0] ?? 0)} ms, then ${short(listed[1] ?? 0)} ms`,
    },
  ];
}

async function timeOf(url: string, status = 200): Promise<number> {
  const start = performance.now();
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (answer.status !== status) throw new Error(`${url} answered ${answer.status}.`);
  return performance.now() - start;
}

function nextOf(body: unknown): string {
  const next =
    typeof body === 'object' && body !== null && 'next' in body ? String(body.next) : 'null';
  return next === 'null' ? '' : `&before=${next}`;
}
