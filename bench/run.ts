import { cpus, totalmem } from 'node:os';
import { callers } from './callers.js';
import { peakMemory } from './peak-memory.js';
import { realServer } from './real-server.js';
import { requests } from './requests.js';
import { statusLatency } from './status-latency.js';
import { type Benchmark, formatTable, isReached, type Row } from './table.js';

const benchmarks: Readonly<Record<string, Benchmark>> = {
  'real-server': realServer,
  callers,
  requests,
  'peak-memory': peakMemory,
  'status-latency': statusLatency,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.log(`npm run bench -- [NAME…]

Without a name it runs all of them, which takes some twenty minutes:
${Object.keys(benchmarks).join('\n')}`);
  process.exit(wanted.includes('--help') ? 0 : 2);
}

const rows: Row[] = [];
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  rows.push(...(await benchmark((text) => console.error(`${name}: ${text}`))));
}
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}\n`,
);
console.log(formatTable(rows));
process.exitCode = rows.every(isReached) ? 0 : 1;
