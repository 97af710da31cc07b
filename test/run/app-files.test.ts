import { afterAll, beforeAll, expect, test } from 'vitest';
import { putDocument } from '../../src/solid/documents/write-document.js';
import { allowReading, createContributor, plantKey, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/** What newer versions of the app keep below its folder, beside what this service knows. */
const files = [
  'notifications/invite-from-bob.json',
  'notifications/invite-from-nobody.json',
  'encryption/notification-2026-08-19.json',
  'profile/picture.json',
  'shared_groups.json',
];
const content = '{"kind": "invite", "systolic": 200, "diastolic": 120, "timestamp": "2026-08-19"}';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let anna: InitialisedPod;
let runs: TestRuns;
beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  anna = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]));
  runs = await startTestRuns(server, analyser);
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser.close(), anna.close()]);
});

test('files of the app that are none of ours are neither data nor errors, and stay as they are', async () => {
  const urls = [analyser, anna].flatMap((person) =>
    files.map((file) => ({ person, url: `${person.pod.root}${person.pod.appDir}/${file}` })),
  );
  for (const { person, url } of urls) {
    await putDocument(person.client, url, content, { contentType: 'application/json' });
  }
  // Invited by the app, the Analyser may read it, and finds it in its inbox.
  const invitation = `${anna.pod.documents.app}${files[0]}`;
  await allowReading(anna, analyser, invitation);
  await plantKey(anna, analyser, invitation);
  for (let round = 1; round <= 2; round++) {
    const { document } = await runs.run({ caller: anna.pod.webId });
    expect(document.warnings).toEqual([]);
    expect(document.pods).toMatchObject([{ observation_count: 2, files_read: 2, notes: [] }]);
  }
  for (const { person, url } of urls) {
    expect((await person.client.request(url)).body.toString()).toBe(content);
  }
});
