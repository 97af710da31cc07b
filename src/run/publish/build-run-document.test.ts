import { expect, test } from 'vitest';
import {
  concludedOf,
  fileOf,
  fileWith,
  podOfFiles,
  rootOf,
} from '../../../test/support/concluded.js';
import { rememberedPod, someSums } from '../../../test/support/table.js';
import type { StudyPeriod } from '../../base/study-period.js';
import { emptyMemory } from '../../memory/memory.js';
import { notRead } from '../../pod/outcome.js';
import { boundWarnings, buildRunDocument } from './build-run-document.js';

const url = (index: number) => `https://pods.example/anna/app/data/${index}.json.enc.ttl`;

test('a few warnings stay as they are, in their order', () => {
  const warnings = [`${url(1)}: access was revoked`, 'The memory is full.', `${url(2)}: too large`];
  expect(boundWarnings(warnings)).toEqual([warnings[0], warnings[1], warnings[2]]);
});

test('many of one kind are counted, whatever their addresses', () => {
  const warnings = Array.from({ length: 1000 }, (_, index) => `${url(index)}: access was revoked`);
  const bounded = boundWarnings(warnings);
  expect(bounded.slice(0, 20)).toEqual(warnings.slice(0, 20));
  expect(bounded.slice(20)).toEqual(['… and 980 more: access was revoked']);
});

test('an address at the beginning alone makes no other kind, with or without encryption', () => {
  const some = (write: (address: string) => string) =>
    boundWarnings(Array.from({ length: 30 }, (_, index) => write(url(index))));
  const plain = some((address) => `${address.replace('https:', 'http:')}: too large`);
  expect(plain.at(-1)).toBe('… and 10 more: too large');
  expect(some((address) => `The folder of ${address}: too large`)).toHaveLength(30);
});

test('warnings that take 20 kB to the last byte stay', () => {
  const warnings = Array.from({ length: 50 }, (_, index) => `Kind ${index} `.padEnd(400, 'x'));
  expect(boundWarnings(warnings)).toEqual(warnings);
  expect(boundWarnings([...warnings, 'One more.'])).toEqual([
    ...warnings,
    '… and 1 more warnings of other kinds',
  ]);
});

test('many kinds take no more than 20 kB', () => {
  const warnings = Array.from({ length: 1000 }, (_, index) => `Kind ${index} ${'x'.repeat(400)}`);
  const bounded = boundWarnings(warnings);
  expect(Buffer.byteLength(bounded.join(''))).toBeLessThan(20_100);
  expect(bounded.at(-1)).toBe(`… and ${1000 - bounded.length + 1} more warnings of other kinds`);
});

test('a warning too long is cut between words, so that no part of an address stays', () => {
  const names = Array.from({ length: 40 }, (_, n) => `https://pods.example/person-${n}/`);
  const [bounded = ''] = boundWarnings([`Not read: ${names.join(' ')}`]);
  const kept = bounded.match(/https\S*/g) ?? [];
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.filter((address) => !names.includes(address))).toEqual([]);
});

test('the Pods are listed of which something was read or counts, with how they count', () => {
  const silent = notRead('silence', '');
  const sections = { analysis: { minimum_observations: 2 }, sharing: { enabled: false } };
  const first = concludedOf([podOfFiles('ben', [fileWith(), fileWith()])], { sections });
  const { pods } = first.results.conclusion.memory;
  /** Both files were read before, and were not counted, or by other rules. */
  const remembered = (name: string, sums: typeof someSums | null) => {
    const root = rootOf(name);
    const files = [fileOf(name), fileOf(name, 2)].map((url) => [url, null] as const);
    return [root, rememberedPod(root, files, sums)] as const;
  };
  const others = [remembered('cleo', null), remembered('dora', someSums)];
  const memory = { ...emptyMemory(), pods: new Map([...pods, ...others]) };
  const all = [
    podOfFiles('anna', [fileWith()]),
    ...['ben', 'cleo', 'dora'].map((name) => podOfFiles(name, [fileWith(), silent], memory)),
    podOfFiles('eve', [silent]),
  ];
  const warnings = Array.from({ length: 1000 }, (_, index) => `${url(index)}: access was revoked`);
  const { document } = concludedOf(all, { sections, memory, warnings });
  const out = [expect.stringContaining('This Pod is not in the cohort')];
  expect(document.pods).toMatchObject([
    { pod_root: rootOf('anna'), included_in_cohort: false, notes: [] },
    {
      pod_root: rootOf('ben'),
      included_in_cohort: true,
      carried: {
        from: '2026-11-01',
        observation_count: 2,
        measures: {
          systolic: { average: 120, count: 2 },
          diastolic: { average: 80, count: 2 },
          heart_rate: { average: 60, count: 2 },
        },
      },
    },
    { pod_root: rootOf('cleo'), included_in_cohort: false, notes: out },
    { pod_root: rootOf('dora'), included_in_cohort: false, notes: out },
  ]);
  expect(document.cohort).toMatchObject({ pod_count: 4, carried_pod_count: 1 });
  expect(document.warnings).toHaveLength(21);
  // Figures are withheld because of the last one; but none would be sent anyway.
  expect(document.sharing).toEqual({ enabled: false, published: [] });
});

test('[7.3] averages of the latest days stand there for those alone who are given a result', () => {
  const reading = { time: 0, offset: 0, systolic: 120, diastolic: 80, heart_rate: 60 };
  const { config, results } = concludedOf(
    ['anna', 'ben'].map((name) =>
      podOfFiles(name, [{ ...fileWith({}, Buffer.from(name)), readings: [reading] }]),
    ),
  );
  const [anna] = results.conclusion.contributors;
  if (anna === undefined) throw new Error('Anna shares something.');
  const run = { runId: 'a', requestedBy: null, charts: new Map(), published: [], warnings: [] };
  const { pods } = buildRunDocument(config, results, { ...run, recipients: [anna] });
  expect(anna.recent).not.toBeNull();
  expect(pods[0]).toMatchObject({ home: anna.home, recent: anna.recent });
  expect(pods.map((pod) => ['home' in pod, 'recent' in pod])).toEqual([
    [true, true],
    [false, false],
  ]);
});

test('what does not hold is left out: a period, carried Pods, a release, and why figures are withheld', () => {
  const noise = { cohort_release: { epsilon: 1, every_days: 1, budget: 12 } };
  const pods = ['anna', 'ben'].map((name) => podOfFiles(name, [fileWith({}, Buffer.from(name))]));
  const documentOf = (sharing: object, withheld: string | null, period: StudyPeriod | null) => {
    const memory = { ...emptyMemory(), withheld };
    const { config, results } = concludedOf(pods, { sections: { sharing }, memory });
    const run = { runId: '', requestedBy: null, recipients: [], charts: new Map(), published: [] };
    const { told } = results.conclusion;
    const document = buildRunDocument(config, { ...results, period }, { ...run, warnings: [] });
    return { document, told };
  };
  const { document: bare } = documentOf({}, null, null);
  expect(Object.keys(bare.analysis)).toEqual(['minimum_observations', 'window_days']);
  expect(Object.keys(bare.sharing)).toEqual(['enabled', 'published']);
  expect(Object.keys(bare.cohort)).not.toContain('carried_pod_count');
  const period = { from: '2026-01-01', until: null };
  const { document: full, told } = documentOf(noise, 'It is gone.', period);
  expect(full.analysis.period).toEqual(period);
  expect(full.sharing.cohort_release).toEqual(told.release);
  expect(full.sharing.cohort_withheld).toEqual({ reason: 'It is gone.', until_confirmed: true });
});
