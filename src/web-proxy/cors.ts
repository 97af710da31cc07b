/** The headers of a call that go on to the service; the last two are the proof of a WebID. */
export const passedOn = [
  'authorization',
  'grpc-timeout',
  'x-solid-authorization',
  'x-solid-dpop',
] as const;

const allowedHeaders = ['content-type', 'x-grpc-web', 'x-user-agent', ...passedOn].join(', ');

/** The headers of every answer to a page. With them, the browser shows the page the outcome of the call. */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'grpc-status, grpc-message',
  };
}

/** The headers of the answer to a preflight: the question that a browser asks before the call of a page. */
export const preflightHeaders = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': allowedHeaders,
  'access-control-max-age': '7200',
};
