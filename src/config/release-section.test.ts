import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../test/support/temp-folder.js';
import { loadEffectiveConfig } from './load-config.js';

const folder = await newFolder();

async function load(section: string) {
  await writeFile(
    join(folder, 'config.yaml'),
    `analyser: {web_id: "https://pods.example.org/analyser/profile/card#me"}\nsharing:\n  cohort_release: ${section}\n`,
  );
  const { config } = await loadEffectiveConfig({ env: {}, cwd: folder });
  return config.sharing.cohort_release;
}

describe('sharing.cohort_release', () => {
  test('takes noise, with bounds of its own for one measure', async () => {
    const section = '{epsilon: 0.1, every_days: 7, budget: 0.3, bounds: {systolic: [90, 180]}}';
    expect(await load(section)).toMatchObject({
      epsilon: 0.1,
      every_days: 7,
      budget: 0.3,
      bounds: { systolic: [90, 180], diastolic: [40, 120] },
      per_days: 365,
    });
  });

  test('is off when it is blank', async () => {
    expect(await load('')).toMatchObject({ epsilon: null });
  });

  test.each([
    ['{epsilon: 1, budget: 36}', 'every_days: expected a number, because epsilon is set'],
    ['{epsilon: 1, every_days: 7}', 'budget: expected a number, because epsilon is set'],
    ['{epsilon: 1, every_days: 7, budget: 2}', 'budget: expected at least 3 × epsilon'],
    ['{epsilon: 0, every_days: 7, budget: 1}', 'epsilon: expected a number from 0.001'],
    [
      '{epsilon: 1, every_days: 7, budget: 3, bounds: {systolic: [200, 80]}}',
      'bounds.systolic: expected two whole numbers',
    ],
    [
      '{epsilon: 1, every_days: 7, budget: 3, bounds: {systolic: [80.5, 200]}}',
      'bounds.systolic.0: expected two whole numbers',
    ],
    ['{per_days: 30}', 'per_days: expected epsilon'],
    ['{epsilo: 5}', 'sharing.cohort_release: expected one of the keys epsilon, '],
  ])('refuses %s', async (section, sentence) => {
    await expect(load(section)).rejects.toThrow(sentence);
  });
});
