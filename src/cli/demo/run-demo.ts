import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mapConcurrently } from '../../base/concurrency.js';
import { AnalyserError } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { shellWord } from '../../base/sentences.js';
import { addReadings } from '../../client/add-readings.js';
import { callStatus } from '../../client/calls.js';
import { dial } from '../../client/dial.js';
import { listReadings } from '../../client/readings.js';
import { type Analyser, runAnalysis } from '../../client/run-analysis.js';
import { shareReadings } from '../../client/shares.js';
import { loadApiConfig, loadConfig, loadWebProxyConfig } from '../../config/load-config.js';
import { findFreePort, startEmbeddedServer } from '../../embedded-server/embedded-server.js';
import { describeResult, saveChart } from '../app/own-result.js';
import type { ModeContext } from '../mode.js';
import { makeUpSecret } from '../new-security-key.js';
import { ownCommand } from '../own-command.js';
import { countSeconds } from '../progress.js';
import { startGrpc } from '../service/grpc.js';
import { startServe } from '../service/serve.js';
import { startProxy } from '../service/web-proxy.js';
import { setUpAnalyser } from '../setup/set-up-analyser.js';
import { untilInterrupted } from '../stop-signals.js';
import { demoPeople, demoReadings, preparePerson } from './demo-people.js';

type CleanUp = (() => Promise<unknown>)[];

/** The origins of an app under development: a Flutter app on port 8080, and an app that Vite serves. */
const demoOrigins = ['http://localhost:8080', 'http://localhost:5173'];

export async function runDemo({ print }: ModeContext, flags: { once?: boolean }): Promise<void> {
  requireStorageServer();
  await untilInterrupted(async (signal) => {
    const cleanUp: CleanUp = [];
    try {
      const nextSteps = await show(print, cleanUp, signal);
      if (flags.once) {
        print('Everything is removed now. Without --once the demo stays up until Ctrl-C.');
        return;
      }
      for (const line of nextSteps) print(line);
      print('Up until Ctrl-C; then everything is removed.');
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      for (const undo of cleanUp.reverse()) await undo().catch(() => undefined);
    }
  });
}

/** Returns commands that work unchanged in another terminal, from any folder. */
async function show(
  print: ModeContext['print'],
  cleanUp: CleanUp,
  signal: AbortSignal,
): Promise<string[]> {
  const start = performance.now();
  const say = (text: string) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    print(`${`${seconds} s`.padStart(7)}  ${text}`);
  };
  const during = <T>(what: string, work: Promise<T>): Promise<T> =>
    work.finally(countSeconds(`         ${what} …`));

  const ports = await findPorts();
  const folder = await mkdtemp(join(tmpdir(), 'bp-analyser-demo-'));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  const server = await during('Starting a Solid server', startEmbeddedServer(ports.solid));
  cleanUp.push(() => server.stop());
  signal.throwIfAborted();
  const serverUrl = server.baseUrl;
  say(`A Solid server is running at ${serverUrl}`);

  const configFile = join(folder, 'config.yaml');
  const { webId } = await setUpAnalyser(
    {
      serverUrl,
      email: 'analyser@demo.example',
      password: makeUpSecret(),
      podName: 'analyser',
      appDir: 'app',
      configFile,
      securityKey: makeUpSecret(),
      askSecurityKey: () => Promise.resolve(''),
      grpcToken: '',
      more: {
        grpc: { host: '127.0.0.1', port: ports.grpc },
        api: { port: ports.http },
        web_proxy: { port: ports.web, origins: demoOrigins },
      },
    },
    () => undefined,
    signal,
  );
  say(`The Analyser Pod is set up: ${webId}`);

  const service = { host: '127.0.0.1', port: ports.grpc, certificateFile: null, token: null };
  const analyser: Analyser = { analyserWebId: webId, service };
  const now = new Date();
  // One after the other: the storage server handles about a hundred requests a second, so others would only wait.
  const preparing = mapConcurrently(demoPeople, 1, async (person) => {
    const prepared = await preparePerson(person, { serverUrl, folder, analyser }, signal);
    const { ownPod } = prepared;
    cleanUp.push(() => ownPod.close());
    await addReadings(ownPod, demoReadings(person, now), { signal });
    // Alice shares hers before everybody's eyes.
    if (person.name !== 'alice') {
      await shareReadings(ownPod, webId, await listReadings(ownPod, signal), { signal });
    }
    return prepared;
  });
  const [alice, bob, carla] = await during('Making Pods with readings', preparing);
  if (alice === undefined || bob === undefined || carla === undefined) return [];
  say(
    `${demoPeople.length} people have a Pod with a year of readings, encrypted; all but alice share theirs`,
  );

  const { pages, logFile } = await startServices(configFile, folder, cleanUp);
  say(`The gRPC service listens on 127.0.0.1:${ports.grpc}, its log is ${logFile}`);
  say(`Browsers call http://127.0.0.1:${ports.web}, from pages of ${demoOrigins.join(' and ')}`);

  await during('Logging in', untilReady(service, signal));
  say('alice shares and asks for an analysis, as the app does:');
  const outcome = await runAnalysis(alice.ownPod, analyser, { signal });
  signal.throwIfAborted();
  if (outcome.kind !== 'completed') {
    const reason = 'reply' in outcome ? outcome.reply?.message : outcome.kind;
    throw new AnalyserError('call', `The analysis for alice gave no result: ${reason}`);
  }
  const { result, inView, readings } = outcome;
  await saveChart(result, folder, 'alice.png');
  for (const line of [
    '',
    ...describeResult(result),
    `The analysis covers ${inView} of the ${readings} readings.`,
    '',
    `Chart      ${join(folder, 'alice.png')}`,
    `Dashboard  ${pages}`,
    '',
  ]) {
    print(line);
  }
  return [
    'Continue in another terminal:',
    '',
    `  export APP_ANALYSER_CONFIG=${shellWord(configFile)}`,
    '  # analyse as another person',
    `  ${ownCommand('app', 'analyse', '--settings', bob.settingsFile, '--yes')}`,
    '  # take everything back, then analyse again: that Pod drops out',
    `  ${ownCommand('app', 'revoke', '--settings', carla.settingsFile)}`,
    '  # what is shared with the Analyser',
    `  ${ownCommand('check')}`,
    '',
  ];
}

/** Four ports, so that everything can be told where the rest will be before it starts. */
async function findPorts() {
  const ports = new Set<number>();
  while (ports.size < 4) ports.add(await findFreePort());
  const [solid = 0, grpc = 0, http = 0, web = 0] = ports;
  return { solid, grpc, http, web };
}

/** On a busy machine the port is open before the service has logged in. */
async function untilReady(service: Analyser['service'], signal: AbortSignal): Promise<void> {
  const connection = dial(service);
  try {
    while (!(await callStatus(connection, { signal })).ready) await pause(500);
  } finally {
    connection.close();
  }
}

async function startServices(configFile: string, cwd: string, cleanUp: CleanUp) {
  const source = { env: { APP_ANALYSER_CONFIG: configFile }, cwd };
  const logFile = join(cwd, 'service.log');
  const logTo = openSync(logFile, 'a');
  const log = createLogger({ verbose: false, stream: logTo });
  const grpc = await startGrpc(await loadConfig(source), log, {
    env: source.env,
    verbose: false,
    logTo,
  });
  cleanUp.push(() => grpc.stop(0));
  const proxy = await startProxy(await loadWebProxyConfig(source), log);
  cleanUp.push(() => proxy.stop(0));
  const api = await startServe(await loadApiConfig(source), log);
  cleanUp.push(() => api.stop());
  return { pages: api.address, logFile };
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
