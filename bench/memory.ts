import { randomBytes } from 'node:crypto';
import { type Claim, emptyMemory, type Memory, type RememberedPod } from '../src/memory/memory.js';
import { readMemory, writeMemory } from '../src/memory/memory-format.js';
import { fitMemory } from '../src/memory/room.js';
import { type AskedPod, settle } from '../src/memory/settle.js';
import { createDocumentSeal } from '../src/pod/crypto/document-seal.js';
import type { Benchmark } from './benchmark.js';
import { startService } from './support/service.js';
import { median } from './support/statistics.js';
import { startStub } from './support/stub.js';
import { short } from './table.js';

const ROUNDS = 5;
const SHARES_PER_POD = 50;
const MANY = 50_000;
const TODAY = 20_000;
const url = 'https://pods.example.org/analyser/app/analyser/memory.txt';
const seal = createDocumentSeal(randomBytes(32));
const digestOf = (text: string) => seal.fingerprint(text).toString('base64url').slice(0, 22);

/** What the memory adds to an analysis: opening, settling, comparing, writing and sealing it. */
export const memoryCost: Benchmark = {
  name: 'memory',
  async run({ quick, say }) {
    const readings = quick ? 500 : 5_000;
    const stub = await startStub({ pods: readings / 50, readingsPerPod: 50 });
    const service = await startService(stub.world);
    const analyses: number[] = [];
    try {
      for (let analysis = -1; analysis < ROUNDS; analysis += 1) {
        const { wallMs } = await service.analyse(stub.world.contributors[0]?.webId ?? '');
        if (analysis >= 0) analyses.push(wallMs);
      }
    } finally {
      await Promise.all([service.stop(), stub.stop()]);
    }
    const one = measure(readings);
    const many = measure(quick ? 2_000 : MANY);
    say(`${short(one.ms)} ms of ${short(median(analyses))} ms; ${short(many.ms)} ms for ${MANY}`);
    return [
      {
        what: `the memory of ${readings} shares, in parts of an analysis of ${readings} readings against a stub server`,
        measured: (100 * one.ms) / median(analyses),
        unit: '%',
        target: { most: 5 },
        details: `${short(one.ms)} ms and ${short(median(analyses))} ms, medians of ${ROUNDS}; ${short(one.megabytes)} MB in the Pod`,
      },
      {
        what: `the memory of ${quick ? 2_000 : MANY} shares`,
        measured: many.ms,
        unit: 'ms',
        target: 'none',
        details: `${short(many.megabytes)} MB in the Pod, of at most 48`,
      },
    ];
  },
};

function measure(shares: number): { ms: number; megabytes: number } {
  const memory = sampleMemory(shares);
  const asked = [...memory.pods.values()].map(askedPod);
  const sealed = seal.seal(writeMemory({ version: 1, memory }), url);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    const text = seal.open(sealed, url)?.toString() ?? '';
    const before = readMemory(text)?.memory ?? emptyMemory();
    const rules = { digest: 'rules', windowDays: null, partialCohort: false };
    const settled = settle(before, asked, rules, TODAY + 1).memory;
    const fitted = fitMemory(settled, digestOf).memory;
    writeMemory({ version: 0, memory: before });
    const next = writeMemory({ version: 2, memory: fitted });
    seal.seal(next, url);
    return performance.now() - start;
  });
  return { ms: median(rounds), megabytes: sealed.length / 1024 / 1024 };
}

function sampleMemory(shares: number): Memory {
  const pods = Array.from({ length: shares / SHARES_PER_POD }, (_, index): RememberedPod => {
    const root = `https://pods.example.org/person-${index}/`;
    const all = Array.from({ length: SHARES_PER_POD }, (_unused, number) => ({
      url: `${root}app/data/blood_pressure/bp_2026-01-${number}T08-00-00.json.enc.ttl`,
      key: randomBytes(32),
      missingOn: [],
    }));
    return {
      root,
      shares: new Map(all.map((share) => [share.url, share])),
      figures: null,
      waited: 0,
    };
  });
  return {
    ...emptyMemory(),
    pods: new Map(pods.map((pod) => [pod.root, pod])),
    claims: new Map(pods.map((pod) => [digestOf(pod.root), claimsOf(pod)])),
  };
}

function claimsOf({ shares }: RememberedPod): Map<string, Claim> {
  return new Map(
    [...shares.values()].map(({ key }) => [digestOf(key?.toString('base64') ?? ''), 'own']),
  );
}

function askedPod(pod: RememberedPod): AskedPod {
  const { root, shares } = pod;
  const measure = { sum: 12_025 * SHARES_PER_POD, count: SHARES_PER_POD };
  return {
    root,
    digest: digestOf(root),
    fates: new Map([...shares].map(([address, { key }]) => [address, { kind: 'read', key }])),
    isUnfinished: false,
    claims: claimsOf(pod),
    figures: {
      observation_count: SHARES_PER_POD,
      measures: { systolic: measure, diastolic: measure, heart_rate: measure },
    },
  };
}
