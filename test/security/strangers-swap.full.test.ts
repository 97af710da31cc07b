import { test } from 'vitest';
import { runProperty } from './strangers/properties.js';

/** A file of its own, so that both properties are tried side by side. */
const TIMEOUT_MS = 1_800_000;

test(
  'strangers are told the same, whoever of two honest Pods has which readings',
  () => runProperty('swap', { histories: 3_000, seed: 2 }),
  TIMEOUT_MS,
);
