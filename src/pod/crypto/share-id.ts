import { createHash } from 'node:crypto';

/** The name of a share in the recipient's inbox (POD-FORMATS 3). */
export function shareId(resourceUrl: string, recipientWebId: string): string {
  return createHash('sha256').update(`${resourceUrl}${recipientWebId}`, 'utf8').digest('hex');
}
