import { experimental, logVerbosity, setLogger, status } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callStatus } from '../../src/client/calls.js';
import { dial } from '../../src/client/dial.js';
import { serve } from './serve.js';

const token = 'correct horse battery staple';

describe('with a token', () => {
  const missing = 'The call must carry the metadata "authorization: Bearer TOKEN".';
  const wrong =
    'The metadata "authorization" must be sent once, as "Bearer TOKEN" with the token of this service.';

  test.each([
    ['none', undefined],
    ['a wrong one', 'Bearer wrong'],
    ['a wrong one of the same length', `Bearer ${token.replace('c', 'k')}`],
    ['no scheme', token],
    ['a wrong scheme', `Basic ${token}`],
    ['more than the token', `Bearer ${token} `],
    ['the token twice', `Bearer ${token}, Bearer ${token}`],
    ['the scheme twice', `Bearer Bearer ${token}`],
    ['nothing', ''],
  ])('[T17] every call with %s is refused', async (_what, authorization) => {
    await using service = await serve({ token });
    // Only that it is wrong. A value that ends in a blank never arrives: no header may hold one.
    const hasArrived = authorization !== undefined && !authorization.endsWith(' ');
    const details = hasArrived ? wrong : missing;
    const refused = { code: status.UNAUTHENTICATED, details };
    for (const method of ['Analyse', 'Cancel', 'Status'] as const) {
      await expect(service.client(authorization).call(method, {})).rejects.toMatchObject(refused);
    }
    expect(service.analyses.runs).toEqual([]);
  });

  test('the library tells a wrong token from a proof that is missing, whatever the words', async () => {
    await using service = await serve({ token });
    const connection = dial({ host: '127.0.0.1', port: service.server.port, token: 'WebID' });
    onTestFinished(() => connection.close());
    await expect(callStatus(connection)).rejects.toMatchObject({ code: 'token-rejected' });
  });

  test('[T18] a call with it is served', async () => {
    await using service = await serve({ token });
    expect(await service.client(`Bearer ${token}`).status()).toMatchObject({ ready: true });
    expect(service.log()).not.toContain(token);
  });

  test('[T17] a service beside the contract is guarded without doing anything for it', async () => {
    await using service = await serve({ token });
    const check = (authorization?: string) =>
      service
        .client(authorization)
        .send('/grpc.health.v1.Health/Check', Buffer.alloc(0), (bytes) => bytes);
    await expect(check()).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    // Field 1, the status: SERVING.
    expect(await check(`Bearer ${token}`)).toEqual(Buffer.from([8, 1]));
  });
});

test('without a token nobody needs one, and one that is sent is not looked at', async () => {
  await using service = await serve();
  expect(await service.client('Bearer whatever').status()).toMatchObject({ ready: true });
  expect(await service.client().status()).toMatchObject({ ready: true });
});

test('[T18] what the library has to say of a call stands in no log', async () => {
  const heard: unknown[] = [];
  setLogger({ error: (...words) => void heard.push(words) });
  await using service = await serve({ token });
  experimental.log(logVerbosity.ERROR, `Bearer ${token}`);
  expect(heard).toEqual([]);
  expect(service.log()).not.toContain(token);
});
