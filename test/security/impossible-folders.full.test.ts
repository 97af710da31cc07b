import { describe, expect, test } from 'vitest';
import { startService } from '../grpc/child-service.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { writeConfigFile } from '../support/config-file.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

const folder = '/dev/null/results';

const cwd = await newFolder();
const analyser = await createInitialisedPod(sharedSolidServer());

describe.each(['state_dir', 'results_dir', 'charts_dir'])('where no %s can be made', (key) => {
  test('check says so and makes nothing, run-once fails, and a service that starts can be ended', async () => {
    const sections = { output: { [key]: folder }, grpc: { host: '127.0.0.1', port: 0 } };
    await writeConfigFile(cwd, analyser, sections);
    const check = await waitForEnd(startCommand(['check'], { cwd }));
    expect(check.out).toContain(`  output.${key}: Could not write ${folder}.`);
    expect(check.out).toMatch(/^Not ready.*, 1 finding$/m);
    expect(check.code).toBe(1);
    if (key !== 'charts_dir') {
      const once = await waitForEnd(startCommand(['run-once'], { cwd }));
      expect(once.err).toContain('A part of the path is a file, not a folder');
      expect(once.code).not.toBe(0);
    }
    await using service = await startService(cwd);
    expect(await service.client.status()).toMatchObject({
      ready: false,
      message: expect.stringContaining('could not write to its own disk'),
    });
    service.child.kill('SIGTERM');
    expect(await service.exit).toEqual([0, null]);
  });
});
