import { setTimeout as pause } from 'node:timers/promises';
import { Server, type ServerInterceptor, setLogger } from '@grpc/grpc-js';
import { RareWarning } from '../base/rare-warning.js';
import type { Config } from '../config/schema.js';
import { HealthService } from '../generated/grpc/health/v1/health.js';
import { AnalyserService } from '../generated/healthpod/analyser/v1/analyser.js';
import { CertificateFiles } from '../ports/certificate-files.js';
import { callerLimits } from '../ports/open-calls.js';
import { formatAddress } from '../ports/port-error.js';
import { CallerProof, type ProofVerifier } from './caller-proof.js';
import { type CallContext, createCalls, type Refusal } from './calls.js';
import { createHealth } from './health.js';
import { openListener } from './listener.js';
import { createTokenInterceptor } from './require-token.js';

/** Time for the last replies to get through the socket after their analysis has ended. */
const lastRepliesMs = 1000;

const limits = {
  // Far above any request, so that even a WebID that is much too long gets a reply.
  'grpc.max_receive_message_length': 256 * 1024,
  // An app has two or three calls on a connection. A proxy with more calls opens another connection.
  'grpc.max_concurrent_streams': 200,
  'grpc.max_connection_idle_ms': 15 * 60_000,
  'grpc.enable_channelz': 0,
};

interface Settings extends Omit<CallContext, 'proof' | 'proxies' | 'analyser' | 'refusals'> {
  config: Pick<Config, 'analyser' | 'grpc'>;
  token: string | null;
  /** Required when the configuration asks callers to prove their WebID. */
  verifier?: ProofVerifier | null;
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

export async function startServer(settings: Settings) {
  const { queue, readiness, config, token, log } = settings;
  // The log of the library is off: its errors contain texts of callers, tokens included. We log errors ourselves.
  setLogger({});
  const certificates = await CertificateFiles.load({ section: 'grpc', ...config.grpc }, log);
  const proof = requireProofIfWanted(settings);

  const guards: ServerInterceptor[] = token === null ? [] : [createTokenInterceptor(token)];
  const callers = callerLimits(config.grpc);
  const server = new Server({ ...limits, interceptors: guards });
  const { proxies } = callers;
  const refusals = new RareWarning<Refusal>((refusal) => log.warn(refusal, 'A call was refused.'));
  server.addService(
    lenientDefinition,
    createCalls({ ...settings, proof, proxies, analyser: config.analyser, refusals }),
  );
  server.addService(HealthService, createHealth(readiness));

  const { host, port } = config.grpc;
  const where = { host, port, certificates, limits: callers };
  const listener = await openListener(server, where).catch((error: unknown) => {
    certificates?.close();
    throw error;
  });
  log.info(
    `serving gRPC on ${formatAddress(host, listener.port)} ` +
      `(${certificates === null ? 'plaintext' : 'TLS'}, ${token === null ? 'no token' : 'token required'}` +
      `${proof === null ? '' : ', proof of the WebID required'})`,
  );

  return {
    port: listener.port,
    /** Accepts no new calls. The running analysis has `graceMs` to finish, by default the time of the queue. */
    async stop(graceMs?: number) {
      const drained = listener.close();
      const emptied = queue.drain(graceMs);
      // The callback is useless: on Node 24 it is called at once, before the sessions have ended.
      server.tryShutdown(() => undefined);
      await emptied;
      await Promise.race([drained, pause(lastRepliesMs, undefined, { ref: false })]);
      listener.destroyConnections();
      certificates?.close();
    },
  };
}

/** What cannot be decoded is read as empty: the contract has only INVALID_ARGUMENT for a mistake of the caller. */
const lenientDefinition = {
  analyse: lenient(AnalyserService.analyse),
  cancel: lenient(AnalyserService.cancel),
  status: lenient(AnalyserService.status),
};

function lenient<Method extends { requestDeserialize: (bytes: Buffer) => unknown }>(
  method: Method,
): Method {
  return {
    ...method,
    requestDeserialize: (bytes: Buffer) => {
      try {
        return method.requestDeserialize(bytes);
      } catch {
        return method.requestDeserialize(Buffer.alloc(0));
      }
    },
  };
}

/** Throws rather than serve without a proof that the configuration asks for. */
function requireProofIfWanted({ config, verifier = null }: Settings): CallerProof | null {
  const { require_web_id_proof, public_url } = config.grpc;
  if (!require_web_id_proof) return null;
  if (verifier !== null && public_url !== null) {
    return new CallerProof(verifier, public_url);
  }
  throw new Error('A service that asks for proofs needs a verifier and its own address.');
}
