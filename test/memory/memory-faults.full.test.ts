import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyMemory } from '../../src/memory/memory.js';
import { memoryUrl } from '../../src/memory/stored-memory.js';
import { listContainer, putDocument } from '../../src/solid/documents.js';
import { type Fault, type ProxiedRequest, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryOf, namesIn, noted, nothingKnown, startProcess } from './memory-support.js';

const server = await startProxiedServer();
let analyser: InitialisedPod;

beforeEach(async () => {
  analyser = await createInitialisedPod(server);
  server.proxy.forget();
});
afterEach(() => server.proxy.heal());

const changed = {
  written: null,
  reason: expect.stringMatching(/somebody outside of this service/),
};
const start = () => startProcess(server, analyser);
const isMemory = (method: string) => (request: ProxiedRequest) =>
  request.method === method && request.url === memoryUrl(analyser.pod);
const inject = (method: string, fault: Fault, times = 1) =>
  server.proxy.inject({ when: isMemory(method), fault, times });

/** What stands beside the memory. */
async function copiesOf(url: string): Promise<string[]> {
  const members = (await listContainer(analyser.client, new URL('.', url).href)) ?? [];
  const copies = members.filter((member) => member !== url);
  const bodies = copies.map(async (copy) => (await analyser.client.request(copy)).body.toString());
  return await Promise.all(bodies);
}

async function writeFirst(...names: string[]) {
  const memory = start();
  const outcome = await memory.write(await memory.read(nothingKnown), memoryOf(...names));
  expect(outcome).toMatchObject({ written: { version: 1 } });
  server.proxy.forget();
  return memory;
}

test('[1.4] an answer gets lost: a proxy says "not now" after the write, and the client writes again', async () => {
  await writeFirst('alice');
  const memory = startProcess(server, analyser, 2);
  const found = await memory.read(noted(1));
  inject('PUT', { kind: 'fail-after', status: 503 });
  expect(await memory.write(found, memoryOf('bob'))).toMatchObject({ written: { version: 2 } });
  const writes = server.proxy.requests.filter(isMemory('PUT'));
  expect(writes.map(({ status }) => status)).toEqual([503, 412]);
  expect(namesIn(await start().read(noted(2)))).toEqual(['bob']);
});

test('what is unchanged is not opened again', async () => {
  const memory = await writeFirst('alice');
  const first = await memory.read(noted(1));
  expect((await memory.read(noted(1))).memory).toBe(first.memory);
});

describe('a page of a proxy that is read in place of the memory', () => {
  const page = (headers = {}): Fault => {
    return { kind: 'answer', status: 200, body: '<html>back soon</html>', headers };
  };

  test.each([
    ['once', 1, {}],
    ['each time', 99, {}],
    ['each time, with an ETag', 99, { etag: '"page"' }],
    ['each time, with a weak ETag', 99, { etag: 'W/"page"' }],
  ])('[1.2][1.3] %s withholds figures, and replaces nothing', async (_, times, headers) => {
    const memory = await writeFirst('alice');
    inject('GET', page(headers), times);
    const found = await memory.read(noted(1));
    expect(found).toMatchObject({ memory: { withheld: expect.stringContaining('not open') } });
    expect(await memory.write(found, memoryOf('bob'))).toMatchObject({
      written: null,
      reason: expect.any(String),
    });
    server.proxy.heal();
    const after = await start().read(noted(1));
    expect(namesIn(after)).toEqual(['alice']);
    expect(after.memory.withheld).toBeNull();
  });

  test('[1.3] goes, as a damaged memory without an ETag does, when the operator has confirmed it, and a copy stays', async () => {
    const memory = await writeFirst('alice');
    await putDocument(analyser.client, memory.url, 'damaged', { contentType: 'text/plain' });
    server.proxy.inject({
      when: isMemory('GET'),
      fault: { kind: 'headers', values: { etag: undefined } },
    });
    const found = await memory.read(noted(1));
    expect(await memory.write(found, memoryOf('bob'))).toMatchObject({
      written: null,
      reason: expect.stringMatching(/memory\.txt does not open, and has no ETag .* --confirm/),
    });
    expect(await copiesOf(memory.url)).toEqual([]);
    expect(await memory.write(found, memoryOf('bob'), { isConfirmed: true })).toMatchObject({
      written: { version: 2 },
    });
    expect(await copiesOf(memory.url)).toEqual(['damaged']);
    expect(namesIn(await start().read(noted(2)))).toEqual(['bob']);
  });
});

test('[1.3] no document is not the same version as no document, when the server says that there is one', async () => {
  await writeFirst('alice');
  const other = start();
  inject('GET', { kind: 'answer', status: 404 }, 99);
  const found = await other.read(nothingKnown);
  expect(await other.write(found, memoryOf('bob'))).toMatchObject(changed);
  server.proxy.heal();
  expect(namesIn(await start().read(noted(1)))).toEqual(['alice']);
});

describe('a memory that cannot be the newest', () => {
  test('[1.2] an older one goes on with what it knows, and the reason stays until it is cleared', async () => {
    const memory = await writeFirst('alice');
    const { body: old } = await analyser.client.request(memory.url);
    await memory.write(await memory.read(noted(1)), memoryOf('alice', 'bob'));
    await putDocument(analyser.client, memory.url, old, { contentType: 'text/plain' });
    const found = await start().read(noted(2));
    expect(namesIn(found)).toEqual(['alice']);
    expect(found.memory.withheld).toBe(
      `${memory.url} is older (version 1) than the one seen before (2)`,
    );
    expect(found).toMatchObject({ version: 2, text: null });
    expect(await memory.write(await memory.read(noted(2)), found.memory)).toMatchObject({
      written: { version: 3 },
    });
    const after = await start().read(noted(3));
    expect(after.memory.withheld).toBe(found.memory.withheld);
    expect(after.text).not.toBeNull();
    const confirmed = { ...after.memory, withheld: null };
    expect(await memory.write(await memory.read(noted(3)), confirmed)).toMatchObject({
      written: { version: 4 },
    });
    expect((await start().read(noted(4))).memory.withheld).toBeNull();
  });

  test.each<[string, (body: Buffer) => string | null]>([
    ['gone', () => null],
    ['damaged', (body) => body.toString().replace(/^..../, 'AAAA')],
    ['empty', () => ''],
  ])('[1.2] %s: it begins empty, with the reason', async (_, spoil) => {
    const memory = await writeFirst('alice');
    const { body } = await analyser.client.request(memory.url);
    const spoilt = spoil(body);
    if (spoilt === null) await analyser.client.request(memory.url, { method: 'DELETE' });
    else await putDocument(analyser.client, memory.url, spoilt, { contentType: 'text/plain' });
    for (const process of [memory, start()]) {
      const found = await process.read(noted(1));
      expect(found.memory).toEqual({
        ...emptyMemory(),
        withheld:
          spoilt === null
            ? `${memory.url} is gone`
            : `${memory.url} does not open: it is damaged, or sealed with another key`,
      });
      expect(found).toMatchObject({ version: 1, text: null });
    }
    const found = await memory.read(noted(1));
    const outcome = await memory.write(found, { ...memoryOf('bob'), ...found.memory });
    expect(outcome).toMatchObject({ written: { version: 2 } });
    const copies = await copiesOf(memory.url);
    expect(copies).toEqual(spoilt === null ? [] : [spoilt]);
  });

  test('[1.3] is not replaced a fourth time without somebody who looks at the copies', async () => {
    const memory = await writeFirst('alice');
    for (let count = 1; count <= 4; count += 1) {
      const spoilt = `spoilt ${count}`;
      await putDocument(analyser.client, memory.url, spoilt, { contentType: 'text/plain' });
      const outcome = await memory.write(await memory.read(nothingKnown), memoryOf('bob'));
      expect(outcome.written !== null).toBe(count <= 3);
    }
    expect(await copiesOf(memory.url)).toEqual(['spoilt 1', 'spoilt 2', 'spoilt 3']);
  });
});
