import { expect, test } from 'vitest';
import { apiSection } from '../config/schema.js';
import { ownHosts } from './own-hosts.js';

const local = ownHosts(apiSection.parse({}));

test.each([
  'localhost',
  'localhost:8088',
  'LocalHost.:8088',
  'dashboard.localhost:8088',
  '127.0.0.1',
  '127.0.0.1:8088',
  '[::1]:8088',
  // Whoever calls an address has gone to that address.
  '192.0.2.7:8088',
  '[2001:db8::7]',
])('on this machine alone, it is asked under %s', (header) => {
  expect(local(header)).toBe(true);
});

test.each([
  'attacker.example',
  'attacker.example:8088',
  '127.0.0.1.attacker.example',
  '127.attacker.example',
  'localhost.attacker.example',
  'notlocalhost',
  '127.0.0.1@attacker.example',
  'attacker.example#localhost',
  'localhost, attacker.example',
  '2130706433',
  '[::1',
  '',
])('[T28] but not under %j', (header) => {
  expect(local(header)).toBe(false);
});

test('[T28] names that are listed are added, whatever their spelling', () => {
  const isOwn = ownHosts(apiSection.parse({ allowed_hosts: ['Dashboard.example.org'] }));
  expect(['dashboard.example.org', 'DASHBOARD.example.org.:443', 'localhost'].map(isOwn)).toEqual([
    true,
    true,
    true,
  ]);
  expect(isOwn('evil.dashboard.example.org')).toBe(false);
});

test('[T28] where others reach it, any name will do until some are listed', () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.7', 'pods.example.org']) {
    expect(ownHosts(apiSection.parse({ host }))('dashboard.example.org'), host).toBe(true);
    const isOwn = ownHosts(apiSection.parse({ host, allowed_hosts: ['localhost'] }));
    expect(isOwn('dashboard.example.org'), host).toBe(false);
    expect(isOwn(host.includes(':') ? `[${host}]:80` : `${host}:80`), host).toBe(true);
  }
});
