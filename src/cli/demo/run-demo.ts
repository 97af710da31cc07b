import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapConcurrently } from '../../base/concurrency.js';
import { AnalyserError } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { listReadings } from '../../client/readings.js';
import { type Analyser, type AnalysisOutcome, runAnalysis } from '../../client/run-analysis.js';
import { shareReadings } from '../../client/shares.js';
import { loadApiConfig, loadConfig } from '../../config/load-config.js';
import { loadWebProxyConfig } from '../../config/load-web-proxy-config.js';
import { startEmbeddedServer } from '../../embedded-server/embedded-server.js';
import { describeResult, saveChart } from '../app/own-result.js';
import type { ModeContext } from '../mode.js';
import { makeUpSecret } from '../new-security-key.js';
import { countSeconds, createProgress } from '../progress.js';
import { startGrpc } from '../service/grpc.js';
import { startServe } from '../service/serve.js';
import { startProxy } from '../service/web-proxy.js';
import { type SetupOptions, setUpAnalyser } from '../setup/set-up-analyser.js';
import { untilInterrupted } from '../stop-signals.js';
import { demoPeople, type PreparedPerson, preparePerson } from './demo-people.js';
import { choosePorts, type DemoPorts } from './free-ports.js';
import { describeNextSteps } from './next-steps.js';

interface DemoFlags {
  /** Ends the demo after everything was shown; otherwise it stays up until Ctrl-C. */
  once?: boolean;
  solidPort?: number;
  grpcPort?: number;
  httpPort?: number;
  webPort?: number;
}

type Print = (text: string) => void;
type CleanUp = (() => Promise<unknown>)[];

type CompletedAnalysis = Extract<AnalysisOutcome, { kind: 'completed' }>;

/** The storage server handles about a hundred requests a second, so more people at once would only wait. */
const PEOPLE_AT_ONCE = 3;

/** The origins of an app under development: a Flutter app on port 8080, and an app that Vite serves. */
const demoOrigins = ['http://localhost:8080', 'http://localhost:5173'];

/** Runs the whole product on this machine, in a temporary folder that is removed at the end. */
export async function runDemo(
  { print }: ModeContext,
  { once = false, solidPort, grpcPort, httpPort, webPort }: DemoFlags,
): Promise<void> {
  requireStorageServer();
  const ports = await choosePorts({
    solid: solidPort,
    grpc: grpcPort,
    http: httpPort,
    web: webPort,
  });
  await untilInterrupted(async (signal) => {
    const cleanUp: CleanUp = [];
    try {
      await show({ endsThere: once, ports, print }, cleanUp, signal);
    } finally {
      for (const undo of cleanUp.reverse()) await undo().catch(() => undefined);
    }
  });
}

async function show(
  { endsThere, ports, print }: { endsThere: boolean; ports: DemoPorts; print: Print },
  cleanUp: CleanUp,
  signal: AbortSignal,
): Promise<void> {
  const { say, doing } = createSteps(print);
  cleanUp.push(() => {
    doing(null);
    return Promise.resolve();
  });
  const folder = await mkdtemp(join(tmpdir(), 'bp-analyser-demo-'));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));

  doing('Starting a Solid server');
  const server = await startEmbeddedServer({ port: ports.solid });
  cleanUp.push(() => server.stop());
  signal.throwIfAborted();
  say(`A Solid server is running at ${server.baseUrl}`);

  doing('Setting up the Analyser Pod');
  const configFile = join(folder, 'config.yaml');
  const { webId } = await setUpDemoAnalyser(server.baseUrl, configFile, ports, signal);
  say(`The Analyser Pod is set up: ${webId}`);

  const analyser: Analyser = {
    analyserWebId: webId,
    service: { host: '127.0.0.1', port: ports.grpc, certificateFile: null, token: null },
  };
  doing('Making Pods with readings');
  const place = { serverUrl: server.baseUrl, folder, analyser, now: new Date() };
  const people = await mapConcurrently(demoPeople, PEOPLE_AT_ONCE, async (person) => {
    const prepared = await preparePerson(person, place, signal);
    cleanUp.push(() => prepared.ownPod.close());
    return prepared;
  });
  say(
    `${people.length} people have a Pod with a year of weekly readings and a week of two a day, encrypted`,
  );

  const [alice, ...others] = people;
  if (alice === undefined) return;
  doing('Sharing readings with the Analyser');
  await mapConcurrently(others, PEOPLE_AT_ONCE, (person) => shareAll(person, webId, signal));
  say(`${others.map(({ name }) => name).join(', ')} share theirs with the Analyser`);

  const { dashboard, logFile } = await startServices(configFile, folder, cleanUp);
  say(`The gRPC service listens on 127.0.0.1:${ports.grpc}, its log is ${logFile}`);
  say(`Browsers call http://127.0.0.1:${ports.web}, from pages of ${demoOrigins.join(' and ')}`);

  say('alice shares and asks for an analysis, as the app does:');
  const outcome = await analyseAs(alice, analyser, signal);
  await showOutcome(outcome, folder, print);
  print(`Dashboard  ${dashboard}`);
  print('');
  if (endsThere) {
    print('Everything is removed now. Without --once the demo stays up until Ctrl-C.');
    return;
  }
  for (const line of describeNextSteps(configFile, people)) print(line);
  print('');
  print('Up until Ctrl-C; then everything is removed.');
  if (!signal.aborted) await once(signal, 'abort');
}

function setUpDemoAnalyser(
  serverUrl: string,
  configFile: string,
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<{ webId: string }> {
  const options: SetupOptions = {
    serverUrl,
    email: 'analyser@demo.example',
    password: makeUpSecret(),
    podName: 'analyser',
    appDir: 'app',
    configFile,
    securityKey: makeUpSecret(),
    askSecurityKey: () => Promise.resolve(''),
    grpcToken: '',
    confirmNewAccount: () => Promise.resolve(),
    more: {
      grpc: { host: '127.0.0.1', port: ports.grpc },
      api: { port: ports.http },
      web_proxy: { port: ports.web, origins: demoOrigins },
    },
  };
  const nothing = () => undefined;
  return setUpAnalyser(options, { say: nothing, showNew: nothing }, signal);
}

/** Starts the services of the modes grpc, web-proxy and serve in this process, with one log for all. */
async function startServices(configFile: string, cwd: string, cleanUp: CleanUp) {
  const source = { env: { APP_ANALYSER_CONFIG: configFile }, cwd };
  const logFile = join(cwd, 'service.log');
  const logTo = openSync(logFile, 'a');
  const log = createLogger({ verbose: false, stream: logTo });
  const own = { env: source.env, verbose: false, logTo };
  const grpc = await startGrpc(await loadConfig(source), log, own);
  cleanUp.push(() => grpc.stop(0));
  const proxy = await startProxy(await loadWebProxyConfig(source), log);
  cleanUp.push(() => proxy.stop(0));
  const api = await startServe(await loadApiConfig(source), log);
  cleanUp.push(() => api.stop());
  return { dashboard: api.address, logFile };
}

async function showOutcome(
  { result, inView, readings }: CompletedAnalysis,
  folder: string,
  print: Print,
): Promise<void> {
  print('');
  for (const line of describeResult(result)) print(line);
  print(`The analysis covers ${inView} of the ${readings} readings.`);
  await saveChart(result, folder, 'alice.png');
  print('');
  print(`Chart      ${join(folder, 'alice.png')}`);
}

async function shareAll(
  { ownPod }: PreparedPerson,
  analyserWebId: string,
  signal: AbortSignal,
): Promise<void> {
  await shareReadings(ownPod, analyserWebId, await listReadings(ownPod, signal), { signal });
}

async function analyseAs(
  { ownPod, name }: PreparedPerson,
  analyser: Analyser,
  signal: AbortSignal,
): Promise<CompletedAnalysis> {
  const showSharing = createProgress(process.stderr)('Sharing');
  const outcome = await runAnalysis(ownPod, analyser, {
    onStep: (step) => {
      if (step.step === 'sharing') showSharing(step.done, step.all);
    },
    signal,
  });
  if (outcome.kind === 'completed') return outcome;
  signal.throwIfAborted();
  const reason = 'reply' in outcome ? outcome.reply?.message : outcome.kind;
  throw new AnalyserError('call', `The analysis for ${name} gave no result: ${reason}`);
}

function createSteps(print: Print) {
  const start = performance.now();
  let ended: () => void = () => undefined;
  /** Shows the present step on a terminal; null removes it. */
  const doing = (what: string | null) => {
    ended();
    ended = what === null ? () => undefined : countSeconds(process.stderr, `         ${what} …`);
  };
  /** Prints a finished step, with the seconds since the start. */
  const say = (text: string) => {
    doing(null);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    print(`${`${seconds} s`.padStart(7)}  ${text}`);
  };
  return { say, doing };
}

/** Throws if the storage server is not installed: it is large, and only the demo needs it, so it is no dependency. */
function requireStorageServer(): void {
  try {
    createRequire(import.meta.url).resolve('@solid/community-server/config/file.json');
  } catch (cause) {
    throw new AnalyserError(
      'configuration',
      'The demo needs the Community Solid Server beside this package: npm install @solid/community-server@7.2.0',
      { cause },
    );
  }
}
