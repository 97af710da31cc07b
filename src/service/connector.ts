import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskError } from '../base/errors.js';
import type { Config, Secrets } from '../config/schema.js';
import {
  type Connection,
  type ConnectOptions,
  connect,
  createAnalyserClient,
} from '../run/connection.js';
import { probeServer } from '../solid/probe-server.js';
import { writeFileAtomically } from '../store/atomic-file.js';
import type { Connector } from './readiness.js';

/** Connects the service to the configured Pod, and finds out whether an analysis could work. */
export function createConnector(
  config: Config,
  secrets: Secrets,
  options: ConnectOptions = {},
): Connector<Connection> {
  return {
    async connect(signal) {
      await tryToWrite(config.output);
      return await connect(config, secrets, signal, options);
    },
    async probe(failure, signal) {
      const { server_url } = config.analyser;
      if (isDiskError(failure)) await tryToWrite(config.output);
      else if (failure !== null) await tryToLogIn(config, secrets, signal, options);
      else await Promise.all([tryToWrite(config.output), probeServer(server_url, signal)]);
    },
  };
}

async function tryToWrite(output: Config['output']): Promise<void> {
  for (const folder of [output.state_dir, output.results_dir, output.charts_dir]) {
    const path = join(folder, `.test-${randomUUID()}`);
    await writeFileAtomically(path, 'Can be written.\n');
    await rm(path, { force: true });
  }
}

async function tryToLogIn(
  config: Config,
  secrets: Secrets,
  signal: AbortSignal,
  options: ConnectOptions,
): Promise<void> {
  const client = createAnalyserClient(config, secrets, options);
  try {
    await client.login(signal);
  } finally {
    await client.close();
  }
}
