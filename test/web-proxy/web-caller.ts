import { request as plainRequest } from 'node:http';
import { connect, type OutgoingHttpHeaders } from 'node:http2';
import { request as secureRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import {
  AnalyseReply,
  AnalyseRequest,
  CancelReply,
  CancelRequest,
  StatusReply,
  StatusRequest,
} from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { frameMessage } from '../grpc/frame-message.js';

const codecs = {
  Analyse: { request: AnalyseRequest, reply: AnalyseReply },
  Cancel: { request: CancelRequest, reply: CancelReply },
  Status: { request: StatusRequest, reply: StatusReply },
};
export type Method = keyof typeof codecs;

export interface RawAnswer {
  status: number;
  headers: Record<string, unknown>;
  body: Buffer;
}

export interface WebAnswer extends RawAnswer {
  /** Null where there is no message. */
  reply: unknown;
  grpcStatus: string | undefined;
  grpcMessage: string | undefined;
}

export interface CallOptions {
  webId?: string;
  headers?: Record<string, string>;
  text?: boolean;
  signal?: AbortSignal;
  /** The address of this machine to call from. */
  localAddress?: string;
}

/** Sends anything at all over HTTP/1.1. */
export async function send(
  url: string,
  method: string,
  {
    headers = {},
    body = Buffer.alloc(0),
    signal,
    localAddress,
  }: Omit<CallOptions, 'text'> & {
    body?: Buffer;
  } = {},
): Promise<RawAnswer> {
  const request = url.startsWith('https:') ? secureRequest : plainRequest;
  return await new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers, signal, localAddress, agent: false, rejectUnauthorized: false },
      (answer) => {
        buffer(answer).then(
          (content) =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: content }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends one request over HTTP/2. */
export async function sendHttp2(
  origin: string,
  headers: OutgoingHttpHeaders,
  body: Buffer,
): Promise<RawAnswer> {
  const session = connect(origin, { rejectUnauthorized: false });
  try {
    return await new Promise((resolve, reject) => {
      session.on('error', reject);
      const call = session.request(headers);
      call.on('error', reject);
      call.on('close', () => reject(new Error('The call was closed.')));
      call.on('response', (answered) => {
        buffer(call).then(
          (content) =>
            resolve({ status: answered[':status'] ?? 0, headers: { ...answered }, body: content }),
          reject,
        );
      });
      call.end(body);
    });
  } finally {
    session.close();
  }
}

/** What a gRPC-Web client sends for a call, and how it reads the answer. */
export function webCall(method: Method, { webId = '', text = false, headers = {} }: CallOptions) {
  const request = { web_id: webId, shared_file_count: 0, requested_at: '' };
  const framed = frameMessage(codecs[method].request.encode(request).finish());
  const type = `application/grpc-web${text ? '-text' : ''}`;
  return {
    path: `/healthpod.analyser.v1.Analyser/${method}`,
    headers: { 'content-type': type, 'x-grpc-web': '1', ...headers },
    body: text ? Buffer.from(framed.toString('base64')) : framed,
    read: (answer: RawAnswer): WebAnswer => {
      const bytes = text ? Buffer.from(answer.body.toString(), 'base64') : answer.body;
      return { ...answer, ...readFrames(method, bytes) };
    },
  };
}

/** One call over HTTP/1.1. */
export async function callOverHttp1(
  origin: string,
  method: Method,
  options: CallOptions = {},
): Promise<WebAnswer> {
  const call = webCall(method, options);
  const { headers, body, path } = call;
  return call.read(await send(`${origin}${path}`, 'POST', { ...options, headers, body }));
}

export async function callOverHttp2(
  origin: string,
  method: Method,
  options: CallOptions = {},
): Promise<WebAnswer> {
  const call = webCall(method, options);
  const headers = { ...call.headers, ':method': 'POST', ':path': call.path };
  return call.read(await sendHttp2(origin, headers, call.body));
}

function readFrames(method: Method, bytes: Buffer) {
  let reply: unknown = null;
  const trailers = new Map<string, string>();
  for (let at = 0; at + 5 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at + 1);
    const content = bytes.subarray(at + 5, at + 5 + length);
    if (bytes[at] === 0) reply = codecs[method].reply.decode(content);
    else {
      for (const line of content.toString().split('\r\n')) {
        const [, name = '', value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? [];
        if (name !== '') trailers.set(name, decodeURIComponent(value));
      }
    }
    at += 5 + length;
  }
  return {
    reply,
    grpcStatus: trailers.get('grpc-status'),
    grpcMessage: trailers.get('grpc-message'),
  };
}
