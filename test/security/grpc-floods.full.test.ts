import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ChildService, startService } from '../grpc/child-service.js';
import { writeConfigFile } from '../support/config-file.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';
import { GrpcAttacker, portOf, residentMegabytes } from './grpc-attacker.js';
import { HpackBomb } from './hpack-bomb.js';

const folder = await newFolder();
const analyser = await createInitialisedPod(sharedSolidServer());
await writeConfigFile(folder, analyser, { grpc: { host: '127.0.0.1', port: 0 } });

const MOST_MEGABYTES = 450;
/** Twice as much, so that a service which kept only half of it would be found out. */
const SENT_BYTES = 2 * MOST_MEGABYTES * 2 ** 20;

async function startVictim() {
  const victim = await startService(folder);
  await expect.poll(async () => (await victim.client.status())['ready']).toBe(true);
  return victim;
}

/** Asks for Status all the while; the slowest answer, and the most memory that was in use. */
async function watch({ client, child }: ChildService, during: Promise<unknown>) {
  let highest = 0;
  let slowest = 0;
  let isOver = false;
  const over = during.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const asked = performance.now();
    expect(await client.status()).toMatchObject({ ready: true });
    slowest = Math.max(slowest, performance.now() - asked);
    highest = Math.max(highest, residentMegabytes(child.pid));
    await Promise.race([over, pause(50)]);
  }
  await over;
  return { highest, slowest };
}

test.each([
  ['much metadata', 7_700],
  ['more metadata than any call may have', 15_800],
])(
  '[T35] calls with %s that are never finished do not fill the memory',
  async (_what, bytes) => {
    await using victim = await startVictim();
    using attacker = new GrpcAttacker(await portOf(victim));
    const attack = async () => {
      let opened = 0;
      while (opened * bytes < SENT_BYTES) {
        const session = attacker.session();
        await Promise.race([once(session, 'connect'), pause(2000)]);
        for (let call = 0; call < 1090 && !session.destroyed; call++) {
          attacker.openCall(session, { 'x-much': `${opened}`.padEnd(bytes, 'much') });
          opened += 1;
        }
        await pause(200);
      }
    };
    const { highest } = await watch(victim, attack());
    expect(highest).toBeLessThan(MOST_MEGABYTES);
  },
  240_000,
);

/** With header compression a byte can stand for four thousand, and the library makes an object of each of those. */
test('[T35] a hundred calls of few bytes that stand for half a megabyte each cost next to nothing', async () => {
  await using victim = await startVictim();
  const before = residentMegabytes(victim.child.pid);
  using bomb = new HpackBomb(await portOf(victim));
  bomb.call(100);
  const { highest } = await watch(victim, bomb.closed);
  expect(highest).toBeLessThan(Math.max(160, before + 10));
  expect(await victim.client.status()).toMatchObject({ ready: true });
});

test('[T35] five thousand of them in ten seconds, on a connection each, hold up nobody', async () => {
  await using victim = await startVictim();
  const port = await portOf(victim);
  const began = performance.now();
  const busy = cpuSeconds(victim.child.pid);
  const attack = async () => {
    for (let round = 1; round <= 100; round++) {
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          using bomb = new HpackBomb(port);
          bomb.call(1);
          await bomb.closed;
        }),
      );
      await pause(Math.max(0, round * 100 - (performance.now() - began)));
    }
  };
  const { slowest } = await watch(victim, attack());
  expect(slowest).toBeLessThan(1000);
  const seconds = (performance.now() - began) / 1000;
  expect(cpuSeconds(victim.child.pid) - busy).toBeLessThan(seconds);
});

/** Of all its threads; the kernel counts in hundredths. */
function cpuSeconds(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}
