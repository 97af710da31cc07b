import { cpus, totalmem } from 'node:os';
import type { Benchmark } from './benchmark.js';
import { chart } from './chart.js';
import { cpuPerReading } from './cpu-per-reading.js';
import { fullInbox } from './full-inbox.js';
import { manyRuns } from './many-runs.js';
import { peakMemory } from './peak-memory.js';
import { networkDelay, realServer } from './real-server.js';
import { requests } from './requests.js';
import { start } from './start.js';
import { Watch } from './support/watch.js';
import { formatTable, isReached, type Row } from './table.js';

const benchmarks: readonly Benchmark[] = [
  realServer,
  networkDelay,
  requests,
  cpuPerReading,
  peakMemory,
  fullInbox,
  manyRuns,
  chart,
  start,
];

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const rounds = Number(words.find((word) => word.startsWith('--rounds='))?.slice(9)) || null;
const names = words.filter((word) => !word.startsWith('--'));
const unknown = names.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(
    `No benchmark is called ${unknown.join(', ')}; there are: ${benchmarks.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const watch = new Watch();
const rows: Row[] = [];
for (const benchmark of benchmarks) {
  if (names.length > 0 && !names.includes(benchmark.name)) continue;
  const say = (text: string) => console.error(`${benchmark.name}: ${text}`);
  rows.push(...(await benchmark.run({ quick, rounds, watch, say })));
}
rows.push(...watch.rows());
const [cpu] = cpus();
console.log(
  `npm run bench ${words.join(' ')}\n${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}\n`,
);
console.log(formatTable(rows));
process.exitCode = rows.every(isReached) ? 0 : 1;
