import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before the program: kills the process, as a power cut would, right before its nth
 * write to the disk or right after the storage server took its nth write, counted together.
 */
let left = Number(process.env['DIE_AT_WRITE'] ?? Number.POSITIVE_INFINITY);

function countWrite() {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

const { open, rename, writeFile, rm } = fs;
fs.open = async (path, flags, mode) => {
  if (typeof flags !== 'string' || !flags.startsWith('w')) return open(path, flags, mode);
  countWrite();
  const file = await open(path, flags, mode);
  const write = file.writeFile.bind(file);
  file.writeFile = (data, options) => {
    countWrite();
    return write(data, options);
  };
  return file;
};
fs.rename = (from, to) => {
  countWrite();
  return rename(from, to);
};
fs.writeFile = (file, data, options) => {
  countWrite();
  return writeFile(file, data, options);
};
fs.rm = (path, options) => {
  countWrite();
  return rm(path, options);
};
syncBuiltinESMExports();

subscribe('undici:request:headers', ({ request }) => {
  if (request.method === 'PUT' || request.method === 'PATCH') countWrite();
});
