import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Metadata } from '@grpc/grpc-js';
import { expect } from 'vitest';
import { parseReadings } from '../../src/analysis/parse-readings.js';
import { AnalyserError } from '../../src/base/errors.js';
import { loadConfig } from '../../src/config/load-config.js';
import { CallError } from '../../src/grpc/call-error.js';
import { CallerProof } from '../../src/grpc/caller-proof.js';
import { parseAcl } from '../../src/pod/access-control.js';
import { canonicalResource, parseWebId } from '../../src/pod/addresses.js';
import { findUnproven, mayBeWritten, namedStorage } from '../../src/pod/answer-headers.js';
import { parseEncKeys } from '../../src/pod/formats/enc-keys.js';
import { parseEncryptedResource } from '../../src/pod/formats/encrypted-resource.js';
import { IndKeys } from '../../src/pod/formats/ind-keys.js';
import { parsePublicKey } from '../../src/pod/formats/public-key.js';
import { parseSealedEntries } from '../../src/pod/formats/shared-keys.js';
import { ownerOfResource, podIdOfRoot } from '../../src/pod/owner.js';
import { WebIdVerifier } from '../../src/solid/login/web-id-verifier.js';
import { readTurtle } from '../../src/solid/turtle.js';
import { send, startApi } from '../support/api-client.js';
import { outputBelow } from '../support/output-below.js';
import { newFolder } from '../support/temp-folder.js';
import { readCorpus } from './mutations.js';

/** One reader of bytes from outside: whatever it is given, it answers or refuses as it should. */
interface FuzzTarget {
  samples: string[];
  run(text: string): void | Promise<void>;
}

const url = 'https://pods.example/alice/app/x.ttl';

const turtle = readCorpus('turtle');

/** Each is made for the test that breaks its samples. */
export const targets: Readonly<Record<string, () => FuzzTarget | Promise<FuzzTarget>>> = {
  'documents of a Pod': () => ({
    samples: turtle,
    run: async (text) => {
      const document = await refusingOnly('malformed', () => readTurtle(text, url));
      if (document === null) return;
      await refusingOnly('malformed', () => parseEncKeys(document));
      await refusingOnly('malformed', () => parsePublicKey(document));
      const holder = { root: 'https://pods.example/alice/', masterKey: Buffer.alloc(32) };
      new IndKeys(document).entryOf(url, holder);
      parseAcl(document);
    },
  }),
  'encrypted resources': () => ({
    samples: turtle,
    run: async (text) => {
      await refusingOnly('malformed', () => parseEncryptedResource(Buffer.from(text), url));
    },
  }),
  'the inbox': () => ({
    samples: turtle,
    run: async (text) => {
      const body = Buffer.from(text);
      await refusingOnly('malformed', () => parseSealedEntries(body, url));
    },
  }),
  readings: () => ({
    samples: readCorpus('readings'),
    run: (text) => {
      for (const fileName of ['bp_2026-08-19T09-15-00.json.enc.ttl', 'x.json', 'x.csv']) {
        for (const { time, systolic, diastolic } of parseReadings(text, fileName)?.readings ?? []) {
          expect([time ?? 0, systolic, diastolic].every(Number.isFinite)).toBe(true);
        }
      }
    },
  }),
  addresses: () => ({
    samples: readCorpus('address', 'line'),
    run: (text) => {
      const canonical = canonicalResource(text);
      if (canonical !== null) {
        expect(canonicalResource(canonical)).toBe(canonical);
        expect(new URL(canonical).origin).toBe(new URL(text).origin);
        ownerOfResource(canonical, {
          appDir: 'app',
          analyserRoot: 'https://pods.example/a/',
          podDepth: null,
          podIdOf: podIdOfRoot,
        });
        namedStorage(text, canonical);
      }
      const webId = parseWebId(text);
      if (webId !== null) expect(podIdOfRoot(webId.root)).not.toContain('/');
      findUnproven(text);
      mayBeWritten(text, 'public');
    },
  }),
  'the configuration': configTarget,
  'metadata of a call': metadataTarget,
  'paths of the HTTP API': pathTarget,
};

async function configTarget(): Promise<FuzzTarget> {
  const folder = await newFolder();
  return {
    samples: readCorpus('config'),
    run: async (text) => {
      await writeFile(join(folder, 'config.yaml'), text, { mode: 0o600 });
      await refusingOnly('configuration', () => loadConfig({ env: {}, cwd: folder }));
    },
  };
}

/** No issuer is ever asked: a proof of anybody else is refused before. */
function metadataTarget(): FuzzTarget {
  const verifier = new WebIdVerifier({ issuers: ['http://127.0.0.1:9/'], origins: [], atOnce: 8 });
  const proof = new CallerProof(verifier, 'https://analyser.example');
  return {
    samples: readCorpus('metadata', 'line'),
    run: async (text) => {
      const metadata = new Metadata();
      try {
        metadata.set('x-solid-authorization', text);
        metadata.set('x-solid-dpop', text.replace(/^DPoP /, ''));
      } catch {
        // What HTTP/2 does not carry does not arrive.
        return;
      }
      const required = proof.require(metadata, 'https://pods.example/a/profile/card#me', '/x');
      await expect(required).rejects.toBeInstanceOf(CallError);
    },
  };
}

async function pathTarget(): Promise<FuzzTarget> {
  const { address } = await startApi(outputBelow(await newFolder()));
  return {
    samples: readCorpus('path', 'line'),
    run: async (text) => {
      const path = `/${text.replace(/[^\x21-\x7e]/g, '%ff')}`;
      const { status, body } = await send(address, path);
      expect([200, 301, 302, 304, 400, 404, 414, 431, 503], path).toContain(status);
      expect(body.toString()).not.toContain('node_modules');
    },
  };
}

/** Null when it was refused; any other error is a find. */
async function refusingOnly<T>(
  kind: AnalyserError['kind'],
  read: () => T | Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AnalyserError && error.kind === kind) return null;
    throw error;
  }
}
