import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

/** nginx in front of a server on this machine; `settings` go into its `http` block. */
export async function startNginx(
  ports: { own: number; target: number },
  settings: string,
): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-nginx-'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/log; events {}
    http {
      access_log off; ${paths.join(' ')}
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
  const child = spawn('nginx', ['-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')]);
  await waitForPort(ports.own);
  return {
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function waitForPort(port: number): Promise<void> {
  for (let tried = 1; !(await isOpen(port)); tried += 1) {
    if (tried === 100) throw new Error('nginx did not open its port.');
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
