import { expect, test } from 'vitest';
import type { SolidClient } from '../solid-client.js';
import { WebIdProfiles } from './issuers.js';

const webId = 'https://pods.example/alice/profile/card#me';
const [named, other] = ['https://issuer.example/', 'https://other.example/'];

/** A profile that names one issuer. */
function profilesOf(issuer: string) {
  const asked: string[] = [];
  const body = `<#me> <http://www.w3.org/ns/solid/terms#oidcIssuer> <${issuer}>.`;
  const client: SolidClient = {
    request(url) {
      asked.push(url);
      return Promise.resolve({ status: 200, headers: {}, url, body: Buffer.from(body) });
    },
    close: () => Promise.resolve(),
  };
  return { profiles: new WebIdProfiles(client, () => 0), asked };
}

test('[T15] who was proved by the issuer that their profile names is not proved by another one', async () => {
  const { profiles, asked } = profilesOf(named);
  await profiles.requireNamed(webId, named);
  await expect(profiles.requireNamed(webId, other)).rejects.toThrow('names another');
  // Each answer is remembered, for this person and this issuer.
  await profiles.requireNamed(webId, named);
  await expect(profiles.requireNamed(webId, other)).rejects.toThrow('names another');
  expect(asked).toHaveLength(2);
});

test('what one profile names says nothing of another person', async () => {
  const { profiles } = profilesOf(named);
  await profiles.requireNamed(webId, named);
  const bob = webId.replace('alice', 'bob');
  await expect(profiles.requireNamed(bob, other)).rejects.toThrow('names another');
});
