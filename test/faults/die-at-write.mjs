import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, constants } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

/**
 * Loaded before the program: kills the process, as a power cut would, right before a write to the
 * disk, or right after the storage server took one. Writes are named by what is done to what, and how
 * often it was done, or by their number; those of a run that lives are listed.
 */
const { DIE_AT_WRITE: deadly, LIST_WRITES: list } = process.env;
const counts = new Map();
let met = 0;

function meetWrite(deed, name) {
  // Names of runs have digits in them.
  const kind = `${deed} ${name.replace(/\.[\w-]+\.tmp$/, '.tmp').replace(/\d[\w-]*/g, 'N')}`;
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const write = `${kind} #${counts.get(kind)}`;
  met += 1;
  if (deadly === write || deadly === String(met)) process.kill(process.pid, 'SIGKILL');
  if (list !== undefined) appendFileSync(list, `${write}\n`);
}

const { open, rename, link, writeFile, rm } = fs;
/** What is done to an open file: a document, the history and the text of a lock. */
const deeds = { write: 'writeFile', append: 'appendFile', put: 'write', truncate: 'truncate' };
fs.open = async (path, flags, mode) => {
  const isWritten =
    typeof flags === 'string'
      ? flags.startsWith('w')
      : (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
  if (!isWritten) return open(path, flags, mode);
  meetWrite('open', basename(path));
  const file = await open(path, flags, mode);
  for (const [deed, method] of Object.entries(deeds)) {
    const act = file[method].bind(file);
    file[method] = (...given) => {
      meetWrite(deed, basename(path));
      return act(...given);
    };
  }
  return file;
};
fs.rename = (from, to) => {
  meetWrite('rename', basename(to));
  return rename(from, to);
};
fs.link = (from, to) => {
  meetWrite('link', basename(to));
  return link(from, to);
};
fs.writeFile = (file, data, options) => {
  meetWrite('writeFile', typeof file === 'string' ? basename(file) : 'handle');
  return writeFile(file, data, options);
};
fs.rm = (path, options) => {
  meetWrite('rm', basename(path));
  return rm(path, options);
};
syncBuiltinESMExports();

subscribe('undici:request:headers', ({ request }) => {
  const { method, path } = request;
  if (method !== 'GET' && method !== 'HEAD') meetWrite(method, path);
});
