import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type AnalyserService, startAnalyserService } from '../support/analyser-service.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { record } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';

/** Four batches of 25. */
const READINGS = 100;
const server = sharedSolidServer();
let cwd: string;
let analyser: InitialisedPod;
let person: InitialisedPod;
let service: AnalyserService;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'bp-interrupted-'));
  [analyser, person] = await Promise.all([
    createInitialisedPod(server),
    createInitialisedPod(server),
  ]);
  service = await startAnalyserService(server, analyser);
  const readings = Array.from({ length: READINGS }, (_, day) => ({
    timestamp: new Date(Date.UTC(2026, 0, 1 + day, 8)).toISOString().slice(0, 23),
    systolic: 120,
    diastolic: 80,
    heart_rate: 60,
  }));
  await record(person, readings);
  const { webId, clientId, clientSecret } = person.account;
  const settings = {
    web_id: webId,
    security_key: person.securityKey,
    credentials: { client_id: clientId, client_secret: clientSecret },
    analyser: { web_id: analyser.pod.webId },
    grpc: { port: service.port },
  };
  await writeFile(join(cwd, 'app.yaml'), stringify(settings), { mode: 0o600 });
}, 120_000);
afterEach(async () => {
  await service.stop();
  await Promise.all([analyser.close(), person.close(), rm(cwd, { recursive: true })]);
});

const stopped = /^Stopped: of 100 readings, at least (\d+) shared; app revoke takes them back\.$/;

/** The lines, and what the one that says so counts. */
function readStop(output: string): { lines: string[]; shared: number } {
  const lines = output.split(/\r?\n/).filter((line) => line !== '');
  const counted = lines.flatMap((line) => stopped.exec(line)?.[1] ?? []);
  expect(counted, output).toHaveLength(1);
  return { lines, shared: Number(counted[0]) };
}

test('Ctrl-C while sharing says how many were shared, on a line of its own', async () => {
  const child = startCommand(['app', 'analyse', '--yes'], { cwd });
  child.stderr.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('Sharing: 25 of')) child.kill('SIGINT');
  });
  const { err, code } = await waitForEnd(child);
  const { lines, shared } = readStop(err);
  const last = lines.findLast((line) => line.startsWith('Sharing: '));
  expect(last).toBe(`Sharing: ${shared} of ${READINGS}`);
  expect(lines.at(-1)).toMatch(/^Cancelled: .* Readings already shared stay shared\.$/);
  expect(code).toBe(1);
});
