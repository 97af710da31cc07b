import { isIPv6 } from 'node:net';

/**
 * Returns the unit to which limits per address apply. This is the address for IPv4 and the /64 network for IPv6,
 * because one internet connection usually gets a whole /64.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : Math.max(8 - head.length - tail.length, 0);
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return `${groups.slice(0, 4).join(':').toLowerCase()}::/64`;
}
