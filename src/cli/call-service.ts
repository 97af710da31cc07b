import { callAnalyse, callCancel, callStatus } from '../client/calls.js';
import { dial, type ServiceConnection } from '../client/dial.js';
import { loadEffectiveConfig } from '../config/load-config.js';
import type { Config } from '../config/schema.js';
import { AnalyseStatus, CancelStatus } from '../generated/healthpod/analyser/v1/analyser.js';
import { requireWebId } from '../pod/addresses.js';
import { createSolidClient } from '../solid/http-solid-client.js';
import type { WebIdHolder } from '../solid/solid-client.js';
import { exitCodes } from './exit-codes.js';
import type { ModeContext } from './mode.js';
import { type JsonFlag, printFields } from './printer.js';
import { countSeconds } from './progress.js';
import { untilInterrupted } from './stop-signals.js';

const usualDeadlineSeconds = 360;

export function analyse(context: ModeContext, text: string, flags: JsonFlag): Promise<number> {
  const { webId } = requireWebId(text);
  return untilInterrupted((signal) =>
    withService(context, async (connection, login, { grpc }) => {
      const seconds = Math.max(usualDeadlineSeconds, grpc.analysis_timeout_seconds + 60);
      const ended = countSeconds('Waiting for the reply; Ctrl-C cancels.');
      const limits = { deadlineMs: seconds * 1000, signal, login };
      const reply = await callAnalyse(connection, webId, 0, limits).finally(ended);
      printFields(context, flags, reply);
      const isCompleted = reply.status === AnalyseStatus.ANALYSE_STATUS_COMPLETED;
      return isCompleted ? exitCodes.ok : exitCodes.failed;
    }),
  );
}

const asWished: readonly CancelStatus[] = [
  CancelStatus.CANCEL_STATUS_STOPPED,
  CancelStatus.CANCEL_STATUS_NOTHING_RUNNING,
];

export async function cancel(context: ModeContext, text: string, flags: JsonFlag): Promise<number> {
  const { webId } = requireWebId(text);
  return await withService(context, async (connection, login) => {
    const reply = await callCancel(connection, webId, { login });
    printFields(context, flags, reply);
    return asWished.includes(reply.status) ? exitCodes.ok : exitCodes.failed;
  });
}

export function status(context: ModeContext, flags: JsonFlag): Promise<number> {
  return withService(context, async (connection) => {
    const reply = await callStatus(connection);
    printFields(context, flags, reply);
    return reply.ready ? exitCodes.ok : exitCodes.failed;
  });
}

async function withService<T>(
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
    token: found.grpcToken,
    publicUrl: require_web_id_proof ? public_url : null,
  });
  try {
    return await use(connection, login, config);
  } finally {
    connection.close();
    await login?.close();
  }
}

/** A login of the WebID that the call names, for a service that asks for a proof. */
function openLogin({ analyser }: Config, env: NodeJS.ProcessEnv) {
  const { APP_USER_CLIENT_ID: clientId = '', APP_USER_CLIENT_SECRET: clientSecret = '' } = env;
  if (clientId === '' || clientSecret === '') return undefined;
  const credentials = { clientId, clientSecret };
  return createSolidClient({ serverUrl: analyser.server_url, credentials });
}
