import { expect, test } from 'vitest';
import { publishers } from '../../test/support/publishing.js';
import { chooseIssuer, ownPodOf } from './open-own-pod.js';

const webId = 'https://pods.example.org/alice/profile/card#me';

test.each([
  [[], null],
  [['not a URL', 'ftp://pods.example.org/'], null],
  [['https://login.example.org/'], 'https://login.example.org/'],
  [['https://login.example.org/', 'https://pods.example.org/'], 'https://pods.example.org/'],
])('of the issuers %j it is logged in to %s', (named, issuer) => {
  expect(chooseIssuer(named, webId)).toBe(issuer);
});

test('no password goes to an issuer on http, unless the WebID is on http itself', () => {
  const [plain, safe] = ['http://pods.example.org/', 'https://login.example.org/'];
  expect(chooseIssuer([plain], webId)).toBeNull();
  expect(chooseIssuer([plain, safe], webId)).toBe(safe);
  expect(chooseIssuer([plain], webId.replace('https:', 'http:'))).toBe(plain);
});

test('[T41] whoever closes their Pod lets go of its master key', async () => {
  const { client, pod } = (await publishers('anna')).person('anna');
  expect(pod.masterKey.some((byte) => byte !== 0)).toBe(true);
  await ownPodOf(client, pod).close();
  expect(pod.masterKey.every((byte) => byte === 0)).toBe(true);
});
