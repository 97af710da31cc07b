const ROOM = 8_192;

/** Shared with whoever starts threads: a text that nobody has thought of can take all memory of the thread that reads it. */
let room: Buffer = Buffer.alloc(ROOM);
let spared = '';

export function createInHand(): SharedArrayBuffer {
  return new SharedArrayBuffer(ROOM);
}

/** The address of the document that a thread takes apart; empty when it takes none apart. */
export function readInHand(shared: SharedArrayBuffer): string {
  const noted = Buffer.from(shared);
  return noted.toString('utf8', 2, 2 + noted.readUInt16LE(0));
}

/** From now on this thread notes there what it takes apart. It spares what the thread before it left there. */
export function noteInHand(shared: SharedArrayBuffer): void {
  spared = readInHand(shared);
  room = Buffer.from(shared);
  note('');
}

export function spareNothing(): void {
  spared = '';
}

export function isSpared(url: string): boolean {
  return spared === url;
}

export function takeApart(url: string, work: () => void): void {
  note(url);
  try {
    work();
  } finally {
    note('');
  }
}

function note(url: string): void {
  room.writeUInt16LE(room.write(url, 2), 0);
}
