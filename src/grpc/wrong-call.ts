/** A wrong call: the one thing that is a gRPC error and not a reply. */
export class WrongCall extends Error {}

export function requireWebId(text: string): void {
  if (text.trim() === '') throw new WrongCall('web_id is missing: name the WebID of the caller.');
}
