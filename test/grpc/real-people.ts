import { join } from 'node:path';
import { expect } from 'vitest';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import type { ProxiedRequest, ProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';
import { type Snapshot, takeSnapshot } from '../support/snapshot.js';
import type { RealService } from './real-service.js';

/** An Analyser with two contributors behind a proxy of their own. */
export interface RealPeople {
  solid: ProxiedServer;
  analyser: InitialisedPod;
  alice: Contributor;
  bob: Contributor;
  close(): Promise<void>;
}

export async function createPeople(solid: ProxiedServer): Promise<RealPeople> {
  const analyser = await createInitialisedPod(solid);
  const alice = await createContributor(solid, analyser, weekly([120, 80, 60], [130, 84, 66]));
  const readings = Array.from({ length: 12 }, (): [number, number, number] => [110, 70, 55]);
  const bob = await createContributor(solid, analyser, weekly(...readings));
  return {
    solid,
    analyser,
    alice,
    bob,
    async close() {
      await Promise.all([analyser, alice, bob].map((one) => one.close()));
      await solid.stop();
    },
  };
}

/** An analysis whose reply is held against what no reply may say. */
export async function analyse(
  { client }: RealService,
  { alice, bob }: RealPeople,
  caller: InitialisedPod,
): Promise<Record<string, unknown>> {
  const reply = await client.analyse(caller.pod.webId);
  for (const other of [alice, bob].filter((one) => one !== caller)) {
    expect(JSON.stringify(reply)).not.toContain(other.pod.root);
  }
  return reply;
}

/** Every document and access rule of every Pod, and what the service keeps on its own disk. */
export async function snapshotAll(
  { solid, analyser, alice, bob }: RealPeople,
  { folder }: RealService,
): Promise<Record<string, Snapshot>> {
  // Not all that the server has on disk: in its own folder files come and go.
  const pods = [analyser, alice, bob].map(({ pod }) =>
    join(solid.server.rootDir, new URL(pod.root).pathname),
  );
  const folders = [...pods, join(folder, 'results'), join(folder, 'charts')];
  const snapshots = await Promise.all(folders.map(takeSnapshot));
  for (const snapshot of snapshots.slice(0, pods.length)) {
    expect(Object.keys(snapshot).length).toBeGreaterThan(10);
  }
  return Object.fromEntries(folders.map((path, index) => [path, snapshots[index] ?? {}]));
}

/** Cancels alice's analysis as soon as the request is on its way; answers what Cancel said. */
export async function cancelDuring(
  people: RealPeople,
  service: RealService,
  when: (request: ProxiedRequest) => boolean,
  skip = 0,
): Promise<unknown> {
  const { proxy } = people.solid;
  const before = await snapshotAll(people, service);
  const fault = { kind: 'delay', ms: 150 } as const;
  const delayed = proxy.inject({ when, skip, times: 1, fault });
  const call = analyse(service, people, people.alice);
  // Past the last request there is nothing left to cancel during.
  await Promise.race([delayed.hit(), call]);
  const outcome = await cancelDuringCall(people, service, call, before);
  proxy.heal();
  return outcome;
}

/** Either nothing at all has changed afterwards, or everything is whole. */
export async function cancelDuringCall(
  people: RealPeople,
  service: RealService,
  call: Promise<Record<string, unknown>>,
  before: Awaited<ReturnType<typeof snapshotAll>>,
): Promise<unknown> {
  const { alice, analyser } = people;
  const { status } = await service.client.cancel(alice.pod.webId);
  const reply = await call;
  if (status === 'CANCEL_STATUS_STOPPED') {
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED', published: false });
    expect(await snapshotAll(people, service)).toEqual(before);
  } else {
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED', published: true });
    const { generated_at } = await collectOwn(analyser, alice);
    expect(generated_at).toBe(reply['generated_at']);
  }
  return status;
}
