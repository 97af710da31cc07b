import { expect, test } from 'vitest';
import { askTogether } from '../support/ask-together.js';
import { createContributor, weekly } from '../support/contributor.js';
import { startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { openClient } from '../support/open-client.js';
import { collectOwn } from '../support/published.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

const server = await startProxiedServer();
const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
const mallory = await createContributor(server, analyser, weekly([130, 85, 70]));
const runs = await startTestRuns(server, analyser, noCharts);

test('[7.6] an inbox that trickles in costs its reader the result after ten seconds, and nobody else', async () => {
  const { sharedKeys } = mallory.pod.documents;
  server.proxy.inject({
    when: ({ method, url }) => method === 'GET' && url === sharedKeys,
    fault: { kind: 'trickle', bytes: 1, everyMs: 1_000 },
  });
  const began = performance.now();
  const { document } = await runs.run({ caller: null });
  server.proxy.heal();
  expect(performance.now() - began).toBeLessThan(40_000);
  const failures = Object.assign({}, ...document.sharing.published.map((one) => one.failures));
  expect(failures).toEqual({
    [mallory.pod.webId]: expect.stringContaining('took more than 10 seconds to take a result'),
  });
  expect((await collectOwn(analyser, alice)).generated_at).toBe(document.generated_at);
}, 120_000);

test('[7.7] readers whose inboxes hang hold up nobody, however many they are', async () => {
  const slow = [mallory];
  for (let nth = 1; nth < 10; nth += 1) {
    slow.push(await createContributor(server, analyser, weekly([130, 85, 70])));
  }
  const hanging = new Set(slow.map(({ pod }) => pod.documents.sharedKeys));
  let letGo = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const fault = server.proxy.inject({
    when: ({ method, url }) => method === 'GET' && hanging.has(url),
    fault: { kind: 'hold', until },
  });
  // More hang than the requests that the server takes at once.
  const client = openClient({
    serverUrl: server.baseUrl,
    credentials: analyser.account,
    policy: { atOnce: 4 },
  });
  const answered: string[] = [];
  const people = [...slow, alice].map(({ pod }) => pod.webId);
  const replies = await askTogether(runs, people, {
    client,
    onAnswer: (webId) => {
      answered.push(webId);
      if (webId === alice.pod.webId) letGo();
    },
  });
  expect(fault.hits).toBeGreaterThan(0);
  expect(answered[0]).toBe(alice.pod.webId);
  expect(replies.at(-1)).toMatchObject({ published: true });
  server.proxy.heal();
}, 240_000);
