import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalResource,
  canonicalRoot,
  parseWebId,
  podDocuments,
  webIdOfRoot,
} from './addresses.js';

describe('WebIDs', () => {
  test.each([
    ['https://pods.example.org/alice/profile/card#me', 'https://pods.example.org/alice/'],
    ['http://localhost:3000/alice/profile/card#me', 'http://localhost:3000/alice/'],
    ['https://alice.example/profile/card#me', 'https://alice.example/'],
  ])('%s is one as it stands', (webId, root) => {
    expect(parseWebId(webId)).toEqual({ webId, root });
    expect(webIdOfRoot(root)).toBe(webId);
  });

  test.each([
    'HTTPS://Pods.Example.org:443/alice/profile/card#me',
    'https://pods.example.org/%61lice/profile/card#me',
  ])('%s stays as its owner spells it, and is the Pod of the other spellings', (spelling) => {
    expect(parseWebId(spelling)?.webId).toBe(spelling);
    expect(canonicalRoot(spelling)).toBe('https://pods.example.org/alice/');
  });

  test.each([
    '',
    'alice',
    'https://pods.example.org/alice/',
    'https://pods.example.org/alice/profile/card',
    'https://pods.example.org/alice/profile/card#you',
    'https://pods.example.org/alice/profile/card?x#me',
    'https://pods.example.org/alice/profile/card##me',
    'https://user@pods.example.org/alice/profile/card#me',
    'ftp://pods.example.org/alice/profile/card#me',
    'javascript:alert(1)//profile/card#me',
    'https://pods.example.org/a\nb/profile/card#me',
    'https://pods.example.org//alice/profile/card#me',
    'https://pods.example.org/x/../alice/profile/card#me',
    'https://pods.example.org/x/%2E%2e/alice/profile/card#me',
    'https://pods.example.org/a b/profile/card#me',
    'https://pods.example.org/a%2Fb/profile/card#me',
    ' https://pods.example.org/alice/profile/card#me',
    `https://pods.example.org/${'a'.repeat(2048)}/profile/card#me`,
  ])('%j is none', (text) => {
    expect(parseWebId(text)).toBeNull();
  });
});

test('the documents of the app lie below its folder', () => {
  expect(podDocuments('https://host/alice/', 'healthpod')).toMatchObject({
    app: 'https://host/alice/healthpod/',
    encKeys: 'https://host/alice/healthpod/encryption/enc-keys.ttl',
    sharedKeys: 'https://host/alice/healthpod/shared/shared-keys.ttl',
    permissionsLog: 'https://host/alice/healthpod/logs/permissions-log.ttl',
  });
});

describe('addresses of resources', () => {
  test.each([
    ['https://host/a/b.json', 'https://host/a/b.json'],
    ['https://host/a/', 'https://host/a/'],
    ['https://host', 'https://host/'],
    ['https://host/localhost:3000-alice/@x', 'https://host/localhost:3000-alice/@x'],
    ['https://host/localhost%3A3000-alice/', 'https://host/localhost:3000-alice/'],
    ['https://host/%62%70.json', 'https://host/bp.json'],
    ['https://host/a b%7e', 'https://host/a%20b~'],
    ['https://host/é', 'https://host/%C3%A9'],
    ['https://host/%c3%a9', 'https://host/%C3%A9'],
    ['https://host/a/./x/../b', 'https://host/a/b'],
    ['https://host/a/%2e%2E/b', 'https://host/b'],
    ['https://host/%252e', 'https://host/%252e'],
    ['HTTP://HOST:80/A', 'http://host/A'],
  ])('%s is spelled %s', (text, canonical) => {
    expect(canonicalResource(text)).toBe(canonical);
    expect(canonicalResource(canonical)).toBe(canonical);
  });

  test.each([
    '',
    'a/b',
    '//host/a',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http:host/a',
    'https:///host/a',
    'https://',
    'https://user:pass@host/a',
    'https://host/a?b',
    'https://host/a#b',
    'https://host//a',
    'https://host/a//',
    'https://host/a%2Fb',
    'https://host/a%5cb',
    'https://host\\a',
    'https://host/%00',
    'https://host/%0a',
    'https://host/a\u0000',
    'https://host/\u0085',
    'https://host/%',
    'https://host/%zz',
    'https://host/%ff',
    'https://host/a ',
    `https://host/${'a'.repeat(4096)}`,
    `https://host/${'a/'.repeat(41)}`,
  ])('%j is refused', (text) => {
    expect(canonicalResource(text)).toBeNull();
  });

  test('no text makes the reader throw, and what it accepts it spells the same again', () => {
    const tail = fc.string({ unit: fc.constantFrom(...Array.from('ab/.%25eE:\\ é#?@')) });
    const text = fc.oneof(
      fc.string(),
      fc.webUrl(),
      tail.map((path) => `https://host/${path}`),
    );
    fc.assert(
      fc.property(text, (any) => {
        const canonical = canonicalResource(any);
        if (canonical !== null) expect(canonicalResource(canonical)).toBe(canonical);
        parseWebId(any);
      }),
      { numRuns: 500 },
    );
  });
});
