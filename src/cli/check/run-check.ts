import { messageOf } from '../../base/errors.js';
import { chartsAvailable } from '../../chart/draw-chart.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config, Secrets } from '../../config/schema.js';
import { describeProxies } from '../../solid/requests/proxies.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { examinePod } from './examine-pod.js';
import { examineSurroundings } from './examine-surroundings.js';
import { type Finding, stopping } from './finding.js';
import { createReport } from './report.js';

/** Writes nothing, neither in a Pod nor under var/. */
export async function runCheck(
  context: ModeContext,
  { json = false }: { json?: boolean },
): Promise<number> {
  const { config, secrets, path, warnings } = await loadConfig(context);
  for (const warning of warnings) context.printError(`Warning: ${warning}`, 'careful');
  const { web_id, server_url, app_dir_name } = config.analyser;
  const report = createReport(context, json);
  report.value('configuration', 'Configuration', path);
  report.value('web_id', 'Analyser WebID', web_id);
  report.value('server_url', 'Server', server_url);
  const proxies = describeProxies(context.env);
  if (proxies !== null) report.value('proxies', 'Proxies', proxies);
  report.value('app_dir_name', 'Application folder', app_dir_name);
  const findings: Finding[] = [];
  let failure: { error: unknown } | null = null;
  try {
    await examinePod(config, secrets, report, findings);
  } catch (error) {
    findings.unshift(...stopping(messageOf(error)));
    failure = { error };
  }
  report.value('grpc', 'gRPC address', describeGrpc(config, secrets));
  report.value('charts', 'Charts', await describeCharts(config));
  report.value('results_dir', 'Results directory', config.output.results_dir);
  findings.push(...(await examineSurroundings(config, secrets)));
  report.findings(findings);
  if (failure !== null) throw failure.error;
  return findings.some(({ stops }) => stops) ? exitCodes.failed : exitCodes.ok;
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
