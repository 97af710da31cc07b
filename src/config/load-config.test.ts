import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderForEach } from '../../test/support/temp-folder.js';
import { AnalyserError } from '../base/errors.js';
import { createLogger } from '../base/logger.js';
import { loadApiConfig, loadConfig, loadWebProxyConfig } from './load-config.js';
import { configSchema } from './schema.js';
import { secretNames } from './secrets.js';
import { warnOfPort } from './warnings.js';

const webId = 'https://pods.example.org/analyser/profile/card#me';
const credentials = {
  APP_ANALYSER_SECURITY_KEY: 'env-security-key',
  APP_ANALYSER_CLIENT_ID: 'env-client-id',
  APP_ANALYSER_CLIENT_SECRET: 'env-client-secret',
};

const folder = folderForEach();
const path = () => join(folder(), 'config.yaml');

async function load(text: string, env: Record<string, string> = credentials) {
  await writeFile(path(), text, { mode: 0o600 });
  return loadConfig({ env, cwd: folder() });
}

async function failure(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AnalyserError)) throw new Error(`expected an AnalyserError`);
  expect(error.kind).toBe('configuration');
  return error.message.replaceAll(folder(), '');
}

const minimal = `analyser:\n  web_id: ${webId}\n`;

describe('what is accepted', () => {
  /** Its defaults are those of config.example.yaml: config-example.test.ts. */
  test('a file with nothing but the WebID is enough, with the secrets in the environment', async () => {
    const { config, secrets, warnings } = await load(minimal);
    expect(config.grpc.allowed_issuers).toEqual(['https://pods.example.org/']);
    expect(secrets).toEqual({
      securityKey: 'env-security-key',
      clientId: 'env-client-id',
      clientSecret: 'env-client-secret',
      grpcToken: null,
      redisUrl: null,
    });
    expect(warnings).toEqual([]);
  });

  test('[T26] who may prove a WebID is exactly who is named', async () => {
    const named = `${minimal}grpc:\n  allowed_issuers: [https://issuer.example.org/]\n`;
    const { config } = await load(named);
    expect(config.grpc.allowed_issuers).toEqual(['https://issuer.example.org/']);
  });

  test.each([
    ['blank, from the origin of the WebID', '', 'https://pods.example.org/'],
    ['in a sub-folder', 'https://pods.example.org/solid', 'https://pods.example.org/solid/'],
  ])('server_url %s ends in a slash once loaded', async (_, written, loaded) => {
    const { config } = await load(`${minimal}  server_url: ${written}\n`);
    expect(config.analyser.server_url).toBe(loaded);
  });

  test('blank keys and blank sections take their defaults', async () => {
    const { config } = await load(`${minimal}grpc:\nanalysis:\n  window_days:\napi: {host: ""}\n`);
    expect(config.grpc.port).toBe(50051);
    expect(config.analysis.window_days).toBeNull();
    expect(config.api.host).toBe('127.0.0.1');
  });

  test('[3.3] Pods to leave out, and servers to read from, have one form once loaded', async () => {
    const other = '{origin: https://b.example, pod_depth: 2, seconds: 30}';
    const { config } = await load(
      `${minimal}data:\n  excluded_pods: ["https://A.example:443/%61nna/", "https://a.example/ben/profile/card#me"]\n  allowed_origins: [https://a.example, ${other}]\n`,
    );
    expect(config.data).toMatchObject({
      excluded_pods: ['https://a.example/anna/', 'https://a.example/ben/'],
      allowed_origins: [
        { origin: 'https://a.example', pod_depth: null, seconds: 10 },
        { origin: 'https://b.example', pod_depth: 2, seconds: 30 },
      ],
    });
  });

  test('paths are relative to the file, not to the working directory', async () => {
    await mkdir(join(folder(), 'etc'));
    await writeFile(
      join(folder(), 'etc/analyser.yaml'),
      `${minimal}grpc: {tls_cert_file: cert.pem, tls_key_file: ./key.pem}\noutput: {state_dir: ../s, charts_dir: /srv/charts}\n`,
    );
    const env = { ...credentials, APP_ANALYSER_CONFIG: 'etc/analyser.yaml' };
    const { config, path: from } = await loadConfig({ env, cwd: folder() });
    expect(from).toBe(join(folder(), 'etc/analyser.yaml'));
    expect(config.grpc).toMatchObject({
      tls_cert_file: join(folder(), 'etc/cert.pem'),
      tls_key_file: join(folder(), 'etc/key.pem'),
    });
    expect(config.output).toMatchObject({
      state_dir: join(folder(), 's'),
      results_dir: join(folder(), 'etc/var/results'),
      charts_dir: '/srv/charts',
    });
  });
});

describe('what is rejected, with its line', () => {
  test.each([
    [
      'metrics:\n  prot: 1\n',
      '4: metrics: expected one of the keys host, port, and a value after ": ".',
    ],
    [
      'token: x\n',
      '3: expected one of the keys analyser, data, analysis, sharing, grpc, web_proxy, output, api, metrics, scale, and a value after ": ".',
    ],
    // What is blank takes its default, but its name is judged.
    [
      'metrics:\n  prot:\n',
      '4: metrics: expected one of the keys host, port, and a value after ": ".',
    ],
    [
      'sharing:\n  cohort_relase:\n    epsilon:\n',
      '4: sharing: expected one of the keys enabled, results_dir, share_cohort_average, encrypt_results, minimum_cohort_pods, cohort_release, and a value after ": ".',
    ],
    [
      'sharing: {cohort_release: {epsilonn: }}\n',
      '3: sharing.cohort_release: expected one of the keys epsilon, every_days, bounds, budget, per_days, and a value after ": ".',
    ],
    ['api: {port: 65536}\n', '3: api.port: expected a whole number from 0 to 65535.'],
    [
      'analysis:\n  from: 2026-03-01T08:00:00\n',
      '4: analysis.from: expected a day such as 2026-03-01, or a time with its offset such as 2026-03-01T08:00:00+01:00.',
    ],
    [
      'analysis:\n  from: 2026-03-02\n  until: 2026-03-01\n',
      '5: analysis.until: expected a day or a moment that is not before analysis.from.',
    ],
    [
      'sharing: {results_dir: ../x}\n',
      '3: sharing.results_dir: expected folder names of letters, digits, "-", "_", "." and "~", joined by "/".',
    ],
    [
      'grpc: {analysis_timeout_seconds: 9999999}\n',
      '3: grpc.analysis_timeout_seconds: expected a number of seconds, more than 0 and at most 86400.',
    ],
    [
      'api:\n  cors_origins: ["*"]\n',
      '4: api.cors_origins.0: expected an origin such as https://pods.example.org, without a path.',
    ],
    [
      'data: {allowed_origins: [https://a.example/b]}\n',
      '3: data.allowed_origins.0.origin: expected an origin such as https://pods.example.org or https://*.pods.example.org, without a path.',
    ],
    [
      'data: {allowed_origins: [{origin: https://a.example, second: 5}]}\n',
      '3: data.allowed_origins.0: expected one of the keys origin, pod_depth, seconds, and a value after ": ".',
    ],
    // Each of them would leave nobody out.
    ...[
      'https://a.example/anna//',
      'https://a.example//anna/',
      'https://a.example/anna//profile/card#me',
      'https://a.example/anna/profile/card#me/',
      'https://a.example/anna/#/',
    ].map((scope): [string, string] => [
      `data: {excluded_pods: ["${scope}"]}\n`,
      '3: data.excluded_pods.0: expected a WebID such as https://pods.example.org/anna/profile/card#me, or an address that ends in a slash, in the form that its server writes.',
    ]),
    [
      'grpc:\n  tls_cert_file: config.yaml\n',
      '3: grpc.tls_key_file: expected a PEM file, because tls_cert_file is set.',
    ],
    [
      'grpc:\n  require_web_id_proof: true\n',
      '3: grpc.public_url: expected the address that callers dial, because require_web_id_proof is set.',
    ],
  ])('%j beside the WebID', async (text, problem) => {
    expect(await failure(load(`${minimal}${text}`))).toBe(`/config.yaml:${problem}`);
  });

  test.each([
    [
      'analyser:\n  app_dir_name: app\n',
      '/config.yaml:1: analyser.web_id: expected a WebID such as https://pods.example.org/analyser/profile/card#me.',
    ],
    [
      'api: {port: 1}\n',
      '/config.yaml:1: analyser.web_id: expected a WebID such as https://pods.example.org/analyser/profile/card#me.',
    ],
    ['# nothing\n', '/config.yaml is empty: copy config.example.yaml over it and fill it in.'],
  ])('%j', async (text, message) => {
    expect(await failure(load(text))).toBe(message);
  });

  test.each([
    'https://pods.example.org/analyser/profile/card',
    'https://Pods.Example.org/analyser/profile/card#me',
  ])('%s as a WebID', async (text) => {
    expect(await failure(load(`analyser: {web_id: "${text}"}\n`))).toContain(
      'analyser.web_id: expected a WebID',
    );
  });

  test.each([
    'api:\n  port: 1\n  port: 2\n',
    'api:\n\tport: 1\n',
    'api: {port: 1\n',
    // A program: its first line is a key and a value to YAML. Only the first cause is told.
    'if (a) { b: c\n'.repeat(60),
  ])('%j, which is not the YAML that is expected', async (text) => {
    expect(await failure(load(`${minimal}${text}`))).toMatch(
      /^\/config\.yaml:\d: expected YAML: [^\n]*$/,
    );
  });

  test('every problem at once', async () => {
    const text = `${minimal}grpc:\n  port: x\nmetrics:\n  prot: 1\n`;
    expect((await failure(load(text))).split('\n')).toEqual([
      '/config.yaml:4: grpc.port: expected a whole number from 0 to 65535.',
      '/config.yaml:6: metrics: expected one of the keys host, port, and a value after ": ".',
    ]);
  });

  test('a folder, and a file that is not there', async () => {
    expect(await failure(loadConfig({ env: {}, cwd: folder() }))).toBe(
      'There is no configuration at /config.yaml: run the setup mode, or copy config.example.yaml there and fill it in, or name yours with --config or APP_ANALYSER_CONFIG.',
    );
    expect(
      await failure(loadConfig({ env: { APP_ANALYSER_CONFIG: 'x.yaml' }, cwd: folder() })),
    ).toBe(
      'There is no configuration at /x.yaml, which --config or APP_ANALYSER_CONFIG names: correct it, or copy config.example.yaml there and fill it in.',
    );
    expect(await failure(loadConfig({ env: { APP_ANALYSER_CONFIG: '.' }, cwd: folder() }))).toBe(
      ' is not a file: name one.',
    );
  });
});

describe('secrets', () => {
  const inFile = `analyser:\n  web_id: ${webId}\n  security_key: file-key\n  credentials:\n    client_id: file-id\n    client_secret: file-secret\ngrpc:\n  token: file-token\nscale:\n  redis_url: rediss://file-user:file-secret@redis.example.org:6379\n`;

  test('come from the file, and never become a part of the configuration', async () => {
    const { secrets, config } = await load(inFile, {});
    expect(secrets).toEqual({
      securityKey: 'file-key',
      clientId: 'file-id',
      clientSecret: 'file-secret',
      grpcToken: 'file-token',
      redisUrl: 'rediss://file-user:file-secret@redis.example.org:6379',
    });
    expect(JSON.stringify(config)).not.toMatch(/file-(key|id|secret|token)/);
  });

  test('that are missing are listed in one message, blank ones too', async () => {
    const text = `${minimal}  credentials: {client_id: "  "}\n`;
    expect(await failure(load(text, { APP_ANALYSER_CLIENT_SECRET: 'x' }))).toBe(
      'Missing credentials: analyser.security_key (APP_ANALYSER_SECURITY_KEY), analyser.credentials.client_id (APP_ANALYSER_CLIENT_ID). Set each in the environment, in /config.env, if this account may read that, or in /config.yaml.',
    );
  });

  test('[T18] a token that no call could carry is refused without being shown, with the place it is from', async () => {
    const refused =
      'APP_ANALYSER_GRPC_TOKEN: grpc.token: expected visible ASCII characters without spaces.';
    const env = { ...credentials, APP_ANALYSER_GRPC_TOKEN: 'schlüssel' };
    expect(await failure(load(minimal, env))).toBe(refused);
    await writeFile(join(folder(), 'config.env'), "APP_ANALYSER_GRPC_TOKEN='two words'\n");
    expect(await failure(load(minimal))).toBe(`/config.env: ${refused}`);
  });

  test('whose variable is misspelt are refused, here for the file beside the configuration', async () => {
    await writeFile(join(folder(), 'config.env'), "APP_ANALYSER_GRPC_TOKN='8675309'\n");
    expect(await failure(load(minimal))).toBe(
      '/config.env: APP_ANALYSER_GRPC_TOKN is unknown; correct or remove it. The variables are APP_ANALYSER_CONFIG, APP_ANALYSER_SECURITY_KEY, APP_ANALYSER_CLIENT_ID, APP_ANALYSER_CLIENT_SECRET, APP_ANALYSER_GRPC_TOKEN, APP_ANALYSER_REDIS_URL.',
    );
  });

  test('[T18] are redacted in the log, each of them', () => {
    const names = Object.entries(secretNames).flatMap(([name, { key }]) => [
      name,
      key.slice(key.lastIndexOf('.') + 1),
    ]);
    let logged = '';
    const log = createLogger({
      verbose: false,
      stream: { write: (line) => void (logged += line) },
    });
    log.info(Object.fromEntries(names.map((name) => [name, '8675309'])));
    expect(logged).not.toContain('8675309');
  });

  test('[T32] in a file that others can read bring a warning with its mode and remedy', async () => {
    await load(inFile, {});
    await chmod(path(), 0o644);
    const { warnings } = await loadConfig({ env: {}, cwd: folder() });
    expect(warnings).toEqual([
      `${path()} holds secrets and other accounts can read it (mode 0644): run chmod 600 ${path()}`,
    ]);
    await chmod(path(), 0o640);
    expect((await loadConfig({ env: {}, cwd: folder() })).warnings).toHaveLength(1);
    expect((await loadConfig({ env: credentials, cwd: folder() })).warnings).toHaveLength(1);
  });

  test('only in the environment bring no warning, whoever can read the file', async () => {
    await load(minimal);
    await chmod(path(), 0o644);
    expect((await loadConfig({ env: credentials, cwd: folder() })).warnings).toEqual([]);
  });
});

test('plain http away from this machine, and a Pod that cannot be reached, bring warnings', async () => {
  const plain = 'analyser: {web_id: "http://pods.example.org/a/profile/card#me"}\n';
  expect((await load(plain)).warnings).toEqual([
    'http://pods.example.org/ is not https: tokens and readings travel in the clear.',
  ]);
  const local = 'analyser: {web_id: "http://localhost:3000/a/profile/card#me"}\n';
  expect((await load(local)).warnings).toEqual([]);
  const elsewhere = `${minimal}  server_url: https://other.example.org/\n`;
  expect((await load(elsewhere)).warnings).toEqual([
    'analyser.web_id is not on https://other.example.org, and https://pods.example.org is not in data.allowed_origins, so the Analyser Pod cannot be reached: name it there, or clear analyser.server_url.',
  ]);
  const allowed = `${elsewhere}data: {allowed_origins: [https://pods.example.org]}\n`;
  expect((await load(allowed)).warnings).toEqual([]);
});

test.each([
  [{}, false, ' grpc.token (APP_ANALYSER_GRPC_TOKEN) and no grpc.tls_cert_file'],
  [{}, true, ' grpc.tls_cert_file'],
  [
    { require_web_id_proof: true, public_url: 'https://analyser.example.org' },
    false,
    ' grpc.tls_cert_file',
  ],
  [{ host: '127.0.0.1' }, false, null],
])('a gRPC port with %j, and a token: %s, is open without a guard', (grpc, hasToken, missing) => {
  const config = configSchema.parse({ analyser: { web_id: webId }, grpc });
  expect(warnOfPort(config.grpc, hasToken)).toEqual(
    missing === null
      ? []
      : [expect.stringContaining(`reach 0.0.0.0:50051, and there is no${missing}: set it`)],
  );
});

test('[T32] the HTTP API needs neither credentials nor a valid rest of the file', async () => {
  await writeFile(path(), 'analyser: {security_key: 1}\nzebra: 1\napi: {port: 9000}\n');
  const loaded = await loadApiConfig({ env: {}, cwd: folder() });
  expect(loaded).toMatchObject({ warnings: [expect.stringContaining('holds secrets')] });
  expect(loaded).toMatchObject({
    path: path(),
    api: { enabled: true, host: '127.0.0.1', port: 9000, allowed_hosts: [], cors_origins: [] },
    output: {
      state_dir: join(folder(), 'var/state'),
      results_dir: join(folder(), 'var/results'),
      charts_dir: join(folder(), 'var/charts'),
      render_charts: true,
    },
  });
  await writeFile(path(), 'api:\n  prot: 1\n');
  expect(await failure(loadApiConfig({ env: {}, cwd: folder() }))).toBe(
    '/config.yaml:2: api: expected one of the keys enabled, host, port, allowed_hosts, cors_origins, and a value after ": ".',
  );
});

test('the proxy for browsers sees its own section and where the service is, and no secret', async () => {
  const text = `grpc:\n  port: 4000\n  token: secret-token\n  unknown: 1\nweb_proxy:\n  origins: [https://app.example.org]\n`;
  await writeFile(path(), text, { mode: 0o600 });
  const loaded = await loadWebProxyConfig({
    env: { APP_ANALYSER_GRPC_TOKEN: 'other' },
    cwd: folder(),
  });
  expect(loaded).toEqual({
    path: path(),
    web_proxy: {
      host: '127.0.0.1',
      port: 8089,
      origins: ['https://app.example.org'],
      service: null,
      tls_cert_file: null,
      tls_key_file: null,
    },
    grpc: {
      host: '0.0.0.0',
      port: 4000,
      tls_cert_file: null,
      max_queued: 1000,
      max_connections_per_peer: 200,
      trusted_proxies: [],
    },
    warnings: [],
  });
});

test.each([
  ['web_proxy:\n  tls_key_file: config.yaml\n', /web_proxy\.tls_cert_file: expected a PEM file/],
  ['web_proxy:\n  origins: ["*"]\n', /web_proxy\.origins\.0: expected an origin/],
  [
    'grpc:\n  trusted_proxies: [10.0.0.0/33]\n',
    /trusted_proxies\.0: expected an IP address, or a net/,
  ],
])('[T29] it is not started with %j', async (text, problem) => {
  await writeFile(path(), text);
  expect(await failure(loadWebProxyConfig({ env: {}, cwd: folder() }))).toMatch(problem);
});

const ofApp = 'origins: [https://app.example]';
test.each<[string, string[]]>([
  ['host: 0.0.0.0', ['web_proxy.origins is empty', 'there is no web_proxy.tls_cert_file']],
  [`${ofApp}, service: http://a.example.org:50051`, ['to http://a.example.org:50051 in the clear']],
  [`${ofApp}, service: https://a.example.org:50051`, []],
  [`${ofApp}, service: http://127.0.0.1:50051`, []],
])('of a port for browsers with {%s} is told: %j', async (section, told) => {
  await writeFile(path(), `web_proxy: {${section}}\n`);
  const { warnings } = await loadWebProxyConfig({ env: {}, cwd: folder() });
  expect(warnings).toHaveLength(told.length);
  for (const [index, part] of told.entries()) expect(warnings[index]).toContain(part);
});

describe('the file of secrets beside the configuration', () => {
  const file = () => join(folder(), 'config.env');

  test('wins over the configuration, and the environment over both', async () => {
    const text = `${minimal}  security_key: key of the file\n  credentials: { client_id: old }\n`;
    const lines = ["APP_ANALYSER_CLIENT_ID='its id'", "APP_ANALYSER_CLIENT_SECRET='its secret'"];
    await writeFile(file(), lines.join('\n'), { mode: 0o600 });
    const env = { APP_ANALYSER_CLIENT_SECRET: 'of the environment', APP_ANALYSER_CLIENT_ID: ' ' };
    const { secrets, warnings } = await load(text, env);
    expect(secrets).toMatchObject({
      securityKey: 'key of the file',
      clientId: 'its id',
      clientSecret: 'of the environment',
    });
    expect(warnings).toEqual([]);
  });

  test('is not read by the services that need no secret', async () => {
    // A folder cannot be read as a file, so whoever tried would fail.
    await mkdir(file());
    expect(await failure(load(minimal))).toBe('/config.env cannot be read (EISDIR).');
    await expect(loadApiConfig({ env: {}, cwd: folder() })).resolves.toMatchObject({
      path: path(),
    });
    await expect(loadWebProxyConfig({ env: {}, cwd: folder() })).resolves.toBeDefined();
  });
});

describe('sharing.cohort_release', () => {
  const loadRelease = async (section: string) =>
    (await load(`${minimal}sharing:\n  cohort_release: ${section}\n`)).config.sharing
      .cohort_release;

  test('takes noise, with bounds of its own for one measure', async () => {
    const section = '{epsilon: 0.1, every_days: 7, budget: 0.3, bounds: {systolic: [90, 180]}}';
    expect(await loadRelease(section)).toEqual({
      epsilon: 0.1,
      every_days: 7,
      budget: 0.3,
      bounds: { systolic: [90, 180], diastolic: [40, 120], heart_rate: [40, 120] },
      per_days: 365,
    });
  });

  test.each(['', '{epsilon: , every_days: , bounds: {systolic: }}'])(
    'is off: %j',
    async (blank) => {
      expect(await loadRelease(blank)).toBeNull();
    },
  );

  test.each([
    ['{epsilon: 1, budget: 36}', 'every_days: expected a whole number'],
    ['{epsilon: 1, every_days: 7}', 'budget: expected a number'],
    ['{epsilon: 1, every_days: 7, budget: 2}', 'budget: expected at least 3 × epsilon'],
    [
      '{epsilon: 1, every_days: 7, budget: 3, bounds: {systolic: [200, 80]}}',
      'bounds.systolic: expected two whole numbers',
    ],
    ['{epsilon:1}', 'cohort_release: expected one of the keys epsilon, every_days, '],
  ])('refuses %s', async (section, sentence) => {
    expect(await failure(loadRelease(section))).toContain(sentence);
  });
});
