import { request as plainRequest } from 'node:http';
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
  refusal: string | undefined;
}

export interface CallOptions {
  webId?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** The address of this machine to call from. */
  localAddress?: string;
}

/** Sends anything at all. */
export async function send(
  url: string,
  method: string,
  {
    headers = {},
    body = Buffer.alloc(0),
    signal,
    localAddress,
  }: CallOptions & {
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

/** What a gRPC-Web client sends for a call, and how it reads the answer. */
export function webCall(method: Method, { webId = '', headers = {} }: CallOptions) {
  const request = { web_id: webId, shared_file_count: 0, requested_at: '' };
  return {
    path: `/healthpod.analyser.v1.Analyser/${method}`,
    headers: { 'content-type': 'application/grpc-web', 'x-grpc-web': '1', ...headers },
    body: frameMessage(codecs[method].request.encode(request).finish()),
  };
}

/** One call, as a page makes it. */
export async function callWeb(
  origin: string,
  method: Method,
  options: CallOptions = {},
): Promise<WebAnswer> {
  const { headers, body, path } = webCall(method, options);
  const answer = await send(`${origin}${path}`, 'POST', { ...options, headers, body });
  return { ...answer, ...readFrames(method, answer.body) };
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
    refusal: trailers.get('analyser-refusal'),
  };
}
