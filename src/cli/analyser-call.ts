import { dial, type ServiceConnection } from '../client/dial.js';
import { loadEffectiveConfig } from '../config/load-config.js';
import type { Config } from '../config/schema.js';
import { createSolidClient } from '../solid/http-solid-client.js';
import type { WebIdHolder } from '../solid/solid-client.js';
import type { ModeContext } from './mode.js';

/** Credentials of the named WebID, for a service that asks for a proof. */
const proofVariables = { id: 'APP_USER_CLIENT_ID', secret: 'APP_USER_CLIENT_SECRET' } as const;

/** Dials the service as the configuration describes it, and hangs up afterwards. */
export async function withService<T>(
  context: ModeContext,
  use: (
    connection: ServiceConnection,
    login: WebIdHolder | undefined,
    config: Config,
  ) => Promise<T>,
): Promise<T> {
  const { config, found, warnings } = await loadEffectiveConfig(context);
  for (const warning of warnings) context.printError(`Warning: ${warning}`, 'careful');
  const { host, port, tls_cert_file, require_web_id_proof, public_url } = config.grpc;
  const login = openLogin(config, context.env);
  const connection = dial({
    host,
    port,
    certificateFile: tls_cert_file,
    token: found.grpcToken?.value ?? null,
    publicUrl: require_web_id_proof ? public_url : null,
  });
  try {
    return await use(connection, login, config);
  } finally {
    connection.close();
    await login?.close();
  }
}

function openLogin({ analyser }: Config, env: NodeJS.ProcessEnv) {
  const clientId = env[proofVariables.id] ?? '';
  const clientSecret = env[proofVariables.secret] ?? '';
  if (clientId === '' || clientSecret === '') return undefined;
  const credentials = { clientId, clientSecret };
  return createSolidClient({ serverUrl: analyser.server_url, credentials });
}
