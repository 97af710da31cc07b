/** A gRPC server that answers Status and Cancel at once and does nothing else. */
import { promisify } from 'node:util';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import {
  type AnalyserServer,
  AnalyserService,
  CancelStatus,
} from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { tellParent } from './child.js';

const answers: AnalyserServer = {
  analyse: (_call, reply) => reply(new Error('Not asked here.')),
  status: (_call, reply) =>
    reply(null, {
      ready: true,
      analyser_web_id: 'http://localhost/analyser/profile/card#me',
      active_runs: 1,
      last_run_id: '20200101T080000Z',
      last_run_at: '2020-01-01T08:00:00.000+00:00',
      message: 'The service is ready.',
    }),
  cancel: (_call, reply) =>
    reply(null, {
      status: CancelStatus.CANCEL_STATUS_NOTHING_RUNNING,
      message: 'Nothing is running for this WebID.',
      run_id: '',
    }),
};

const server = new Server();
server.addService(AnalyserService, answers);
const bind = promisify(server.bindAsync.bind(server));
tellParent({ port: await bind('127.0.0.1:0', ServerCredentials.createInsecure()) });
