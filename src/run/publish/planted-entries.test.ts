import { beforeEach, expect, test } from 'vitest';
import { keyOf, keysReceived, publishers } from '../../../test/support/publishing.js';
import { recordRequests, refuse } from '../../../test/support/recording-client.js';
import { AnalyserError, ServerError } from '../../base/errors.js';
import { shareId, shareSubject } from '../../pod/formats/shared-keys.js';
import { vocabulary } from '../../pod/formats/vocabulary.js';
import type { SolidClient, SolidRequest } from '../../solid/solid-client.js';
import { shareResultKeys, whyNotReceived } from './share-result-keys.js';

let { server, analyser, person } = await publishers('anna');
const anna = person('anna');
const { sharedKeys: inbox, publicKey } = anna.pod.documents;
const shareOf = (name: string) => {
  const url = `${analyser.root}app/data/${name}.enc.ttl`;
  return { url, key: keyOf(name), subject: shareSubject(shareId(url, anna.webId)) };
};
const [own, cohort] = [shareOf('own'), shareOf('cohort')];

/** What arrived, and of which documents each change of the inbox spoke. */
async function shared(
  shares: readonly { url: string; key: Buffer }[],
  { client = analyser.client, webId = anna.webId }: { client?: SolidClient; webId?: string } = {},
) {
  const recorded = recordRequests(client);
  const missed = await shareResultKeys({ client: recorded, pod: analyser.pod }, webId, shares);
  const changes = recorded.requests.filter(({ method }) => method === 'PATCH');
  const named = changes.map(({ body }) =>
    [own, cohort].flatMap((one) => (body.includes(one.subject) ? [one.url] : [])),
  );
  const keys = [
    ...(await keysReceived(person('anna'), own.url)),
    ...(await keysReceived(person('anna'), cohort.url)),
  ];
  return { missed, named, keys, asked: recorded.requests.filter(({ method }) => method === 'GET') };
}

/** Somebody who may write there adds two values to the entry of the document. */
function plant({ subject }: { subject: string }): void {
  const lines = [1, 2, 3, 4].map((nth) => `<${subject}> <${vocabulary.path}> "planted ${nth}".\n`);
  server.put(inbox, `${server.textOf(inbox) ?? ''}\n${lines.join('')}`);
}

/** Refuses each change that speaks of the document. */
const refusing = ({ subject }: { subject: string }) =>
  refuse(
    analyser.client,
    (_, { method, body = '' }: SolidRequest = {}) =>
      method === 'PATCH' && Buffer.from(body).includes(subject),
  );

/** What a test leaves behind touches no other. */
beforeEach(async () => {
  ({ server, analyser, person } = await publishers('anna'));
});

test('both keys go in one change, also where an earlier one left them', async () => {
  for (let times = 1; times <= 2; times += 1) {
    const { missed, named, keys, asked } = await shared([own, cohort]);
    expect([missed.size, named]).toEqual([0, [[own.url, cohort.url]]]);
    expect(keys).toEqual([own.key, cohort.key]);
    // What the inbox said is asked for once, and once more afterwards.
    expect(asked.map(({ url }) => url).toSorted()).toEqual([inbox, inbox, publicKey].toSorted());
  }
});

test('there may be no inbox yet', async () => {
  await person('anna').client.request(inbox, { method: 'DELETE' });
  expect((await shared([own, cohort])).keys).toEqual([own.key, cohort.key]);
});

test('[7.4] where strangers planted something about the cohort, the own key goes first', async () => {
  plant(cohort);
  const { missed, named, keys } = await shared([own, cohort]);
  expect([missed.size, named]).toEqual([0, [[own.url], [cohort.url]]]);
  expect(keys).toEqual([own.key, cohort.key]);
});

test('[7.4] what was planted about the own document is replaced in the one change', async () => {
  plant(own);
  const { named, keys } = await shared([own, cohort]);
  expect([named, keys]).toEqual([[[own.url, cohort.url]], [own.key, cohort.key]]);
});

test.each([
  {
    title: '[7.4] what cannot be changed about the cohort keeps no own key away',
    refused: cohort,
    namedApart: [[own.url], [cohort.url]],
    missing: [cohort.url],
    given: [own.key],
  },
  {
    title: '[7.2] without the own key none of the cohort is handed over',
    refused: own,
    namedApart: [[own.url]],
    missing: [cohort.url, own.url],
    given: [],
  },
])('$title', async ({ refused, namedApart, missing, given }) => {
  const client = refusing(refused);
  const together = await shared([own, cohort], { client });
  expect(together.named).toEqual([[own.url, cohort.url], [own.url]]);
  plant(cohort);
  const apart = await shared([own, cohort], { client });
  expect(apart.named).toEqual(namedApart);
  for (const { missed, keys } of [together, apart]) {
    expect([[...missed.keys()].toSorted(), keys]).toEqual([missing, given]);
  }
});

test('one key alone is not tried a second time, and for none nothing is asked', async () => {
  expect((await shared([own])).keys).toEqual([own.key]);
  const { missed, named } = await shared([own], { client: refusing(own) });
  expect([[...missed.keys()], named]).toEqual([[own.url], [[own.url]]]);
  const none = await shared([]);
  expect([none.missed.size, none.named, none.asked]).toEqual([0, [], []]);
});

test('whose public key cannot be found is missed, with nothing changed', async () => {
  const missedBy = async (webId = anna.webId) => {
    const { missed, named } = await shared([own, cohort], { webId });
    expect(named).toEqual([]);
    return [...missed.keys()];
  };
  server.put(publicKey, 'no Turtle');
  expect(await missedBy()).toEqual([own.url, cohort.url]);
  expect(await missedBy('nobody')).toEqual([own.url, cohort.url]);
});

test.each([
  [new ServerError('refused', 'It says no.', { url: inbox, status: 403 }), 'is closed to the Anal'],
  [new ServerError('refused', 'It says no.', { url: inbox, status: 507 }), 'It says no.'],
  [new ServerError('login', 'It says no.', { url: inbox, status: 403 }), 'It says no.'],
  [new AnalyserError('keys', 'It says no.'), 'It says no.'],
])('only an inbox that refuses the Analyser is said to be closed: %#', (error, expected) => {
  expect(whyNotReceived(anna.webId, error)).toContain(expected);
});
