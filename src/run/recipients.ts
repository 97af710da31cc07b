/** The WebIDs whose results are published; null for every contributor. */
export type Recipients = readonly string[] | null;

export function isRecipient(recipients: Recipients, webId: string): boolean {
  return recipients === null || recipients.includes(webId);
}

/** Whether the WebID itself called and waits for the outcome. */
export function isCaller(recipients: Recipients, webId: string): boolean {
  return recipients !== null && recipients.includes(webId);
}
