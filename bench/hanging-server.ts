import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Benchmark } from './benchmark.js';
import { startRealServer } from './support/real-server.js';
import { startService } from './support/service.js';
import { median } from './support/statistics.js';
import { short } from './table.js';

const ROUNDS = 3;
const FILES = 12;

/** What a caller waits for when another server of data.allowed_origins takes connections and says nothing. */
export const hangingServer: Benchmark = {
  name: 'hanging-server',
  async run({ quick, rounds, say }) {
    const hanging = await startHanging();
    const folder = `${hanging.origin}/zoe/app/data/blood_pressure/`;
    const elsewhere = Array.from({ length: FILES }, (_, n) => `${folder}bp_${n}.json.enc.ttl`);
    const size = quick ? { pods: 4, readingsPerPod: 5 } : { pods: 10, readingsPerPod: 50 };
    const server = await startRealServer({ ...size, elsewhere: [...elsewhere, folder] });
    const caller = server.world.contributors[0]?.webId ?? '';
    const beside = await startService(server.world, null, { allowedOrigins: [hanging.origin] });
    const times: number[] = [];
    try {
      for (let round = 0; round < (rounds ?? ROUNDS); round += 1) {
        times.push((await beside.analyse(caller)).wallMs / 1000);
        say(`beside a server that hangs ${short(times.at(-1) ?? Number.NaN)} s`);
      }
    } finally {
      await beside.stop();
      await server.stop();
      hanging.stop();
    }
    return [
      {
        what: `Analyse of ${size.pods} Pods × ${size.readingsPerPod} readings beside a second server that takes connections and answers nothing, with ${FILES} files and a folder there`,
        measured: median(times),
        unit: 's',
        target: { most: 13 },
        details: `median of ${times.length}; nobody waits longer than 10 s for another server`,
      },
    ];
  },
};

async function startHanging(): Promise<{ origin: string; stop(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  return {
    origin: `http://localhost:${address.port}`,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
