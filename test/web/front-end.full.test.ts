import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../support/listen.js';
import { chromiumPath, prepareBrowser, type Service, startService } from './support/dashboard.js';
import { podIdOf, sampleRun } from './support/sample-cohort.js';
import { smallPng } from './support/small-png.js';

/** What docs/app-developers.md says of a front end on an origin of its own. */
describe.skipIf(chromiumPath === undefined)('a front end on another origin', () => {
  const tests = prepareBrowser();
  let frontEnd: Server;
  let origin: string;
  let service: Service;

  beforeAll(async () => {
    frontEnd = createServer((_request, response) => {
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>front end</title>');
    });
    origin = `http://127.0.0.1:${await listen(frontEnd)}`;
  });
  afterAll(() => void frontEnd.close());
  afterEach(() => service.remove());

  /** Whether the picture can be shown, and whether the figures can be read with a password. */
  async function tryFrom(allowed: string[]) {
    service = await startService(allowed);
    await service.results.write(sampleRun(0, 2));
    await service.charts.write(podIdOf('alice'), smallPng);
    const chart = `${service.address}/api/pods/${encodeURIComponent(podIdOf('alice'))}/chart.png`;
    const context = await tests.browser.newContext();
    const page = await context.newPage();
    await page.goto(origin);
    const show = (crossOrigin: string | null) =>
      page.evaluate(
        `new Promise((resolve) => {
          const image = new Image();
          image.crossOrigin = ${JSON.stringify(crossOrigin)};
          image.onload = () => resolve(true);
          image.onerror = () => resolve(false);
          image.src = ${JSON.stringify(chart)};
        })`,
      );
    const read = page.evaluate(
      `fetch(${JSON.stringify(`${service.address}/api/cohort`)}, { headers: { Authorization: 'Basic eA==' } })
        .then((answer) => answer.ok, () => false)`,
    );
    const seen = {
      plain: await show(null),
      crossOrigin: await show('anonymous'),
      figures: await read,
    };
    await context.close();
    return seen;
  }

  test('that is listed shows charts by <img crossorigin> and reads the figures', async () => {
    expect(await tryFrom([origin])).toEqual({ plain: false, crossOrigin: true, figures: true });
  });

  test('that is not listed does neither', async () => {
    expect(await tryFrom([])).toEqual({ plain: false, crossOrigin: false, figures: false });
  });
});
