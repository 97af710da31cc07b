import { type Connection, dial } from '../client/dial.js';
import { loadEffectiveConfig } from '../config/load-config.js';
import type { Config } from '../config/schema.js';
import type { ModeContext } from './mode.js';

/** Dials the service as the configuration describes it, and hangs up afterwards. */
export async function withService<T>(
  { env, cwd, printError }: ModeContext,
  use: (connection: Connection, config: Config) => Promise<T>,
): Promise<T> {
  const { config, found, warnings } = await loadEffectiveConfig({ env, cwd });
  for (const warning of warnings) printError(`Warning: ${warning}`, 'careful');
  const { host, port, tls_cert_file } = config.grpc;
  const token = found.grpcToken?.value ?? null;
  const connection = dial({ host, port, certificateFile: tls_cert_file, token });
  try {
    return await use(connection, config);
  } finally {
    connection.close();
  }
}

/** A reply for people, one aligned line a field, or as JSON for scripts. */
export function printReply(
  { options, print, printJson }: ModeContext,
  reply: object,
  lines: ReadonlyArray<readonly [label: string, value: string | number | boolean]>,
): void {
  if (options['json'] === true) {
    printJson(reply);
    return;
  }
  const width = Math.max(...lines.map(([label]) => label.length));
  for (const [label, value] of lines) print(`${label.padEnd(width)}  ${show(value)}`);
}

function show(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === '' ? '–' : String(value);
}
