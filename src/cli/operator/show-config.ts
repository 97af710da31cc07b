import { stringify } from 'yaml';
import { loadEffectiveConfig } from '../../config/load-config.js';
import { type FoundSecret, secretNames } from '../../config/secrets.js';
import type { ModeContext } from '../mode.js';

export async function printConfig(
  context: ModeContext,
  { json = false }: { json?: boolean },
): Promise<void> {
  const { printText, printJson, printError } = context;
  const { config, found, path, warnings } = await loadEffectiveConfig(context);
  const { analyser, grpc, scale, ...rest } = config;
  const shown = {
    config_file: path,
    analyser: {
      ...analyser,
      security_key: describe('securityKey', found.securityKey),
      credentials: {
        client_id: describe('clientId', found.clientId),
        client_secret: describe('clientSecret', found.clientSecret),
      },
    },
    ...rest,
    grpc: { ...grpc, token: describe('grpcToken', found.grpcToken) },
    scale: { redis_url: describe('redisUrl', found.redisUrl), ...scale },
  };
  for (const warning of warnings) printError(`Warning: ${warning}`, 'careful');
  if (json) printJson(shown);
  else printText(stringify(shown).trimEnd());
}

/** Secrets that may be missing. */
const optional: ReadonlySet<string> = new Set(['grpcToken', 'redisUrl']);

function describe(name: keyof typeof secretNames, secret: FoundSecret | null): string {
  if (secret === null) return optional.has(name) ? 'not set' : 'missing';
  if (secret.from === 'environment') {
    return `set in the environment (${secretNames[name].variable})`;
  }
  return secret.from === 'file' ? 'set in the file' : 'set in the file of secrets beside it';
}
