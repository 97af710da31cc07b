import { isIP } from 'node:net';
import { z } from 'zod';
import { isOriginPattern } from '../base/origin-set.js';
import { canonicalScope, canonicalWebId } from '../pod/addresses.js';

/** Errors are phrases that complete "expected …". */

export function section<Keys extends z.ZodRawShape>(keys: Keys) {
  const known = `one of the keys ${Object.keys(keys).join(', ')}, and a value after ": "`;
  return z.strictObject(keys, {
    error: ({ code }) => (code === 'unrecognized_keys' ? known : 'a section with keys of its own'),
  });
}

/** Text in quotes, because YAML reads an unquoted 0123 as a number and would lose the zero. */
export function secret(phrase = 'text', accepts: (value: string) => boolean = () => true) {
  return z.string({ error: 'text in quotes' }).refine(accepts, { error: phrase }).optional();
}

/** A token of the characters that gRPC metadata can carry, except the space, which would end the token. */
export const token = secret('visible ASCII characters without spaces', (value) =>
  /^[\x21-\x7e]+$/.test(value),
);

/** The address of Redis in the form that the tools of Redis use. */
export const redisUrl = secret(
  'an address such as rediss://user:password@redis.example.org:6379',
  (value) => /^rediss?:\/\/[^\s/?#]+(\/\d*)?$/.test(value) && URL.canParse(value),
);

export const flag = z.boolean({ error: 'true or false' });

export function wholeNumber(low: number, high: number) {
  const error = `a whole number from ${low} to ${high}`;
  return z.int({ error }).min(low, { error }).max(high, { error });
}

export const port = wholeNumber(0, 65535);

export function seconds(high: number) {
  const error = `a number of seconds, more than 0 and at most ${high}`;
  return z.number({ error }).positive({ error }).max(high, { error });
}

export function number(low: number, high: number) {
  const error = `a number from ${low} to ${high}`;
  return z.number({ error }).min(low, { error }).max(high, { error });
}

export function wholeRange() {
  const error = 'two whole numbers from 0 to 1000 such as [80, 200], the lower first';
  const whole = z.int({ error }).min(0, { error }).max(1000, { error });
  return z.tuple([whole, whole], { error }).refine(([low, high]) => low < high, { error });
}

export const dayOrMoment = text(
  'a day such as 2026-03-01, or a time with its offset such as 2026-03-01T08:00:00+01:00',
  (value) =>
    [z.iso.date(), z.iso.datetime({ offset: true })].some((form) => form.safeParse(value).success),
);

function text(error: string, accepts: (value: string) => boolean) {
  return z.string({ error }).refine(accepts, { error });
}

export const fragment = text('text that is not blank', isFilled);

export const folder = text('the path of a folder', isFilled);

export const file = text('the path of a file', isFilled);

export const hostName = text('a host name or an IP address', (value) => /^[\w.:%-]+$/.test(value));

export const network = text('an IP address, or a network such as 10.0.0.0/8', (value) => {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 6 ? 128 : 32);
});

export const plainHostName = text(
  'a host name such as dashboard.example.org, without a port',
  (value) => /^[\w.-]+$/.test(value),
);

/** Only plain characters, because in a URL any other character could change the address. */
const segment = /^(?!\.{1,2}$)[\w.~-]+$/;

export const folderName = text('a folder name of letters, digits, "-", "_", "." and "~"', (value) =>
  segment.test(value),
);

export const folderPath = text(
  'folder names of letters, digits, "-", "_", "." and "~", joined by "/"',
  (value) => value.split('/').every((part) => segment.test(part)),
);

/** WebIDs are compared as text, so only the form that the server itself writes is accepted. */
export const webId = text(
  'a WebID such as https://pods.example.org/analyser/profile/card#me',
  (value) => canonicalWebId(value) === value,
);

export const serverUrl = text(
  'the http or https address of a server such as https://pods.example.org/',
  (value) => {
    const url = plainWebUrl(value);
    return url?.hash === '' && !value.includes('#');
  },
);

const scopeError =
  'a WebID such as https://pods.example.org/anna/profile/card#me, or an address that ends in a slash, in the form that its server writes';

export const scope = z
  .string({ error: scopeError })
  .transform(canonicalScope)
  .pipe(z.string({ error: scopeError }));

export const origin = text(
  'an origin such as https://pods.example.org, without a path',
  (value) => plainWebUrl(value)?.origin === value,
);

export const originPattern = text(
  'an origin such as https://pods.example.org or https://*.pods.example.org, without a path',
  (value) => plainWebUrl(value)?.origin === value && isOriginPattern(value),
);

export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item, { error: 'a list' });
}

function plainWebUrl(value: string): URL | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || value.includes('?')) return undefined;
  return url;
}

function isFilled(value: string): boolean {
  return value.trim() !== '';
}
