import { expect, test } from 'vitest';
import { isAllowedLicence, listShippedPackages } from '../../scripts/shipped-packages.js';

const packages = listShippedPackages();

test('every package that ships has a licence that was agreed to', () => {
  expect(packages.length).toBeGreaterThan(50);
  expect(packages.filter(({ licence }) => !isAllowedLicence(licence))).toEqual([]);
});

test('no package that ships needs an install script', () => {
  const names = packages.filter((one) => one.hasInstallScript).map(({ name }) => name);
  // That of protobufjs only warns of a version range that differs from its habits; that of
  // msgpackr-extract builds what msgpackr does without. The tests run without either.
  expect(names).toEqual(['msgpackr-extract', 'protobufjs']);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0)', true],
  ['MIT AND GPL-3.0', false],
  ['GPL-3.0', false],
  ['none', false],
])('%s is agreed to: %s', (licence, agreed) => {
  expect(isAllowedLicence(licence)).toBe(agreed);
});
