import { expect, test } from 'vitest';
import { AnalyserError, ServerError } from '../../base/errors.js';
import { CircuitBreaker, OthersTimeUpError } from './circuit-breaker.js';

const home = 'https://pods.example';
const podOf = (url: string) => url.split('/').slice(0, 4).join('/');
const common = { serverUrl: `${home}/`, podOf, timeoutMs: 1000 };
const create = (...callers: string[]) =>
  new CircuitBreaker({ ...common, callerPods: podsOf(callers) });
const podsOf = (callers: string[]) => callers.map((name) => `${home}/${name}`);
const file = (pod: string, origin = home) => `${origin}/${pod}/app/data/x`;
const silence = (url: string) => new ServerError('slow', 'no answer', { url });

function fail(breaker: CircuitBreaker, url: string, times: number): void {
  for (let count = 0; count < times; count += 1) breaker.recordFailure(silence(url), url);
}

test('one Pod that gives no answers is asked nothing more, and ends nobody’s analysis', () => {
  const breaker = create('alice');
  fail(breaker, file('mallory'), 9);
  expect(breaker.isGone(file('mallory'))).toBe(false);
  fail(breaker, file('mallory'), 50);
  expect(breaker.isGone(file('mallory'))).toBe(true);
  expect(breaker.isGone(file('alice'))).toBe(false);
});

test('ten silences that take in the caller’s Pod mean that the server is gone', () => {
  const breaker = create('alice');
  fail(breaker, file('mallory'), 9);
  expect(() => fail(breaker, file('alice'), 1)).toThrow('no answer');
});

test('the silence of one of several callers is not that of the server, that of all is', () => {
  const breaker = create('alice', 'bob');
  fail(breaker, file('alice'), 30);
  expect(breaker.isGone(file('bob'))).toBe(false);
  expect(() => fail(breaker, file('bob'), 1)).toThrow('no answer');
});

test('nor is it when one of the callers lives elsewhere', () => {
  const podOfZoe = 'https://other.example/zoe';
  const callerPods = [...podsOf(['alice']), podOfZoe];
  const breaker = new CircuitBreaker({ ...common, callerPods });
  fail(breaker, file('alice'), 30);
  expect(breaker.isGone(file('alice'))).toBe(true);
  expect(breaker.isGone(podOfZoe)).toBe(false);
});

test.each([
  ['an analysis', ['alice']],
  ['run-once, which has no caller,', []],
])('ten silences of three Pods end %s, those of two do not', (_name, callers) => {
  const breaker = create(...callers);
  for (const pod of ['bob', 'carol']) fail(breaker, file(pod), 10);
  expect(() => fail(breaker, file('dave'), 1)).toThrow('no answer');
});

test('nine silences of three Pods end nothing', () => {
  const breaker = create('alice');
  for (const pod of ['bob', 'carol', 'dave']) fail(breaker, file(pod), 3);
  expect(() => fail(breaker, file('dave'), 1)).toThrow('no answer');
});

test('an answer of anybody begins the count for the server anew, one of the Pod its own', () => {
  const breaker = create('alice');
  fail(breaker, file('alice'), 9);
  breaker.recordAnswer(file('bob'));
  fail(breaker, file('mallory'), 9);
  breaker.recordAnswer(file('mallory'));
  fail(breaker, file('mallory'), 9);
  expect(breaker.isGone(file('mallory'))).toBe(false);
});

test('another server that is gone is asked nothing more', () => {
  const breaker = create('alice');
  const away = file('carol', 'https://other.example');
  fail(breaker, away, 30);
  expect(breaker.isGone(file('dave', 'https://other.example'))).toBe(true);
  expect(breaker.isGone(file('alice'))).toBe(false);
});

test('a refusal is an answer; a refused login and a bug end the analysis', () => {
  const breaker = create('alice');
  fail(breaker, file('alice'), 9);
  const url = file('alice');
  expect(breaker.recordFailure(new ServerError('too-large', 'large', { url }), url).message).toBe(
    'large',
  );
  fail(breaker, url, 9);
  expect(() => breaker.recordFailure(new ServerError('login', 'login', { url }), url)).toThrow(
    'login',
  );
  expect(() => breaker.recordFailure(new AnalyserError('disk', 'full'), url)).toThrow('full');
  expect(() => breaker.recordFailure(new TypeError('bug'), url)).toThrow('bug');
});

test('the end of the time of other servers leaves out what is missing, and nothing else', () => {
  const breaker = create('alice');
  const away = file('carol', 'https://other.example');
  for (let count = 0; count < 20; count += 1) breaker.recordFailure(new OthersTimeUpError(), away);
  expect(breaker.sawSilence).toBe(true);
  expect(breaker.isGone(file('alice'))).toBe(false);
});
