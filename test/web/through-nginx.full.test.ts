import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { summariseRun } from '../../src/documents/analysis-summary.js';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { hasNginx, waitForPort, writeShippedSite } from '../support/nginx.js';
import { chromiumPath, prepareBrowser, startService } from './support/dashboard.js';
import { podIdOf, sampleRun } from './support/sample-cohort.js';
import { smallPng } from './support/small-png.js';

const ANALYSES = 3000;

describe.skipIf(chromiumPath === undefined || !hasNginx)('behind nginx as it is shipped', () => {
  const tests = prepareBrowser();
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bp-nginx-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function startSite(api: string) {
    const ports = {
      tls: await findFreePort(),
      plain: await findFreePort(),
      api: Number(new URL(api).port),
    };
    const child = spawn('nginx', writeShippedSite(folder, ports), { stdio: 'inherit' });
    await waitForPort(ports.tls);
    return {
      address: `https://localhost:${ports.tls}`,
      async stop() {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      },
    };
  }

  const visitor = {
    ignoreHTTPSErrors: true,
    httpCredentials: { username: 'operator', password: 'secret' },
  };

  test('pages, style, picture and CSV come through it, and none of what a page asks for is refused', async () => {
    const service = await startService();
    const site = await startSite(service.address);
    try {
      const lines = Array.from({ length: ANALYSES }, (_, number) =>
        JSON.stringify(summariseRun(sampleRun(number, 2), false)),
      );
      await writeFile(join(service.resultsDir, 'analyses.jsonl'), `${lines.join('\n')}\n`);
      await service.results.write(sampleRun(ANALYSES - 1, 2));
      await service.charts.write(podIdOf('alice'), smallPng);
      const { page } = await tests.open(`${site.address}/history?days=all`, visitor);
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(response.url());
      });
      await page.getByText('3,000 analyses in these days').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'CSV of 3,000 analyses' }).click();
      const csv = await readFile(await (await download).path(), 'utf8');
      expect(csv.trim().split('\r\n')).toHaveLength(ANALYSES + 1);
      for (let visit = 0; visit < 10; visit += 1) {
        await page.getByRole('link', { name: 'Pods', exact: true }).click();
        await page.getByRole('link', { name: 'alice' }).click();
        await page.getByRole('img', { name: 'Line chart' }).waitFor();
      }
      expect(refused).toEqual([]);
    } finally {
      await site.stop();
      await service.remove();
    }
  });
});
