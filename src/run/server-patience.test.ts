import { expect, test } from 'vitest';
import { AnalyserError, ServerError } from '../base/errors.js';
import { ServerPatience } from './server-patience.js';

const home = 'https://pods.example';
const podOf = (url: string) => url.split('/').slice(0, 4).join('/');
const create = (...callers: string[]) =>
  new ServerPatience({ serverUrl: `${home}/`, podOf, callerPods: podsOf(callers) });
const podsOf = (callers: string[]) => callers.map((name) => `${home}/${name}`);
const file = (pod: string, origin = home) => `${origin}/${pod}/app/data/x`;
const silence = (url: string) => new ServerError('slow', 'no answer', { url });

function endure(patience: ServerPatience, url: string, times: number): void {
  for (let count = 0; count < times; count += 1) patience.endure(silence(url), url);
}

test('one Pod that gives no answers is asked nothing more, and ends nobody’s analysis', () => {
  const patience = create('alice');
  endure(patience, file('mallory'), 9);
  expect(patience.isGone(file('mallory'))).toBe(false);
  endure(patience, file('mallory'), 50);
  expect(patience.isGone(file('mallory'))).toBe(true);
  expect(patience.isGone(file('alice'))).toBe(false);
});

test('ten silences that take in the caller’s Pod mean that the server is gone', () => {
  const patience = create('alice');
  endure(patience, file('mallory'), 9);
  expect(() => endure(patience, file('alice'), 1)).toThrow('no answer');
});

test('the silence of one of several callers is not that of the server', () => {
  const patience = create('alice', 'bob');
  endure(patience, file('alice'), 30);
  expect(patience.isGone(file('bob'))).toBe(false);
  expect(() => endure(patience, file('bob'), 1)).toThrow('no answer');
});

test('so do three Pods, and for run-once two', () => {
  const many = create('alice');
  for (const pod of ['bob', 'carol']) endure(many, file(pod), 10);
  expect(() => endure(many, file('dave'), 1)).toThrow('no answer');
  const once = new ServerPatience({ serverUrl: `${home}/`, podOf, callerPods: null });
  endure(once, file('mallory'), 20);
  expect(() => endure(once, file('bob'), 1)).toThrow('no answer');
});

test('an answer of anybody begins the count for the server anew, one of the Pod its own', () => {
  const patience = create('alice');
  endure(patience, file('alice'), 9);
  patience.answered(file('bob'));
  endure(patience, file('mallory'), 9);
  patience.answered(file('mallory'));
  endure(patience, file('mallory'), 9);
  expect(patience.isGone(file('mallory'))).toBe(false);
});

test('another server that is gone is asked nothing more', () => {
  const patience = create('alice');
  const away = file('carol', 'https://other.example');
  endure(patience, away, 30);
  expect(patience.isGone(file('dave', 'https://other.example'))).toBe(true);
  expect(patience.isGone(file('alice'))).toBe(false);
});

test('a refusal is an answer; a refused login and a bug end the analysis', () => {
  const patience = create('alice');
  endure(patience, file('alice'), 9);
  const url = file('alice');
  expect(patience.endure(new ServerError('too-large', 'large', { url }), url).message).toBe(
    'large',
  );
  endure(patience, url, 9);
  expect(() => patience.endure(new ServerError('login', 'login', { url }), url)).toThrow('login');
  expect(() => patience.endure(new AnalyserError('disk', 'full'), url)).toThrow('full');
  expect(() => patience.endure(new TypeError('bug'), url)).toThrow('bug');
});
