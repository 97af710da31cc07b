import { BlockList, isIP, isIPv6 } from 'node:net';

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

/** Of the `x-forwarded-for` of a trusted proxy only the last address counts: callers can send those before it. */
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

/** The unit of limits per address: one internet connection usually gets a whole /64 of IPv6. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : Math.max(8 - head.length - tail.length, 0);
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])];
  return `${groups.slice(0, 4).join(':').toLowerCase()}::/64`;
}
