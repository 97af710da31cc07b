import { describe, expect, test } from 'vitest';
import { withoutForeignAddresses } from './foreign-addresses.js';

const own = {
  webIds: [
    'https://pods.example/analyser/profile/card#me',
    'https://other.example:8443/alice/profile/card#me',
  ],
  serverUrl: 'https://pods.example/',
};

describe('withoutForeignAddresses', () => {
  test.each([
    'See https://pods.example/analyser/app/encryption/enc-keys.ttl.',
    'See https://pods.example/analyser/profile/card#me, please.',
    'See https://pods.example/analyser',
    'See <https://other.example:8443/alice/app/data/x.ttl>',
    'See https://pods.example/.oidc/token: HTTP 401',
    'See https://pods.example (or https://pods.example/)',
    'No address at all; 3 of 4 files.',
  ])('keeps %j', (text) => {
    expect(withoutForeignAddresses(text, own)).toBe(text);
  });

  test.each([
    ['Not https://pods.example/bob/profile/card#me.', 'Not another address.'],
    ['Not <HTTPS://pods.example/bob/>!', 'Not <another address>!'],
    ['Not https://pods.example/analyser-two/x', 'Not another address'],
    ['Not http://pods.example/analyser/x', 'Not another address'],
    ['Not https://pods.example.evil/.oidc/token', 'Not another address'],
    ['Not "https://bob.example"', 'Not "another address"'],
    ['Not https://a.example and https://b.example', 'Not another address and another address'],
  ])('[T20] replaces in %j', (text, expected) => {
    expect(withoutForeignAddresses(text, own)).toBe(expected);
  });

  test.each(['', '/', '//'])('[T20] knows its server by an address that ends in %j', (end) => {
    const named = { ...own, serverUrl: `https://pods.example${end}` };
    const texts = ['https://pods.example', 'https://pods.example/.oidc/token'];
    for (const text of [...texts, 'https://pods.example/'])
      expect(withoutForeignAddresses(text, named)).toBe(text);
    const evil = 'https://pods.example.evil/.oidc/token';
    expect(withoutForeignAddresses(evil, named)).toBe('another address');
  });

  test('[T20] takes no part of a WebID of another form for a Pod', () => {
    const named = { ...own, webIds: ['https://pods.example/bob/card-of-bob#me'] };
    expect(withoutForeignAddresses('https://pods.example/bob/x', named)).toBe('another address');
  });
});
