import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startService } from '../grpc/child-service.js';
import { writeConfigFile } from '../support/config-file.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';
import { GrpcAttacker, portOf, residentMegabytes } from './grpc-attacker.js';

const folder = await newFolder();
const analyser = await createInitialisedPod(sharedSolidServer());
await writeConfigFile(folder, analyser, { grpc: { host: '127.0.0.1', port: 0 } });

const MOST_MEGABYTES = 450;
/** Twice as much, so that a service which kept only half of it would be found out. */
const SENT_BYTES = 2 * MOST_MEGABYTES * 2 ** 20;

test.each([
  ['much metadata', 7_700],
  ['more metadata than any call may have', 15_800],
])(
  'calls with %s that are never finished do not fill the memory',
  async (_what, bytes) => {
    await using victim = await startService(folder);
    const { client, child } = victim;
    await expect.poll(async () => (await client.status())['ready']).toBe(true);
    using attacker = new GrpcAttacker(await portOf(victim));
    let highest = 0;
    let opened = 0;
    while (opened * bytes < SENT_BYTES) {
      const session = attacker.session();
      await Promise.race([once(session, 'connect'), pause(2000)]);
      for (let call = 0; call < 1090 && !session.destroyed; call++) {
        attacker.openCall(session, { 'x-much': `${opened}`.padEnd(bytes, 'much') });
        opened += 1;
      }
      await pause(200);
      highest = Math.max(highest, residentMegabytes(child.pid));
      expect(await client.status()).toMatchObject({ ready: true });
    }
    expect(highest).toBeLessThan(MOST_MEGABYTES);
  },
  240_000,
);
