import { messageOf } from '../../base/errors.js';

/** Completes "could not be reached: …" with the words of Node.js for the innermost cause, never with a text of OpenSSL. */
export function whyUnreachable(error: unknown): string {
  const reasons = causesOf(error).map(messageOf);
  if (reasons.some(isOfOpenSsl)) {
    return 'it does not speak TLS; its address may begin with http:// instead of https://';
  }
  return reasons.findLast((message) => message !== '') ?? 'no reason is known';
}

export function isOfOpenSsl(message: string): boolean {
  return message.includes(':SSL routines:');
}

/** The error, the errors inside it (one for each tried address) and the causes. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return [error, ...inner.flatMap(causesOf)];
}
