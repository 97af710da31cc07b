import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServerError } from '../base/errors.js';
import type { Config, Secrets } from '../config/schema.js';
import { type Connection, type ConnectOptions, connect } from '../run/connection.js';
import { limits } from '../run/limits.js';
import { requireSuccess } from '../solid/documents.js';
import { createSolidClient } from '../solid/http-solid-client.js';
import { writeFileAtomically } from '../store/files.js';
import type { Connector } from './readiness.js';

export function createConnector(
  config: Config,
  secrets: Secrets,
  options: ConnectOptions = {},
): Connector<Connection> {
  return {
    async connect(signal) {
      await tryDisk(config.output);
      const connection = await connect(config, secrets, signal, options);
      try {
        if (config.sharing.enabled) await tryPod(connection, signal);
        return connection;
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    async probe(signal) {
      await Promise.all([tryDisk(config.output), probeServer(config.analyser.server_url, signal)]);
    },
  };
}

async function tryDisk(output: Config['output']): Promise<void> {
  for (const folder of [output.state_dir, output.results_dir, output.charts_dir]) {
    const path = join(folder, `.test-${randomUUID()}`);
    await writeFileAtomically(path, 'Can be written.\n');
    await rm(path, { force: true });
  }
}

/** Rejects if nothing can be written to our own Pod: a server can refuse all writes and answer all else. */
async function tryPod({ client, pod }: Connection, signal: AbortSignal): Promise<void> {
  const url = `${pod.root}${pod.appDir}/write-test.txt`;
  const patiently = { signal, longestPauseMs: limits.longestPauseMs };
  const headers = { 'content-type': 'text/plain' };
  const body = 'Can be written.\n';
  const answer = await client.request(url, { method: 'PUT', body, headers, ...patiently });
  // Any other refusal says nothing, because results may be allowed where this is not.
  if (answer.status === 403) requireSuccess(answer, 'written');
  await client.request(url, { method: 'DELETE', ...patiently });
}

/** One question, answered within nine seconds: the next one is asked soon enough. */
const impatient = {
  timeouts: { answerMs: 9_000, totalMs: 9_000 },
  policy: { tries: 1, slowTries: 1, mostRefusals: 1 },
};
const TOO_MANY_REQUESTS = 429;

/** Asks without credentials, and not for anybody's Pod. Rejects when the server is silent or answers 5xx. */
export async function probeServer(serverUrl: string, signal: AbortSignal): Promise<void> {
  const client = createSolidClient({ serverUrl, credentials: null, ...impatient });
  try {
    const url = new URL('.well-known/openid-configuration', serverUrl.replace(/\/*$/, '/')).href;
    await client.request(url, { headers: { accept: 'application/json' }, signal });
  } catch (error) {
    const isUp = error instanceof ServerError && error.details.status === TOO_MANY_REQUESTS;
    if (!isUp) throw error;
  } finally {
    await client.close();
  }
}
