import type { TestPod } from './solid-server.js';

/** The secrets that an Analyser takes from its environment. */
export function analyserEnv({
  account,
  securityKey,
}: {
  account: Pick<TestPod, 'clientId' | 'clientSecret'>;
  securityKey: string;
}): Record<string, string> {
  return {
    APP_ANALYSER_SECURITY_KEY: securityKey,
    APP_ANALYSER_CLIENT_ID: account.clientId,
    APP_ANALYSER_CLIENT_SECRET: account.clientSecret,
  };
}

/** What the modes of the app need to know of a person whose Pod they open, with a key for it. */
export function appEnv({ webId, email, password }: TestPod): Record<string, string> {
  return {
    APP_USER_WEB_ID: webId,
    APP_USER_EMAIL: email,
    APP_USER_PASSWORD: password,
    APP_USER_SECURITY_KEY: 'a long sentence',
  };
}
