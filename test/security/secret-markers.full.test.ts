import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.js';
import { createLogger } from '../../src/base/logger.js';
import { loadWebProxyConfig } from '../../src/config/load-config.js';
import { secretNames } from '../../src/config/secrets.js';
import { SharedRedis } from '../../src/workers/shared-redis.js';
import { runMode } from '../support/command-line.js';
import { modes } from '../support/modes.js';
import { hasRedis, startRedis } from '../support/redis-server.js';
import { newFolder } from '../support/temp-folder.js';

const marker = 'MARKED-5e3c-SECRET';
const webId = 'http://127.0.0.1:9/analyser/profile/card#me';

const cwd = await newFolder();

/** What people write in place of a secret, or of an address with a password. */
const forms = [
  `"${marker}"`,
  `${marker} with blanks`,
  `redis://user:${marker}@127.0.0.1:9`,
  `rediss://:${marker}@127.0.0.1:9/0`,
  `user:${marker}@127.0.0.1:9`,
  `redis:/user:${marker}@127.0.0.1:9`,
  `redis:user:${marker}@127.0.0.1:9`,
  `redis://user:${marker}@127.0.0.1:999999`,
  `redis://user:${marker}/x@127.0.0.1:9`,
  `http://user:${marker}@127.0.0.1:9`,
  `[${marker}]`,
  `{${marker}: ${marker}}`,
  `"${marker}`,
  `'${marker}`,
  `@${marker}`,
  `%${marker}`,
  `&${marker} x`,
  `*${marker}`,
  `!${marker} x`,
  `|\n      ${marker}\n      ${marker}`,
];

/** The key with the value, in its section and in place of the section; and without a blank. */
function filesWith(key: string, value: string): string[] {
  const path = key.split('.');
  const nested = (names: readonly string[], end: string): string =>
    names.map((name, depth) => `${'  '.repeat(depth)}${name}:`).join('\n') + end;
  const rest = path[0] === 'analyser' ? '' : `analyser:\n  web_id: ${webId}\n`;
  const last = path.at(-1) ?? '';
  return [
    `${rest}${nested(path, ` ${value}`)}\n`,
    `${rest}${nested(path.slice(0, -1), ` ${value}`)}\n`,
    `${rest}${nested(path.slice(0, -1), `\n    ${last}:${value}`)}\n`,
    `${rest}${last}: ${value}\n`,
  ];
}

/** Those that read config.yaml, and end by themselves when nothing can be reached. */
const others = ['demo', 'setup', 'test', 'web-proxy'];
const asked = modes.filter(({ name }) => !others.includes(name) && !name.startsWith('app '));
const argumentsOf: Record<string, string[]> = {
  analyse: [webId],
  cancel: [webId],
  forget: [webId],
};

describe.each(Object.values(secretNames))(
  '[T18] nothing shows what is in $key',
  ({ key, variable }) => {
    test('of a file, well-formed or not, whatever the mode', async () => {
      const files = new Set(forms.flatMap((value) => filesWith(key, value)));
      for (const text of files) {
        await writeFile(join(cwd, 'config.yaml'), `${text}api: {enabled: false}\n`, {
          mode: 0o600,
        });
        const shown = await runMode(['show-config', '--verbose'], { cwd });
        expect(`${shown.out}${shown.err}`, text).not.toContain(marker);
        // The mode web-proxy would serve: it reads none of the sections that hold secrets.
        const proxied = await loadWebProxyConfig({ cwd, env: {} }).catch(messageOf);
        expect(JSON.stringify(proxied), text).not.toContain(marker);
        // Whatever can be loaded would be served.
        for (const { name } of shown.code === 0 ? [] : asked) {
          const words = [...name.split(' '), ...(argumentsOf[name] ?? []), '--verbose'];
          const { out, err } = await runMode(words, { cwd });
          expect(out + err, `${name} of ${text}`).not.toContain(marker);
        }
      }
    });

    test('of the file of secrets beside it', async () => {
      await writeFile(join(cwd, 'config.yaml'), `analyser:\n  web_id: ${webId}\n`, { mode: 0o600 });
      for (const value of forms) {
        await writeFile(join(cwd, 'config.env'), `${variable}=${value}\n`, { mode: 0o600 });
        for (const name of ['show-config', 'check']) {
          const { out, err } = await runMode([name, '--verbose'], { cwd });
          expect(out + err, `${name} of ${value}`).not.toContain(marker);
        }
      }
      await rm(join(cwd, 'config.env'));
    });

    test('of the environment', async () => {
      await writeFile(join(cwd, 'config.yaml'), `analyser:\n  web_id: ${webId}\n`, { mode: 0o600 });
      for (const value of forms) {
        const env = { [variable]: value };
        for (const name of ['show-config', 'check', 'run-once', 'worker']) {
          const { out, err } = await runMode([name, '--verbose'], { cwd, env });
          expect(out + err, `${name} of ${value}`).not.toContain(marker);
        }
      }
    });
  },
);

test.each(['security_key', 'credentials.client_secret', 'account.password', 'grpc.token'])(
  '[T18] nothing of the app shows what is in %s',
  async (key) => {
    const settings = join(cwd, 'settings.yaml');
    for (const text of new Set(forms.flatMap((value) => filesWith(key, value)))) {
      await writeFile(settings, text, { mode: 0o600 });
      const { out, err } = await runMode(['app', 'list', '--settings', settings, '--verbose'], {
        cwd,
      });
      expect(out + err, text).not.toContain(marker);
    }
  },
);

test.runIf(hasRedis)('[T18] a password that Redis refuses is not in the log', async () => {
  const redis = await startRedis();
  const lines: string[] = [];
  const log = createLogger({ verbose: true, stream: { write: (line) => void lines.push(line) } });
  const url = new URL(redis.url);
  url.username = 'user';
  url.password = marker;
  const shared = new SharedRedis(url.href, 'x', log);
  shared.openQueue('q');
  const error: unknown = await shared
    .ask((commands) => commands.get('x'))
    .catch((cause: unknown) => cause);
  log.error({ err: error }, 'Asked.');
  log.error({ err: error instanceof Error ? error.cause : null }, 'Why.');
  await shared.close();
  expect(lines.join('')).toContain('Asked.');
  expect(lines.join('')).not.toContain(marker);
});
