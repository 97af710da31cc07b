import { cpus, totalmem } from 'node:os';
import type { Benchmark } from './benchmark.js';
import { callers } from './callers.js';
import { peakMemory } from './peak-memory.js';
import { networkDelay, realServer } from './real-server.js';
import { requests } from './requests.js';
import { statusLatency } from './status-latency.js';
import { formatTable, isReached, type Row } from './table.js';

const benchmarks: readonly Benchmark[] = [
  realServer,
  networkDelay,
  callers,
  requests,
  peakMemory,
  statusLatency,
];

const usage = `npm run bench -- [--quick] [--rounds=N] [NAME…]

Without a name it runs all of them, which takes some twenty minutes:
${benchmarks.map(({ name }) => `  ${name}`).join('\n')}

  --quick     small sizes, to see that they work; the figures mean nothing
  --rounds=N  for the two against a real server, instead of the usual number
  --help      this text`;

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('-'));
const flags = words.filter((word) => word.startsWith('-'));
const rounds = flags.map((flag) => /^--rounds=([1-9]\d*)$/.exec(flag)?.[1]).find(Boolean);
const unknown = [
  ...names.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name)),
  ...flags.filter((flag) => !/^(--quick|--help|-h|--rounds=[1-9]\d*)$/.test(flag)),
];
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}.\n\n${usage}`);
  process.exit(2);
}
if (flags.includes('--help') || flags.includes('-h')) {
  console.log(usage);
  process.exit(0);
}

const quick = flags.includes('--quick');
const rows: Row[] = [];
for (const benchmark of benchmarks) {
  if (names.length > 0 && !names.includes(benchmark.name)) continue;
  const say = (text: string) => console.error(`${benchmark.name}: ${text}`);
  rows.push(...(await benchmark.run({ quick, rounds: rounds ? Number(rounds) : null, say })));
}
const [cpu] = cpus();
console.log(
  `${['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' ')}\n${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}\n`,
);
console.log(formatTable(rows));
process.exitCode = rows.every(isReached) ? 0 : 1;
