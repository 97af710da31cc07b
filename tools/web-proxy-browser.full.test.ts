import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  AnalyseReply,
  AnalyseRequest,
  AnalyseStatus,
  CancelReply,
  CancelRequest,
  CancelStatus,
  StatusReply,
  StatusRequest,
} from '../src/generated/healthpod/analyser/v1/analyser.js';
import { Certificates } from '../test/grpc/certificates.js';
import { alice, analyserWebId, completed } from '../test/grpc/scripted-analyses.js';
import { serve } from '../test/grpc/serve.js';
import { chromiumPath, launchChromium } from '../test/web/support/dashboard.js';
import { passThrough } from '../test/web-proxy/pass-through.js';

/** Unary calls over XMLHttpRequest, as the library of the app makes them; messages are bytes to it. */
const page = `<!doctype html><title>app</title><script type="module">
  import { GrpcWebClientBase, MethodDescriptor, MethodType } from '/grpc-web.js';
  const asBytes = (numbers) => Uint8Array.from(numbers);
  window.calls = [];
  window.startCall = (address, method, message, metadata) => {
    const client = new GrpcWebClientBase({ format: 'binary' });
    const path = '/healthpod.analyser.v1.Analyser/' + method;
    const descriptor = new MethodDescriptor(path, MethodType.UNARY, Array, Array, asBytes, (bytes) => [...bytes]);
    let stream;
    const ended = new Promise((resolve) => {
      stream = client.rpcCall(address + path, message, metadata, descriptor, (error, reply) =>
        resolve(error === null ? { reply } : { code: error.code, message: error.message }));
    });
    return window.calls.push({ stream, ended }) - 1;
  };
  document.title = 'ready';
</script>`;

const outcomeSchema = z.object({
  reply: z.array(z.number()).optional(),
  code: z.number().optional(),
  message: z.string().optional(),
});

describe.skipIf(chromiumPath === undefined)('a page in a browser', () => {
  let browser: Browser;
  let site: Server;
  let origin: string;
  beforeAll(async () => {
    const library = await readFile(new URL('node_modules/grpc-web/index.esm.js', import.meta.url));
    site = createServer((request, response) => {
      const isLibrary = request.url === '/grpc-web.js';
      response
        .setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html')
        .end(isLibrary ? library : page);
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const { port } = z.custom<AddressInfo>((value) => value !== null).parse(site.address());
    origin = `http://127.0.0.1:${port}`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    site.close();
  });

  async function open(address: string) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const opened = await context.newPage();
    await opened.goto(origin);
    await opened.waitForFunction(`document.title === 'ready'`);
    const start = async (method: string, message: Uint8Array, metadata = {}) => {
      const given = JSON.stringify([address, method, [...message], metadata]);
      return z.number().parse(await opened.evaluate(`startCall(...${given})`));
    };
    const endOf = (call: number) => outcomeOf(opened, `calls[${call}].ended`);
    return {
      start,
      endOf,
      hangUp: (call: number) => opened.evaluate(`calls[${call}].stream.cancel()`),
      status: async (metadata = {}) =>
        endOf(await start('Status', StatusRequest.encode({}).finish(), metadata)),
      [Symbol.asyncDispose]: () => context.close(),
    };
  }

  const analyseAlice = AnalyseRequest.encode({
    web_id: alice,
    shared_file_count: 0,
    requested_at: '',
  }).finish();
  const cancelAlice = CancelRequest.encode({ web_id: alice, requested_at: '' }).finish();

  test.each(['in the clear', 'over TLS'])('makes the three calls %s', async (how) => {
    using certificates = new Certificates();
    const { cert, key } = certificates.selfSigned('IP:127.0.0.1');
    const tls = how === 'over TLS' ? { tls_cert_file: cert, tls_key_file: key } : {};
    await using service = await serve({ token: 'secret' });
    await using proxy = await passThrough(service.server.port, {
      web_proxy: { origins: [origin], ...tls },
    });
    await using app = await open(proxy.url);
    const token = { authorization: 'Bearer secret' };

    const said = await app.status(token);
    expect(StatusReply.decode(bytesOf(said))).toMatchObject({
      ready: true,
      analyser_web_id: analyserWebId,
    });
    expect(await app.status({ authorization: 'Bearer wrong' })).toMatchObject({ code: 16 });

    const first = await app.start('Analyse', analyseAlice, token);
    (await service.analyses.begun(1)).finish(completed);
    expect(AnalyseReply.decode(bytesOf(await app.endOf(first)))).toMatchObject({
      status: AnalyseStatus.ANALYSE_STATUS_COMPLETED,
      result_url: completed.result_url,
    });

    const second = await app.start('Analyse', analyseAlice, token);
    await service.analyses.begun(2);
    const cancelled = await app.endOf(await app.start('Cancel', cancelAlice, token));
    expect(CancelReply.decode(bytesOf(cancelled)).status).toBe(CancelStatus.CANCEL_STATUS_STOPPED);
    expect(AnalyseReply.decode(bytesOf(await app.endOf(second))).status).toBe(
      AnalyseStatus.ANALYSE_STATUS_CANCELLED,
    );

    const third = await app.start('Analyse', analyseAlice, token);
    const run = await service.analyses.begun(3);
    await app.hangUp(third);
    await expect.poll(() => run.signal.aborted).toBe(true);

    const late = { ...token, deadline: String(Date.now() + 1_000) };
    const fourth = await app.start('Analyse', analyseAlice, late);
    const slow = await service.analyses.begun(4);
    expect(await app.endOf(fourth)).toMatchObject({ code: 4 });
    await expect.poll(() => slow.signal.aborted).toBe(true);
  });
});

async function outcomeOf(page: Page, expression: string) {
  return outcomeSchema.parse(await page.evaluate(expression));
}

function bytesOf(outcome: z.infer<typeof outcomeSchema>): Uint8Array {
  if (outcome.reply === undefined) throw new Error(`no reply: ${JSON.stringify(outcome)}`);
  return Uint8Array.from(outcome.reply);
}
