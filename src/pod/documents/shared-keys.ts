import type { Triple } from '../../solid/sparql-update.js';
import { vocabulary as v } from '../vocabulary.js';
import { link, text } from './write-turtle.js';

/** shared/shared-keys.ttl, as it stands: whatever anybody wrote under one subject. */
export interface SealedShare {
  id: string;
  paths: string[];
  keys: string[];
  accessLists: string[];
}

export interface NewShare {
  id: string;
  path: string;
  key: string;
  accessList: string;
}

export function shareSubject(id: string): string {
  return `${v.resourceId}${id}`;
}

export function shareStatements(share: NewShare): Triple[] {
  const subject = shareSubject(share.id);
  return [
    text(subject, v.sharedPath, share.path),
    text(subject, v.sharedAccess, share.accessList),
    text(subject, v.sharedKey, share.key),
  ];
}

/** What a new inbox says about itself. */
export function inboxHeading(url: string): Triple[] {
  return [
    link(`${url}#me`, v.type, v.personalProfileDocument),
    text(`${url}#me`, v.title, 'Shared Encryption Keys'),
  ];
}
