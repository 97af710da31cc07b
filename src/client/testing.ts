/** The entry point `…/testing` of the npm package: an Analyser for the tests of an app, which fails when it is told to. */

import { Server, ServerCredentials } from '@grpc/grpc-js';
import {
  type AnalyseReply,
  type AnalyseRequest,
  type AnalyserServer,
  AnalyserService,
  AnalyseStatus,
  CancelStatus,
  type StatusReply,
} from '../generated/healthpod/analyser/v1/analyser.js';
import type { DialSettings } from './dial.js';

/** What the calls are answered. What is left out is as of a service that is ready, and has published nothing. */
export interface TestReplies {
  status?: Partial<StatusReply>;
  /** `until-cancelled`: an Analyse is answered when a Cancel for its WebID comes. */
  analyse?: Partial<AnalyseReply> | 'until-cancelled';
}

export interface TestAnalyser {
  /** Where it is, for `dial` and `runAnalysis`. */
  service: DialSettings;
  /** Holds from the next call on. */
  replies: TestReplies;
  /** The Analyse calls so far. */
  readonly requests: readonly AnalyseRequest[];
  /** Ends all connections. */
  stop(): void;
}

const status = { ready: true, active_runs: 0, last_run_id: '', last_run_at: '', message: '' };
const analyse = {
  status: AnalyseStatus.ANALYSE_STATUS_COMPLETED,
  run_id: '',
  message: '',
  result_url: '',
  generated_at: '',
  pod_count: 0,
  observation_count: 0,
  files_read: 0,
  files_skipped: 0,
  published: false,
};

/** Starts an Analyser in this process, on a free port. It has no Pod and reads none. */
export async function startTestAnalyser(
  analyserWebId: string,
  replies: TestReplies = {},
): Promise<TestAnalyser> {
  const requests: AnalyseRequest[] = [];
  let waiting: { webId: string; cancel: () => void }[] = [];
  const calls: AnalyserServer = {
    status: (_call, answer) =>
      answer(null, { ...status, analyser_web_id: analyserWebId, ...analyser.replies.status }),
    analyse: ({ request }, answer) => {
      requests.push(request);
      const told = analyser.replies.analyse;
      if (told === 'until-cancelled') {
        const cancelled = { ...analyse, status: AnalyseStatus.ANALYSE_STATUS_CANCELLED };
        waiting.push({ webId: request.web_id, cancel: () => answer(null, cancelled) });
      } else answer(null, { ...analyse, ...told });
    },
    cancel: ({ request }, answer) => {
      const stopped = waiting.filter(({ webId }) => webId === request.web_id);
      waiting = waiting.filter((turn) => !stopped.includes(turn));
      for (const { cancel } of stopped) cancel();
      const { CANCEL_STATUS_STOPPED, CANCEL_STATUS_NOTHING_RUNNING } = CancelStatus;
      const status = stopped.length > 0 ? CANCEL_STATUS_STOPPED : CANCEL_STATUS_NOTHING_RUNNING;
      answer(null, { status, message: '', run_id: '' });
    },
  };
  const server = new Server();
  server.addService(AnalyserService, calls);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
  const service = { host: '127.0.0.1', port };
  const analyser = { service, replies, requests, stop: () => server.forceShutdown() };
  return analyser;
}
