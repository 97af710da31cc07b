import { AnalyserService } from '../generated/healthpod/analyser/v1/analyser.js';
import type { WebIdHolder } from '../solid/solid-client.js';

export type ProofMetadata = Record<'x-solid-authorization' | 'x-solid-dpop', string>;

/**
 * Metadata for one call that proves that the caller is the WebID it names.
 * `serviceUrl` is the address of the service as its callers know it (its grpc.public_url).
 */
export async function createProofMetadata(
  login: WebIdHolder,
  serviceUrl: string,
  call: 'analyse' | 'cancel',
  signal?: AbortSignal,
): Promise<ProofMetadata> {
  const url = new URL(serviceUrl).origin + AnalyserService[call].path;
  const { authorization, dpop } = await login.proveWebId(url, signal);
  return { 'x-solid-authorization': authorization, 'x-solid-dpop': dpop };
}
