import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';

export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

/** nginx in front of a server on this machine until the test ends; `settings` go into its `http` block. */
export async function startNginx(
  ports: { own: number; target: number },
  settings: string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-nginx-'));
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/log; events {}
    http {
      access_log off; ${placesBelow(folder)}
      ${settings}
      server {
        listen 127.0.0.1:${ports.own};
        location / {
          proxy_pass http://127.0.0.1:${ports.target};
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
        }
      }
    }`,
  );
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await launch(folder, ports.own);
}

function placesBelow(folder: string): string {
  return ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
}

/** By the nginx.conf in this folder; its port is open then. */
async function launch(folder: string, port: number): Promise<void> {
  const child = spawn('nginx', ['-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')]);
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  await waitForPort(port);
}

/** The site as it is shipped, but for its places, until the test ends. */
export async function startShippedSite(
  folder: string,
  given: { tls: number } & Partial<Record<'api' | 'grpc' | 'web', number>>,
): Promise<void> {
  const ports = { api: 8088, grpc: 50051, web: 8089, plain: await findFreePort(), ...given };
  const [key, cert] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  const subject = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], {
    stdio: 'ignore',
  });
  writeFileSync(join(folder, 'bp-analyser.htpasswd'), 'operator:{PLAIN}secret\n');
  const shipped = new URL('../../deploy/nginx/bp-analyser.conf', import.meta.url);
  const site = readFileSync(shipped, 'utf8')
    .replaceAll('/etc/letsencrypt/live/analyser.example.org', folder)
    .replaceAll('/etc/nginx/bp-analyser.htpasswd', join(folder, 'bp-analyser.htpasswd'))
    .replaceAll('listen 443', `listen 127.0.0.1:${ports.tls}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${ports.plain}`)
    .replaceAll('127.0.0.1:8088', `127.0.0.1:${ports.api}`)
    .replaceAll('127.0.0.1:50051', `127.0.0.1:${ports.grpc}`)
    .replaceAll('127.0.0.1:8089', `127.0.0.1:${ports.web}`)
    // There may be no IPv6 where the tests run.
    .replaceAll(/^ *listen \[::\].*\n/gm, '');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;\nmaster_process off;\npid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${placesBelow(folder)}\n${site}}\n`,
  );
  await launch(folder, ports.tls);
}

async function waitForPort(port: number): Promise<void> {
  for (let tried = 1; !(await isOpen(port)); tried += 1) {
    if (tried === 1_200) throw new Error('nginx did not open its port.');
    await pause(50);
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
