import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  type Analyser,
  AnalyseStatus,
  type AnalysisOptions,
  type AnalysisStep,
  CancelStatus,
  callAnalyse,
  callStatus,
  chartOf,
  dial,
  listReadings,
  readResult,
  removeReadings,
  resultAddress,
  revokeReadings,
  runAnalysis,
  shareReadings,
} from '../../src/client/client.js';
import { shareId } from '../../src/pod/formats/shared-keys.js';
import {
  deleteShareEntries,
  findRecipientPod,
  putShareEntries,
} from '../../src/pod/sharing/share-entries.js';
import { putDocument } from '../../src/solid/documents.js';
import { startAnalyserService } from '../support/analyser-service.js';
import {
  allowReading,
  createContributor,
  readingAddress,
  readingsFolder,
  record,
  sharePlain,
  type TestReading,
  weekly,
} from '../support/contributor.js';
import { type FaultRule, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { listen } from '../support/listen.js';

/** One server behind a proxy that sees, and on request disturbs, what client and service ask. */
const server = await startProxiedServer();
const analyserPod = await createInitialisedPod(server);
const [alice, bob, { analyser }] = await Promise.all([
  createPerson(...weekly([120, 80, 60], [130, 84, 66], [125, 82, 63])),
  createContributor(server, analyserPod, weekly([110, 70, null], [114, 74, 70])),
  startAnalyserService(server, analyserPod),
]);
afterEach(() => server.proxy.heal());

async function createPerson(...readings: TestReading[]): Promise<InitialisedPod> {
  const person = await createInitialisedPod(server);
  await record(person, readings);
  return person;
}

async function expectCompleted(own: InitialisedPod, options: AnalysisOptions = {}) {
  const outcome = await runAnalysis(own, analyser, options);
  if (outcome.kind !== 'completed') throw new Error(`The outcome is ${outcome.kind}.`);
  return outcome;
}

/** Everything that changed something in a Pod since the last `forget`. */
function writes(): string[] {
  return server.proxy.requests
    .filter(({ method, url }) => /^(PUT|PATCH|DELETE)$/.test(method) && !url.includes('/.'))
    .map(({ method, url }) => `${method} ${url}`);
}

describe('the round trip', () => {
  test('shares each reading, has them analysed and collects figures and chart', async () => {
    const steps: AnalysisStep[] = [];
    const asked: number[] = [];
    const own = await createInitialisedPod(server);
    await createContributor(server, own, weekly([110, 70, null], [114, 74, 70]));
    const service = await startAnalyserService(server, own);
    const { analyser } = service;
    const outcome = await runAnalysis(alice, analyser, {
      confirm: (count) => asked.push(count) > 0,
      onStep: (step) => steps.push(step),
    });
    if (outcome.kind !== 'completed') throw new Error(`The outcome is ${outcome.kind}.`);
    const { result, reply, readings, inView } = outcome;
    expect(asked).toEqual([3]);
    expect(steps.map(({ step }) => step)).toEqual([
      'checked',
      'sharing',
      'sharing',
      'analysing',
      'replied',
      'collecting',
    ]);
    expect(steps[2]).toEqual({ step: 'sharing', done: 3, all: 3 });
    expect([readings, inView]).toEqual([3, 3]);
    expect(result.generated_at).toBe(reply?.generated_at);
    expect(result.average).toEqual({ systolic: 125, diastolic: 82, heart_rate: 63 });
    // (125 + 112) / 2, (82 + 72) / 2, (63 + 70) / 2
    expect(result.cohort.average_of_averages).toEqual({
      systolic: 118.5,
      diastolic: 77,
      heart_rate: 66.5,
    });
    expect(chartOf(result)?.subarray(1, 4).toString()).toBe('PNG');
    expect(await readResult(alice, analyser)).toEqual(result);
  });

  test('shares nothing anew that is shared already, unless it is asked to', async () => {
    await expectCompleted(alice);
    const sharesOf = () => writes().filter((line) => line.includes('/blood_pressure/')).length;
    const asked: number[] = [];
    const steps: AnalysisStep[] = [];
    const confirm = (readings: number) => asked.push(readings) > 0;
    server.proxy.forget();
    await expectCompleted(alice, { confirm, onStep: (step) => steps.push(step) });
    expect(sharesOf()).toBe(0);
    expect(steps.filter(({ step }) => step === 'sharing')).toEqual([
      { step: 'sharing', done: 3, all: 3 },
    ]);
    // Nobody is asked about what is shared already.
    expect(asked).toEqual([]);
    await expectCompleted(alice, { confirm, shareAgain: true });
    expect([sharesOf(), asked]).toEqual([3, [3]]);
  });

  test('makes a share anew that a stranger has added to', async () => {
    await expectCompleted(alice);
    const [url = ''] = await listReadings(alice);
    const subject = `<https://solidcommunity.au/predicates/resourceid#${shareId(url, analyser.analyserWebId)}>`;
    await bob.client.request(analyserPod.pod.documents.sharedKeys, {
      method: 'PATCH',
      headers: { 'content-type': 'application/sparql-update' },
      body: `INSERT DATA { ${subject} <https://solidcommunity.au/predicates/data#sharedKey> "junk" . }`,
    });
    server.proxy.forget();
    await expectCompleted(alice);
    expect(writes().filter((line) => line.includes('/blood_pressure/'))).toEqual([
      `PUT ${url}.acl`,
    ]);
  });

  test('a stranger who replaces a share harms one that was never read, until it is shared again', async () => {
    const carol = await createPerson(...weekly([120, 80, 60], [130, 84, 66]));
    const urls = await listReadings(carol);
    const recipient = await findRecipientPod(bob.client, analyser.analyserWebId, 'app');
    const [url = ''] = urls;
    const replace = () => putShareEntries(bob.client, recipient, [{ url, key: Buffer.alloc(32) }]);
    await shareReadings(carol, analyser.analyserWebId, urls);
    await replace();
    // Nobody but the Analyser can tell a whole entry of the wrong content from a genuine one.
    const spoilt = await expectCompleted(carol);
    expect(spoilt.result.pod).toMatchObject({ files_read: 1, files_skipped: 1 });
    const healed = await expectCompleted(carol, { shareAgain: true });
    expect(healed.result.pod).toMatchObject({ files_read: 2, files_skipped: 0 });
    await replace();
    const again = await expectCompleted(carol);
    expect(again.result.pod).toMatchObject({ files_read: 2, files_skipped: 0 });
    await revokeReadings(carol, analyser.analyserWebId);
  });
});

describe('the result', () => {
  test('of an earlier run is asked for again until it is that of the reply', async () => {
    const url = resultAddress(alice, analyser);
    await expectCompleted(alice);
    const { body } = await alice.client.request(url);
    const attempts: number[] = [];
    const outcome = await expectCompleted(alice, {
      onStep: (step) => {
        // As a cache in between would do it; the service itself reads this address as well.
        if (step.step === 'replied') injectOldResult(url, body, 2);
        if (step.step === 'collecting') attempts.push(step.attempt);
      },
    });
    expect(attempts).toEqual([1, 2, 3]);
    expect(outcome.isNewer).toBe(false);
    // After three attempts it is refused.
    const onStep = ({ step }: AnalysisStep) => {
      if (step === 'replied') injectOldResult(url, body, 4);
    };
    const refused = { code: 'stale-result', kind: 'timeout' };
    await expect(runAnalysis(alice, analyser, { onStep })).rejects.toMatchObject(refused);
  });

  test('of a run that somebody else asked for meanwhile is taken, and told apart', async () => {
    const url = resultAddress(alice, analyser);
    const connection = dial(analyser.service);
    onTestFinished(() => connection.close());
    const outcome = await expectCompleted(alice, {
      onStep: ({ step }) => {
        if (step !== 'collecting') return;
        const later = callAnalyse(connection, alice.pod.webId, 3, { login: alice.client });
        const until = later.then(() => undefined);
        server.proxy.inject({
          when: (request) => request.method === 'GET' && request.url === url,
          times: 1,
          fault: { kind: 'hold', until },
        });
      },
    });
    const { result, reply, isNewer } = outcome;
    expect(isNewer).toBe(true);
    expect(Date.parse(result.generated_at)).toBeGreaterThan(
      Date.parse(reply?.generated_at ?? result.generated_at),
    );
    expect(await expectCompleted(alice)).toMatchObject({ isNewer: false });
  });

  test('that opens with the key of an earlier one is given, although none could be handed over now', async () => {
    await expectCompleted(alice);
    const inbox = alice.pod.documents.sharedKeys;
    server.proxy.inject({
      when: ({ method, url }) => method === 'PATCH' && url === inbox,
      fault: { kind: 'answer', status: 403 },
    });
    const { reply, isNewer } = await expectCompleted(alice);
    expect([reply?.published, isNewer]).toEqual([false, false]);
  });

  test('that covers fewer readings than were shared is given, with how many it covers', async () => {
    const data = { path_fragments: ['/data/blood_pressure/bp_2026-01-05', '/bp_2026-01-12'] };
    const partial = await startAnalyserService(server, analyserPod, { data });
    const outcome = await runAnalysis(alice, partial.analyser);
    expect(outcome).toMatchObject({ kind: 'completed', readings: 3, inView: 2 });
  });

  test('without its key, with a wrong key, or not there: each says so', async () => {
    await expectCompleted(alice);
    const url = resultAddress(alice, analyser);
    const inbox = { webId: alice.pod.webId, documents: alice.pod.documents };
    await deleteShareEntries(alice.client, inbox, [url]);
    await expect(readResult(alice, analyser)).rejects.toMatchObject({
      code: 'key-missing',
      kind: 'keys',
      message: expect.stringContaining('No key has been shared for this resource'),
    });
    const self = await findRecipientPod(alice.client, alice.pod.webId, 'app');
    await putShareEntries(alice.client, self, [{ url, key: Buffer.alloc(32) }]);
    await expect(readResult(alice, analyser)).rejects.toMatchObject({
      code: 'wrong-key',
      kind: 'keys',
      message: `${url} could not be decrypted.`,
    });
    const stranger = await createPerson();
    await expect(readResult(stranger, analyser)).rejects.toMatchObject({ code: 'no-result' });
    // The next run hands the key over again.
    await expectCompleted(alice);
  });

  function injectOldResult(url: string, body: Buffer, times: number): void {
    const rule: FaultRule = {
      when: (request) => request.method === 'GET' && request.url === url,
      times,
      fault: {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'text/turtle' },
        body,
      },
    };
    server.proxy.inject(rule);
  }
});

describe('nothing is shared when', async () => {
  const carol = await createPerson(...weekly([118, 76, 64]));

  async function expectRefusal(code: string, other: Analyser): Promise<void> {
    server.proxy.forget();
    await expect(runAnalysis(carol, other)).rejects.toMatchObject({ name: 'ClientError', code });
    expect(writes()).toEqual([]);
  }

  test('the service is not ready', async () => {
    const credentials = { securityKey: 'wrong' };
    const other = await startAnalyserService(server, analyserPod, { credentials });
    await expectRefusal('not-ready', other.analyser);
  });

  test('the service acts for another Analyser', async () => {
    // Mistyped: nothing of it could be read.
    const analyserWebId = `${server.baseUrl}nobody/profile/card#me`;
    await expectRefusal('wrong-analyser', { ...analyser, analyserWebId });
  });

  test('the token is rejected', async () => {
    const other = await startAnalyserService(server, analyserPod, { token: 'right' });
    const { service } = other.analyser;
    const wrong = { ...other.analyser, service: { ...service, token: 'wrong' } };
    await expectRefusal('token-rejected', wrong);
  });

  test('nobody answers at the address', async () => {
    const other = await startAnalyserService(server, analyserPod);
    await other.stop();
    await expectRefusal('unreachable', other.analyser);
  });

  test('the Analyser has no public key', async () => {
    const bare = await createInitialisedPod(server);
    await bare.client.request(bare.pod.documents.publicKey, { method: 'DELETE' });
    const other = await startAnalyserService(server, bare);
    await expectRefusal('recipient-not-initialised', other.analyser);
  });

  test('the person declines, or has no readings', async () => {
    server.proxy.forget();
    expect(await runAnalysis(carol, analyser, { confirm: () => false })).toEqual({
      kind: 'declined',
    });
    expect(await runAnalysis(await createPerson(), analyser)).toEqual({ kind: 'no-readings' });
    expect(writes().filter((line) => line.includes('/blood_pressure/'))).toEqual([]);
  });
});

const isOfBob: FaultRule['when'] = ({ url }) => bob.urls.includes(url);

/** A way to the service that can break. */
async function startLine() {
  const [near, far]: [Socket[], Socket[]] = [[], []];
  const { host, port } = analyser.service;
  const wire = createServer((socket) => {
    const onward = connect(port, host);
    near.push(socket.on('error', () => undefined));
    far.push(onward.on('error', () => undefined));
    socket.pipe(onward).pipe(socket);
  });
  const service = { ...analyser.service, port: await listen(wire) };
  onTestFinished(() => void wire.close());
  return {
    analyser: { ...analyser, service },
    holdAnswers() {
      for (const socket of far) socket.unpipe();
    },
    /** Whoever calls next gets through again, unless it is `closed`. */
    cut({ closed = false } = {}) {
      if (closed) wire.close();
      for (const socket of [...near, ...far]) socket.destroy();
    },
  };
}

describe('a connection that ends while the app is suspended', () => {
  const asked = (steps: AnalysisStep[]) => steps.filter(({ step }) => step === 'analysing').length;

  test('takes the analysis along, which is asked for again', async () => {
    const { result } = await expectCompleted(alice);
    const line = await startLine();
    const steps: AnalysisStep[] = [];
    const hang = server.proxy.inject({ when: isOfBob, fault: { kind: 'hang' } });
    const onStep = (step: AnalysisStep) => steps.push(step);
    const running = runAnalysis(alice, line.analyser, { onStep });
    await hang.hit();
    line.cut();
    server.proxy.heal();
    const outcome = await running;
    expect(outcome).toMatchObject({ kind: 'completed', reply: { published: true } });
    expect(outcome).not.toMatchObject({ result: { generated_at: result.generated_at } });
    expect(asked(steps)).toBe(2);
  });

  test('after the result was published: it is found, and nothing is asked for again', async () => {
    const { result } = await expectCompleted(alice);
    const line = await startLine();
    const steps: AnalysisStep[] = [];
    const running = runAnalysis(alice, line.analyser, {
      onStep(step) {
        steps.push(step);
        if (step.step === 'analysing') line.holdAnswers();
      },
    });
    const published = async () => (await readResult(alice, analyser)).generated_at;
    await expect.poll(published, { timeout: 20_000 }).not.toBe(result.generated_at);
    line.cut();
    const generated_at = await published();
    expect(await running).toMatchObject({
      kind: 'completed',
      reply: null,
      result: { generated_at },
    });
    expect(asked(steps)).toBe(1);
  });
});

describe('cancelling', () => {
  async function abortAt(when: FaultRule['when']) {
    const hang = server.proxy.inject({ when, fault: { kind: 'hang' } });
    const controller = new AbortController();
    const { signal } = controller;
    const running = runAnalysis(alice, analyser, { shareAgain: true, signal });
    await hang.hit();
    controller.abort();
    const outcome = await running;
    if (outcome.kind !== 'cancelled') throw new Error(`The outcome is ${outcome.kind}.`);
    return outcome.reply;
  }

  test('[0.12] while the analysis runs is confirmed by the service', async () => {
    // The dropped call may have stopped the run before the Cancel arrives.
    const statuses = [
      CancelStatus.CANCEL_STATUS_STOPPED,
      CancelStatus.CANCEL_STATUS_NOTHING_RUNNING,
    ];
    expect(statuses).toContain((await abortAt(isOfBob))?.status);
    await expectIdle();
  });

  /** Where each phase is held up, so that the signal comes in the middle of it. */
  const phases: [phase: string, when: FaultRule['when']][] = [
    ['counted', ({ url }) => url.endsWith(`${alice.pod.documents.app}data/blood_pressure/`)],
    ['shared', ({ method, url }) => method === 'PUT' && url.endsWith('.acl')],
  ];

  test.each(phases)(
    'while the readings are %s stops nothing that another device asked for',
    async (_phase, when) => {
      const hang = server.proxy.inject({ when: isOfBob, fault: { kind: 'hang' } });
      const connection = dial(analyser.service);
      onTestFinished(() => connection.close());
      const other = callAnalyse(connection, alice.pod.webId, 3, { login: alice.client });
      await hang.hit();
      expect(await abortAt(when)).toBeNull();
      server.proxy.heal();
      expect(await other).toMatchObject({ status: AnalyseStatus.ANALYSE_STATUS_COMPLETED });
    },
  );

  test('while the result is collected has nothing to stop any more', async () => {
    const controller = new AbortController();
    const url = resultAddress(alice, analyser);
    const outcome = await runAnalysis(alice, analyser, {
      onStep: ({ step }) => {
        if (step !== 'replied') return;
        const hang = server.proxy.inject({
          when: (request) => request.url === url,
          fault: { kind: 'hang' },
        });
        void hang.hit().then(() => controller.abort());
      },
      signal: controller.signal,
    });
    expect(outcome).toEqual({ kind: 'too-late', runId: expect.stringMatching(/^\d{8}T\d{6}Z/) });
  });

  test('that does not reach the service says so', async () => {
    const line = await startLine();
    const hang = server.proxy.inject({ when: isOfBob, fault: { kind: 'hang' } });
    const controller = new AbortController();
    const { signal } = controller;
    const running = runAnalysis(alice, line.analyser, { signal });
    await hang.hit();
    line.cut({ closed: true });
    controller.abort();
    expect(await running).toEqual({
      kind: 'cancel-undelivered',
      reason: expect.stringContaining(`127.0.0.1:${line.analyser.service.port}`),
    });
    await expectIdle();
  });

  /** The service has nothing in hand, and what comes next works. */
  async function expectIdle(): Promise<void> {
    server.proxy.heal();
    const connection = dial(analyser.service);
    try {
      await expect.poll(() => callStatus(connection)).toMatchObject({ active_runs: 0 });
    } finally {
      connection.close();
    }
  }
});

test('[T31] removing readings that failed halfway can be repeated, and opens none of them meanwhile', async () => {
  const readings = weekly([140, 90, 80], [142, 92, 82]);
  const person = await createPerson(...readings);
  const stays = readings.map(({ timestamp }) => readingAddress(person, timestamp))[1] ?? '';
  const statusOf = async (url: string) => (await person.client.request(url)).status;
  const timestamps = readings.map(({ timestamp }) => timestamp);
  const remove = () => removeReadings(person, analyser.analyserWebId, timestamps);
  await shareReadings(person, analyser.analyserWebId, await listReadings(person));
  server.proxy.inject({
    when: ({ method, url }) => method === 'DELETE' && url === stays,
    fault: { kind: 'answer', status: 403 },
    times: 1,
  });
  await expect(remove()).rejects.toMatchObject({ code: 'server-refused' });
  expect(await listReadings(person)).toEqual([stays]);
  // Without rules of its own, the file would be under those of its folder, which may be wider.
  expect(await statusOf(`${stays}.acl`)).toBe(200);
  await remove();
  expect(await listReadings(person)).toEqual([]);
  expect(await statusOf(`${stays}.acl`)).toBe(404);
  await expect(remove()).rejects.toMatchObject({ code: 'no-reading' });
});

test('[T31][5.2] what is revoked drops out of the next run, and both logs say so', async () => {
  await expectCompleted(alice);
  const dora = await createPerson(...weekly([140, 90, 80]));
  expect((await expectCompleted(dora)).result.cohort.pod_count).toBe(3);
  const [url = ''] = await listReadings(dora);
  expect(await revokeReadings(dora, analyser.analyserWebId)).toBe(1);
  expect(await revokeReadings(dora, analyser.analyserWebId)).toBe(0);
  expect((await expectCompleted(alice)).result.cohort.pod_count).toBe(2);
  for (const { client, pod } of [dora, analyserPod]) {
    const log = (await client.request(pod.documents.permissionsLog)).body.toString();
    const line = `;${url};${dora.pod.webId};revoke;${dora.pod.webId};${analyser.analyserWebId};read>`;
    expect(log.split(line)).toHaveLength(2);
  }
});

describe('revoking takes back everything below the data folder', () => {
  const csv = 'timestamp,systolic,diastolic\n2026-02-02T08:00:00,140,90\n';
  const plain = (name: string) => ({ name, content: csv, contentType: 'text/csv' });
  const statusFor = async (url: string) => (await analyserPod.client.request(url)).status;

  test('[T31] files of any kind, folders at any depth, and what a folder opens by its rules', async () => {
    const erin = await createPerson(...weekly([140, 90, 80]));
    const folder = readingsFolder(erin);
    await shareReadings(erin, analyser.analyserWebId, await listReadings(erin));
    const files = [
      await sharePlain(erin, analyserPod, plain('export.csv')),
      await sharePlain(erin, analyserPod, plain('old/older/export.csv')),
    ];
    const opened = `${folder}open/export.csv`;
    await putDocument(erin.client, opened, csv, { contentType: 'text/csv' });
    await allowReading(erin, analyserPod, `${folder}open/`);
    expect(await Promise.all([...files, opened].map(statusFor))).toEqual([200, 200, 200]);
    expect(await revokeReadings(erin, analyser.analyserWebId)).toBe(4);
    expect(await Promise.all([...files, opened].map(statusFor))).toEqual([403, 403, 403]);
    expect(await revokeReadings(erin, analyser.analyserWebId)).toBe(0);
  });

  test('[T31] what a folder above opens is closed, and that folder keeps its rules', async () => {
    const erin = await createPerson(...weekly([140, 90, 80]));
    const [url = ''] = await listReadings(erin);
    const { app } = erin.pod.documents;
    await allowReading(erin, analyserPod, app);
    expect(await revokeReadings(erin, analyser.analyserWebId)).toBe(1);
    expect(await Promise.all([url, app].map(statusFor))).toEqual([403, 200]);
    expect(await revokeReadings(erin, analyser.analyserWebId)).toBe(0);
  });

  test('[T31] a folder that cannot be listed keeps nothing else shared, and is named', async () => {
    const erin = await createPerson(...weekly([140, 90, 80]));
    const urls = await listReadings(erin);
    const hidden = await sharePlain(erin, analyserPod, plain('old/export.csv'));
    await shareReadings(erin, analyser.analyserWebId, urls);
    server.proxy.inject({
      when: ({ url }) => url === `${readingsFolder(erin)}old/`,
      fault: { kind: 'answer', status: 403 },
      times: 1,
    });
    await expect(revokeReadings(erin, analyser.analyserWebId)).rejects.toMatchObject({
      code: 'server-refused',
      message: expect.stringMatching(
        /^Taken back: 1 share\. Perhaps there are more: .*\/old\/ could/,
      ),
    });
    expect(await Promise.all([...urls, hidden].map(statusFor))).toEqual([403, 200]);
    expect(await revokeReadings(erin, analyser.analyserWebId)).toBe(1);
    expect(await statusFor(hidden)).toBe(403);
  });
});
