import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listShippedPackages } from '../scripts/shipped-packages.js';
import { compareVersions, isAffected, weaknessSchema } from '../scripts/weakness.js';

const advisory = (name: string, events: object[], more: object = {}) =>
  weaknessSchema.parse({
    id: 'MADE-UP-1',
    summary: 'Made up.',
    affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
    ...more,
  });

test.each([
  ['1.0.0', '1.0.0', 0],
  ['1.2.10', '1.2.9', 1],
  ['1.0.0-rc.1', '1.0.0', -1],
  ['1.0.0-rc.2', '1.0.0-rc.10', -1],
  ['1.0.0-1', '1.0.0-rc', -1],
  ['1.0.0+build', '1.0.0', 0],
  ['0', '0.0.1', -1],
])('%s beside %s', (one, other, order) => {
  expect(Math.sign(compareVersions(one, other))).toBe(order);
  expect(Math.sign(compareVersions(other, one))).toBe(order === 0 ? 0 : -order);
});

test('an advisory is about the versions between what introduced it and what fixed it', () => {
  const events = [
    { introduced: '0' },
    { fixed: '1.2.3' },
    { introduced: '2.0.0' },
    { last_affected: '2.1.0' },
  ];
  const affected = ['1.2.2', '1.2.3', '1.9.0', '2.0.0', '2.1.0', '2.1.1', '3.0.0'].filter(
    (version) => isAffected(advisory('some', events), 'some', version),
  );
  expect(affected).toEqual(['1.2.2', '2.0.0', '2.1.0']);
  expect(isAffected(advisory('some', events), 'other', '1.0.0')).toBe(false);
  const withdrawn = advisory('some', events, { withdrawn: '2026-01-01T00:00:00Z' });
  expect(isAffected(withdrawn, 'some', '1.0.0')).toBe(false);
});

test('the script tells what ships apart from tools, and fails for the first alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'advisories-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = () =>
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/known-weaknesses.ts', folder], {
      encoding: 'utf8',
    });
  const write = (name: string, events: object[]) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(advisory(name, events)));

  expect(run().status).toBe(1);
  write('vitest', [{ introduced: '0' }]);
  write('n3', [{ introduced: '0' }, { fixed: '0.0.1' }]);
  const tools = run();
  expect(tools.stdout).toMatch(
    /^tools {2}vitest \S+: MADE-UP-1, Made up\.\n1 found for \d+ packages in 2 /,
  );
  expect(tools.status).toBe(0);

  write('n3', [{ introduced: '0' }]);
  const version = listShippedPackages().find(({ name }) => name === 'n3')?.version;
  const ships = run();
  expect(ships.stdout).toContain(`ships  n3 ${version}: MADE-UP-1, Made up.\n`);
  expect(ships.status).toBe(1);
});
