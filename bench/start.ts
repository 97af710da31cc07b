import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.js';
import { median } from './support/statistics.js';
import { startStub } from './support/stub.js';
import type { World } from './support/world-answer.js';
import { short } from './table.js';

const ROUNDS = 7;
const LONGEST_MS = 20_000;

/** From the start of the process to the line that says that it is ready. */
export const start: Benchmark = {
  name: 'start',
  async run() {
    const stub = await startStub({ pods: 1, readingsPerPod: 1 });
    const folder = await mkdtemp(join(tmpdir(), 'bp-bench-'));
    const milliseconds: number[] = [];
    try {
      const { analyserWebId, baseUrl } = stub.world;
      const write = (configFile: string) =>
        writeFile(
          configFile,
          `analyser:\n  web_id: ${analyserWebId}\n  server_url: ${baseUrl}\ngrpc:\n  host: 127.0.0.1\n  port: 0\n`,
        );
      for (let round = 0; round < ROUNDS; round += 1) {
        // With a state folder of its own: the one before was killed, and would be waited for.
        const own = join(folder, String(round));
        await mkdir(own);
        const configFile = join(own, 'config.yaml');
        await write(configFile);
        milliseconds.push(await startOnce(configFile, stub.world));
      }
    } finally {
      await stub.stop();
      await rm(folder, { recursive: true });
    }
    return [
      {
        what: 'process start to "ready" after the login',
        measured: median(milliseconds),
        unit: 'ms',
        target: { most: 1200 },
        details: `median of ${ROUNDS}, ${milliseconds.map(short).join(', ')} ms, against a server that answers at once`,
      },
    ];
  },
};

function startOnce(configFile: string, world: World): Promise<number> {
  const main = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
  const began = performance.now();
  const child = spawn(process.execPath, [main, 'grpc'], {
    env: {
      ...process.env,
      APP_ANALYSER_CONFIG: configFile,
      APP_ANALYSER_CLIENT_ID: world.credentials.clientId,
      APP_ANALYSER_CLIENT_SECRET: world.credentials.clientSecret,
      APP_ANALYSER_SECURITY_KEY: world.securityKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(
      () => end(new Error(`The service did not get ready: ${output}`)),
      LONGEST_MS,
    );
    const end = (outcome: number | Error): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('is ready')) end(performance.now() - began);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', () => end(new Error(`The service ended: ${output}`)));
  });
}
