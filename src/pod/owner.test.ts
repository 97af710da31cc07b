import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBelowSharedInbox, ownerOfResource, podIdOfRoot, podIds } from './owner.js';

describe('the owner of a resource', () => {
  const place = {
    appDir: 'app',
    analyserRoot: 'http://localhost:3000/analyser/',
    podDepth: null,
    podIdOf: podIdOfRoot,
  };

  test.each([
    ['http://localhost:3000/alice/app/data/x', 'localhost:3000-alice'],
    ['http://localhost:3000/alice/app/', 'localhost:3000-alice'],
    ['http://localhost:3000/app/app/data/x', 'localhost:3000-app'],
    ['https://other.example/app/data/x', 'other.example'],
    ['https://other.example/x/y/app/data/app/z', 'other.example-x-y'],
  ])('of %s is %s', (url, podId) => {
    const owner = ownerOfResource(url, place);
    expect(owner?.podId).toBe(podId);
    expect(url.startsWith(`${owner?.root}app/`)).toBe(true);
    expect(owner?.webId).toBe(`${owner?.root}profile/card#me`);
  });

  test.each([
    ['http://localhost:3000/alice/app/x', null, 'http://localhost:3000/alice/', 'certain'],
    ['https://other.example/app/x', null, 'https://other.example/', 'likely'],
    ['https://other.example/alice/app/x', null, 'https://other.example/alice/', 'likely'],
    ['https://other.example/alice/p1/app/x', null, 'https://other.example/alice/p1/', 'doubtful'],
    ['https://other.example/org/alice/app/x', 2, 'https://other.example/org/alice/', 'likely'],
    ['https://other.example/org/app/app/x', 2, 'https://other.example/org/app/', 'likely'],
    ['https://other.example/alice/app/x', 2, 'https://other.example/alice/', 'doubtful'],
    ['https://other.example/alice/app/x', 0, 'https://other.example/alice/', 'doubtful'],
  ])(
    '[T34] of %s, where Pods lie %s deep, has the root %s, which is %s',
    (url, podDepth, root, rootIs) => {
      expect(ownerOfResource(url, { ...place, podDepth })).toMatchObject({ root, rootIs });
    },
  );

  test.each([
    'http://localhost:3000/x/y/app/data/z',
    'http://localhost:3000/app/data/z',
    'http://localhost:3000/alice/application/data/z',
    'http://localhost:3000/alice/app',
    'https://app/alice/other/z',
    'https://other.example/alice/z',
  ])('of %s is unknown', (url) => {
    expect(ownerOfResource(url, place)).toBeNull();
  });

  test('[T2] nothing below the inbox counts as data of its owner', () => {
    const owner = { root: 'https://host/alice/' };
    const isBelow = (url: string) => isBelowSharedInbox(url, owner, 'app');
    expect(isBelow('https://host/alice/app/shared/data/blood_pressure/bp.json')).toBe(true);
    expect(isBelow('https://host/alice/app/shared/')).toBe(true);
    expect(isBelow('https://host/alice/app/data/shared/bp.json')).toBe(false);
  });
});

test.each([
  ['https://pods.example.org/alice/', 'pods.example.org-alice'],
  ['http://localhost:3000/alice/', 'localhost:3000-alice'],
  ['https://host/a/b/', 'host-a-b'],
  ['https://alice.example/', 'alice.example'],
  ['https://host/y%40x/', 'host-y%40x'],
  ['https://host/y@x/', 'host-y@x'],
  ['https://host/%c3%bc/', 'host-%c3%bc'],
  ['https://host/ü/', 'host-ü'],
])('the Pod %s is known as %s', (root, podId) => {
  expect(podIdOfRoot(root)).toBe(podId);
});

test('[T24] a pod_id too long for the name of a file ends in a digest of the whole', () => {
  const rootOf = (name: string) => `https://pods.example/${name}/`;
  const long = 'x'.repeat(1000);
  const [one, other] = [podIdOfRoot(rootOf(`${long}1`)), podIdOfRoot(rootOf(`${long}2`))];
  expect(one).toMatch(/^pods\.example-x{100,}-[0-9a-f]{40}$/);
  expect(one.length).toBeLessThan(220);
  expect(one).not.toBe(other);
  expect(podIdOfRoot(rootOf('ü'.repeat(180)))).toMatch(/^pods\.example-ü{60,}-[0-9a-f]{40}$/);
  expect(podIdOfRoot(rootOf('%C3%BC'.repeat(60)))).toMatch(/-(?:%C3%BC)+(?:%C3)?-[0-9a-f]{40}$/);
  expect(podIdOfRoot(rootOf('x'.repeat(180)))).toBe(`pods.example-${'x'.repeat(180)}`);
});

const analyser = 'https://pods.example/analyser/';
const servers = ['https://pods.example/', 'https://other.example/', 'https://*.cloud.example'];

describe('the pod_id', () => {
  const podIdOf = podIds(analyser, servers);

  test.each([
    ['beside the Analyser', 'https://pods.example/alice/', 'pods.example-alice'],
    ['one folder deep on an allowed server', 'https://other.example/bob/', 'other.example-bob'],
    ['at the root of an allowed server', 'https://carol.cloud.example/', 'carol.cloud.example'],
  ])('of a Pod %s is that of the app', (_where, root, podId) => {
    expect(podIdOf(root)).toBe(podId);
  });

  test.each([
    ['deeper on another server', 'https://other.example/x/y/'],
    ['whose name looks like such a digest', `https://pods.example/x-${'0'.repeat(40)}/`],
  ])('[T24] of a Pod %s ends in a digest', (_which, root) => {
    expect(podIdOf(root)).toMatch(/-[0-9a-f]{40}$/);
    expect(podIdOf(root)).not.toBe(podIdOfRoot(root));
  });

  test.each([
    ['but for the scheme', 'http://other.example/'],
    ['up to a hyphen', 'https://other.example-two/'],
  ])('[T24] of Pods on servers that are equal %s ends in one as well', (_how, address) => {
    const ids = podIds(analyser, [...servers, address]);
    expect(ids(`${address}bob/`)).toMatch(/-[0-9a-f]{40}$/);
    expect(ids('https://other.example/bob/')).toMatch(/-[0-9a-f]{40}$/);
  });

  test('[T24] beside the Analyser stays that of the app, whatever other servers are called', () => {
    const ids = podIds(analyser, [...servers, 'https://pods.example-x/']);
    expect(ids('https://pods.example/alice/')).toBe('pods.example-alice');
    expect(ids('https://pods.example-x/alice/')).toMatch(/-[0-9a-f]{40}$/);
  });
});

test('[T24] no two Pods have one pod_id', () => {
  const hosts = ['pods.example', 'pods.example-x', 'a.b', 'a.b-c', 'a.b-c-d', 'x.cloud.example'];
  const origin = fc.tuple(fc.constantFrom('http', 'https'), fc.constantFrom(...hosts));
  const name = fc.oneof(
    fc.constantFrom('x', 'c', 'x-c', 'c-d', 'a', '-', 'x-a'),
    fc.stringMatching(/^[a-c-]{1,4}$/),
  );
  const root = fc
    .tuple(origin, fc.array(name, { maxLength: 3 }))
    .map(
      ([[scheme, host], path]) => `${scheme}://${host}/${path.map((each) => `${each}/`).join('')}`,
    );
  const all = hosts.flatMap((host) => [`http://${host}/`, `https://${host}/`]);
  const configured = fc.subarray(all).map((some) => ['https://pods.example/', ...some]);
  fc.assert(
    fc.property(
      configured,
      fc.uniqueArray(root, { minLength: 2, maxLength: 12 }),
      (some, roots) => {
        const podIdOf = podIds(analyser, some);
        const allowed = roots.filter((each) => some.some((address) => each.startsWith(address)));
        // The name of somebody's Pod can be made to look like any pod_id.
        const copies = allowed.map((each) => {
          const podId = podIdOf(each);
          const start = 'pods.example-';
          return podId.startsWith(start)
            ? `https://pods.example/${podId.slice(start.length)}/`
            : each;
        });
        const pods = [...new Set([...allowed, ...copies])];
        expect(new Set(pods.map(podIdOf)).size).toBe(pods.length);
      },
    ),
    { numRuns: 2000 },
  );
});
