import { ServerError } from '../base/errors.js';
import { originSet } from '../base/origin-set.js';

declare const mark: unique symbol;

/** A normalised address to which a request may go. Only `allowOrigins` below gives it. */
export type AllowedAddress = string & { readonly [mark]: never };
/**
 * Decides where requests may go, because addresses come from sealed entries, which anybody can write. Gives an address
 * without its fragment, or throws `forbidden-address`.
 */
export function allowOrigins(urls: Iterable<string>): (url: string) => AllowedAddress {
  const origins = originSet(urls);
  const findProblem = (text: string): string | null => {
    if (!URL.canParse(text)) return 'it is not an absolute address';
    const { protocol, username, password, origin } = new URL(text);
    if (protocol !== 'https:' && protocol !== 'http:') return 'it is neither https nor http';
    if (username !== '' || password !== '') return 'it carries a user name';
    return origins.has(origin) ? null : `the server ${origin} is not an allowed one`;
  };
  const isAllowed = (address: string): address is AllowedAddress => findProblem(address) === null;
  return (url) => {
    const address = withoutFragment(url);
    if (isAllowed(address)) return address;
    const message = `No request is made to ${JSON.stringify(url.slice(0, 300))}: ${findProblem(url)}.`;
    throw new ServerError('forbidden-address', message, { url });
  };
}

function withoutFragment(url: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  if (address.hash !== '') address.hash = '';
  return address.href;
}
