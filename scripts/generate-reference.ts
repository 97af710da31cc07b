/** Writes docs/client-reference.md from the source of the client library. */
import { writeFileSync } from 'node:fs';
import { renderClientReference } from './client-reference.js';

writeFileSync(new URL('../docs/client-reference.md', import.meta.url), renderClientReference());
