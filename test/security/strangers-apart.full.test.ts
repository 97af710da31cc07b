import { test } from 'vitest';
import { runProperty } from './strangers/properties.js';

/** A file of its own, so that both properties are tried side by side. */
const TIMEOUT_MS = 1_800_000;

test(
  'what strangers do changes nothing for those who share honestly',
  () => runProperty('apart', { histories: 3_000, seed: 2 }),
  TIMEOUT_MS,
);
