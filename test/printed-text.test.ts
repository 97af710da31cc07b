import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runMode } from './support/command-line.js';
import { listen } from './support/listen.js';

test('[T19] the words of a storage server can neither drive the terminal nor make up a line', async () => {
  const words = 'no\u001b[2J\u009b1A\r\nPod            created: nothing\u202e';
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host}/`;
    if (request.url === '/.account/') {
      const controls = { password: { login: `${base}login` }, account: { create: `${base}new` } };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ controls }));
      return;
    }
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: words }));
  });
  const flags = ['--server', `http://127.0.0.1:${await listen(server)}/`, '--email', 'a@b.example'];
  const { code, out, err } = await runMode(['setup', ...flags], {
    cwd: tmpdir(),
    env: { APP_SETUP_PASSWORD: 'x', APP_ANALYSER_CONFIG: 'no-such.yaml' },
  });
  server.close();
  expect(code).toBe(4);
  expect(err).toContain('HTTP 400: no');
  expect(err).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(out).toBe('');
});
