import { type Agent, EnvHttpProxyAgent } from 'undici';
import { AnalyserError } from '../../base/errors.js';

/**
 * Connections to the outside, through the proxies that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name, in
 * upper or lower case. undici reads these variables itself.
 */
export function createAgent(
  options: Omit<Agent.Options, 'connect'> & { connectMs: number },
): EnvHttpProxyAgent {
  const { connectMs, ...others } = options;
  const connect = { timeout: connectMs };
  try {
    // `requestTls` stays unset: with any setting, undici sends no server name through a proxy.
    return new EnvHttpProxyAgent({ ...others, connect, proxyTls: connect });
  } catch (cause) {
    const message =
      'HTTPS_PROXY and HTTP_PROXY must be addresses such as http://proxy.example.org:3128.';
    throw new AnalyserError('configuration', message, { cause });
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The part of the environment that undici reads; all else, such as secrets, is left out. */
export function proxyVariables(env: Environment): Environment {
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
  const both = names.flatMap((name) => [name, name.toLowerCase()]);
  return Object.fromEntries(both.flatMap((name) => (name in env ? [[name, env[name]]] : [])));
}

/** The proxies that the environment names, without passwords; null when it names none. */
export function describeProxies(env: Environment): string | null {
  const valueOf = (name: string) => env[name.toLowerCase()] || env[name];
  const named = ['HTTPS_PROXY', 'HTTP_PROXY'].flatMap((name) => {
    const value = valueOf(name);
    return value === undefined ? [] : [`${name} ${hostOf(value)}`];
  });
  if (named.length === 0) return null;
  const exceptions = valueOf('NO_PROXY');
  return [...named, ...(exceptions === undefined ? [] : [`NO_PROXY ${exceptions}`])].join('; ');
}

function hostOf(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).host || 'no address' : 'no address';
}
