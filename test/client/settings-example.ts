import type { Analyser, OwnPodSettings } from '../../src/client/client.js';

export const settings: OwnPodSettings = {
  webId: 'https://pods.example.org/alice/profile/card#me',
  securityKey: 'a long sentence that only alice knows',
  credentials: { clientId: 'my-app_1234', clientSecret: '5678' }, // bound to webId
  appDir: 'app', // the folder of the app in every Pod; this is the default
  allowedOrigins: ['https://health.example.org/'], // the Analyser's server, if it is another
};
export const analyser: Analyser = {
  analyserWebId: 'https://health.example.org/analyser/profile/card#me',
  service: {
    host: 'analyser.example.org',
    port: 50051,
    tls: true,
    certificateFile: null, // or the PEM file of the certificate or its issuer
    token: 'shared-secret', // null where the service asks for none
    publicUrl: null, // the service's grpc.public_url, when it asks for a proof of the WebID
  },
};
