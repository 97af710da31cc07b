import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses such as 192.0.2.1, and networks such as 10.0.0.0/8. */
export class AddressSet {
  readonly #list = new BlockList();

  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      if (bits === undefined) this.#list.addAddress(address, familyOf(address));
      else this.#list.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  has(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, familyOf(address));
  }
}

/**
 * Returns the address of the caller: the peer itself, or, if the peer is a trusted proxy, the last address in
 * `x-forwarded-for`. The addresses before the last are unproved, because callers can send them to the proxy.
 */
export function callerAddress(
  proxies: AddressSet,
  peer: string,
  forwardedFor: string | undefined,
): string {
  if (!proxies.has(peer)) return peer;
  const last = forwardedFor?.split(',').at(-1)?.trim() ?? '';
  return isIP(last) === 0 ? peer : last;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

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
