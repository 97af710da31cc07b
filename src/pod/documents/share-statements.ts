import { hash } from 'node:crypto';
import type { Triple } from '../../solid/documents/sparql-update.js';
import { vocabulary as v } from '../vocabulary.js';
import { link, text } from './write-turtle.js';

/** The name of a share in the recipient's inbox. */
export function shareId(resourceUrl: string, recipientWebId: string): string {
  return hash('sha256', `${resourceUrl}${recipientWebId}`);
}

/** The sealed values of one share, as shared/shared-keys.ttl holds them. */
export interface SealedValues {
  path: string;
  accessList: string;
  key: string;
}

export function shareSubject(id: string): string {
  return `${v.resourceId}${id}`;
}

export function shareStatements(id: string, sealed: SealedValues): Triple[] {
  const subject = shareSubject(id);
  return [
    text(subject, v.sharedPath, sealed.path),
    text(subject, v.sharedAccess, sealed.accessList),
    text(subject, v.sharedKey, sealed.key),
  ];
}

export function inboxHeading(url: string): Triple[] {
  return [
    link(`${url}#me`, v.type, v.personalProfileDocument),
    text(`${url}#me`, v.title, 'Shared Encryption Keys'),
  ];
}
