import { expect, test } from 'vitest';
import { allowedOrigin } from './allowed-origins.js';

const all = { origin: 'https://*.pods.example', pod_depth: null, seconds: 10 };
const slow = { origin: 'https://slow.pods.example', pod_depth: null, seconds: 45 };

test.each([
  ['first', [slow, all]],
  ['last', [all, slow]],
])(
  'what is said of a server by its own name holds before a wildcard, also where it stands %s',
  (_, allowed_origins) => {
    const secondsOf = (wanted: string) => allowedOrigin({ allowed_origins }, wanted)?.seconds;
    expect(secondsOf('https://slow.pods.example')).toBe(45);
    expect(secondsOf('https://other.pods.example')).toBe(10);
    expect(secondsOf('https://pods.example.org')).toBeUndefined();
  },
);
