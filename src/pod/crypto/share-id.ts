import { hash } from 'node:crypto';

/** The name of a share in the recipient's inbox. */
export function shareId(resourceUrl: string, recipientWebId: string): string {
  return hash('sha256', `${resourceUrl}${recipientWebId}`);
}
