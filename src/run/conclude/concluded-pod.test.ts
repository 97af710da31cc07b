import { expect, test } from 'vitest';
import { concludedOf, fileWith, podOfFiles } from '../../../test/support/concluded.js';
import { someSums } from '../../../test/support/table.js';
import type { Standing } from '../table/settle.js';
import { isReported } from './concluded-pod.js';

const { results } = concludedOf([podOfFiles('anna', [fileWith({ systolic: 120 })])]);
const pods = results.conclusion.contributors;
const carried: Standing = { kind: 'carried', sums: someSums, day: 20_000 };

test.each<[string, number, Standing, boolean]>([
  ['of which a file was read', 1, { kind: 'out' }, true],
  ['of which nothing was read', 0, { kind: 'out' }, false],
  ['that counts with earlier figures alone', 0, carried, true],
  ['that counts with earlier figures, and of which a file was read', 1, carried, true],
])('whether the run documents list a Pod %s', (_, filesRead, standing, expected) => {
  expect(pods.map((pod) => isReported({ ...pod, filesRead, standing }))).toEqual([expected]);
});
