import { expect, test } from 'vitest';
import { AddressSet, callerAddress, networkOf } from './caller-address.js';

const proxies = new AddressSet(['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1']);

test.each([
  ['127.0.0.1', true],
  ['127.0.0.2', false],
  ['10.255.0.1', true],
  ['11.0.0.1', false],
  ['::ffff:10.1.2.3', true],
  ['::1', true],
  ['fd12::5', true],
  ['fe80::1', false],
  ['10.0.0.1.example.org', false],
  ['', false],
])('[T16] %s is one of the proxies: %s', (address, isOne) => {
  expect(proxies.has(address)).toBe(isOne);
});

test.each([
  ['a stranger is believed nothing', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['a proxy is believed', '127.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['only the last hop counts', '127.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
  ['an IPv6 address', '10.0.0.1', '2001:db8::7', '2001:db8::7'],
  ['what is no address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['an empty last hop', '10.0.0.1', '198.51.100.7, ', '10.0.0.1'],
  ['a proxy that says nothing', '10.0.0.1', undefined, '10.0.0.1'],
])('[T16] %s', (_case, peer, forwardedFor, caller) => {
  expect(callerAddress(proxies, peer, forwardedFor)).toBe(caller);
});

test('[T16] without proxies nobody is believed', () => {
  expect(callerAddress(new AddressSet([]), '127.0.0.1', '198.51.100.7')).toBe('127.0.0.1');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('[T12] %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
