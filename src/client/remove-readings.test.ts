import { expect, test } from 'vitest';
import { publishers } from '../../test/support/publishing.js';
import { aclAddress } from '../pod/addresses.js';
import { ownPodOf } from './open-own-pod.js';
import { removeReadings } from './remove-readings.js';

test('[T31] with a reading that is removed go its share and its rules, so that nothing in its place is open', async () => {
  const { server, analyser, person } = await publishers('anna');
  const anna = person('anna');
  await anna.record([{ systolic: 120, diastolic: 80, heart_rate: null }], analyser.webId);
  const [{ url } = { url: '' }] = anna.shared;
  expect([...server.modesOf(url, analyser.webId)]).toEqual(['read']);
  const removed = await removeReadings(ownPodOf(anna.client, anna.pod), analyser.webId, 'all');
  expect(removed).toEqual({ readings: 1, shares: 1 });
  expect([url, aclAddress(url)].map((one) => server.textOf(one))).toEqual([null, null]);
  server.put(url, 'another');
  expect([...server.modesOf(url, analyser.webId)]).toEqual([]);
});
