import { usualPolicy } from '../solid/requests/server.js';

/**
 * How long an analysis waits for servers, and how much it asks them for at once. The first to end wins. What a single
 * request may take is in requests/transport.ts, how often it is tried in requests/server.ts, both of src/solid. The
 * patience of another server is its `seconds` in data.allowed_origins, and the time of all is
 * grpc.analysis_timeout_seconds.
 */
export const limits = {
  /** Of the time of an analysis, because the later steps need the rest. */
  readingFraction: 9 / 10,
  /** Of the same: refusals are confirmed longer, or a Pod that revoked a file would count with its earlier figures. */
  confirmingFraction: 19 / 20,
  /** The most patience, of the same: a server that hangs would never be found silent, and be carried for ever. */
  patienceFraction: 8 / 10,
  /** Another server is read so much longer than its patience, so that what was sent in this time can be waited for. */
  sendingMs: 1_000,
  /** So long after its patience, another server can be asked again. */
  againMs: 3_000,
  /** If strangers name more servers than are read at once, each has this time. */
  crowdMs: 3_000,
  /** What is new waits so long for refusals to be confirmed, since a Pod could hang on purpose. */
  newcomersWaitMs: 10_000,
  /** The same at another server, where there is less time: this part of its patience. */
  newcomersWaitFraction: 1 / 3,
  /** After so many silences in succession a Pod is given up: it costs no more time. */
  silences: 10,

  /** Files of the Analyser's own server. The client never has as many in flight, so no slow Pod holds up others. */
  ownServerAtOnce: 64,
  /** Requests at another server, which may be small: the client has no more in flight there. */
  otherServerAtOnce: usualPolicy.atOnce,
  /** Requests at all other servers, and servers: each answer can have 6 MB. Once more for those of strangers. */
  othersAtOnce: 64,
  /** A quarter of what a server is asked at once is of one Pod that gives no answer, or while others wait. */
  podAtOnce: 4,

  /** Past the last checkpoint callers wait, whatever a server asks for. */
  longestPauseMs: 3_000,
  /** All that keeps the memory: figures of the cohort wait for it. */
  memoryMs: 20_000,
  /** All that is written to the Analyser's own Pod. Nobody waits for run-once. */
  ownPodMs: 60_000,
  /** What only the Analyser's own documents need, before the last answer. */
  ownLogMs: 1_000,
  /** All requests to the Pod of one recipient, whatever it asks for. */
  recipientMs: 10_000,
  /** After this time a recipient's place is the next one's, while the hand-over goes on. */
  recipientPlaceMs: 1_000,
  recipientsAtOnce: 16,
};
