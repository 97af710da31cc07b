import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { ServerError } from '../../base/errors.js';
import type { SolidClient } from '../solid-client.js';
import { IssuerKeys, unproved, WebIdProfiles, withoutSlash } from './issuers.js';

const webIdOf = (name: string) => `https://pods.example/${name}/profile/card#me`;
const webId = webIdOf('alice');
const [named, other] = ['https://issuer.example/', 'https://other.example/'];
const naming = (issuer: string) =>
  `<#me> <http://www.w3.org/ns/solid/terms#oidcIssuer> <${issuer}>.`;

/** In place of an answer. */
const noAnswer = 'no answer';

/** Servers whose answers can change, and a clock that stands still until it is moved. */
function world(body: (url: string) => string | number) {
  const asked: string[] = [];
  const clock = { now: 1_000_000 };
  const state = { body };
  /** What is asked is answered at once, or when it is let go. */
  let held: Promise<void> | null = null;
  const client: SolidClient = {
    async request(url, { maxBytes } = {}) {
      asked.push(url);
      await held;
      const found = state.body(url);
      if (found === noAnswer) throw new ServerError('slow', 'no', { url });
      const text = String(found);
      if (text.length > (maxBytes ?? 0)) throw new ServerError('too-large', 'large', { url });
      const status = typeof found === 'number' ? found : 200;
      return { status, headers: {}, url, body: Buffer.from(text) };
    },
    close: () => Promise.resolve(),
  };
  const hold = () => {
    let letGo: () => void = () => undefined;
    held = new Promise((resolve) => {
      letGo = resolve;
    });
    return () => {
      held = null;
      letGo();
    };
  };
  const pass = (seconds: number) => {
    clock.now += seconds * 1000;
  };
  return { client, asked, state, hold, pass, now: () => clock.now };
}

function profilesOf(issuer: string) {
  const made = world(() => naming(issuer));
  return { ...made, profiles: new WebIdProfiles(made.client, made.now) };
}

test('[T15] who was proved by the issuer that their profile names is not proved by another one', async () => {
  const { profiles, asked } = profilesOf(named);
  await profiles.requireNamed(webId, named);
  await expect(profiles.requireNamed(webId, other)).rejects.toThrow('names another');
  // Each answer is remembered, for this person and this issuer.
  await profiles.requireNamed(webId, named);
  await expect(profiles.requireNamed(webId, other)).rejects.toThrow('names another');
  expect(asked).toHaveLength(2);
});

test('[T15] what one profile names says nothing of another person', async () => {
  const { profiles } = profilesOf(named);
  await profiles.requireNamed(webId, named);
  await expect(profiles.requireNamed(webIdOf('bob'), other)).rejects.toThrow('names another');
});

test('[T15] an issuer that a profile no longer names proves nobody after ten minutes', async () => {
  const { profiles, state, pass, asked } = profilesOf(named);
  await profiles.requireNamed(webId, named);
  state.body = () => naming(other);
  pass(599);
  await profiles.requireNamed(webId, named);
  expect(asked).toHaveLength(1);
  pass(1);
  await expect(profiles.requireNamed(webId, named)).rejects.toThrow('names another');
});

test('an issuer is the same with a slash at its end and without', async () => {
  const { profiles, asked } = profilesOf('https://issuer.example');
  await profiles.requireNamed(webId, named);
  await profiles.requireNamed(webId, 'https://issuer.example');
  expect(asked).toEqual([webId]);
  expect(withoutSlash('https://issuer.example/a/')).toBe('https://issuer.example/a');
});

describe('a profile', () => {
  test.each<[string, string | number, string]>([
    ['that its server refuses names nobody', 403, 'cannot be read'],
    ['that is too large names nobody', naming(named) + ' '.repeat(262_144), 'cannot be read'],
    ['that is no Turtle names nobody', '<html>', 'cannot be read'],
    ['of which there is no answer proves nothing either way', noAnswer, 'no'],
  ])('[T15][T27] %s', async (_, body, reason) => {
    const { client, now } = world(() => body);
    const profiles = new WebIdProfiles(client, now);
    const failure: unknown = await profiles
      .requireNamed(webId, named)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: expect.stringContaining(reason),
      kind: body === noAnswer ? 'server' : 'call',
    });
  });

  test('that failed is asked for again after five seconds, and not before', async () => {
    const { profiles, state, pass, asked } = profilesOf(other);
    await expect(profiles.requireNamed(webId, named)).rejects.toThrow('names another');
    state.body = () => naming(named);
    pass(4.999);
    await expect(profiles.requireNamed(webId, named)).rejects.toThrow('names another');
    expect(asked).toHaveLength(1);
    pass(0.001);
    await profiles.requireNamed(webId, named);
  });
});

/** Waits, or is refused at once. */
const stateOf = async (waiting: Promise<void>) =>
  await Promise.race([
    waiting.then(
      () => 'proved',
      (error: unknown) => String(error),
    ),
    new Promise((resolve) => setImmediate(() => resolve('waits'))),
  ]);

describe('a slow profile', () => {
  test('is asked for once, and four callers at most wait for it', async () => {
    const { profiles, hold, asked } = profilesOf(named);
    const letGo = hold();
    const four = Array.from({ length: 4 }, () => profiles.requireNamed(webId, named));
    expect(await stateOf(profiles.requireNamed(webId, named))).toMatch(/Too many calls wait for/);
    expect(await Promise.all(four.map(stateOf))).toEqual(Array(4).fill('waits'));
    letGo();
    await Promise.all(four);
    expect(asked).toEqual([webId]);
    // Their places are free again.
    const again = hold();
    const others = ['bob', 'cleo', 'dora', 'emil', 'finn'].map((name) =>
      profiles.requireNamed(webIdOf(name), named),
    );
    expect(await Promise.all(others.map(stateOf))).toEqual(Array(5).fill('waits'));
    again();
    await Promise.all(others);
  });

  test('holds up nobody else, until forty callers wait in all', async () => {
    const { profiles, hold } = profilesOf(named);
    const letGo = hold();
    const callers = Array.from({ length: 40 }, (_, index) => webIdOf(`person-${index}`));
    const waiting = callers.map((caller) => profiles.requireNamed(caller, named));
    expect(await stateOf(profiles.requireNamed(webId, named))).toMatch(/Too many calls wait for/);
    letGo();
    await Promise.all(waiting);
    // Who was refused was not asked about, and gets an answer now; so does who was asked about before.
    await profiles.requireNamed(webId, named);
    const again = hold();
    await profiles.requireNamed(webIdOf('person-0'), named);
    again();
  });
});

/** An issuer with one key at a time. */
async function issuer() {
  const keyPair = async (kid: string) => ({ kid, ...(await generateKeyPair('ES256')) });
  let key = await keyPair('first');
  const made = world(() => '');
  const jwks = async () =>
    JSON.stringify({ keys: [{ ...(await exportJWK(key.publicKey)), kid: key.kid }] });
  let keys = await jwks();
  made.state.body = (url) =>
    url.endsWith('/.well-known/openid-configuration')
      ? JSON.stringify({ jwks_uri: 'https://issuer.example/jwks' })
      : keys;
  const issuers = new IssuerKeys(made.client, made.now);
  return {
    ...made,
    issuers,
    token: () =>
      new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: key.kid }).sign(key.privateKey),
    changeKey: async (kid: string) => {
      key = await keyPair(kid);
      keys = await jwks();
    },
    verify: async (token: string, at = named) =>
      await jwtVerify(token, await issuers.of(at, token)),
  };
}

describe('the keys of an issuer', () => {
  test('are found through its description, and asked for once', async () => {
    const { token, verify, asked } = await issuer();
    await verify(await token());
    await verify(await token());
    expect(asked).toEqual([
      'https://issuer.example/.well-known/openid-configuration',
      'https://issuer.example/jwks',
    ]);
    // Slashes at the end change nothing of where its description lies.
    await verify(await token(), 'https://issuer.example//');
    expect(asked[2]).toBe('https://issuer.example/.well-known/openid-configuration');
  });

  test('that were changed are fetched again at once, but not more often than twice a minute', async () => {
    const { token, verify, changeKey, pass, asked } = await issuer();
    const first = await token();
    await verify(first);
    await changeKey('second');
    pass(29.999);
    await expect(verify(await token())).rejects.toThrow(/key/);
    expect(asked).toHaveLength(2);
    pass(0.001);
    await verify(await token());
    expect(asked).toHaveLength(4);
    // A token of a key that is there needs no new look, however old the keys are.
    pass(60);
    await verify(await token());
    expect(asked).toHaveLength(4);
    await expect(verify(first)).rejects.toThrow(/key/);
  });

  test('that were withdrawn count for nobody after ten minutes', async () => {
    const { token, verify, changeKey, pass } = await issuer();
    const old = await token();
    await verify(old);
    await changeKey('second');
    pass(600);
    await expect(verify(old)).rejects.toThrow(/key/);
  });

  test('say nothing of a token that is none, which is refused and not asked about', async () => {
    const { issuers, asked } = await issuer();
    await issuers.of(named, 'no token');
    await expect(jwtVerify('no token', await issuers.of(named, 'no token'))).rejects.toThrow();
    expect(asked).toHaveLength(2);
  });

  test.each<[string, (url: string) => string, RegExp]>([
    ['a page', () => '<html></html>', /could not be read; is it a Solid server\?$/],
    ['no address of keys', () => '{}', /could not be read/],
    ['an address that is no web address', () => '{"jwks_uri":"file:///etc/passwd"}', /could not/],
    [
      'too many keys',
      (url) =>
        url.endsWith('configuration')
          ? '{"jwks_uri":"https://issuer.example/jwks"}'
          : JSON.stringify({ keys: Array(101).fill({ kty: 'EC' }) }),
      /could not be read/,
    ],
    ['no answer', () => noAnswer, /^no$/],
  ])('[T27] with %s are no keys, and that is the fault of a server', async (_, body, message) => {
    const { client, now } = world(body);
    const failure: unknown = await new IssuerKeys(client, now)
      .of(named, '')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServerError);
    expect(failure).toMatchObject({ message: expect.stringMatching(message) });
  });
});

test('a reason why a proof does not hold is a mistake of the caller', () => {
  expect(unproved('it is too old')).toMatchObject({
    kind: 'call',
    message: 'The proof of the WebID does not hold: it is too old.',
  });
});

test('[T15] an issuer that a profile names for somebody else than its owner proves nobody', async () => {
  const ofOther = naming(named).replace('<#me>', '<#friend>');
  const { client, now } = world(() => `${ofOther} ${naming(other)}`);
  const profiles = new WebIdProfiles(client, now);
  await expect(profiles.requireNamed(webId, named)).rejects.toThrow('names another');
  await profiles.requireNamed(webId, other);
});
