import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.js';
import { callers } from './callers.js';
import { peakMemory } from './peak-memory.js';
import { realServer } from './real-server.js';
import { requests } from './requests.js';
import { statusLatency } from './status-latency.js';
import { formatTable, isReached, type Row } from './table.js';

const benchmarks: readonly Benchmark[] = [realServer, callers, requests, peakMemory, statusLatency];

const usage = `npm run bench -- [--quick] [NAME…]

Without a name it runs all of them, which takes some twenty minutes:
${benchmarks.map(({ name }) => `  ${name}`).join('\n')}

  --quick  small sizes, to see that they work; the figures mean nothing`;

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benchmarks.some((one) => one.name === name));
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no ${unknown.join(', ')}.\n\n${usage}` : usage);
  process.exit(values.help ? 0 : 2);
}

const rows: Row[] = [];
for (const benchmark of benchmarks) {
  if (positionals.length > 0 && !positionals.includes(benchmark.name)) continue;
  const say = (text: string) => console.error(`${benchmark.name}: ${text}`);
  rows.push(...(await benchmark.run({ quick: values.quick, say })));
}
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}\n`,
);
console.log(formatTable(rows));
process.exitCode = rows.every(isReached) ? 0 : 1;
