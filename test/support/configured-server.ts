import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { bookkeepingInMemory } from '../../src/embedded-server/embedded-server.js';
import { type CompiledServer, type ServerPlace, startCompiledServer } from './compiled-server.js';

/** What is changed of the server's own configuration, which keeps WAC and Pods below the root. */
export interface SolidServerSettings {
  /** How long access tokens live; the server's default is ten minutes. */
  tokenLifetimeSeconds?: number;
  /** How the rules of access are kept; default: Web Access Control. */
  access?: 'wac' | 'acp';
  /** Default: paths. With subdomains, each Pod has a host of its own below the server's. */
  pods?: 'paths' | 'subdomains';
  /** Where accounts and locks are kept; default: memory. Files outlive a restart and cost more. */
  bookkeeping?: 'files' | 'memory';
  /** The quota of one Pod; default: no limit. */
  podQuotaBytes?: number;
}

const require = createRequire(import.meta.url);

const configFile = z.looseObject({ '@context': z.string(), import: z.array(z.string()) });

const providerFile = z.looseObject({
  '@graph': z.tuple([
    z.looseObject({
      '@id': z.string(),
      '@type': z.string(),
      config: z.looseObject({ ttl: z.record(z.string(), z.number()) }),
    }),
  ]),
});

export function startConfiguredServer({
  port,
  baseUrl,
  ...settings
}: ServerPlace & SolidServerSettings = {}): Promise<CompiledServer> {
  return startCompiledServer({ port, baseUrl, config: buildConfig(settings) });
}

function buildConfig(settings: SolidServerSettings): object {
  const { tokenLifetimeSeconds, podQuotaBytes } = settings;
  const base = configFile.parse(readPackageFile('config/file.json'));
  const others: Record<string, string> = {
    // A tenth of the server's work would be log lines that nobody reads.
    'css:config/util/logging/winston.json': 'css:config/util/logging/no-logging.json',
    ...(settings.access === 'acp' && {
      'css:config/ldp/authorization/webacl.json': 'css:config/ldp/authorization/acp.json',
      'css:config/util/auxiliary/acl.json': 'css:config/util/auxiliary/acr.json',
    }),
    ...(settings.pods === 'subdomains' && {
      'css:config/util/identifiers/suffix.json': 'css:config/util/identifiers/subdomain.json',
    }),
    ...(settings.bookkeeping !== 'files' && bookkeepingInMemory),
    ...(podQuotaBytes !== undefined && {
      'css:config/storage/backend/file.json': 'css:config/storage/backend/pod-quota-file.json',
    }),
  };
  return {
    '@context': base['@context'],
    import: base.import.map((part) => others[part] ?? part),
    '@graph': [
      hashPasswordsFaster,
      ...(tokenLifetimeSeconds === undefined ? [] : [overrideTokenLifetime(tokenLifetimeSeconds)]),
      ...(podQuotaBytes === undefined ? [] : limitPods(podQuotaBytes)),
    ],
  };
}

/** Half of the server's work on an account would be its hash, in which no test finds a fault. */
const hashPasswordsFaster = {
  '@id': 'urn:bp-analyser:password-store',
  '@type': 'Override',
  overrideInstance: { '@id': 'urn:solid-server:default:PasswordStore' },
  overrideParameters: { '@type': 'BasePasswordStore', saltRounds: 4 },
};

/** The same change as in the package's own `quota-file.json`. */
function limitPods(bytes: number): object[] {
  return [
    {
      '@id': 'urn:solid-server:default:QuotaStrategy',
      '@type': 'PodQuotaStrategy',
      limit_amount: bytes,
      limit_unit: 'bytes',
    },
    {
      '@id': 'urn:solid-server:default:SizeReporter',
      '@type': 'FileSizeReporter',
      ignoreFolders: ['^/\\.internal$'],
    },
  ];
}

function overrideTokenLifetime(seconds: number): object {
  const [provider] = providerFile.parse(
    readPackageFile('config/identity/handler/base/provider-factory.json'),
  )['@graph'];
  return {
    '@id': 'urn:bp-analyser:token-lifetime',
    '@type': 'Override',
    overrideInstance: { '@id': provider['@id'] },
    overrideParameters: {
      '@type': provider['@type'],
      config: {
        ...provider.config,
        ttl: { ...provider.config.ttl, ClientCredentials: seconds },
      },
    },
  };
}

function readPackageFile(path: string): unknown {
  const file = require.resolve(`@solid/community-server/${path}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
