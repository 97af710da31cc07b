import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { AnalyserError, ServerError } from '../base/errors.js';
import { ThreadPort } from './between-threads.js';

type Sums = {
  add: (one: number, other: number) => Promise<number>;
  note: (text: string) => void;
  fail: (how: 'bug' | 'cancelled' | 'server') => void;
};

const { port1, port2 } = new MessageChannel();
afterEach(() => port1.close());

test('calls reach the other end in order, also those made before it listens', async () => {
  const asking = new ThreadPort<Sums>(port1);
  const answering = new ThreadPort(port2);
  const url = 'https://pods.example/x';
  const errors = {
    bug: new Error('broken'),
    cancelled: new AnalyserError('cancelled', 'The analysis was cancelled.'),
    server: new ServerError('login', 'login failed', { url, status: 401 }),
  };
  const noted: string[] = [];
  const offer: Sums = {
    add: (one, other) => Promise.resolve(one + other),
    note: (text) => void noted.push(text),
    fail(how) {
      throw errors[how];
    },
  };
  asking.tell('note', 'first');
  const sum = asking.ask('add', 1, 2);
  asking.tell('note', 'second');
  asking.offer({});
  answering.offer(offer);
  expect(await sum).toBe(3);
  expect(await asking.ask('add', 3, 4)).toBe(7);
  expect(noted).toEqual(['first', 'second']);

  await expect(asking.ask('fail', 'bug')).rejects.toEqual(errors.bug);
  await expect(asking.ask('fail', 'cancelled')).rejects.toEqual(errors.cancelled);
  await expect(asking.ask('fail', 'server')).rejects.toMatchObject({
    failure: 'login',
    details: { url, status: 401 },
  });
  // The text of an error crosses, and the values that hang on it do not.
  const withSecret = Object.assign(new AnalyserError('keys', 'wrong'), { securityKey: 's3cret' });
  errors.bug = withSecret;
  const crossed: unknown = await asking.ask('fail', 'bug').catch((error: unknown) => error);
  expect(crossed).toMatchObject({ kind: 'keys', message: 'wrong' });
  expect(crossed).not.toHaveProperty('securityKey');
});

test('whoever waits for an end that is gone is told', async () => {
  const { port1: own, port2: gone } = new MessageChannel();
  const port = new ThreadPort<Sums>(own);
  const waiting = port.ask('add', 1, 2);
  port.fail(new Error('The analysis thread has ended.'));
  await expect(waiting).rejects.toThrow('The analysis thread has ended.');
  gone.close();
});
