/** Writes docs/schemas from the schemas that check every document at run time. */
import { writeFileSync } from 'node:fs';
import { renderSchemas } from './document-schemas.js';

const folder = new URL('../docs/schemas/', import.meta.url);
for (const [file, text] of renderSchemas()) writeFileSync(new URL(file, folder), text);
