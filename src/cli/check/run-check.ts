import { AnalyserError, messageOf } from '../../base/errors.js';
import { chartsAvailable } from '../../chart/draw-chart.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config, Secrets } from '../../config/schema.js';
import { warnOfPort } from '../../config/warnings.js';
import { describeProxies } from '../../solid/requests/proxies.js';
import { exitCodeOf, exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { countSeconds } from '../progress.js';
import { examineAsAnybody } from './examine-as-anybody.js';
import { examineCertificate, examineFolders, examineSpace } from './examine-machine.js';
import { examinePod } from './examine-pod.js';
import { notice, stopping } from './finding.js';
import { judgeCors } from './judgements.js';
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
