import { stringify } from 'yaml';
import { loadEffectiveConfig } from '../../config/load-config.js';
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
      security_key: setOr('missing', found.securityKey),
      credentials: {
        client_id: setOr('missing', found.clientId),
        client_secret: setOr('missing', found.clientSecret),
      },
    },
    ...rest,
    grpc: { ...grpc, token: setOr('not set', found.grpcToken) },
    scale: { redis_url: setOr('not set', found.redisUrl), ...scale },
  };
  for (const warning of warnings) printError(`Warning: ${warning}`, 'careful');
  if (json) printJson(shown);
  else printText(stringify(shown).trimEnd());
}

function setOr(otherwise: string, secret: string | null): string {
  return secret === null ? otherwise : 'set';
}
