import { examineCertificate } from '../../base/certificate-files.js';
import { AnalyserError, messageOf } from '../../base/errors.js';
import { chartsAvailable } from '../../chart/draw-chart.js';
import { originsOf } from '../../config/allowed-origins.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config, Secrets } from '../../config/schema.js';
import { warnOfPort } from '../../config/warnings.js';
import { podDocuments, requireWebId } from '../../pod/addresses.js';
import { PodKeysError } from '../../pod/pod-keys-error.js';
import { createSolidClient } from '../../solid/http-solid-client.js';
import { describeProxies } from '../../solid/requests/proxies.js';
import { exitCodeOf, exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { countSeconds } from '../progress.js';
import { type Examined, examinePod } from './examine-pod.js';
import { type Finding, judgePublicKey, notice, stopping } from './judgements.js';
import { type CheckFlags, printReport } from './print-report.js';

/** Writes nothing, neither in a Pod nor on this machine. */
export async function runCheck(context: ModeContext, flags: CheckFlags): Promise<number> {
  const { config, secrets, path, warnings } = await loadConfig(context);
  for (const warning of warnings) context.printError(`Warning: ${warning}`, 'careful');
  const examined: Examined = { login: 'failed', unlock: '–', shares: [], pods: null, findings: [] };
  const ended = countSeconds(process.stderr, 'Looking …');
  const failure = await failureOf(examinePod(config, secrets, examined)).finally(ended);
  // A Pod that was never initialised has no public key either: one finding is enough.
  const isUninitialised = failure instanceof PodKeysError && failure.problem === 'not-initialised';
  const { findings, shares, pods } = examined;
  const isReady = printReport(
    {
      facts: [
        ['configuration', 'Configuration', path],
        ['web_id', 'Analyser WebID', config.analyser.web_id],
        ['server_url', 'Server', config.analyser.server_url],
        ['proxies', 'Proxies', describeProxies(context.env) ?? 'none'],
        ['app_dir_name', 'Application folder', config.analyser.app_dir_name],
        ['login', 'Login', examined.login],
        ['unlock', 'Unlock', examined.unlock],
        ['grpc', 'gRPC address', describeGrpc(config, secrets)],
        ['charts', 'Charts', await describeCharts(config)],
        ['results_dir', 'Results directory', config.output.results_dir],
      ],
      // A cause comes before what follows from it.
      findings: [
        ...findings,
        ...(failure === null ? [] : stopping(failure.message)),
        ...(isUninitialised ? [] : await examinePublicKey(config)),
        ...(await examineTls(config)),
        ...warnOfPort(config.grpc, secrets.grpcToken !== null).flatMap(notice),
      ],
      shares,
      pods,
    },
    context,
    flags,
  );
  if (failure === null) return isReady ? exitCodes.ok : exitCodes.failed;
  if (context.verbose && failure.cause !== undefined) {
    context.printError(`Caused by: ${messageOf(failure.cause)}`);
  }
  return exitCodeOf(failure);
}

function failureOf(work: Promise<unknown>): Promise<AnalyserError | null> {
  return work.then(
    () => null,
    (error: unknown) => {
      if (error instanceof AnalyserError) return error;
      throw error;
    },
  );
}

async function examineTls({ grpc }: Config): Promise<Finding[]> {
  try {
    const end = await examineCertificate({ section: 'grpc', ...grpc }, new Date());
    return end === null ? [] : [{ stops: end.isOver, message: end.message }];
  } catch (error) {
    if (!(error instanceof AnalyserError)) throw error;
    return stopping(error.message);
  }
}

/** One try is enough: if the server does not answer at all, the login reports it. */
const patience = {
  policy: { tries: 1, slowTries: 1 },
  timeouts: { connectMs: 5000, answerMs: 10_000, totalMs: 15_000 },
};

/** Looks at the public key without a login; there are no findings if the server does not answer. */
async function examinePublicKey({ analyser, data }: Config): Promise<Finding[]> {
  const client = createSolidClient({
    serverUrl: analyser.server_url,
    allowedOrigins: originsOf(data),
    credentials: null,
    ...patience,
  });
  try {
    const { publicKey } = podDocuments(requireWebId(analyser.web_id).root, analyser.app_dir_name);
    return judgePublicKey(publicKey, (await client.request(publicKey)).status);
  } catch {
    return [];
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
