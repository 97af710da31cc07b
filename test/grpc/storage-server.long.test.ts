import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ProxiedRequest, startProxiedServer } from '../support/fault-proxy.js';
import {
  analyse,
  cancelDuring,
  cancelDuringCall,
  createPeople,
  type RealPeople,
  snapshotAll,
} from './real-people.js';
import { type RealService, startRealService } from './real-service.js';

const minutes = 60_000;

let people: RealPeople;
let service: RealService;
beforeAll(async () => {
  people = await createPeople(await startProxiedServer({ bookkeeping: 'files' }));
  service = await startRealService(people.analyser, people.solid.baseUrl);
}, 3 * minutes);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await people.close();
});

const isOfRun = ({ url }: ProxiedRequest) => !/\/\.(oidc|well-known)\//.test(url);

test(
  'a Cancel during each request of an analysis in turn stops it without a trace, or lets it end whole',
  async () => {
    await analyse(service, people, people.alice);
    people.solid.proxy.forget();
    await analyse(service, people, people.alice);
    const requests = people.solid.proxy.requests.filter(isOfRun);
    const outcomes: unknown[] = [];
    for (let skip = 0; skip < requests.length; skip += 1) {
      outcomes.push(await cancelDuring(people, service, isOfRun, skip));
    }
    const stopped = outcomes.lastIndexOf('CANCEL_STATUS_STOPPED') + 1;
    expect(stopped).toBeGreaterThanOrEqual(1 + people.alice.urls.length + people.bob.urls.length);
    // Once too late, it stays too late.
    expect(outcomes.slice(0, stopped)).toEqual(Array(stopped).fill('CANCEL_STATUS_STOPPED'));
  },
  10 * minutes,
);

test(
  'a Cancel at any time does so, too: between requests, while averaging, while drawing',
  async () => {
    const began = performance.now();
    await analyse(service, people, people.alice);
    const usual = performance.now() - began;
    const outcomes: unknown[] = [];
    for (let step = 0; step <= 60; step += 1) {
      const before = await snapshotAll(people, service);
      const call = analyse(service, people, people.alice);
      await Promise.race([pause((usual * step) / 50), call]);
      outcomes.push(await cancelDuringCall(people, service, call, before));
    }
    expect(outcomes).toContain('CANCEL_STATUS_STOPPED');
  },
  10 * minutes,
);

test(
  'a service that is ready and idle leaves the storage server alone for minutes',
  async () => {
    people.solid.proxy.forget();
    await pause(3 * minutes);
    expect(people.solid.proxy.requests).toEqual([]);
  },
  4 * minutes,
);
