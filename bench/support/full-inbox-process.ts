/** Reads one large inbox that is at hand, and does the bare RSA operations for comparison. */
import { createPublicKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { sealValue } from '../../src/pod/crypto/rsa.js';
import {
  parseSealedEntries,
  type SealedEntry,
  shareId,
  shareStatements,
} from '../../src/pod/documents/shared-keys.js';
import { writeTurtle } from '../../src/pod/documents/write-turtle.js';
import { EntryOpener } from '../../src/pod/inbox/entry-opener.js';
import { readInbox } from '../../src/pod/inbox/read-inbox.js';
import { type UnlockedPod, unlockPod } from '../../src/pod/unlock-pod.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { answerParent } from './child.js';
import { buildPodWorld } from './pod-world.js';

const settings = z.object({ entries: z.number() });

interface World {
  client: SolidClient;
  pod: UnlockedPod;
  sealed: SealedEntry[];
  entries: number;
  /** The inbox is another one, with so many entries besides. */
  change: (more: string) => void;
}

let world: World | null = null;

answerParent({
  async start(question) {
    const { entries } = settings.parse(question);
    const size = { pods: entries / 100, readingsPerPod: 100 };
    const { documents, analyserWebId, securityKey } = await buildPodWorld(
      'http://localhost/',
      size,
    );
    const bodies = new Map(Array.from(documents, ([url, text]) => [url, Buffer.from(text)]));
    const client: SolidClient = {
      request: (url) => {
        const body = bodies.get(url);
        return Promise.resolve(
          body === undefined
            ? { status: 404, headers: {}, body: Buffer.alloc(0), url }
            : { status: 200, headers: {}, body, url },
        );
      },
      close: () => Promise.resolve(),
    };
    const pod = await unlockPod(client, { webId: analyserWebId, appDir: 'app', securityKey });
    const url = pod.documents.sharedKeys;
    const whole = bodies.get(url) ?? Buffer.alloc(0);
    const change = (more: string) => {
      bodies.set(url, Buffer.concat([whole, Buffer.from(more)]));
    };
    world = {
      client,
      pod,
      sealed: (await parseSealedEntries(whole, url)).entries,
      entries,
      change,
    };
    return {};
  },
  async measure() {
    if (world === null) throw new Error('not started');
    const { client, pod, sealed, entries, change } = world;
    const bareMs = await timeBareOperations(pod, sealed);
    const opener = new EntryOpener(pod.privateKey);
    const cache = { last: null };
    const read = async (more = 0) => {
      const start = performance.now();
      const inbox = await readInbox(client, pod, opener, { wanted: () => true, cache });
      if (inbox.shares.length !== entries + more)
        throw new Error(`${inbox.shares.length} were opened`);
      return performance.now() - start;
    };
    const firstMs = await read();
    const nextMs = await read();
    change('\n');
    const changedMs = await read();
    change(oneMore(pod));
    const addedMs = await read(1);
    change('');
    await opener.dispose();
    return {
      bareMs,
      firstMs,
      nextMs,
      changedMs,
      addedMs,
    };
  },
});

function oneMore({ webId, privateKey }: UnlockedPod): string {
  const publicKey = createPublicKey(privateKey);
  const seal = (text: string) => sealValue(text, publicKey) ?? '';
  const url = 'http://localhost/newcomer/app/data/blood_pressure/bp.json.enc.ttl';
  const key = seal(randomBytes(32).toString('base64'));
  return writeTurtle(
    shareStatements(shareId(url, webId), { path: seal(url), accessList: seal('read'), key }),
  );
}

/** On threads that are already there, with values that they already have. */
async function timeBareOperations(pod: UnlockedPod, sealed: SealedEntry[]): Promise<number> {
  const values = sealed.flatMap(({ sealedPaths, sealedKeys }) => [...sealedPaths, ...sealedKeys]);
  const threads = availableParallelism();
  const workers = Array.from({ length: threads }, (_, thread) => {
    const own = values.filter((__, index) => index % threads === thread);
    const pem = pod.privateKey.export({ type: 'pkcs1', format: 'pem' });
    const workerData = { pem, values: own };
    return new Worker(new URL('./bare-rsa-worker.js', import.meta.url), { workerData });
  });
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const start = performance.now();
  const done = workers.map((worker) => once(worker, 'message'));
  for (const worker of workers) worker.postMessage('go');
  await Promise.all(done);
  const ms = performance.now() - start;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return ms;
}
