import type { Analyser, OwnPodSettings } from '../../src/client/client.js';

export const settings: OwnPodSettings = {
  webId: 'https://pods.example.org/alice/profile/card#me',
  securityKey: 'a long sentence that only alice knows',
  // Bound to webId; obtainCredentials issues them on a Community Solid Server.
  credentials: { clientId: 'my-app_1234', clientSecret: '5678' },
  // The rest can be left out. The default is the server that the profile of the WebID names.
  serverUrl: 'https://pods.example.org/',
  // The folder of the app in every Pod; this is the default (HealthPod: healthpod).
  appDir: 'app',
  // By default only the server of the Pod is asked; name the Analyser's server if it is another.
  allowedOrigins: ['https://health.example.org/'],
};

export const analyser: Analyser = {
  analyserWebId: 'https://health.example.org/analyser/profile/card#me',
  // The service's sharing.results_dir; this is the default.
  resultsDir: 'analyser',
  service: {
    host: 'analyser.example.org',
    port: 50051,
    // null where the service asks for none.
    token: 'shared-secret',
    tls: true,
    // Null for a certificate of a usual authority; otherwise the PEM file of the certificate or its issuer.
    certificateFile: null,
    // The service's grpc.public_url, when it asks callers to prove their WebID; null otherwise.
    publicUrl: 'https://analyser.example.org',
  },
};
