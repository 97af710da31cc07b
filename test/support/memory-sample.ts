import fc from 'fast-check';
import type { NoiseRelease } from '../../src/analysis/release/noise.js';
import type { Memory, RememberedPod, RememberedShare } from '../../src/memory/memory.js';

const plain = { noNullPrototype: true } as const;
const time = fc.nat({ max: 2 ** 45 });
const figure = fc.double({ min: 0, max: 300, noNaN: true }).map((value) => value + 0);
const text = fc.string({ minLength: 1, unit: 'binary' });
const perMeasure = <T>(value: fc.Arbitrary<T>) =>
  fc.record({ systolic: value, diastolic: value, heart_rate: value }, plain);

export const anyReleases: fc.Arbitrary<NoiseRelease[]> = fc.array(
  fc.record(
    {
      releasedAt: time,
      epsilon: fc.double({ min: 0.001, max: 100, noNaN: true }),
      figures: perMeasure(fc.option(figure)),
      pods: perMeasure(fc.nat()),
    },
    plain,
  ),
  { maxLength: 3 },
);

const path = fc.webPath({ size: 'small' });
const keyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) => Buffer.from(key));

/** Most addresses lie below the root; that of a folder would end in a slash. */
const anyShare = (root: string): fc.Arbitrary<RememberedShare> => {
  const address = fc.oneof(
    { weight: 9, arbitrary: path.map((below) => `${root}${below.slice(1)}.ttl`) },
    fc.webUrl().map((url) => `${url}.ttl`),
  );
  return fc.record(
    {
      url: address,
      ownKey: fc.option(keyBytes),
      missingOn: fc.array(fc.nat({ max: 40_000 }), { maxLength: 10 }),
    },
    plain,
  );
};

const sums = fc.record(
  {
    day: fc.nat({ max: 40_000 }),
    rules: text,
    observation_count: fc.nat(),
    measures: perMeasure(fc.record({ sum: fc.nat(), count: fc.nat() }, plain)),
  },
  plain,
);

export const anyPod: fc.Arbitrary<RememberedPod> = path
  .map((below) => `https://pods.example${below}/`)
  .chain((root) =>
    fc.record(
      {
        root: fc.constant(root),
        shares: fc
          .array(anyShare(root), { minLength: 1, maxLength: 8 })
          .map((shares) => new Map(shares.map((share) => [share.url, share]))),
        folders: fc
          .array(fc.tuple(path, fc.option(keyBytes)), { maxLength: 2 })
          .map((all) => new Map(all.map(([below, key]) => [`${root}${below.slice(1)}/`, key]))),
        sums: fc.option(sums),
      },
      plain,
    ),
  );

/** Few Pods, so that many keys have the same owners; those of one Pod stand together, as they are stored. */
const digest = fc.base64String({ minLength: 24, maxLength: 24 }).map((one) => one.slice(0, 22));
const anyClaims = fc
  .array(
    fc.tuple(
      fc.uniqueArray(fc.constantFrom('anna', 'ben', 'cleo'), { minLength: 1, maxLength: 2 }),
      fc.array(digest, { minLength: 1, maxLength: 8 }),
    ),
    { maxLength: 4 },
  )
  .map((groups) => {
    const claims = new Map<string, string[]>();
    const taken = new Set<string>();
    for (const [owners, keys] of groups) {
      if (taken.has(owners.join(' '))) continue;
      taken.add(owners.join(' '));
      for (const key of keys) if (!claims.has(key)) claims.set(key, owners);
    }
    return claims;
  });

export const anyMemory: fc.Arbitrary<Memory> = fc.record(
  {
    withheld: fc.option(text),
    pods: fc
      .array(anyPod, { maxLength: 6 })
      .map((pods) => new Map(pods.map((pod) => [pod.root, pod]))),
    releases: anyReleases,
    claims: anyClaims,
    earlierKeys: fc
      .array(fc.tuple(fc.base64String({ minLength: 4 }), fc.uint8Array()))
      .map((keys) => new Map(keys.map(([path, key]) => [path, Buffer.from(key)]))),
  },
  plain,
);
