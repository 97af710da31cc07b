import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type AnalyserService, startAnalyserService } from '../support/analyser-service.js';
import { runMode } from '../support/command-line.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { createPod, sharedSolidServer, type TestPod } from '../support/solid-server.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let service: AnalyserService;
let alice: TestPod;
let cwd: string;
const env = { APP_USER_SECURITY_KEY: 'the key of alice' };

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'bp-app-'));
  [analyser, alice] = await Promise.all([createInitialisedPod(server), createPod(server)]);
  service = await startAnalyserService(server, analyser);
  await writeSettings({});
});
afterAll(async () => {
  await service.stop();
  await analyser.close();
  await rm(cwd, { recursive: true });
});

async function writeSettings(other: object): Promise<void> {
  const settings = {
    web_id: alice.webId,
    account: { email: alice.email, password: alice.password },
    analyser: { web_id: analyser.pod.webId },
    grpc: { port: service.port },
    ...other,
  };
  await writeFile(join(cwd, 'app.yaml'), `# of alice\n${stringify(settings)}`, { mode: 0o600 });
}

const run = (...args: string[]) => runMode(['app', ...args], { cwd, env });

describe('one person, from the first use to the last share taken back', () => {
  test('init prepares the Pod, and keeps the credentials that the account gave', async () => {
    expect(await run('init')).toMatchObject({ code: 0, err: '' });
    const path = join(cwd, 'app.yaml');
    const text = await readFile(path, 'utf8');
    const { credentials } = parse(text);
    expect(credentials).toEqual({
      client_id: expect.stringContaining('bp-analyser'),
      client_secret: expect.any(String),
    });
    expect(text.startsWith('# of alice')).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('init again replaces nothing', async () => {
    expect(await run('init')).toMatchObject({
      code: 3,
      err: expect.stringContaining('is already initialised'),
    });
  });

  test('a wrong security key ends with 3', async () => {
    const wrong = { APP_USER_SECURITY_KEY: 'another' };
    expect(await runMode(['app', 'list'], { cwd, env: wrong })).toMatchObject({
      code: 3,
      err: expect.stringContaining('security key does not match'),
    });
  });

  test('without readings there is nothing to analyse, and no result', async () => {
    expect(await run('analyse', '--yes')).toMatchObject({
      code: 1,
      err: 'There are no readings in your Pod yet: record one with app add.',
    });
    expect(await run('result')).toMatchObject({
      code: 4,
      err: expect.stringMatching(/^There is no result at /),
    });
  });

  test('add records one reading, or imports a file in which every line must be right', async () => {
    const values = ['--systolic', '120', '--diastolic', '80', '--heart-rate', '60'];
    const time = ['--time', '2026-01-05T08:00:00'];
    expect(await run('add', ...values, ...time)).toMatchObject({ code: 0 });
    const lines = [
      'timestamp,systolic,diastolic,heart_rate,notes',
      '2026-01-05T08:00:00,1,1,1,taken',
      '2026-01-12 08:00,130,84,66,"after, a walk"',
      '2026-01-19T08:00:00.000,125,82,,',
    ];
    await writeFile(join(cwd, 'readings.csv'), lines.join('\n'));
    expect((await run('add', '--csv', 'readings.csv')).out.split('\n')).toEqual([
      'Recorded 2 of 3, each encrypted with a key of its own.',
      'Left as they are, since there is one of that second: 1.',
    ]);
    await writeFile(join(cwd, 'wrong.csv'), [...lines, '2026-01-26,high,80,60,'].join('\n'));
    expect(await run('add', '--csv', 'wrong.csv')).toMatchObject({
      code: 2,
      err: 'Row 5 of the CSV: systolic: expected a number above 0 and below 1000, got "high".',
    });
  });

  test('list shows what was recorded', async () => {
    expect((await run('list')).out.split('\n')).toEqual([
      '2026-01-05T08:00:00    120 / 80 mm Hg  60 bpm',
      '2026-01-12T08:00:00    130 / 84 mm Hg  66 bpm',
      '2026-01-19T08:00:00    125 / 82 mm Hg',
      '3 readings.',
    ]);
  });

  test('analyse asks first, so it refuses where nobody can be asked', async () => {
    expect(await run('analyse')).toMatchObject({
      code: 2,
      err: 'Nobody is there to confirm that readings are shared: add --yes.',
    });
  });

  test('analyse prints the figures and saves the chart', async () => {
    const { code, out, err } = await run('analyse', '--yes', '--chart', 'mine.png');
    expect(err).toContain('The analysis covers all 3 readings.');
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 3)).toEqual([
      '                systolic (mm Hg)  diastolic (mm Hg)  heart rate (bpm)',
      'your average               125.0               82.0              63.0',
      // A cohort of one is the person alone.
      'cohort average             125.0               82.0              63.0',
    ]);
    expect((await readFile(join(cwd, 'mine.png'))).subarray(1, 4).toString()).toBe('PNG');
  });

  test('result shows the same again', async () => {
    const { out } = await run('result');
    expect(out).toContain('your average               125.0');
    expect(JSON.parse((await run('result', '--json')).out)).toMatchObject({ kind: 'pod-average' });
  });

  test('revoke takes everything back', async () => {
    expect((await run('revoke')).out).toMatch(/^3 shares with .* were taken back/);
    expect((await run('revoke')).out).toMatch(/^Nothing was shared with /);
  });

  test('Ctrl-C cancels and says in green or red what came of it', async () => {
    const mode = run('analyse', '--yes');
    await expect.poll(() => process.listenerCount('SIGINT')).toBeGreaterThan(0);
    process.emit('SIGINT');
    const { code, err } = await mode;
    expect(err).toMatch(/^(Interrupted\.$|.*Cancelled: )/s);
    expect(code).toBe(1);
  });
});

describe('each condition has a sentence and an exit code of its own', () => {
  test.each([
    ['another Analyser', ['--analyser', 'ALICE'], 2, /acts for .*, not for .*Nothing was shared/],
    ['nobody at the address', ['--grpc', '127.0.0.1:9'], 4, /^Nothing is listening on 127/],
    ['an address that is none', ['--grpc', 'here'], 2, /^--grpc: expected host:port, got "here"/],
    ['a WebID that is none', ['--web-id', 'me'], 2, /^Your WebID is needed/],
    ['settings that are not there', ['--settings', 'no.yaml'], 2, /^There are no settings at /],
  ])('%s', async (_what, flags, code, sentence) => {
    const args = flags.map((flag) => (flag === 'ALICE' ? alice.webId : flag));
    expect(await run('analyse', '--yes', ...args)).toMatchObject({
      code,
      err: expect.stringMatching(sentence),
    });
  });

  test('the token is rejected', async () => {
    const guarded = await startAnalyserService(server, analyser, { token: 'right' });
    const grpc = `127.0.0.1:${guarded.port}`;
    expect(await run('analyse', '--yes', '--grpc', grpc)).toMatchObject({
      code: 4,
      err: expect.stringMatching(/rejected the token/),
    });
    await guarded.stop();
  });

  test('the password of the account is wrong, or nothing is known of one', async () => {
    await writeSettings({ account: { email: alice.email, password: 'wrong' } });
    expect(await run('list')).toMatchObject({ code: 4, err: expect.stringContaining('refused') });
    await writeSettings({ account: {} });
    expect(await run('list')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^The client credentials must be given: set APP_USER_CLIENT_ID/),
    });
  });

  test('a mistake in the settings is named with its line, and no secret is shown', async () => {
    await writeSettings({ account: { email: alice.email, password: 1234 }, web_idd: 'x' });
    const { code, err } = await run('list');
    expect(code).toBe(2);
    expect(err).toMatch(
      /app\.yaml:\d+: account\.password: expected text in quotes, got a number\./,
    );
    expect(err).toMatch(/web_idd: expected a known key; did you mean web_id\?/);
    expect(err).not.toContain('1234');
  });
});
