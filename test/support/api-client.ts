import { once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Logger } from '../../src/base/logger.js';
import type { ApiConfig } from '../../src/config/schema.js';
import { type HttpApi, startHttpApi } from '../../src/http/start-http-api.js';
import { atEnd } from './at-end.js';
import { noLog } from './no-log.js';
import type { outputBelow } from './output-below.js';
import { testBuild } from './test-build.js';

/** The real HTTP API over these folders, on a port of its own, until the test file ends. */
export async function startApi(
  output: ReturnType<typeof outputBelow> & { render_charts?: boolean },
  { log = noLog, ...api }: Partial<ApiConfig> & { log?: Logger } = {},
): Promise<HttpApi> {
  const open = { allowed_hosts: [], cors_origins: [] };
  const started = await startHttpApi({
    api: { enabled: true, host: '127.0.0.1', port: 0, ...open, ...api },
    output: { render_charts: true, ...output, keep_days: null },
    build: testBuild,
    log,
  });
  return { ...started, stop: atEnd(() => started.stop()) };
}

export interface ApiAnswer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
  json(): unknown;
}

/** Sends the path as it is, without the tidying of URLs that fetch does. */
export async function send(
  address: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<ApiAnswer> {
  const { method = 'GET', headers = {}, body } = options;
  const { hostname, port } = new URL(address);
  const sent = request({ hostname, port, path, method, headers, agent: false });
  sent.end(body);
  const [answer] = z.tuple([z.instanceof(IncomingMessage)]).parse(await once(sent, 'response'));
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(z.instanceof(Buffer).parse(chunk));
  const received = Buffer.concat(chunks);
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: received,
    json: () => z.json().parse(JSON.parse(received.toString())),
  };
}

const openApiSchema = z.looseObject({ paths: z.record(z.string(), z.unknown()) });

/** Asks like `send`, and holds every answer against what the API says about itself. */
export async function createCheckedClient(address: string) {
  const openApi = openApiSchema.parse((await send(address, '/docs/json')).json());
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(openApi, 'openapi');
  const routes = Object.keys(openApi.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

  function check(path: string, answer: ApiAnswer): void {
    const route = routes.find(({ pattern }) => pattern.test(path));
    if (route === undefined) throw new Error(`${path} is not in the OpenAPI document`);
    const [type = ''] = String(answer.headers['content-type']).split(';');
    const pointer = [
      'paths',
      route.template,
      'get',
      'responses',
      `${answer.status}`,
      'content',
      type,
    ]
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = ajv.compile({ $ref: `openapi#/${pointer}/schema` });
    const body = /json$/.test(type) ? answer.json() : answer.body.toString('latin1');
    expect(validate(body), ajv.errorsText(validate.errors)).toBe(true);
  }

  return {
    openApi,
    async get(path: string, headers: Record<string, string> = {}, query = ''): Promise<ApiAnswer> {
      const answer = await send(address, `${path}${query}`, { headers });
      check(path, answer);
      return answer;
    },
  };
}
