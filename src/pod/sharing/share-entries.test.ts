import { beforeEach, describe, expect, test } from 'vitest';
import { clientFor } from '../../../test/simulation/people/person.js';
import type { Interceptor } from '../../../test/simulation/server/storage-server.js';
import { keyOf, keysReceived, publishers } from '../../../test/support/publishing.js';
import { recordRequests } from '../../../test/support/recording-client.js';
import { ServerError } from '../../base/errors.js';
import { patchDocument } from '../../solid/documents.js';
import { openValue } from '../crypto/rsa.js';
import { inboxHeading, shareId, shareSubject } from '../formats/shared-keys.js';
import { text, vocabulary as v, writeTurtle } from '../formats/vocabulary.js';
import {
  deleteShareEntries,
  findRecipientPod,
  putShareEntries,
  readShareEntries,
} from './share-entries.js';

let world: Awaited<ReturnType<typeof publishers<'bob' | 'mallory'>>>;
let recipient: Awaited<ReturnType<typeof findRecipientPod>>;
beforeEach(async () => {
  world = await publishers('bob', 'mallory');
  recipient = await findRecipientPod(world.analyser.client, bob().webId, 'app');
});

const bob = () => world.person('bob');
const mallory = () => world.person('mallory');
const inbox = () => bob().pod.documents.sharedKeys;
const urlOf = (name: string) => `${world.analyser.root}app/data/${name}.json.enc.ttl`;
const subjectOf = (name: string) => shareSubject(shareId(urlOf(name), bob().webId));
const share = (name: string) => ({ url: urlOf(name), key: keyOf(name) });

/** What the inbox says of a share. */
const entryOf = (name: string) =>
  world.server.triplesOf(inbox()).filter(({ subject }) => subject === subjectOf(name));
const junk = (name: string, value = 'junk') => text(subjectOf(name), v.sharedKey, value);
const plant = async (name: string, value?: string) =>
  await patchDocument(mallory().client, inbox(), { insert: [junk(name, value)] });

const analyser = (intercept?: Interceptor) =>
  recordRequests(clientFor(world.server, world.analyser.webId, intercept && { intercept }));
const askedOf = ({ requests }: ReturnType<typeof analyser>) =>
  requests.filter(({ url }) => url === inbox()).map(({ method }) => method);

describe('the entry of a share', () => {
  test('[7.3][T37] opens for its recipient alone: the address, what they may, and the key', async () => {
    await putShareEntries(analyser(), recipient, [share('one')]);
    const openedBy = ({ pod }: ReturnType<typeof bob>) =>
      entryOf('one').map(({ predicate, object }) => [
        predicate,
        'literal' in object ? openValue(object.literal, pod.privateKey)?.toString() : '',
      ]);
    expect(openedBy(bob()).sort()).toEqual(
      [
        [v.sharedAccess, 'read'],
        [v.sharedKey, keyOf('one').toString('base64')],
        [v.sharedPath, urlOf('one')],
      ].sort(),
    );
    for (const [, value] of openedBy(mallory())) expect(value).toBeUndefined();
  });

  test('[7.4] takes the place of all that stands there, and leaves the entries of others', async () => {
    await plant('one');
    await plant('other');
    const client = analyser();
    await putShareEntries(client, recipient, [share('one')]);
    expect(entryOf('one')).toHaveLength(3);
    expect(await keysReceived(bob(), urlOf('one'))).toEqual([keyOf('one')]);
    expect(entryOf('other')).toEqual([junk('other')]);
    expect(askedOf(client)).toEqual(['GET', 'PATCH', 'GET']);
  });

  test('[7.4] takes the place of what was read of it before, and leaves the rest of that', async () => {
    await plant('one');
    await plant('other');
    const known = await readShareEntries(analyser(), recipient, [urlOf('one'), urlOf('other')]);
    expect(known).toHaveLength(2);
    const client = analyser();
    await putShareEntries(client, recipient, [share('one')], { known });
    expect(entryOf('one')).toHaveLength(3);
    expect(entryOf('other')).toEqual([junk('other')]);
    expect(askedOf(client)).toEqual(['PATCH', 'GET']);
  });

  test('[T31] goes when it is taken back, with all that strangers added, and no other goes', async () => {
    await putShareEntries(analyser(), recipient, [share('one'), share('other')]);
    await plant('one');
    await deleteShareEntries(analyser(), recipient, [urlOf('one')]);
    expect(entryOf('one')).toEqual([]);
    expect(entryOf('other')).toHaveLength(3);
  });

  test('may be taken back where there is no inbox: none is made', async () => {
    await bob().client.request(inbox(), { method: 'DELETE' });
    await deleteShareEntries(analyser(), recipient, [urlOf('one')]);
    expect(world.server.textOf(inbox())).toBeNull();
  });

  test('comes with the heading of an inbox that it begins, and of no other', async () => {
    const headings = () =>
      world.server.triplesOf(inbox()).filter(({ subject }) => subject === `${inbox()}#me`);
    world.server.put(inbox(), '');
    await putShareEntries(analyser(), recipient, [share('one')]);
    expect(headings()).toEqual([]);
    await bob().client.request(inbox(), { method: 'DELETE' });
    await putShareEntries(analyser(), recipient, [share('one')]);
    expect(headings()).toEqual(inboxHeading(inbox()));
    expect(entryOf('one')).toHaveLength(3);
  });

  test('is not written for an address that is too long to be sealed', async () => {
    const client = analyser();
    const long = { url: urlOf('x'.repeat(600)), key: keyOf('long') };
    await expect(putShareEntries(client, recipient, [long])).rejects.toThrow(/is too long/);
    expect(askedOf(client)).toEqual([]);
  });
});

describe('while others change the inbox', () => {
  /** A stranger adds a key after each of the first changes. */
  const disturbed = (times: number) => {
    let left = times;
    return analyser(async ({ method }, serve) => {
      const answer = serve();
      if (method === 'PATCH' && left > 0) {
        left -= 1;
        await plant('one', `junk ${left}`);
      }
      return answer;
    });
  };

  /** Something happens after the first change. */
  const once = (happen: () => void) => {
    let isOver = false;
    return analyser(({ method }, serve) => {
      const answer = serve();
      if (method === 'PATCH' && !isOver) {
        isOver = true;
        happen();
      }
      return answer;
    });
  };

  test('[7.4][7.8] the entry is written up to three times, each as it was sealed first', async () => {
    const client = disturbed(2);
    await putShareEntries(client, recipient, [share('one')]);
    expect(entryOf('one')).toHaveLength(3);
    expect(askedOf(client).filter((method) => method === 'PATCH')).toHaveLength(3);
  });

  test('[8.1] and then its reader is told to have received no key', async () => {
    const client = disturbed(3);
    await expect(putShareEntries(client, recipient, [share('one')])).rejects.toThrow(
      `${bob().webId} did not receive the key`,
    );
    expect(askedOf(client).filter((method) => method === 'PATCH')).toHaveLength(3);
  });

  test('[7.4] the entry is written again where as much of others stands in its place', async () => {
    const inPlace = ['1', '2', '3'].map((value) => junk('one', value));
    const client = once(() => world.server.put(inbox(), writeTurtle(inPlace)));
    await putShareEntries(client, recipient, [share('one')]);
    expect(await keysReceived(bob(), urlOf('one'))).toEqual([keyOf('one')]);
    expect(askedOf(client)).toEqual(['GET', 'PATCH', 'GET', 'PATCH', 'GET']);
  });

  test('the entry is there in whatever order the inbox has it', async () => {
    const reverse = () => {
      const statements = world.server.triplesOf(inbox());
      world.server.put(inbox(), writeTurtle(statements.toReversed()));
    };
    const client = once(reverse);
    await putShareEntries(client, recipient, [share('one')]);
    expect(askedOf(client)).toEqual(['GET', 'PATCH', 'GET']);
  });
});

describe('a change of the inbox', () => {
  const failing = (failure: 'slow' | 'refused', isMade: boolean) => {
    const client = analyser();
    return {
      ...client,
      request: async (...[url, options]: Parameters<typeof client.request>) => {
        if (options?.method !== 'PATCH') return await client.request(url, options);
        if (isMade) await client.request(url, options);
        throw new ServerError(failure, 'no change', { url });
      },
    };
  };

  test.each<[string, Parameters<typeof failing>, string | null, string[]]>([
    ['without an answer has happened, if it shows', ['slow', true], null, ['GET', 'PATCH', 'GET']],
    ['without an answer is not tried again, if not', ['slow', false], 'no change', ['GET', 'GET']],
    ['that is refused has not happened', ['refused', false], 'no change', ['GET']],
  ])('[1.4] %s', async (_, how, message, asked) => {
    const client = failing(...how);
    const put = putShareEntries(client, recipient, [share('one')]);
    if (message === null) await put;
    else await expect(put).rejects.toThrow(message);
    expect(askedOf(client)).toEqual(asked);
  });
});

describe('whose public key', () => {
  const find = async (status: number) => {
    const { publicKey } = bob().pod.documents;
    const client = analyser(({ url }, serve) =>
      url === publicKey ? { ...serve(), status } : serve(),
    );
    return await findRecipientPod(client, bob().webId, 'app');
  };

  test('is there gets keys that are sealed with it', async () => {
    expect(await find(200)).toMatchObject({ webId: bob().webId, documents: bob().pod.documents });
  });

  test.each([
    ['is missing', 404, /^Recipient Pod not initialised/],
    ['is missing, as others are told', 401, /^Recipient Pod not initialised/],
    ['is closed', 403, /^Recipient Pod not initialised/],
    ['is refused for another reason', 400, /could not be read: HTTP 400/],
  ])('%s gets none', async (_, status, message) => {
    await expect(find(status)).rejects.toThrow(message);
  });
});
