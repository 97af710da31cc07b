import { test } from 'vitest';
import { runProperty } from './strangers/properties.js';

/** Thousands are lived in strangers-apart.full and strangers-swap.full. */
const HISTORIES = 20;
const TIMEOUT_MS = 120_000;

test(
  'apart: what strangers do changes nothing for those who share honestly',
  () => runProperty('apart', { histories: HISTORIES, seed: 1 }),
  TIMEOUT_MS,
);

test(
  'swap: strangers are told the same, whoever of two honest Pods has which readings',
  () => runProperty('swap', { histories: HISTORIES, seed: 1 }),
  TIMEOUT_MS,
);
