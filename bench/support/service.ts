import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callAnalyse, callStatus } from '../../src/client/calls.js';
import { dial, type ServiceConnection } from '../../src/client/dial.js';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import {
  type AnalyseReply,
  AnalyseStatus,
} from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { SECURITY_KEY, type World } from './pod-world.js';
import { peakMbOf } from './process-gauges.js';

const LOOK_EVERY_MS = 25;
/** A turn ends a moment after its last answer. Callers of this moment would all share the next turn. */
const END_OF_TURN_MS = 500;

/** The service in a process of its own, called over gRPC as the app does. */
export interface Service extends AsyncDisposable {
  connection: ServiceConnection;
  /** Milliseconds until the last of these callers, who ask at the same moment, has a reply. */
  analyse(...webIds: string[]): Promise<number>;
  /** The largest resident memory so far. */
  peakMb(): Promise<number>;
}

export async function startService(world: World): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-bench-'));
  const configFile = join(folder, 'config.yaml');
  const port = await findFreePort();
  await writeFile(
    configFile,
    `analyser: { web_id: "${world.analyserWebId}", server_url: "${world.baseUrl}" }
grpc: { host: 127.0.0.1, port: ${port}, analysis_timeout_seconds: 600 }
`,
  );
  const env = {
    ...process.env,
    APP_ANALYSER_CONFIG: configFile,
    APP_ANALYSER_CLIENT_ID: world.credentials.clientId,
    APP_ANALYSER_CLIENT_SECRET: world.credentials.clientSecret,
    APP_ANALYSER_SECURITY_KEY: SECURITY_KEY,
  };
  const child = fork(fileURLToPath(new URL('../../src/cli/main.js', import.meta.url)), ['grpc'], {
    env,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  if (child.stderr !== null) {
    createInterface(child.stderr).on('line', (line) => {
      if (!line.startsWith('{"level":30,')) console.error(line);
    });
  }
  const ended = once(child, 'exit');
  const connection = dialPort(port);
  while (!(await isReady(connection))) {
    if (child.exitCode !== null) throw new Error('The service has ended.');
    await pause(LOOK_EVERY_MS);
  }
  return {
    connection,
    async analyse(...webIds) {
      await pause(END_OF_TURN_MS);
      const start = performance.now();
      const replies = await Promise.all(webIds.map((webId) => callAnalyse(connection, webId, 0)));
      const wallMs = performance.now() - start;
      for (const reply of replies) requireDelivered(reply);
      return wallMs;
    },
    peakMb: () => peakMbOf(child.pid),
    async [Symbol.asyncDispose]() {
      connection.close();
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isReady(connection: ServiceConnection): Promise<boolean> {
  return callStatus(connection).then(
    ({ ready }) => ready,
    () => false,
  );
}

function requireDelivered({ status, published, message }: AnalyseReply): void {
  if (status !== AnalyseStatus.ANALYSE_STATUS_COMPLETED || !published) {
    throw new Error(`The analysis did not work: ${status}: ${message}`);
  }
}

export function dialPort(port: number): ServiceConnection {
  return dial({ host: '127.0.0.1', port, certificateFile: null, token: null });
}
