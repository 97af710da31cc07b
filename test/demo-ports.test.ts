import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../src/embedded-server/embedded-server.js';
import { runMode } from './support/command-line.js';

let other: Server;
let taken: number;

beforeAll(async () => {
  taken = await findFreePort();
  other = createServer().listen(taken, '127.0.0.1');
  await once(other, 'listening');
});
afterAll(() => other.close());

const demo = (...args: string[]) => runMode(['demo', ...args], { cwd: tmpdir() });

test.each(['--solid-port', '--grpc-port', '--http-port', '--web-port'])(
  'a port that is taken is told in one sentence before anything starts: %s',
  async (flag) => {
    expect(await demo(flag, String(taken))).toEqual({
      code: 1,
      out: '',
      err: `The port ${taken} is in use by another program: choose another with ${flag}, or leave ${flag} out to have a free one.`,
    });
  },
);

test('one port for two servers is refused', async () => {
  const free = String(await findFreePort());
  expect(await demo('--solid-port', free, '--http-port', free)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/is meant for --solid-port already: .* with --http-port,/),
  });
});
