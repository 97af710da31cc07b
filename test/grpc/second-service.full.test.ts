import { join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { ownBuild } from '../../src/cli/own-build.js';
import { startCommand, startNode, waitForEnd } from '../support/child-process.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { folderForEach } from '../support/temp-folder.js';
import { startService } from './child-service.js';

/** Two services over one state folder, one of which is to serve. */
const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]));
const folder = folderForEach();

const completed = { status: 'ANALYSE_STATUS_COMPLETED', published: true };

describe('a second service', { timeout: 120_000 }, () => {
  beforeEach(() => writeConfigFile(folder(), analyser, { grpc: { host: '127.0.0.1', port: 0 } }));

  test('ends with the name of the first, which serves on', async () => {
    await using first = await startService(folder());
    const { code, err } = await waitForEnd(
      startCommand(['grpc'], { cwd: folder(), env: { HOME: folder() } }),
    );
    expect(code).toBe(1);
    expect(err).toContain(
      `Another service answers the calls for ${join(folder(), 'var/state')} (bp-analyser ${ownBuild.version}`,
    );
    expect(err).toContain(`, process ${first.child.pid} on `);
    expect(err).toContain(', at 127.0.0.1:0, since ');
    expect(await first.client.analyse(alice.pod.webId)).toMatchObject(completed);
  });

  test('ends with what to do where there are no locks for its system', async () => {
    const hook =
      'export const resolve = (name, context, next) => { if (name === "fs-native-extensions") throw new Error("no addon"); return next(name, context); };';
    const hooks = `data:text/javascript,${encodeURIComponent(hook)}`;
    const register = `import { register } from "node:module"; register(${JSON.stringify(hooks)});`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(register)}`];
    const { code, err } = await waitForEnd(
      startNode([...args, inject('compiledMain'), 'grpc'], {
        cwd: folder(),
        env: { HOME: folder() },
      }),
    );
    expect(code).toBe(2);
    expect(err).toContain('not for musl');
  });

  test('of another Analyser is told whose folder it is, and changes nothing there', async () => {
    {
      await using first = await startService(folder());
      expect(await first.client.analyse(alice.pod.webId)).toMatchObject(completed);
      first.child.kill('SIGTERM');
      expect(await first.exit).toEqual([0, null]);
    }
    const other = await createInitialisedPod(server);
    await writeConfigFile(folder(), other, { grpc: { host: '127.0.0.1', port: 0 } });
    const before = await takeSnapshot(join(folder(), 'var'));
    for (const mode of ['grpc', 'run-once']) {
      const { code, err } = await waitForEnd(
        startCommand([mode], { cwd: folder(), env: { HOME: folder() } }),
      );
      expect(code).toBe(2);
      expect(err).toContain(
        `belongs to the Analyser ${analyser.pod.webId}, not to ${other.pod.webId}`,
      );
    }
    expect(await takeSnapshot(join(folder(), 'var'))).toEqual(before);
  });
});
