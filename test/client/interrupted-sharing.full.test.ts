import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startAnalyserService } from '../support/analyser-service.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { record, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

test('after Ctrl-C while sharing it stands on a line of its own how many were shared, and what takes them back', async () => {
  const [server, cwd] = [sharedSolidServer(), await newFolder()];
  const [analyser, person] = [
    await createInitialisedPod(server),
    await createInitialisedPod(server),
  ];
  const service = await startAnalyserService(server, analyser);
  // Four batches of 25.
  await record(person, weekly(...Array<[number, number, number]>(100).fill([120, 80, 60])));
  const { webId, clientId, clientSecret } = person.account;
  const settings = {
    web_id: webId,
    security_key: person.securityKey,
    credentials: { client_id: clientId, client_secret: clientSecret },
    analyser: { web_id: analyser.pod.webId },
    grpc: { port: service.port },
  };
  await writeFile(join(cwd, 'app.yaml'), stringify(settings), { mode: 0o600 });
  const child = startCommand(['app', 'analyse', '--yes'], { cwd });
  child.stderr.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('Sharing: 25 of')) child.kill('SIGINT');
  });
  const { err, code } = await waitForEnd(child);
  const lines = err.split(/\r?\n/).filter((line) => line !== '');
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^Sharing: (25|50|75) of 100$/),
    'Cancelled: no analysis was asked for yet. Readings already shared stay shared; app revoke takes them back.',
  ]);
  expect(code).toBe(1);
});
