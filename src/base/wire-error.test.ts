import { expect, test } from 'vitest';
import { AnalyserError, ServerError } from './errors.js';
import { fromWireError, toWireError } from './wire-error.js';

test('[T18] an error keeps its kind on its way between threads, and leaves behind what hangs on it', () => {
  const url = 'https://pods.example/x';
  const server = new ServerError('login', 'login failed', { url, status: 401 });
  const withSecret = Object.assign(new AnalyserError('keys', 'wrong'), { securityKey: 's3cret' });
  const sent = [new Error('broken'), server, withSecret].map(toWireError);
  expect(JSON.stringify(sent)).not.toContain('s3cret');
  const [bug, refusal, keys] = sent.map(fromWireError);
  expect(bug).toEqual(new Error('broken'));
  expect(refusal).toMatchObject({ failure: 'login', details: { url, status: 401 } });
  expect(keys).toMatchObject({ kind: 'keys', message: 'wrong' });
});
