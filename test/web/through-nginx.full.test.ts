import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { summariseRun } from '../../src/documents/analysis-summary.js';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { hasNginx, waitForPort, writeShippedSite } from '../support/nginx.js';
import { chromiumPath, prepareDashboardTests, startService } from './support/dashboard.js';
import { sampleRun } from './support/sample-cohort.js';

const ANALYSES = 3000;

describe.skipIf(chromiumPath === undefined || !hasNginx)('behind nginx as it is shipped', () => {
  const tests = prepareDashboardTests();
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

  test('the history of thousands of analyses takes a few requests, and none is refused', async () => {
    const service = await startService(tests.webDir);
    const site = await startSite(service.address);
    try {
      const lines = Array.from({ length: ANALYSES }, (_, number) =>
        JSON.stringify(summariseRun(sampleRun(number, 2))),
      );
      await writeFile(join(service.resultsDir, 'analyses.jsonl'), `${lines.join('\n')}\n`);
      await service.results.write(sampleRun(ANALYSES - 1, 2));
      const { page } = await tests.open(`${site.address}/health`, visitor);
      const statuses: number[] = [];
      let asked = 0;
      page.on('response', (response) => {
        statuses.push(response.status());
        if (response.url().includes('/api/analyses?')) asked += 1;
      });
      await page.goto(`${site.address}/#/history?days=all`);
      await page.getByText('3,000 analyses', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'CSV of these 3,000 analyses' }).waitFor();
      expect(asked).toBeLessThanOrEqual(10);
      expect(statuses.filter((status) => status >= 400)).toEqual([]);
    } finally {
      await site.stop();
      await service.remove();
    }
  });

  test('what nginx itself refuses is told as such', async () => {
    const service = await startService(tests.webDir);
    const site = await startSite(service.address);
    try {
      await service.results.write(sampleRun(0, 2));
      const { page } = await tests.open(`${site.address}/#/`, visitor);
      await page.getByText('Pooled over all readings').first().waitFor();
      const html = '<html><head><title>503 Service Temporarily Unavailable</title></head></html>';
      await page.route('**/api/analyses*', (route) =>
        route.fulfill({ status: 503, contentType: 'text/html', body: html }),
      );
      await page.goto(`${site.address}/#/history?days=7`);
      await page
        .getByText(/such as a proxy, answered 503: it was asked too much in a short time/)
        .waitFor();
    } finally {
      await site.stop();
      await service.remove();
    }
  });
});
