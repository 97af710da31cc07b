/** Something that is wrong or will be; the message says what to do. */
export interface Finding {
  /** Whether analyses or calls fail because of it. */
  stops: boolean;
  message: string;
}

/** Lists of one, because what looks at something gives a list, which is empty if all is well. */
export function stopping(message: string): Finding[] {
  return [{ stops: true, message }];
}

export function notice(message: string): Finding[] {
  return [{ stops: false, message }];
}
