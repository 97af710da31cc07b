/** The closed set of things that can go wrong; anything else is a bug. */
export const errorKinds = [
  /** config.yaml, the environment or the command line. */
  'configuration',
  /** The keys of a Pod, or the key of a document: missing, wrong, or there already when new ones are to be made. */
  'keys',
  /** The storage server: unreachable, refusing, answering nonsense. */
  'server',
  'malformed',
  /** A gRPC call that could not be made or was refused, a proof that does not hold, or an analysis without a result. */
  'call',
  'disk',
  /** A port that is in use, or a service that runs already where only one may run. */
  'port',
  /** Several processes work over Redis, and Redis is away or full, or there is no worker. */
  'redis',
  /** Stopped by a Cancel, a caller that hung up, a shutdown, or the user. */
  'cancelled',
  /** The analysis took longer than grpc.analysis_timeout_seconds, or its result did not come in time. */
  'timeout',
] as const;
export type ErrorKind = (typeof errorKinds)[number];

export class AnalyserError extends Error {
  override readonly name: string = 'AnalyserError';
  /** The lines of the message. A line break inside one of them is part of a quoted text. */
  readonly lines: readonly string[];
  /** What the operator of the service or the developer of the app can do; empty when the message says it all. */
  readonly hint: string;

  constructor(
    readonly kind: ErrorKind,
    message: string | readonly string[],
    options?: { cause?: unknown; hint?: string | undefined },
  ) {
    const lines = typeof message === 'string' ? [message] : message;
    super(lines.join('\n'), options);
    this.lines = lines;
    this.hint = options?.hint ?? '';
  }
}

export const serverFailures = [
  'unreachable',
  'slow',
  /** 5xx or 429, after the retries. */
  'unavailable',
  /** The login was refused, a fresh token is not accepted, or it does not open the Pod that it is for. */
  'login',
  'too-large',
  /** An address or redirect outside the allowed origins. */
  'forbidden-address',
  /** A 4xx answer to a request that the step cannot do without. */
  'refused',
] as const;
export type ServerFailure = (typeof serverFailures)[number];

export class ServerError extends AnalyserError {
  override readonly name = 'ServerError';
  /** If true, the request is not tried again: another try cannot help, or all tries were made. */
  isFinal = false;

  constructor(
    readonly failure: ServerFailure,
    message: string,
    readonly details: { url: string; status?: number; cause?: unknown },
  ) {
    super('server', message, { cause: details.cause });
  }
}

const noAnswer: ReadonlySet<ServerFailure> = new Set(['unreachable', 'slow', 'unavailable']);

export function isUnanswered(error: unknown): error is ServerError {
  return error instanceof ServerError && noAnswer.has(error.failure);
}

export function isDiskError(error: unknown): boolean {
  return error instanceof AnalyserError && error.kind === 'disk';
}

/** The server keeps its rules of access in a way that this service cannot write. */
export class AccessRulesError extends ServerError {
  constructor(url: string) {
    const message =
      `The server of ${url} does not keep its rules of access in documents called .acl (Web Access ` +
      'Control), so nothing can be shared from there. Use a server with Web Access Control.';
    super('refused', message, { url });
  }
}

/** The code of an error of the system, such as ENOENT. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export async function failureOf(work: Promise<unknown>): Promise<AnalyserError | null> {
  const outcome = await resultOrFailure(work);
  return outcome instanceof AnalyserError ? outcome : null;
}

/** Returns an AnalyserError. Throws any other error: it is a bug of ours, and its text is for nobody else. */
export async function resultOrFailure<T>(work: Promise<T>): Promise<T | AnalyserError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AnalyserError) return error;
    throw error;
  }
}
