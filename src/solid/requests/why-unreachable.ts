import { messageOf } from '../../base/errors.js';

/** Completes "could not be reached: …" with a reason to act on, never with a text of OpenSSL. */
export function whyUnreachable(error: unknown, url: string): string {
  const { hostname, protocol } = new URL(url);
  const codes = codesOf(error);
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
    return 'it broke the connection; its address may begin with https:// instead of http://';
  }
  const message = messageOf(error);
  return /SSL|openssl/i.test(message)
    ? 'its TLS failed'
    : message || codes.at(-1) || 'no reason is known';
}

/** The codes of the error, of the errors inside it (one for each address tried) and of causes. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = [error.name, ...('code' in error ? [String(error.code)] : [])];
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return [...own, ...inner.flatMap(codesOf)];
}
