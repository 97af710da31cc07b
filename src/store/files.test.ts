import { execFileSync, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { folderForEach } from '../../test/support/temp-folder.js';
import {
  cleanTemporaryFiles,
  diskError,
  listFolder,
  makeFolder,
  readDocument,
  readStored,
  removeFile,
  writeFileAtomically,
} from './files.js';

const folder = folderForEach();

test('[6.3] readers see the old content or the new one, never a part', async () => {
  const path = join(folder(), 'file');
  const contents = [0, 1].map((digit) => String(digit).repeat(200_000));
  await writeFileAtomically(path, '0'.repeat(200_000));
  let writing = true;
  const writer = (async () => {
    for (let round = 0; round < 30; round++) {
      await writeFileAtomically(path, contents[round % 2] ?? '');
    }
    writing = false;
  })();
  while (writing) expect(contents.includes(await readFile(path, 'utf8'))).toBe(true);
  await writer;
  expect(await readdir(folder())).toEqual(['file']);
});

test('[6.3] a write that cannot finish leaves the old file and no temporary one', async () => {
  const path = join(folder(), 'file');
  await writeFile(path, 'old');
  const module = fileURLToPath(new URL('./files.ts', import.meta.url));
  // A limit on the size of files stands in for a full disk: the write ends short.
  const program = `process.on('SIGXFSZ', () => {});
    const { writeFileAtomically } = await import(${JSON.stringify(module)});
    await writeFileAtomically(${JSON.stringify(path)}, 'x'.repeat(4_000_000))
      .catch((error) => { console.log(error.kind); });`;
  const node = ['--import', 'tsx', '--input-type=module', '-e', program];
  const limited = ['-c', 'ulimit -f 1000; exec "$0" "$@"', process.execPath, ...node];
  const child = spawn('sh', limited, { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await text(child.stdout)).toBe('disk\n');
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(folder())).toEqual(['file']);
});

test('[6.3] a write that cannot take the place of what is there leaves nothing beside it', async () => {
  const path = join(folder(), 'taken');
  await mkdir(join(path, 'by a folder'), { recursive: true });
  await expect(writeFileAtomically(path, 'new')).rejects.toMatchObject({ kind: 'disk' });
  expect(await readdir(folder())).toEqual(['taken']);
});

test('[T23] nothing but a file of its own is read: no link, wherever it leads, no folder and no pipe', async () => {
  const [file = '', link = '', pipe = ''] = ['file', 'link', 'pipe'].map((name) =>
    join(folder(), name),
  );
  await writeFile(file, 'ours');
  await symlink(file, link);
  execFileSync('mkfifo', [pipe]);
  const read = await Promise.all([file, link, folder(), pipe].map(readStored));
  expect(read.map((content) => content?.toString())).toEqual([
    'ours',
    undefined,
    undefined,
    undefined,
  ]);
});

test('[6.3] left-over temporary files are cleaned up, and nothing else is', async () => {
  const kept = ['latest.json', '.hidden', 'x.tmp', '.latest.json.tmp'];
  kept.push('a.b.0123456789abcdef.tmp', '.b.0123456789abcdef.tmp.json');
  for (const name of [...kept, '.latest.json.0123456789abcdef.tmp']) {
    await writeFile(join(folder(), name), '');
  }
  await mkdir(join(folder(), 'empty'));
  await cleanTemporaryFiles([
    folder(),
    folder(),
    join(folder(), 'empty'),
    join(folder(), 'missing'),
  ]);
  expect((await readdir(folder())).sort()).toEqual([...kept, 'empty'].sort());
});

test('whether there was a file is told when it is removed, and a disk that refuses is no missing file', async () => {
  const path = join(folder(), 'new/file');
  await writeFileAtomically(path, 'content');
  expect([await removeFile(path), await removeFile(path)]).toEqual([true, false]);
  expect(await listFolder(join(folder(), 'missing'))).toEqual([]);
  await writeFile(path, '');
  // A file in the place of a folder stands in for a disk that fails.
  for (const failing of [
    removeFile(join(path, 'x')),
    listFolder(path),
    readStored(join(path, 'x')),
  ]) {
    await expect(failing).rejects.toMatchObject({ kind: 'disk' });
  }
});

test('a document is found, or is not there, or cannot be read for a reason that names the field', async () => {
  const path = join(folder(), 'document.json');
  const read = async (text: string) => {
    await writeFile(path, text);
    return await readDocument(path, z.object({ at: z.object({ day: z.number() }) }));
  };
  const unreadable = (reason: unknown) => ({ state: 'unreadable', path, reason });
  expect(await readDocument(path, z.unknown())).toEqual({ state: 'absent' });
  expect(await read('{"at":{"day":1}}')).toEqual({ state: 'found', document: { at: { day: 1 } } });
  expect(await read('{"at":')).toEqual(unreadable('not valid JSON'));
  expect(await read('{"at":{"day":"x"}}')).toEqual(
    unreadable(expect.stringMatching(/^at\.day: ./)),
  );
  expect(await read('1')).toEqual(unreadable(expect.stringMatching(/^document: ./)));
});

test('[T39] folders and files are for the owner and a group, whatever the umask', async () => {
  const before = process.umask(0);
  await makeFolder(join(folder(), 'var/state'));
  await writeFileAtomically(join(folder(), 'var/state.json'), '');
  process.umask(before);
  expect((await stat(join(folder(), 'var/state.json'))).mode & 0o777).toBe(0o640);
  for (const made of ['var', 'var/state']) {
    expect((await stat(join(folder(), made))).mode & 0o777).toBe(0o750);
  }
});

test.each([
  ['ENOSPC', 'The disk is full: free some space, then try again.'],
  [
    'EROFS',
    'The file system is read-only: mount it writable or choose another folder under output.',
  ],
  ['EIO', 'The system reported EIO.'],
])('%s is told with the path and what to do', (code, remedy) => {
  const cause = Object.assign(new Error('raw'), { code });
  const message = `Could not write /var/x.json. ${remedy}`;
  expect(diskError('write', '/var/x.json', cause)).toMatchObject({ kind: 'disk', message, cause });
});
