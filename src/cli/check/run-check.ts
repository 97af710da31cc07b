import { AnalyserError, messageOf } from '../../base/errors.js';
import { chartsAvailable } from '../../chart/draw-chart.js';
import { originsOf } from '../../config/allowed-origins.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config, Secrets } from '../../config/schema.js';
import { warnOfPort } from '../../config/warnings.js';
import { parseWebId, podDocuments } from '../../pod/addresses.js';
import { createSolidClient } from '../../solid/http-solid-client.js';
import { describeProxies } from '../../solid/requests/proxies.js';
import { exitCodeOf, exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { countSeconds } from '../progress.js';
import { examineCertificate, examineFolders, examineSpace } from './examine-machine.js';
import { examinePod } from './examine-pod.js';
import {
  type Finding,
  judgeClock,
  judgeCors,
  judgePublicKey,
  notice,
  stopping,
} from './judgements.js';
import { type CheckFlags, CheckReport } from './report.js';

/** Writes nothing, neither in a Pod nor under var/. */
export async function runCheck(context: ModeContext, flags: CheckFlags): Promise<number> {
  const { config, secrets, path, warnings } = await loadConfig(context);
  for (const warning of warnings) context.printError(`Warning: ${warning}`, 'careful');
  const report = new CheckReport(context, flags);
  const { web_id, server_url, app_dir_name } = config.analyser;
  report.value('configuration', 'Configuration', path);
  report.value('web_id', 'Analyser WebID', web_id);
  report.value('server_url', 'Server', server_url);
  const proxies = describeProxies(context.env);
  if (proxies !== null) report.value('proxies', 'Proxies', proxies);
  report.value('app_dir_name', 'Application folder', app_dir_name);
  const ended = countSeconds(process.stderr, 'Looking …');
  const failure = await examine(config, secrets, report).finally(ended);
  report.value('grpc', 'gRPC address', describeGrpc(config, secrets));
  report.value('charts', 'Charts', await describeCharts(config));
  report.value('results_dir', 'Results directory', config.output.results_dir);
  const isReady = report.print();
  if (failure !== null) {
    if (context.verbose && failure.cause !== undefined) {
      context.printError(`Caused by: ${messageOf(failure.cause)}`);
    }
    return exitCodeOf(failure);
  }
  return isReady ? exitCodes.ok : exitCodes.failed;
}

/** Reports causes before their consequences; returns what ended the look at the Pod, or null. */
async function examine(
  config: Config,
  secrets: Secrets,
  report: CheckReport,
): Promise<AnalyserError | null> {
  const { output, grpc, api } = config;
  const asAnybody = await examineAsAnybody(config);
  report.found(asAnybody.clock);
  report.found(await examineFolders(output));
  report.found(await examineSpace(output));
  const failure = await examinePod(config, secrets, report).then(
    () => null,
    (error: unknown) => {
      if (error instanceof AnalyserError) return error;
      throw error;
    },
  );
  if (failure !== null) report.found(stopping(failure.message));
  // A Pod that was never initialised has no public key either.
  if (failure?.kind !== 'keys') report.found(asAnybody.publicKey);
  report.found(await examineCertificate(grpc, new Date()));
  report.found(warnOfPort(grpc, secrets.grpcToken !== null).flatMap(notice));
  report.found(judgeCors(api.cors_origins));
  return failure;
}

/** One try without waiting, since the login tells whether the server answers at all. */
const patience = {
  retry: { tries: 1, slowTries: 1 },
  timeouts: { connectMs: 5000, answerMs: 10_000, totalMs: 15_000 },
};

/** Looks at the storage server without a login; finds nothing where that is away. */
export async function examineAsAnybody({
  analyser,
  data,
}: Config): Promise<{ clock: Finding[]; publicKey: Finding[] }> {
  const client = createSolidClient({
    serverUrl: analyser.server_url,
    allowedOrigins: originsOf(data),
    credentials: null,
    ...patience,
  });
  try {
    const root = parseWebId(analyser.web_id)?.root ?? analyser.server_url;
    const url = podDocuments(root, analyser.app_dir_name).publicKey;
    const { status, headers } = await client.request(url);
    return {
      clock: judgeClock(headers['date'], new Date()),
      publicKey: judgePublicKey(url, status),
    };
  } catch {
    return { clock: [], publicKey: [] };
  } finally {
    await client.close();
  }
}

function describeGrpc({ grpc }: Config, { grpcToken }: Secrets): string {
  const transport = grpc.tls_cert_file === null ? 'plaintext' : 'TLS';
  const token = grpcToken === null ? 'no token' : 'token required';
  return `${grpc.host}:${grpc.port} (${transport}, ${token})`;
}

async function describeCharts({ output }: Config): Promise<string> {
  if (!output.render_charts) return 'switched off (output.render_charts)';
  const available = await chartsAvailable();
  return available === true ? 'available' : `not available: ${available}`;
}
