import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  AnalyserError,
  codeOf,
  isDiskError,
  isUnanswered,
  messageOf,
  ServerError,
} from '../../base/errors.js';
import { chartsAvailable } from '../../chart/draw-chart.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config, Secrets } from '../../config/schema.js';
import { secretsFileOf } from '../../config/secrets.js';
import { warnOfPort } from '../../config/warnings.js';
import { examineCertificate } from '../../ports/certificate-files.js';
import { describeProxies } from '../../solid/requests/transport.js';
import { diskError } from '../../store/files.js';
import { exitCodeOf, exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import type { JsonFlag } from '../printer.js';
import { countSeconds } from '../progress.js';
import { type Examined, examinePod } from './examine-pod.js';
import { describeExact, describeIdle, type Fact, judgeNoise } from './judgements.js';
import { printReport } from './print-report.js';

/** Writes nothing, neither in a Pod nor on this machine. */
export async function runCheck(context: ModeContext, flags: JsonFlag): Promise<number> {
  const { config, secrets, path, warnings } = await loadConfig(context);
  const examined: Examined = {
    login: 'failed',
    unlock: '–',
    shares: null,
    contributing: [],
    remembered: [],
    idle: [],
    problems: await examineFolders(config),
    warnings: [...warnings, ...warnOfPort(config.grpc, secrets.grpcToken !== null)],
  };
  const { problems } = examined;
  const isDiskFound = problems.length > 0;
  const ended = countSeconds('Looking …');
  let failure: AnalyserError | null = null;
  try {
    await examinePod(config, secrets, examined).finally(ended);
  } catch (error) {
    if (!(error instanceof AnalyserError)) throw error;
    failure = error;
    // A cause is told, and not what follows from it.
    if (!isDiskError(error) || !isDiskFound) {
      problems.push(error.message + cureOf(error, config, path));
    }
  }
  await examineTls(config, examined);
  const { contributing, remembered, warnings: found } = examined;
  const pods = new Set([...contributing, ...remembered].map(({ web_id }) => web_id));
  found.push(...judgeNoise(config, pods.size));
  const facts: Fact[] = [
    ['configuration', 'Configuration', path],
    ['web_id', 'Analyser WebID', config.analyser.web_id],
    ['server_url', 'Server', config.analyser.server_url],
    ['proxies', 'Proxies', describeProxies(context.env) ?? 'none'],
    ['app_dir_name', 'Application folder', config.analyser.app_dir_name],
    ['login', 'Login', examined.login],
    ['unlock', 'Unlock', examined.unlock],
    ['grpc', 'gRPC address', describeGrpc(config, secrets)],
    ['charts', 'Charts', await describeCharts(config)],
    ...describeIdle(examined.idle),
    ...describeExact(config),
    ['results_dir', 'Results directory', config.output.results_dir],
  ];
  const isReady = printReport(facts, examined, context, flags);
  if (failure === null) return isReady ? exitCodes.ok : exitCodes.failed;
  if (context.verbose && failure.cause !== undefined) {
    context.printError(`Caused by: ${messageOf(failure.cause)}`);
  }
  return exitCodeOf(failure);
}

/** What the operator can do about it here, as a further sentence. */
function cureOf(failure: AnalyserError, { analyser }: Config, path: string): string {
  if (isUnanswered(failure)) {
    return ' Start that server, or correct analyser.server_url; where it is left out, the server is that of analyser.web_id.';
  }
  if (!(failure instanceof ServerError) || failure.failure !== 'login') return '';
  return ` Credentials of a Community Solid Server come from ${analyser.server_url}.account/, "Create token"; they go into ${secretsFileOf(path)}.`;
}

/** Looks at the first folder that exists, and makes nothing to find out. */
async function examineFolders({ output }: Config): Promise<string[]> {
  const written = ['state_dir', 'results_dir'] as const;
  const names = output.render_charts ? ([...written, 'charts_dir'] as const) : written;
  const findings = names.map(async (name): Promise<string[]> => {
    for (let folder = output[name]; true; folder = dirname(folder)) {
      try {
        await access(`${folder}/.`, constants.W_OK);
        return [];
      } catch (error) {
        if (codeOf(error) === 'ENOENT') continue;
        return [`output.${name}: ${diskError('write', output[name], error).message}`];
      }
    }
  });
  return (await Promise.all(findings)).flat();
}

async function examineTls({ grpc }: Config, { problems, warnings }: Examined): Promise<void> {
  try {
    const end = await examineCertificate({ section: 'grpc', ...grpc }, new Date());
    if (end !== null) (end.isOver ? problems : warnings).push(end.message);
  } catch (error) {
    if (!(error instanceof AnalyserError)) throw error;
    problems.push(error.message);
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
