import fc from 'fast-check';
import type { ReleaseRecord } from '../../src/analysis/release/release-record.js';
import type { Claim, Memory, RememberedPod, RememberedShare } from '../../src/memory/memory.js';

const plain = { noNullPrototype: true } as const;
const time = fc.nat({ max: 2 ** 45 });
const figure = fc.double({ min: 0, max: 300, noNaN: true }).map((value) => value + 0);
const text = fc.string({ minLength: 1, unit: 'binary' });
const perMeasure = <T>(value: fc.Arbitrary<T>) =>
  fc.record({ systolic: value, diastolic: value, heart_rate: value }, plain);

const stepFigure = fc.record(
  {
    value: figure,
    releasedAt: time,
    replacedAt: fc.option(time),
    pods: fc
      .dictionary(text, fc.nat({ max: 2 ** 32 - 1 }))
      .map((pods) => new Map(Object.entries(pods))),
  },
  plain,
);

export const anyReleases: fc.Arbitrary<ReleaseRecord> = fc.record(
  {
    steps: perMeasure(fc.array(stepFigure, { maxLength: 3 })),
    noise: fc.array(
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
    ),
  },
  plain,
);

const path = fc.webPath({ size: 'small' });
const keyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) => Buffer.from(key));

/** Most addresses lie below the root. */
const anyShare = (root: string): fc.Arbitrary<RememberedShare> => {
  const address = fc.oneof(
    { weight: 9, arbitrary: path.map((below) => `${root}${below.slice(1)}`) },
    fc.webUrl(),
  );
  return fc.record(
    {
      url: address,
      key: fc.option(keyBytes),
      missingOn: fc.array(fc.nat({ max: 40_000 }), { maxLength: 10 }),
    },
    plain,
  );
};

const figures = fc.record(
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
          .array(anyShare(root), { maxLength: 8 })
          .map((shares) => new Map(shares.map((share) => [share.url, share]))),
        figures: fc.option(figures),
        waited: fc.nat({ max: 9 }),
      },
      plain,
    ),
  );

const anyClaims = fc
  .array(fc.tuple(text, fc.constantFrom<Claim>('own', 'refused')), { minLength: 1, maxLength: 8 })
  .map((claims) => new Map(claims));

export const anyMemory: fc.Arbitrary<Memory> = fc.record(
  {
    withheld: fc.option(text),
    pods: fc
      .array(anyPod, { maxLength: 6 })
      .map((pods) => new Map(pods.map((pod) => [pod.root, pod]))),
    releases: anyReleases,
    claims: fc.array(fc.tuple(text, anyClaims)).map((claims) => new Map(claims)),
    earlierKeys: fc
      .array(fc.tuple(fc.base64String({ minLength: 4 }), fc.uint8Array()))
      .map((keys) => new Map(keys.map(([path, key]) => [path, Buffer.from(key)]))),
    later: fc.dictionary(fc.constantFrom('added', 'more'), fc.nat(), plain),
  },
  plain,
);
