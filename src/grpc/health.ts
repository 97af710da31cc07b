import { status } from '@grpc/grpc-js';
import {
  type HealthServer,
  HealthCheckResponse_ServingStatus as Serving,
} from '../generated/grpc/health/v1/health.js';
import { AnalyserClient } from '../generated/healthpod/analyser/v1/analyser.js';
import type { ServiceReadiness } from './calls.js';

const services = ['', AnalyserClient.serviceName];

/** The health check of gRPC, for probes: serving means that the service is ready. */
export function createHealth(readiness: ServiceReadiness): HealthServer {
  return {
    check({ request }, answer) {
      readiness.recheck();
      const { ready } = readiness.state;
      if (services.includes(request.service)) {
        answer(null, { status: ready ? Serving.SERVING : Serving.NOT_SERVING });
      } else {
        answer({ code: status.NOT_FOUND, details: 'The service is not known here.' });
      }
    },
  };
}
