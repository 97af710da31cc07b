import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { ResultsDocument } from '../../../src/documents/results-document.js';
import { openChartStore } from '../../../src/store/chart-store.js';
import { openResultsStore } from '../../../src/store/results-store.js';
import { startApi } from '../../support/api-client.js';
import { outputBelow } from '../../support/output-below.js';
import { newFolder } from '../../support/temp-folder.js';

/** Where Debian puts it. Without a browser these tests are skipped, and say so. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) =>
  existsSync(path),
);
if (chromiumPath === undefined) {
  console.warn('Skipped: the tests with a browser, for there is no Chromium here.');
}

export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium to launch.');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface Service {
  address: string;
  stateDir: string;
  results: ReturnType<typeof openResultsStore>;
  charts: ReturnType<typeof openChartStore>;
}

/** The real HTTP API over files of its own, until the test file ends. */
export async function startService(): Promise<Service> {
  const output = outputBelow(await newFolder());
  for (const dir of Object.values(output)) await mkdir(dir);
  const api = await startApi(output);
  return {
    address: api.address,
    stateDir: output.state_dir,
    results: openResultsStore(output.results_dir),
    charts: openChartStore(output),
  };
}

interface Visit {
  page: Page;
  /** Addresses that were asked for outside the service's own origin. */
  foreign: string[];
  /** What was loaded that can run: scripts, workers and the like. */
  programs: string[];
  /** What the browser complained about: scripts that failed, policies that were broken. */
  complaints: string[];
}

async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'en-GB',
    // Not UTC, in which the pages tell all times.
    timezoneId: 'Asia/Tokyo',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const seen: Visit = { page, foreign: [], programs: [], complaints: [] };
  const { origin } = new URL(url);
  page.on('request', (request) => {
    const { origin: asked, pathname } = new URL(request.url());
    if (asked !== origin) seen.foreign.push(request.url());
    const isProgram = ['script', 'fetch', 'xhr', 'websocket', 'eventsource'].includes(
      request.resourceType(),
    );
    if (isProgram && !pathname.startsWith('/docs')) seen.programs.push(request.url());
  });
  page.on('pageerror', (error) => seen.complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') seen.complaints.push(message.text());
  });
  await page.goto(url);
  return seen;
}

/**
 * One browser for the tests of a block. After each test its pages are closed. None may have asked anybody but the
 * service, and none but /docs may have run anything.
 */
export function prepareBrowser() {
  let browser: Browser;
  let visits: Visit[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const ended = visits;
    visits = [];
    await Promise.all(ended.map(({ page }) => page.context().close()));
    expect(
      ended.flatMap(({ foreign }) => foreign),
      'requests that left the host',
    ).toEqual([]);
    expect(
      ended.flatMap(({ programs }) => programs),
      'requests of programs',
    ).toEqual([]);
  });
  return {
    async open(address: string, options?: BrowserContextOptions): Promise<Visit> {
      const opened = await visit(browser, address, options);
      visits.push(opened);
      return opened;
    },
  };
}

/** As above, with a service of its own for each test. */
export function prepareServedPages() {
  let service: Service;
  const tests = prepareBrowser();
  return {
    get service() {
      return service;
    },
    serve: async (...runs: ResultsDocument[]): Promise<void> => {
      service = await startService();
      for (const run of runs) await service.results.write(run);
    },
    open: (path: string, options?: BrowserContextOptions) =>
      tests.open(`${service.address}/${path}`, options),
  };
}
