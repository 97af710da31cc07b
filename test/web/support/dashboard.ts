import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createLogger } from '../../../src/base/logger.js';
import type { ResultsDocument } from '../../../src/documents/results-document.js';
import { startHttpApi } from '../../../src/http/start-http-api.js';
import { openChartStore } from '../../../src/store/chart-store.js';
import { openResultsStore } from '../../../src/store/results-store.js';
import { outputBelow } from '../../support/output-below.js';
import { testBuild } from '../../support/test-build.js';

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

/** Builds the dashboard from its sources as they are, apart from what dist/ holds. */
async function buildDashboard(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'dashboard-'));
  await build({
    configFile: fileURLToPath(new URL('../../../web/vite.config.ts', import.meta.url)),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  });
  return outDir;
}

export interface Service {
  address: string;
  resultsDir: string;
  stateDir: string;
  results: ReturnType<typeof openResultsStore>;
  charts: ReturnType<typeof openChartStore>;
  /** Stops the API, as a restart of the machine would; the files stay. */
  stop(): Promise<void>;
  /** Serves the same files on the same port again. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** The real HTTP API over files of its own. */
export async function startService(
  webDir: string,
  allowedOrigins: string[] = [],
): Promise<Service> {
  const root = await mkdtemp(join(tmpdir(), 'dashboard-var-'));
  const output = {
    ...outputBelow(root),
    render_charts: true,
    keep_days: null,
    keep_megabytes: null,
  };
  for (const dir of [output.state_dir, output.results_dir, output.charts_dir]) await mkdir(dir);
  const log = createLogger({ verbose: false, stream: { write: () => undefined } });
  const start = (port: number) =>
    startHttpApi({
      api: {
        enabled: true,
        host: '127.0.0.1',
        port,
        allowed_hosts: [],
        cors_origins: allowedOrigins,
      },
      output,
      webDir,
      build: testBuild,
      log,
    });
  let api = await start(0);
  const { address } = api;
  let running = true;
  const stop = async () => {
    if (running) await api.stop();
    running = false;
  };
  return {
    address,
    resultsDir: output.results_dir,
    stateDir: output.state_dir,
    results: openResultsStore(output.results_dir),
    charts: openChartStore(output),
    stop,
    async restart() {
      api = await start(Number(new URL(address).port));
      running = true;
    },
    async remove() {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface Visit {
  page: Page;
  /** Addresses that were asked for outside the service's own origin. */
  foreign: string[];
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
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const foreign: string[] = [];
  const complaints: string[] = [];
  const { origin } = new URL(url);
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) foreign.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(url);
  return { page, foreign, complaints };
}

export interface DashboardTests {
  readonly webDir: string;
  readonly browser: Browser;
  open(address: string, options?: BrowserContextOptions): Promise<Visit>;
}

/**
 * One build and one browser for the tests of a block. After each test its pages are closed, and
 * none may have asked anybody but the service.
 */
export function prepareDashboardTests(): DashboardTests {
  let webDir: string;
  let browser: Browser;
  let visits: Visit[] = [];
  beforeAll(async () => {
    [webDir, browser] = await Promise.all([buildDashboard(), launchChromium()]);
  });
  afterAll(async () => {
    await browser.close();
    await rm(webDir, { recursive: true });
  });
  afterEach(async () => {
    const foreign = visits.flatMap((one) => one.foreign);
    await Promise.all(visits.map(({ page }) => page.context().close()));
    visits = [];
    expect(foreign, 'requests that left the host').toEqual([]);
  });
  return {
    get webDir() {
      return webDir;
    },
    get browser() {
      return browser;
    },
    async open(address, options) {
      const opened = await visit(browser, address, options);
      visits.push(opened);
      return opened;
    },
  };
}

/** As above, with a service of its own for each test, which goes when the pages are closed. */
export function prepareServedDashboardTests() {
  let service: Service;
  // Before the pages are set up, so that it goes after them.
  afterEach(() => service.remove());
  const tests = prepareDashboardTests();
  return {
    tests,
    get service() {
      return service;
    },
    serve: async (...runs: ResultsDocument[]): Promise<void> => {
      service = await startService(tests.webDir);
      for (const run of runs) await service.results.write(run);
    },
    open: (hash: string, options?: BrowserContextOptions) =>
      tests.open(`${service.address}/${hash}`, options),
  };
}
