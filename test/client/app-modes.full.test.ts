import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { startAnalyserService } from '../support/analyser-service.js';
import { runMode } from '../support/command-line.js';
import { record, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { createPod, sharedSolidServer, type TestPod } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

const server = sharedSolidServer();
const [cwd, bobsFolder] = [await newFolder(), await newFolder()];
const env = { APP_USER_SECURITY_KEY: 'the key of alice' };
const [analyser, alice] = await Promise.all([createInitialisedPod(server), createPod(server)]);
const service = await startAnalyserService(server, analyser);
await writeSettings(cwd, alice);

async function writeSettings(folder: string, owner: TestPod, other: object = {}): Promise<void> {
  const settings = {
    web_id: owner.webId,
    account: { email: owner.email, password: owner.password },
    analyser: { web_id: analyser.pod.webId },
    grpc: { port: service.port },
    ...other,
  };
  await writeFile(join(folder, 'app.yaml'), `# a comment\n${stringify(settings)}`, { mode: 0o600 });
}

const run = (...args: string[]) => runMode(['app', ...args], { cwd, env });

/** A story: each step needs those before it. */
const story = { shuffle: false };

describe('one person, from the first use to the last share taken back', story, () => {
  test('init prepares the Pod once, and keeps the credentials that the account gave', async () => {
    expect(await run('list')).toMatchObject({ code: 3, err: expect.stringContaining('app init') });
    expect(await run('init')).toMatchObject({ code: 0, err: '' });
    expect(await run('init')).toMatchObject({ code: 3 });
    const path = join(cwd, 'app.yaml');
    const text = await readFile(path, 'utf8');
    const { credentials } = parse(text);
    expect(credentials).toEqual({
      client_id: expect.stringContaining('bp-analyser'),
      client_secret: expect.any(String),
    });
    expect(text.startsWith('# a comment')).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('init without a key makes one up, which is kept and opens the Pod', async () => {
    const { webId, email, password } = await createPod(server);
    const folder = join(cwd, 'other');
    await mkdir(folder);
    const env = { APP_USER_WEB_ID: webId, APP_USER_EMAIL: email, APP_USER_PASSWORD: password };
    const init = (other: object = {}) =>
      runMode(['app', 'init'], { cwd: folder, env: { ...env, ...other } });
    // What did not work leaves nothing.
    expect(await init({ APP_USER_PASSWORD: 'wrong' })).toMatchObject({ code: 4 });
    expect(existsSync(join(folder, 'app.yaml'))).toBe(false);
    expect(await init({ APP_USER_SECURITY_KEY: 'elevenchars' })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^The security key is shorter than 12 characters\./),
    });
    const { code, out } = await init();
    expect(code).toBe(0);
    const { security_key: key } = z
      .object({ security_key: z.string() })
      .parse(parse(await readFile(join(folder, 'app.yaml'), 'utf8')));
    expect(out.split(key)).toHaveLength(2);
    expect(out).toMatch(new RegExp(`^The security key of your Pod, .*: ${key}$`, 'm'));
    expect(await runMode(['app', 'list'], { cwd: folder })).toMatchObject({ code: 0 });
    // Where keys are already, none is made up.
    await rm(join(folder, 'app.yaml'));
    expect(await init()).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^The security key is needed: give APP_USER_SECURITY_KEY/),
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
      '2026-01-05T08:00:00,120,80,60,',
      '2026-01-12 08:00,130,84,66,"after, a walk"',
      '2026-01-19T08:00:00.000,125,82,,',
    ];
    await writeFile(join(cwd, 'readings.csv'), lines.join('\n'));
    const recorded = (count: number, there: number) => ({
      code: 0,
      err: '',
      out: [
        `Recorded ${count} of 3, each encrypted with a key of its own.`,
        `Left as they are, since they are in your Pod already: ${there}.`,
      ].join('\n'),
    });
    expect(await run('add', '--csv', 'readings.csv')).toEqual(recorded(2, 1));
    expect(await run('add', '--csv', 'readings.csv')).toEqual(recorded(0, 3));
    await writeFile(join(cwd, 'wrong.csv'), [...lines, '2026-01-26 08:00,high,80,60,'].join('\n'));
    expect(await run('add', '--csv', 'wrong.csv')).toMatchObject({
      code: 2,
      err: 'Line 5 of the CSV: systolic: expected a number from 40 to 300 mm Hg, got "high".',
    });
    const device = '\uFEFFdate;time;Sys (mmHg);dia;Gerät\n12/01/2026;08:00;130;84;M 3\n';
    await writeFile(join(cwd, 'device.csv'), device);
    const addDevice = ['add', '--csv', 'device.csv', '--dates', 'dmy'];
    expect(await run(...addDevice)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Got "Gerät", which only'),
    });
    expect(await run(...addDevice.slice(0, 3), '--ignore-columns')).toMatchObject({ code: 2 });
    expect(await run(...addDevice, '--ignore-columns')).toMatchObject({
      code: 0,
      err: 'Columns passed over: Gerät.',
      out: expect.stringContaining('they are in your Pod already: 1.'),
    });
    await writeFile(join(cwd, 'device.csv'), device, 'latin1');
    expect(await run(...addDevice, '--ignore-columns')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/device\.csv is not in UTF-8: save it in this encoding\.$/),
    });
  });

  test('add takes no time years ahead, and then nothing of the file', async () => {
    const lines = ['timestamp,sys,dia', '2026-01-06T08:00:00,120,80', '3026-01-05T08:00:00,120,80'];
    await writeFile(join(cwd, 'ahead.csv'), lines.join('\n'));
    expect(await run('add', '--csv', 'ahead.csv')).toEqual({
      code: 2,
      out: '',
      err: '3026-01-05T08:00:00 is in the future: correct the time. Nothing was recorded.',
    });
  });

  test('a reading that the Pod has with other values is told, and ends with 1', async () => {
    const values = ['--systolic', '119', '--diastolic', '80'];
    expect(await run('add', ...values, '--time', '2026-01-05T08:00:00')).toEqual({
      code: 1,
      err: 'Not recorded, since your Pod has other values for that second: 2026-01-05T08:00:00. Remove what is there with app remove, or give the new reading another second.',
      out: 'Recorded 0 of 1, each encrypted with a key of its own.',
    });
  });

  test('list shows what was recorded', async () => {
    expect((await run('list')).out.split('\n')).toEqual([
      '2026-01-05T08:00:00    120 / 80 mm Hg  60 bpm',
      '2026-01-12T08:00:00    130 / 84 mm Hg  66 bpm   after, a walk',
      '2026-01-19T08:00:00    125 / 82 mm Hg',
      '3 readings.',
    ]);
  });

  test('remove takes a reading away for good', async () => {
    const time = ['--time', '2026-01-20T08:00:00'];
    expect(await run('add', ...time, '--systolic', '120', '--diastolic', '80')).toMatchObject({
      code: 0,
    });
    expect(await run('remove', ...time)).toMatchObject({
      code: 2,
      err: 'Nobody is there to confirm what is removed: add --yes.',
    });
    // It was never shared, so nothing is said of a share.
    expect(await run('remove', ...time, '--yes')).toEqual({
      code: 0,
      out: 'Removed: 1 reading.',
      err: '',
    });
    expect(await run('remove', ...time, '--yes')).toMatchObject({
      code: 4,
      err: expect.stringMatching(/^There is no reading of 2026-01-20T08:00:00 in your Pod/),
    });
    expect(await run('remove', '--yes')).toMatchObject({
      code: 2,
      err: 'Which readings: give either --time or --all.',
    });
    expect((await run('list')).out).toContain('3 readings.');
  });

  test('analyse shares nothing where nobody can confirm it', async () => {
    const { code, err } = await run('analyse');
    expect(code).toBe(2);
    expect(err).toContain('Nobody is there to confirm that readings are shared: add --yes.');
    expect((await run('revoke')).out).toMatch(/^Nothing was shared with /);
  });

  test('analyse prints the figures and saves the chart', async () => {
    const { code, out, err } = await run('analyse', '--yes', '--chart', 'mine.png');
    expect(err).toContain('The analysis covers everything: 3 readings.');
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 10)).toEqual([
      '                systolic (mm Hg)  diastolic (mm Hg)  heart rate (bpm)',
      'your average               125.0               82.0              63.0',
      'recent average             125.0               82.0              63.0',
      '  morning                  125.0               82.0              63.0',
      '  evening                      –                  –                 –',
      // A cohort of one is the person alone.
      'cohort average             125.0               82.0              63.0',
      '',
      'Recent average: 3 days from 2026-01-05 to 2026-01-19, 3 readings. A home average takes four days within ten, and twelve readings without those of the first day.',
      'A half of the day has a dash (–) where it has fewer than three readings.',
      'At this analysis you were the only one who shares readings with this service.',
    ]);
    expect((await readFile(join(cwd, 'mine.png'))).subarray(1, 4).toString()).toBe('PNG');
    expect((await stat(join(cwd, 'mine.png'))).mode & 0o777).toBe(0o600);
    expect(await run('result', '--chart', 'mine.png/below.png')).toMatchObject({
      code: 1,
      err: expect.stringContaining('below.png'),
    });
  });

  test('[T31] a removed reading is taken back from the Analyser as well', async () => {
    const time = ['--time', '2026-01-19T08:00:00'];
    const values = ['--systolic', '125', '--diastolic', '82'];
    expect((await run('remove', ...time, '--yes')).out).toMatch(/^Taken back from .*: 1 share\.$/m);
    expect((await run('add', ...time, ...values)).code).toBe(0);
    const { out } = await run('analyse', '--yes');
    expect(out).toContain('3 readings of yours');
  });

  test('report saves a page for a doctor, which nobody else can read', async () => {
    const { code, out } = await run('report', 'report.html', '--name', 'Alice & Co');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('report.html') });
    const path = join(cwd, 'report.html');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const page = await readFile(path, 'utf8');
    expect(page).toContain('<h1>Blood pressure of Alice &#38; Co</h1>');
    expect(page).toContain('3 readings behind the averages, 2026-01-05 to 2026-01-19; the Pod now');
    expect(page).toContain('<img src="data:image/png;base64,');
    expect(page.match(/<td>2026-01-/g)).toHaveLength(3);
    await run('report', 'range.html', '--from', '2026-01-10', '--until', '2026-01-15');
    const range = await readFile(join(cwd, 'range.html'), 'utf8');
    expect(range).toContain('<h2>1 reading 2026-01-10 to 2026-01-15</h2>');
    expect(await run('report', 'x', '--from', '2026-01-10', '--until', '2026-01-09')).toMatchObject(
      {
        code: 2,
        err: '--until: expected a day that is not before --from.',
      },
    );
    expect(await run('report', 'x', '--from', 'May')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--from: expected a day such as 2026-03-01, .* got "May"\.$/),
    });
  });

  test('result shows the same again', async () => {
    const { out } = await run('result');
    expect(out).toContain('your average               125.0');
    expect(JSON.parse((await run('result', '--json')).out)).toMatchObject({ kind: 'pod-average' });
    expect(JSON.parse((await run('result', '--fhir')).out)).toMatchObject({
      resourceType: 'Bundle',
      entry: [{ resource: { subject: { identifier: { value: alice.webId } } } }, {}],
    });
  });

  test('[T31] revoke takes everything back, and what stays open is said', async () => {
    expect((await run('revoke')).out).toMatch(
      /^Taken back from .*: 3 shares\. .*once an analysis .*last result stays/,
    );
    expect((await run('revoke')).out).toMatch(/^Nothing was shared with /);
    expect(await run('result')).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /^The last result, of 20.*: what has changed since, such as a share/,
      ),
    });
  });

  test('remove --all leaves no reading', async () => {
    expect(await run('remove', '--all', '--yes')).toMatchObject({
      code: 0,
      out: 'Removed: 3 readings.',
    });
    expect((await run('list')).out).toBe('0 readings.');
    expect((await run('remove', '--all', '--yes')).out).toBe('Removed: 0 readings.');
    await run('add', '--systolic', '120', '--diastolic', '80');
  });
});

describe('each condition has a sentence and an exit code of its own', async () => {
  const bob = await createInitialisedPod(server);
  await record(bob, weekly([120, 80, 60]));
  beforeEach(() => writeSettings(bobsFolder, bob.account));

  const run = (...args: string[]) =>
    runMode(['app', ...args], { cwd: bobsFolder, env: { APP_USER_SECURITY_KEY: bob.securityKey } });

  test.each([
    ['an address that is none', ['--grpc', 'here'], 2, /^--grpc: expected host:port, got "here"/],
    [
      'a WebID that is none',
      ['--web-id', 'me'],
      2,
      /^--web-id: web_id: expected a WebID such as .*card#me\.$/,
    ],
    ['settings that are not there', ['--settings', 'no.yaml'], 2, /^There are no settings at /],
  ])('%s', async (_what, flags, code, sentence) => {
    expect(await run('analyse', '--yes', ...flags)).toMatchObject({
      code,
      err: expect.stringMatching(sentence),
    });
  });

  test('nothing of it is analysed', async () => {
    const data = { path_fragments: ['/weight/'] };
    const other = await startAnalyserService(server, analyser, { data });
    const grpc = `127.0.0.1:${other.port}`;
    const { code, out, err } = await run('analyse', '--yes', '--grpc', grpc);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^You have shared/m);
  });

  test('the password of the account is wrong, or nothing is known of one', async () => {
    await writeSettings(bobsFolder, { ...bob.account, password: 'wrong' });
    expect(await run('list')).toMatchObject({
      code: 4,
      err: expect.stringMatching(
        /refused to log in .*\nIf there is no such account yet: one is made in a browser, at http\S+\/\.account\/$/,
      ),
    });
    await writeSettings(bobsFolder, bob.account, { account: {} });
    expect(await run('list')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^The e-mail of your account is needed: give APP_USER_EMAIL, client credentials as /,
      ),
    });
  });

  test('that no Analyser is named is said before anything else is asked or done', async () => {
    await writeSettings(bobsFolder, bob.account, { account: {}, analyser: {} });
    for (const mode of ['analyse --yes', 'result', 'revoke']) {
      expect(await run(...mode.split(' '))).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          /^The WebID of the Analyser is needed: give --analyser, APP_USER_ANALYSER, or web_id below analyser in \S+app\.yaml;/,
        ),
      });
    }
  });

  test('a reading is removed without an Analyser too, and then no share is looked for', async () => {
    await writeSettings(bobsFolder, bob.account, { analyser: {} });
    const time = ['--time', '2026-02-20T08:00:00'];
    await run('add', ...time, '--systolic', '120', '--diastolic', '80');
    expect(await run('remove', ...time, '--yes')).toMatchObject({
      code: 0,
      out: 'Removed: 1 reading.',
      err: expect.stringMatching(/^No share was looked for, as no Analyser is named: --analyser/),
    });
  });

  test('credentials that cannot be kept are not asked for', async () => {
    const file = join(bobsFolder, 'a-file');
    await writeFile(file, '');
    const { webId, email, password } = bob.account;
    const env = { APP_USER_WEB_ID: webId, APP_USER_EMAIL: email, APP_USER_PASSWORD: password };
    expect(await runMode(['app', 'list'], { cwd: file, env })).toMatchObject({
      code: 1,
      err: expect.stringContaining(join(file, 'app.yaml')),
    });
  });

  test('[T32] others can read the settings, a group included', async () => {
    const path = join(bobsFolder, 'app.yaml');
    await chmod(path, 0o640);
    const { code, err } = await run('list');
    expect(code).toBe(0);
    expect(err).toContain(`Warning: ${path} holds secrets and other accounts can read it`);
  });

  test('[T18] a mistake in the settings is named with its line, and no secret is shown', async () => {
    const account = { email: bob.account.email, password: 1234 };
    await writeSettings(bobsFolder, bob.account, { account, web_idd: 'x' });
    const { code, err } = await run('list');
    expect(code).toBe(2);
    expect(err).toMatch(/app\.yaml:\d+: account\.password: expected text in quotes\./);
    expect(err).toMatch(/app\.yaml:\d+: expected one of the keys web_id, server_url, /);
    expect(err).not.toContain('1234');
  });
});
