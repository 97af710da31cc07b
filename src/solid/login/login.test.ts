import { setMaxListeners } from 'node:events';
import { setImmediate as letOthersWork } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { type AccessToken, createSession } from './login.js';

const { signal } = new AbortController();
setMaxListeners(0, signal);

function createFakeLogin(lifetimeMs: number) {
  const clock = { now: 1_000_000 };
  let logins = 0;
  const logIn = async (): Promise<AccessToken> => {
    await Promise.resolve();
    logins += 1;
    return { value: `t${logins}`, issuedAt: clock.now, expiresAt: clock.now + lifetimeMs };
  };
  return { clock, session: createSession(logIn, () => clock.now), count: () => logins };
}

test('many that wait share one login', async () => {
  const { session, count } = createFakeLogin(600_000);
  const tokens = await Promise.all(Array.from({ length: 40 }, () => session.token(signal)));
  expect(new Set(tokens).size).toBe(1);
  expect(count()).toBe(1);
});

test.each([
  ['ten minutes', 600_000, 539_999, 540_000],
  ['two seconds', 2_000, 1_499, 1_500],
])('a token of %s is renewed ahead of its end', async (_name, lifetime, lastUse, renewal) => {
  const { clock, session, count } = createFakeLogin(lifetime);
  const start = clock.now;
  await session.token(signal);
  clock.now = start + lastUse;
  expect((await session.token(signal)).value).toBe('t1');
  await letOthersWork();
  expect(count()).toBe(1);
  clock.now = start + renewal;
  await session.token(signal);
  await letOthersWork();
  expect((await session.token(signal)).value).toBe('t2');
});

/** With a token of ten minutes; the next login is up to the test. */
async function loggedIn() {
  const login = { next: () => Promise.resolve({ value: 't', issuedAt: 0, expiresAt: 600_000 }) };
  const clock = { now: 0 };
  const session = createSession(
    () => login.next(),
    () => clock.now,
  );
  return { session, clock, login, first: await session.token(signal) };
}

test('a token that still holds is used while the server puts off the next login', async () => {
  const { session, clock, login, first } = await loggedIn();
  login.next = () => new Promise(() => undefined);
  clock.now = 599_999;
  expect(await session.token(signal)).toBe(first);
  clock.now = 600_000;
  const stop = new AbortController();
  const waiting = session.token(stop.signal);
  stop.abort(new Error('in vain'));
  await expect(waiting).rejects.toThrow('in vain');
});

test('a renewal that fails while the token holds disturbs nobody', async () => {
  const { session, clock, login, first } = await loggedIn();
  login.next = () => Promise.reject(new Error('HTTP 503'));
  clock.now = 599_999;
  // It would end the process.
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  expect(await session.token(signal)).toBe(first);
  await letOthersWork();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('who has stopped gets no token, not even one that is there', async () => {
  const { session } = createFakeLogin(600_000);
  await session.token(signal);
  await expect(session.token(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});

test('one that stops waiting does not end the login of the others', async () => {
  const { session } = createFakeLogin(600_000);
  const gone = new AbortController();
  const aborted = session.token(gone.signal);
  const other = session.token(signal);
  gone.abort(new Error('no longer wanted'));
  await expect(aborted).rejects.toThrow('no longer wanted');
  expect((await other).value).toBe('t1');
});

test('a failed login is not remembered', async () => {
  let fails = true;
  const token = { value: 't', issuedAt: 0, expiresAt: 600_000 };
  const session = createSession(
    () => (fails ? Promise.reject(new Error('HTTP 401')) : Promise.resolve(token)),
    () => 0,
  );
  await expect(session.token(signal)).rejects.toThrow('HTTP 401');
  fails = false;
  await expect(session.token(signal)).resolves.toBe(token);
});

test('a refused token is replaced once, however many report it', async () => {
  const { clock, session, count } = createFakeLogin(600_000);
  const refused = await session.token(signal);
  clock.now += 60_000;
  const replacements = await Promise.all([
    session.replace(refused, signal),
    session.replace(refused, signal),
  ]);
  expect(replacements.map(({ value }) => value)).toEqual(['t2', 't2']);
  expect((await session.replace(refused, signal)).value).toBe('t2');
  expect(count()).toBe(2);
});

test('a token refused right after its login is not blamed', async () => {
  const { clock, session, count } = createFakeLogin(600_000);
  const fresh = await session.token(signal);
  clock.now += 4_999;
  expect(await session.replace(fresh, signal)).toBe(fresh);
  expect(count()).toBe(1);
  clock.now += 1;
  expect((await session.replace(fresh, signal)).value).toBe('t2');
});

test('a token that lives for two seconds is blamed after one', async () => {
  const { clock, session } = createFakeLogin(2_000);
  const fresh = await session.token(signal);
  clock.now += 999;
  expect(await session.replace(fresh, signal)).toBe(fresh);
  clock.now += 1;
  expect((await session.replace(fresh, signal)).value).toBe('t2');
});
