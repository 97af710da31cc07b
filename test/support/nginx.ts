import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { Certificates } from '../grpc/certificates.js';
import { newFolder } from './temp-folder.js';

export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

/** nginx with this in its `http` block, until the test ends; it listens on the port then. */
async function startNginx(port: number, http: string): Promise<void> {
  const folder = await newFolder();
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  const file = join(folder, 'nginx.conf');
  const process = `daemon off; master_process off; pid ${folder}/pid; events {}`;
  await writeFile(file, `${process}\nhttp {\naccess_log off; ${places}\n${http}\n}\n`);
  const child = spawn('nginx', ['-e', join(folder, 'log'), '-c', file]);
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  await vi.waitFor(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  }, 60_000);
}

/** The site as it is shipped, but for its places, until the test ends; with a port for `login`, with the page to log in. */
export async function startShippedSite({ api = 8088, grpc = 50051, web = 8089, login = 0 }) {
  const [tls, plain] = [await findFreePort(), await findFreePort()];
  const certificates = new Certificates();
  onTestFinished(() => certificates[Symbol.dispose]());
  const { cert, key } = certificates.selfSigned('DNS:localhost');
  const passwords = `${cert}.htpasswd`;
  await writeFile(passwords, 'operator:{PLAIN}secret\n');
  const shipped = (name: string) =>
    readFileSync(new URL(`../../deploy/nginx/${name}`, import.meta.url), 'utf8');
  const password = /^ *auth_basic .*\n *auth_basic_user_file .*\n/m;
  const ofLogin = shipped('login.conf').replaceAll('127.0.0.1:4180', `127.0.0.1:${login}`);
  const site = shipped('bp-analyser.conf')
    .replace(password, (lines) => (login === 0 ? lines : ofLogin))
    .replaceAll('/etc/letsencrypt/live/analyser.example.org/fullchain.pem', cert)
    .replaceAll('/etc/letsencrypt/live/analyser.example.org/privkey.pem', key)
    .replaceAll('/etc/nginx/bp-analyser.htpasswd', passwords)
    .replaceAll('listen 443', `listen 127.0.0.1:${tls}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${plain}`)
    .replaceAll('127.0.0.1:8088', `127.0.0.1:${api}`)
    .replaceAll('127.0.0.1:50051', `127.0.0.1:${grpc}`)
    .replaceAll('127.0.0.1:8089', `127.0.0.1:${web}`)
    // There may be no IPv6 where the tests run.
    .replaceAll(/^ *listen \[::\].*\n/gm, '');
  await startNginx(tls, site);
  return { tls, cert };
}
