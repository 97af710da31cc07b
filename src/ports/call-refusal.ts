/** Why a call was refused, where an app has to tell it apart from others with the same gRPC status. */
export type CallRefusal = 'token-rejected' | 'proof-rejected';

/** The trailing metadata of the service that holds it. */
export const refusalName = 'analyser-refusal';
