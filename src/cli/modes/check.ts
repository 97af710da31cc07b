import { messageOf } from '../../base/errors.js';
import { createChartRenderer } from '../../chart/chart-renderer.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config, Secrets } from '../../config/schema.js';
import { type Inbox, readInbox } from '../../pod/read-inbox.js';
import { shareRules } from '../../run/classify-share.js';
import { type Connection, createAnalyserClient, disconnect, unlock } from '../../run/connection.js';
import { arrangeShares } from '../../run/discover-shares.js';
import { patienceFor } from '../../run/server-patience.js';
import { examine } from '../doctor/examine.js';
import { exitCodes } from '../exit-codes.js';
import type { Mode } from '../mode.js';

const LABEL_WIDTH = 20;
const MOST_LISTED = 20;

/** Writes nothing: not in any Pod, not under var/. */
export const mode: Mode = {
  async run({ env, cwd, verbose, print, printError }) {
    const { config, secrets, path, warnings } = await loadConfig({ env, cwd });
    for (const warning of warnings) printError(`Warning: ${warning}`);
    const say = (label: string, value: string) => {
      print(`${label.padEnd(LABEL_WIDTH)}  ${value}`);
    };
    const list = (lines: readonly string[]) => {
      const shown = verbose ? lines : lines.slice(0, MOST_LISTED);
      for (const line of shown) print(`  ${line}`);
      if (shown.length < lines.length) print(`  … and ${lines.length - shown.length} more`);
    };
    say('Configuration', path);
    say('Analyser WebID', config.analyser.web_id);
    say('Server', config.analyser.server_url);
    say('Application folder', config.analyser.app_dir_name);
    const failure = await checkPod(config, secrets, { say, list }).catch((error: unknown) => ({
      error,
    }));
    say('gRPC address', describeGrpc(config, secrets));
    say('Charts', await describeCharts(config));
    say('Results directory', config.output.results_dir);
    const findings = await examine(config, secrets, new AbortController().signal);
    say('Findings', findings.length === 0 ? 'none' : String(findings.length));
    for (const finding of findings) print(`  ${finding}`);
    if (failure) throw failure.error;
    return exitCodes.ok;
  },
};

interface Report {
  say: (label: string, value: string) => void;
  list: (lines: readonly string[]) => void;
}

async function checkPod(config: Config, secrets: Secrets, report: Report): Promise<void> {
  const { signal } = new AbortController();
  const client = createAnalyserClient(config, secrets);
  try {
    await step(report, 'Login', 'ok', () => client.login(signal));
    const connection = await step(
      report,
      'Unlock',
      ({ pod }: Connection) => `ok (key derivation version ${pod.keyVersion})`,
      () => unlock(client, config, secrets, signal),
    );
    try {
      await listShares(connection, config, report, signal);
    } finally {
      await disconnect(connection);
    }
  } finally {
    await client.close();
  }
}

/** The label of a step that fails says so before the reason ends the mode. */
async function step<T>(
  { say }: Report,
  label: string,
  success: string | ((value: T) => string),
  work: () => Promise<T>,
): Promise<T> {
  try {
    const value = await work();
    say(label, typeof success === 'string' ? success : success(value));
    return value;
  } catch (error) {
    say(label, 'failed');
    throw error;
  }
}

async function listShares(
  connection: Connection,
  config: Config,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const { client, pod, opener } = connection;
  const inbox = await step(
    report,
    'Shared resources',
    ({ entries }: Inbox) => String(entries.length),
    () => readInbox(client, pod, opener, { wanted: () => true, withModes: true, signal }),
  );
  report.list(
    inbox.entries.map(({ kind, modes, url }) => `${kind.padEnd(6)}  ${modes.join(',')}  ${url}`),
  );
  const rules = shareRules(config, pod.root);
  const patience = patienceFor(config.analyser, connection.pod, null);
  const shares = await arrangeShares(connection, rules, inbox, patience, signal);
  report.say('Contributing Pods', String(shares.pods.length));
  report.list(
    shares.pods.map(({ owner, files }) => `${owner.webId}  ${files.length} ${plural(files)}`),
  );
  if (shares.warnings.length === 0) return;
  report.say('Warnings', String(shares.warnings.length));
  report.list(shares.warnings);
}

function plural(files: readonly unknown[]): string {
  return files.length === 1 ? 'file' : 'files';
}

function describeGrpc({ grpc }: Config, { grpcToken }: Secrets): string {
  const transport = grpc.tls_cert_file === null ? 'plaintext' : 'TLS';
  const token = grpcToken === null ? 'no token' : 'token required';
  return `${grpc.host}:${grpc.port} (${transport}, ${token})`;
}

async function describeCharts({ output }: Config): Promise<string> {
  if (!output.render_charts) return 'switched off (output.render_charts)';
  const renderer = createChartRenderer();
  try {
    const available = await renderer.available();
    return available === true ? 'available' : `not available: ${available}`;
  } catch (error) {
    return `not available: ${messageOf(error)}`;
  } finally {
    await renderer.close();
  }
}
