import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark } from './benchmark.js';
import { storeRunFiles } from './support/run-files.js';
import { type AnalysisFigures, startService } from './support/service.js';
import { mean, median } from './support/statistics.js';
import { startStub } from './support/stub.js';
import type { World } from './support/world-answer.js';
import { type Row, short } from './table.js';

const EARLIER_RUNS = 100_000;
/** Where nothing is shared, whether a cohort figure was ever sent is asked at every analysis. */
const TRIAL_RUNS = 10;
/** With them and without them in turns, because a machine is not equally fast all the time. */
const ROUNDS = 3;

/** Three hundred analyses in a row, then some with thousands of stored runs lying about. */
export const manyRuns: Benchmark = {
  name: 'many-runs',
  async run({ quick, say }) {
    const runs = quick ? 30 : 300;
    const part = runs / 10;
    const earlier = quick ? 1_000 : EARLIER_RUNS;
    const stub = await startStub({ pods: 20, readingsPerPod: 5 });
    const service = await startService(stub.world);
    const caller = stub.world.contributors[0]?.webId ?? '';
    const analyse = () => service.analyse(caller);
    const analyseSome = async (count: number) => {
      const figures: AnalysisFigures[] = [];
      for (let run = 0; run < count; run += 1) figures.push(await analyse());
      return figures;
    };
    try {
      const first = await analyseSome(part);
      const { heldMb: heldBefore, rssMb: rssBefore } = await service.heldMemory();
      await analyseSome(runs - 2 * part);
      const last = await analyseSome(part);
      const { heldMb: heldAfter, rssMb: rssAfter } = await service.heldMemory();
      const wall = (figures: AnalysisFigures[]) => mean(figures.map(({ wallMs }) => wallMs));
      const cpu = (figures: AnalysisFigures[]) => median(figures.map(({ cpuMs }) => cpuMs));
      say(`${short(wall(first))} ms, then ${short(wall(last))} ms`);
      const few: AnalysisFigures[] = [];
      const many: AnalysisFigures[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        few.push(...(await analyseSome(part)));
        await storeRuns(service.resultsDir, earlier);
        many.push(...(await analyseSome(part)));
        await removeRuns(service.resultsDir, earlier);
      }
      const trial = await measureTrial(stub.world, earlier, say);
      return [
        trial,
        {
          what: `${runs} analyses in a row: the last ${part} over the first ${part}`,
          measured: wall(last) / wall(first),
          unit: '',
          target: { most: 1.1 },
          details: `${short(wall(first))} ms and ${short(wall(last))} ms; CPU ${short(cpu(first))} ms and ${short(cpu(last))} ms`,
        },
        {
          what: 'memory held after them, over that after the first ones',
          measured: heldAfter / heldBefore,
          unit: '',
          target: { most: 1.1 },
          details: `${short(heldBefore)} MB and ${short(heldAfter)} MB; resident, all threads: ${short(rssBefore)} MB and ${short(rssAfter)} MB`,
        },
        {
          what: `CPU of an analysis with ${earlier} stored runs, over one with ${runs}`,
          measured: cpu(many) / cpu(few),
          unit: '',
          target: { most: 1.1 },
          details: `${short(cpu(few))} ms and ${short(cpu(many))} ms, medians of ${few.length}`,
        },
      ];
    } finally {
      await Promise.all([service.stop(), stub.stop()]);
    }
  },
};

async function measureTrial(
  world: World,
  earlier: number,
  say: (text: string) => void,
): Promise<Row> {
  const service = await startService(world, null, { isTrial: true });
  const caller = world.contributors[0]?.webId ?? '';
  const analyseSome = async () => {
    const figures: number[] = [];
    for (let run = 0; run < TRIAL_RUNS; run += 1)
      figures.push((await service.analyse(caller)).wallMs);
    return figures;
  };
  try {
    await analyseSome();
    const few = median(await analyseSome());
    await storeRunFiles(service.resultsDir, { count: earlier, pods: 2 });
    say(`a trial, without sharing: ${earlier} runs are stored`);
    const many = await analyseSome();
    return {
      what: `an analysis without sharing (sharing.enabled: false) with ${earlier} stored runs, over one with ${TRIAL_RUNS}`,
      measured: median(many) / few,
      unit: '',
      target: { most: 1.1 },
      details: `medians of ${TRIAL_RUNS}: ${short(few)} ms and ${short(median(many))} ms; the longest ${short(Math.max(...many))} ms`,
    };
  } finally {
    await service.stop();
  }
}

async function storeRuns(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const path of runFiles(folder, count)) await writeFile(path, '{}');
  // Otherwise the service would pay for that, with the next file that it has to have on the disk.
  execFileSync('sync');
}

async function removeRuns(folder: string, count: number): Promise<void> {
  for (const path of runFiles(folder, count)) await rm(path);
  execFileSync('sync');
}

function* runFiles(folder: string, count: number): Generator<string> {
  for (let run = 0; run < count; run += 1) {
    const time = new Date(Date.UTC(2020, 0, 1) + run * 3_600_000).toISOString().slice(0, 19);
    yield join(folder, `run-${time.replace(/[-:]/g, '')}Z.json`);
  }
}
