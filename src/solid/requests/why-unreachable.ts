import { messageOf } from '../../base/errors.js';

/**
 * Completes "could not be reached: …" with a reason that people can act on, never with a text of OpenSSL. A server that
 * has answered before is at the right address.
 */
export function whyUnreachable(error: unknown, url: string, hasAnswered: boolean): string {
  const { hostname, protocol } = new URL(url);
  const failures = failuresIn(error);
  const codes = failures.flatMap(codesOf);
  const refusal = /^Proxy response \((\d+)\)/.exec(messageOf(error))?.[1];
  if (refusal !== undefined) return `the proxy answered HTTP ${refusal}`;
  if (failures.some((failure) => isElsewhere(failure, url))) {
    return 'the proxy that HTTPS_PROXY or HTTP_PROXY names cannot be reached; NO_PROXY names servers that need none';
  }
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (has(/^(ENOTFOUND|EAI_AGAIN)$/)) return `the name ${hostname} is not known here`;
  if (has(/^ECONNREFUSED$/)) return 'nothing listens there';
  if (has(/^(EPROTO|ERR_SSL_)/)) {
    return 'it does not speak TLS; its address may begin with http:// instead of https://';
  }
  if (has(/^CERT_HAS_EXPIRED$/)) return 'its certificate has expired';
  if (has(/^ERR_TLS_CERT_ALTNAME_INVALID$/)) return `its certificate is not for ${hostname}`;
  if (has(/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/)) {
    return 'its certificate is not trusted here; of an authority of your own, name the certificate in NODE_EXTRA_CA_CERTS';
  }
  if (has(/^(HPE_|HTTPParserError$|ECONNRESET$|UND_ERR_SOCKET$)/) && protocol === 'http:') {
    const hint = hasAnswered ? '' : '; its address may begin with https:// instead of http://';
    return `it broke the connection${hint}`;
  }
  const message = messageOf(error);
  return /SSL|openssl/i.test(message)
    ? 'its TLS failed'
    : message || codes.at(-1) || 'no reason is known';
}

/** The error, the errors inside it (one for each tried address) and the causes. */
function failuresIn(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return [error, ...inner.flatMap(failuresIn)];
}

function codesOf(error: Error): string[] {
  return [error.name, ...('code' in error ? [String(error.code)] : [])];
}

/** Whether the error concerns another address than the requested one, for example a proxy. */
function isElsewhere(error: Error, url: string): boolean {
  const { hostname, protocol, port } = new URL(url);
  const wanted = port || (protocol === 'https:' ? '443' : '80');
  if ('hostname' in error) return error.hostname !== hostname;
  return 'port' in error && String(error.port) !== wanted;
}
