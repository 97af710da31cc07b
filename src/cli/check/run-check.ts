import { AnalyserError, messageOf } from '../../base/errors.js';
import { countOf } from '../../base/sentences.js';
import { chartsAvailable } from '../../chart/draw-chart.js';
import { originsOf } from '../../config/allowed-origins.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config, OutputConfig, Secrets } from '../../config/schema.js';
import { warnOfPort } from '../../config/warnings.js';
import { parseWebId, podDocuments } from '../../pod/addresses.js';
import { PodKeysError } from '../../pod/pod-keys-error.js';
import { createSolidClient } from '../../solid/http-solid-client.js';
import { describeProxies } from '../../solid/requests/proxies.js';
import { describeUnbounded, inMegabytes, measureStored } from '../../store/stored-bytes.js';
import { exitCodeOf, exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { countSeconds } from '../progress.js';
import { type CheckFlags, CheckReport } from './check-report.js';
import {
  areOfAnother,
  examineCertificate,
  examineFolders,
  examineSpace,
} from './examine-machine.js';
import { examinePod } from './examine-pod.js';
import { examineRedis } from './examine-redis.js';
import { type Finding, judgeClock, judgePublicKey, notice, stopping } from './judgements.js';

/** Writes nothing in a Pod and leaves nothing behind under var/. */
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
  const failure = await examine(config, secrets, report, flags).finally(ended);
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

/** Reports the size of runs and charts, but nothing if a folder cannot be read: `examineFolders` reports that. */
async function reportStored(report: CheckReport, output: OutputConfig): Promise<void> {
  const stored = await measureStored(output, new Date()).catch(() => null);
  if (stored === null) return;
  const { bytes, bytesPerDay, runs } = stored;
  const limit = output.keep_megabytes === null ? '' : ` of ${output.keep_megabytes} MB`;
  report.value(
    'stored',
    'Runs and charts',
    `${inMegabytes(bytes)}${limit}, ${countOf(runs.length, 'run')}, ${inMegabytes(bytesPerDay)} more each day`,
  );
  const warning = describeUnbounded({ bytes, bytes_per_day: bytesPerDay });
  if (warning !== null && limit === '') report.found(notice(warning));
}

/** Reports causes before their consequences; returns the error that ended the examination of the Pod, or null. */
async function examine(
  config: Config,
  secrets: Secrets,
  report: CheckReport,
  { isForAnother = false }: CheckFlags,
): Promise<AnalyserError | null> {
  const { output, grpc } = config;
  const asAnybody = await examineAsAnybody(config);
  report.found(asAnybody.clock);
  if (isForAnother && (await areOfAnother(output))) {
    const shown = 'of another account, which has to look itself';
    report.value('output', 'Folders of output', shown);
  } else {
    report.found(await examineFolders(output));
  }
  report.found(await examineSpace(output));
  await reportStored(report, output);
  const failure = await examinePod(config, secrets, report).then(
    () => null,
    (error: unknown) => {
      if (error instanceof AnalyserError) return error;
      throw error;
    },
  );
  if (failure !== null) report.found(stopping(failure.message));
  // A Pod that was never initialised has no public key either: one finding is enough.
  const isUninitialised = failure instanceof PodKeysError && failure.problem === 'not-initialised';
  if (!isUninitialised) report.found(asAnybody.publicKey);
  report.found(await examineCertificate(grpc, new Date()));
  report.found(warnOfPort(grpc, secrets.grpcToken !== null).flatMap(notice));
  report.found(await examineRedis(config, secrets));
  return failure;
}

/** One try is enough: if the server does not answer at all, the login reports it. */
const patience = {
  policy: { tries: 1, slowTries: 1 },
  timeouts: { connectMs: 5000, answerMs: 10_000, totalMs: 15_000 },
};

/** Looks at the storage server without a login; there are no findings if the server does not answer. */
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
