import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { trustCertificate } from '../base/dial-service.js';

/** Half as many as the 200 calls that the service takes on a connection. */
const callsPerConnection = 100;
const connectMs = 10_000;
/**
 * The service ends a connection that was silent for 15 minutes, perhaps while a call is on its way. So the proxy ends
 * it earlier.
 */
const idleMs = 5 * 60_000;
/** Pause between two pings while calls are under way. A service that has not answered by the next ping is given up. */
const pingMs = 10_000;

/** Connections to the gRPC port, opened as calls come. */
export class ServiceConnections {
  /** The open connections, with the number of calls on each. */
  readonly #open = new Map<ClientHttp2Session, number>();

  constructor(
    private readonly url: string,
    /** A PEM file with a certificate that is trusted in addition to the usual authorities. */
    private readonly certificateFile: string | null,
  ) {}

  /** Throws when the certificate cannot be read. Later failures are errors of the call. */
  request(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    const session = this.#withRoom() ?? this.#connect();
    const call = session.request(headers);
    this.#open.set(session, (this.#open.get(session) ?? 0) + 1);
    call.once('close', () => {
      const calls = this.#open.get(session);
      if (calls !== undefined) this.#open.set(session, calls - 1);
    });
    return call;
  }

  close(): void {
    for (const session of this.#open.keys()) session.destroy();
  }

  #withRoom(): ClientHttp2Session | undefined {
    for (const [session, calls] of this.#open) if (calls < callsPerConnection) return session;
    return undefined;
  }

  #connect(): ClientHttp2Session {
    const session = connect(this.url, this.#trust());
    this.#open.set(session, 0);
    const forget = () => this.#open.delete(session);
    const impatience = setTimeout(() => session.destroy(new Error('no answer')), connectMs);
    session.once('connect', () => clearTimeout(impatience));
    const stopPinging = this.#ping(session);
    // This error is not told, because every call on the connection gets an error of its own.
    session.on('error', forget);
    session.once('goaway', forget);
    session.once('close', () => {
      clearTimeout(impatience);
      stopPinging();
      forget();
    });
    session.setTimeout(idleMs, () => {
      forget();
      // Calls under way go on.
      session.close();
    });
    return session;
  }

  /** Pings, because a machine that has gone, or a network that drops everything, does not close a connection. */
  #ping(session: ClientHttp2Session): () => void {
    let isAnswered = true;
    const timer = setInterval(() => {
      if (!isAnswered) {
        session.destroy(new Error('no answer'));
      } else if ((this.#open.get(session) ?? 0) > 0 && !session.connecting) {
        isAnswered = false;
        session.ping(() => {
          isAnswered = true;
        });
      }
    }, pingMs);
    return () => clearInterval(timer);
  }

  #trust() {
    if (this.certificateFile === null || !this.url.startsWith('https:')) return {};
    const { context, checkIdentity } = trustCertificate(this.certificateFile);
    return { ...context, checkServerIdentity: checkIdentity };
  }
}
