import type { TestPod } from './solid-server.js';

/** What the modes of the app need to know of a person whose Pod they open, with a key for it. */
export function appEnv({ webId, email, password }: TestPod): Record<string, string> {
  return {
    APP_USER_WEB_ID: webId,
    APP_USER_EMAIL: email,
    APP_USER_PASSWORD: password,
    APP_USER_SECURITY_KEY: 'a long sentence',
  };
}
