import { status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { AnalyserError, ServerError } from '../../src/base/errors.js';
import { alice, analyserWebId, bob, completed } from './scripted-analyses.js';
import { type Service, serve } from './serve.js';

describe('Analyse', () => {
  test('answers with every field of a completed run', async () => {
    await using service = await serve();
    const call = service.client().analyse(alice, { shared_file_count: 13 });
    const run = await service.analyses.begun(1);
    expect(run).toMatchObject({ caller: alice });
    run.finish(completed);
    expect(await call).toEqual({
      ...completed,
      isPersonal: undefined,
      status: 'ANALYSE_STATUS_COMPLETED',
    });
  });

  test('speaks the bytes of the contract', async () => {
    await using service = await serve();
    const text = (field: number, value: string) =>
      Buffer.concat([Buffer.from([field * 8 + 2, Buffer.byteLength(value)]), Buffer.from(value)]);
    const request = Buffer.concat([text(1, alice), Buffer.from([2 * 8, 7]), text(3, 'soon')]);
    const call = service
      .client()
      .send('/healthpod.analyser.v1.Analyser/Analyse', request, (bytes) => bytes);
    const run = await service.analyses.begun(1);
    expect(run).toMatchObject({ caller: alice });
    run.finish({ ...completed, files_read: 300, published: true });
    expect((await call).toString('hex')).toBe(
      Buffer.concat([
        Buffer.from([1 * 8, 1]),
        text(2, completed.run_id),
        text(3, completed.message),
        text(4, completed.result_url),
        text(5, completed.generated_at),
        Buffer.from([6 * 8, 3, 7 * 8, 12, 8 * 8, 0xac, 0x02, 9 * 8, 1, 10 * 8, 1]),
      ]).toString('hex'),
    );
  });

  test.each([
    ['not reachable', new ServerError('unreachable', 'x', { url: bob }), /could not be reached/],
    ['too slow', new ServerError('slow', 'x', { url: bob }), /did not answer in time/],
    ['refusing the login', new ServerError('login', 'x', { url: bob }), /logs in afresh/],
    ['keys', new AnalyserError('keys', bob), /could not be unlocked/],
    ['disk', new AnalyserError('disk', bob), /own disk/],
    ['a bug', new TypeError(bob), /inside the service/],
  ])('[T20][8.1] tells a failure (%s) without naming anybody', async (_what, error, sentence) => {
    await using service = await serve();
    const call = service.client().analyse(alice, { shared_file_count: 1 });
    (await service.analyses.begun(1)).fail(error);
    const reply = await call;
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_FAILED', published: false });
    expect(reply['message']).toMatch(sentence);
    expect(reply['message']).not.toMatch(/bob|You shared/);
  });

  test('[T20] removes the address of another Pod from the message of a report', async () => {
    await using service = await serve();
    const call = service.client().analyse(alice);
    const message = `Kept ${alice} and ${analyserWebId}, not ${bob}.`;
    (await service.analyses.begun(1)).finish({ ...completed, message });
    expect(await call).toMatchObject({
      message: `Kept ${alice} and ${analyserWebId}, not another address.`,
    });
  });

  test.each([
    [14, 'Done. You shared 14 files, of which this analysis had 13 in view.'],
    [13, 'Done.'],
    [0, 'Done.'],
    [-5, 'Done.'],
  ])('says how much of %d shared files was in view', async (shared_file_count, message) => {
    await using service = await serve();
    const call = service.client().analyse(alice, { shared_file_count });
    (await service.analyses.begun(1)).finish(completed);
    expect(await call).toMatchObject({ message });
  });
});

describe('a web_id', () => {
  test.each(['', '   ', '\t\n'])('that is missing (%j) is a wrong call', async (webId) => {
    await using service = await serve();
    const wrong = { code: status.INVALID_ARGUMENT };
    await expect(service.client().analyse(webId)).rejects.toMatchObject(wrong);
    await expect(service.client().cancel(webId)).rejects.toMatchObject(wrong);
  });

  test.each([
    ['cut off', Buffer.from([1 * 8 + 2, 100, 0x61])],
    ['no protobuf', Buffer.alloc(50, 0xff)],
    ['nested without end', Buffer.alloc(100_000, 3 * 8 + 3)],
  ])('in a message that is %s is a wrong call', async (_what, bytes) => {
    await using service = await serve();
    for (const method of ['Analyse', 'Cancel']) {
      const call = service
        .client()
        .send(`/healthpod.analyser.v1.Analyser/${method}`, bytes, (reply) => reply);
      await expect(call).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    }
    expect(service.analyses.runs).toEqual([]);
  });

  test.each([
    ['no URL', 'alice'],
    ['no WebID', 'https://pods.example/alice/'],
    ['one of JavaScriptSolidServer', 'https://pods.example/alice/#me'],
    ['one of ESS 3', 'https://id.pods.example/alice'],
    ['with a blank', 'https://pods.example/a b/profile/card#me'],
    ['with a user name', 'https://me@pods.example/alice/profile/card#me'],
    ['100 kB long', `https://pods.example/${'a'.repeat(100_000)}/profile/card#me`],
  ])('[8.1] that is %s gets a reply and no analysis', async (_what, webId) => {
    await using service = await serve();
    const reply = await service.client().analyse(webId);
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_FAILED' });
    expect(reply['message']).toBe(
      'web_id is not a WebID: it must be the URL of a Pod and then profile/card#me, without blanks, quotes, a user name, a query or dots for a folder.',
    );
    expect(await service.client().cancel(webId)).toMatchObject({
      status: 'CANCEL_STATUS_NOTHING_RUNNING',
    });
    expect(service.analyses.runs).toEqual([]);
  });
});

describe('Cancel', () => {
  test('[0.3] stops the running analysis and names its run', async () => {
    await using service = await serve();
    const client = service.client();
    const call = client.analyse(alice);
    const run = await service.analyses.begun(1);
    expect(run.runId).toMatch(/^\d{8}T\d{6}Z$/);
    expect(await client.cancel(alice)).toMatchObject({
      status: 'CANCEL_STATUS_STOPPED',
      run_id: run.runId,
    });
    expect(await call).toMatchObject({
      status: 'ANALYSE_STATUS_CANCELLED',
      run_id: '',
      message: 'The analysis was cancelled.',
    });
  });

  test.each(['PODS.example', 'pods.example:443'])(
    'and Analyse in another spelling of the WebID (%s) are wrong calls, which name the right one',
    async (host) => {
      await using service = await serve();
      const client = service.client();
      const other = alice.replace('pods.example', host);
      const wrong = {
        code: status.INVALID_ARGUMENT,
        details: expect.stringContaining(`use ${alice}`),
      };
      await expect(client.cancel(other)).rejects.toMatchObject(wrong);
      await expect(client.analyse(other)).rejects.toMatchObject(wrong);
      expect(service.analyses.runs).toEqual([]);
    },
  );

  test('[0.4] comes too late after the last checkpoint', async () => {
    await using service = await serve();
    const client = service.client();
    const call = client.analyse(alice);
    const run = await service.analyses.begun(1);
    await run.commit();
    const reply = await client.cancel(alice);
    expect(reply).toMatchObject({ status: 'CANCEL_STATUS_NOTHING_RUNNING', run_id: run.runId });
    expect(reply['message']).toMatch(/on its way/);
    run.finish(completed);
    expect(await call).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
  });

  test('[0.4][0.2] says what still comes when an analysis before is past the last checkpoint', async () => {
    await using service = await serve();
    const client = service.client();
    const calls = [client.analyse(alice), client.analyse(alice)];
    const run = await service.analyses.begun(1);
    await expect.poll(async () => (await client.status())['active_runs']).toBe(2);
    await run.commit();
    const reply = await client.cancel(alice);
    // The one that waited, and was stopped, had no run yet.
    expect(reply).toMatchObject({ status: 'CANCEL_STATUS_STOPPED', run_id: '' });
    expect(reply['message']).toMatch(/on its way/);
    run.finish(completed);
    expect((await Promise.all(calls)).map((answer) => answer['status'])).toEqual([
      'ANALYSE_STATUS_COMPLETED',
      'ANALYSE_STATUS_CANCELLED',
    ]);
  });
});

test.each(['hangs up', 'runs out of time'])(
  '[0.12] a caller that goes away and %s is the same as a Cancel',
  async (how) => {
    await using service = await serve();
    // Long enough for the call to begin on a busy machine.
    const deadline = how === 'hangs up' ? Number.POSITIVE_INFINITY : Date.now() + 3_000;
    const call = service.client().analyse(alice, {}, { deadline });
    const gone = expect(call).rejects.toThrow();
    const run = await service.analyses.begun(1);
    if (how === 'hangs up') call.hangUp();
    await gone;
    await expect.poll(() => run.signal.aborted).toBe(true);
    expect(run.signal.reason).toMatchObject({ kind: 'cancelled' });
  },
);

test('Status answers with every field, and remembers the last run that was recorded', async () => {
  await using service = await serve();
  const client = service.client();
  expect(await client.status()).toEqual({
    ready: true,
    analyser_web_id: analyserWebId,
    active_runs: 0,
    last_run_id: '',
    last_run_at: '',
    message: '',
  });
  const first = client.analyse(alice);
  (await service.analyses.begun(1)).finish(completed);
  await first;
  const second = client.analyse(alice);
  (await service.analyses.begun(2)).fail(new AnalyserError('disk', 'full'));
  await second;
  expect(await client.status()).toMatchObject({
    last_run_id: completed.run_id,
    last_run_at: completed.generated_at,
  });
});

const linesOf = (service: Service) =>
  service
    .log()
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

test('a call that is refused, cancelled while it waits, or followed by a Cancel leaves a line in the log', async () => {
  await using service = await serve({ grpc: { max_queued: 1 } });
  const client = service.client();
  const running = client.analyse(alice);
  const run = await service.analyses.begun(1);
  const waiting = client.analyse(bob);
  await client.status();
  await client.analyse(bob);
  await client.analyse('no WebID');
  await client.cancel(bob);
  await waiting;
  run.finish(completed);
  await running;
  const lines = linesOf(service);
  for (const line of [
    { level: 40, reason: 'There are too many analyses waiting; try again later.' },
    { level: 40, reason: expect.stringContaining('web_id is not a WebID') },
    { level: 30, msg: 'A Cancel was answered.', cancelled: 1 },
    { level: 30, msg: 'A call was answered.', status: 'CANCELLED', duration_ms: 0 },
    { level: 30, msg: 'A call was answered.', status: 'COMPLETED' },
  ]) {
    expect(lines).toContainEqual(expect.objectContaining(line));
  }
});

test('[T38] the log tells of each analysis, and of WebIDs only when asked to be verbose', async () => {
  await using service = await serve();
  const call = service.client().analyse(alice);
  (await service.analyses.begun(1)).finish(completed);
  await call;
  await expect.poll(() => service.log()).toContain('An analysis ends.');
  await service.client().cancel(alice);
  const lines = linesOf(service);
  expect(lines).toContainEqual(expect.objectContaining({ level: 30, msg: 'An analysis starts.' }));
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 30,
      msg: 'An analysis ends.',
      run_id: completed.run_id,
      duration_ms: expect.any(Number),
    }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ level: 20, web_id: alice }));
  const info = lines.filter((line) => JSON.stringify(line).includes('"level":30'));
  expect(JSON.stringify(info)).not.toContain('alice');
});

test('[T38] why a call has no result stands in the log without the address of a Pod', async () => {
  await using service = await serve();
  const call = service.client().analyse(alice);
  const message = `It took too long: raise the seconds of ${alice}, or look at ${analyserWebId}.`;
  const failed = { ...completed, status: 'FAILED' as const, run_id: '', message };
  (await service.analyses.begun(1)).finish(failed);
  expect(await call).toMatchObject({ message });
  const reason = `It took too long: raise the seconds of another address, or look at ${analyserWebId}.`;
  await expect
    .poll(() => linesOf(service))
    .toContainEqual(expect.objectContaining({ level: 40, status: 'FAILED', reason }));
});
