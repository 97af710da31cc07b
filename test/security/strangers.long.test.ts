import { test } from 'vitest';
import { runProperty } from './strangers/properties.js';

const HISTORIES = 20_000;
const TIMEOUT_MS = 7_200_000;

test(
  'apart: what strangers do changes nothing for those who share honestly',
  () => runProperty('apart', { histories: HISTORIES }),
  TIMEOUT_MS,
);

test(
  'swap: strangers are told the same, whoever of two honest Pods has which readings',
  () => runProperty('swap', { histories: HISTORIES }),
  TIMEOUT_MS,
);
