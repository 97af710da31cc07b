/**
 * Makes the golden files of a version, once, when it is released: `npx tsx test/golden/make.ts 1.0`.
 * Every later version must read them.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addReadings,
  initialiseOwnPod,
  type OwnPod,
  parseNewReading,
  shareReadings,
} from '../../src/client/client.js';
import { podIdOfRoot } from '../../src/pod/pod-id.js';
import { readSharedWithMe } from '../../src/pod/sharing/read-shared-with-me.js';
import { runMode } from '../support/command-line.js';
import {
  type GoldenWorld,
  goldenFolder,
  type Name,
  names,
  openGoldenWorld,
  secretsOf,
  settingsOf,
} from './golden-world.js';

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+$/.test(version)) {
  throw new Error('Name the version, such as 1.0.');
}
const golden = goldenFolder(version);
/** Systolic, diastolic and heart rate, a day apart. */
const readings: Record<Exclude<Name, 'analyser'>, [number, number, number][]> = {
  ada: [
    [120, 80, 60],
    [130, 84, 64],
  ],
  ben: [[140, 90, 70]],
  cleo: [
    [110, 70, 58],
    [112, 72, 60],
    [114, 74, 62],
  ],
};

const cwd = await mkdtemp(join(tmpdir(), 'bp-golden-'));
const world = await openGoldenWorld();
try {
  await makeGolden(world);
  console.log(`${golden} is made.`);
} finally {
  await world.server.stop();
  await rm(cwd, { recursive: true });
}

async function makeGolden({ server, accounts }: GoldenWorld): Promise<void> {
  const analyser = await initialiseOwnPod(settingsOf(world, 'analyser'));
  const people: OwnPod[] = [];
  for (const [name, values] of [
    ['ada', readings.ada],
    ['ben', readings.ben],
    ['cleo', readings.cleo],
  ] as const) {
    const own = await initialiseOwnPod(settingsOf(world, name));
    const recorded = values.map(([systolic, diastolic, heartRate], day) =>
      parseNewReading({
        timestamp: `2026-09-0${day + 1}T08:00:00`,
        systolic: `${systolic}`,
        diastolic: `${diastolic}`,
        heartRate: `${heartRate}`,
      }),
    );
    const { added } = await addReadings(own, recorded);
    await shareReadings(own, accounts.analyser.webId, added);
    people.push(own);
  }
  await writeFile(
    join(cwd, 'config.yaml'),
    `analyser: { web_id: "${accounts.analyser.webId}" }\n` +
      'sharing: { cohort_release: { changed_pods: 2 } }\n',
  );
  for (let run = 0; run < 2; run += 1) {
    const { code, err } = await runMode(['run-once'], { cwd, env: secretsOf(world) });
    if (code !== 0) throw new Error(err);
  }
  const held: Record<string, string> = {};
  for (const { client, pod } of people) {
    const url = `${analyser.pod.documents.app}data/analyser/${podIdOfRoot(pod.root)}/bp-average.json.enc.ttl`;
    held[url] = (await readSharedWithMe(client, pod, url)).key.toString('hex');
  }
  await rm(golden, { recursive: true, force: true });
  await mkdir(golden, { recursive: true });
  for (const name of names) {
    await cp(join(server.rootDir, name), join(golden, 'pods', name), { recursive: true });
  }
  await cp(join(cwd, 'var'), join(golden, 'var'), { recursive: true });
  await cp(join(cwd, 'config.yaml'), join(golden, 'config.yaml'));
  await writeFile(join(golden, 'held-keys.json'), `${JSON.stringify(held, null, 2)}\n`);
  await Promise.all([analyser, ...people].map((own) => own.close()));
}
