export type OriginSet = ReturnType<typeof originSet>;

/** The origins of these addresses; https://*.pods.example.org stands for all origins one level below. */
export function originSet(addresses: Iterable<string>) {
  const origins = new Set(Array.from(addresses, (address) => new URL(address).origin));
  return { has: (origin: string) => origins.has(origin) || origins.has(withWildcard(origin)) };
}

/** The hosts directly below that of a server, which can give each Pod one of them; null where there can be none. */
export function hostsBelow(serverUrl: string): string | null {
  const { protocol, host } = new URL(serverUrl);
  const below = `${protocol}//*.${host}`;
  // No host lies below an IP address.
  return isOriginPattern(below) && URL.canParse(below) ? below : null;
}

/** `*` stands for one whole label, so that no name outside of the domain can match. */
function withWildcard(origin: string): string {
  return origin.replace(/^(https?:\/\/)[^./*]+\./, '$1*.');
}

/** At least two labels must follow the wildcard: `https://*.org` would be half of the web. */
export function isOriginPattern(value: string): boolean {
  return !value.includes('*') || /^https?:\/\/\*(?:\.[\w-]+){2,}(?::\d+)?$/.test(value);
}
