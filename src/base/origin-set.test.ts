import { describe, expect, test } from 'vitest';
import { hostsBelow, isOriginPattern, originSet } from './origin-set.js';

const origins = originSet([
  'https://pods.example.org/somewhere/',
  'https://*.people.example.org',
  'http://*.example.net:8080',
]);

describe('a set of origins', () => {
  test.each([
    'https://pods.example.org',
    'https://alice.people.example.org',
    'http://alice.example.net:8080',
  ])('has %s', (origin) => {
    expect(origins.has(origin)).toBe(true);
  });

  test.each([
    'http://pods.example.org',
    'https://pods.example.org:8443',
    'https://alice.pods.example.org',
    'https://people.example.org',
    'https://a.b.people.example.org',
    'https://alicepeople.example.org',
    'https://alice.people.example.org.evil.example',
    'https://evil.example/alice.people.example.org',
    'http://alice.people.example.org',
    'https://alice.people.example.org:444',
    'http://alice.example.net',
    'https://127.0.0.1',
    'null',
  ])('[T1] has not %s', (origin) => {
    expect(origins.has(origin)).toBe(false);
  });
});

test.each([
  ['https://pods.example.org', true],
  ['https://*.example.org', true],
  ['https://*.pods.example.org:8443', true],
  ['https://*.org', false],
  ['https://*', false],
  ['https://alice*.example.org', false],
  ['https://*.*.example.org', false],
  ['https://pods.*.example.org', false],
])('%s can be one: %s', (value, expected) => {
  expect(isOriginPattern(value)).toBe(expected);
});

test.each([
  ['https://pods.example.org/', 'https://*.pods.example.org'],
  ['http://pods.localhost:3000/solid/', 'http://*.pods.localhost:3000'],
  ['http://localhost:3000/', null],
  ['http://127.0.0.1:3000/', null],
  ['http://[::1]:3000/', null],
])('the hosts below %s are %s', (serverUrl, below) => {
  expect(hostsBelow(serverUrl)).toBe(below);
});
