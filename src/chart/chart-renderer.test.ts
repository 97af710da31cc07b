import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { ChartInput } from './chart-input.js';
import { createChartRenderer } from './chart-renderer.js';

const input: ChartInput = {
  readings: Array.from({ length: 3000 }, (_, index) => ({
    time: index * 24 * 60 * 60 * 1000,
    systolic: 110 + ((index * 7919) % 31),
    diastolic: 70 + ((index * 104729) % 17),
    heart_rate: 60 + (index % 13),
  })),
  own: { systolic: 125, diastolic: 78, heart_rate: 66 },
  cohort: { systolic: 121, diastolic: 75, heart_rate: 66 },
};

describe('The chart renderer', () => {
  const renderer = createChartRenderer();
  afterAll(() => renderer.close());

  test('is available where its packages are', async () => {
    expect(await renderer.available()).toBe(true);
  });

  test('draws a PNG while this thread goes on with its work', async () => {
    let turns = 0;
    let drawn = false;
    const count = () => {
      turns++;
      if (!drawn) setImmediate(count);
    };
    setImmediate(count);
    const png = await renderer.draw(input);
    drawn = true;
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // Drawn on this thread, the picture would be there after one or two.
    expect(turns).toBeGreaterThan(20);
  });

  test('draws several at once, one after the other', async () => {
    const [first, second] = await Promise.all([renderer.draw(input), renderer.draw(input)]);
    expect(first.equals(second)).toBe(true);
  });

  test('stops for the reason of the signal, and draws again afterwards', async () => {
    const controller = new AbortController();
    const reason = new Error('The analysis was cancelled.');
    const drawing = renderer.draw(input, controller.signal);
    controller.abort(reason);
    await expect(drawing).rejects.toBe(reason);
    await expect(renderer.draw(input, controller.signal)).rejects.toBe(reason);
    expect((await renderer.draw(input)).length).toBeGreaterThan(10_000);
  });
});

test('Without the library there is a reason instead of a chart, and the process lives and ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chart-'));
  try {
    const source = fileURLToPath(new URL('..', import.meta.url));
    const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
    for (const part of ['base', 'analysis', 'chart']) {
      await cp(join(source, part), join(folder, part), { recursive: true });
    }
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(packages, 'piscina'), join(folder, 'node_modules', 'piscina'));
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(
      join(folder, 'main.ts'),
      `import { createChartRenderer } from './chart/chart-renderer.js';
       const renderer = createChartRenderer();
       const input = { readings: [], own: { systolic: null, diastolic: null, heart_rate: null }, cohort: null };
       console.log(await renderer.available());
       console.log(await renderer.draw(input).catch((error) => error.kind));`,
    );
    const tsx = pathToFileURL(join(packages, 'tsx', 'dist', 'loader.mjs')).href;
    const child = spawn(process.execPath, ['--import', tsx, 'main.ts'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(output).toMatch(/^The charting library failed \(.+\)\. Install .+\nconfiguration\n$/);
    expect(code).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
