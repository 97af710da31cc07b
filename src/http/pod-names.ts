import { createHmac } from 'node:crypto';

const LENGTH = 10;
/** 16 hex digits are 64 bits, enough for the 50 bits of ten base32 characters. */
const HEX_DIGITS = 16;

/** Makes stable names in place of addresses (api.names). Only the holder of the key can make them. */
export class PodNames {
  readonly #known = new Map<string, string>();

  constructor(private readonly key: Buffer) {}

  /** `P-` and ten base32 characters. */
  nameOf(podId: string): string {
    const sum = createHmac('sha256', this.key).update(podId).digest('hex').slice(0, HEX_DIGITS);
    const digits = BigInt(`0x${sum}`).toString(32).padStart(LENGTH, '0').slice(-LENGTH);
    const name = `P-${digits.toUpperCase()}`;
    this.#known.set(name, podId);
    return name;
  }

  /** The pod_id of a name that this object has made; null for any other text, even for a pod_id. */
  podIdOf(name: string): string | null {
    return this.#known.get(name) ?? null;
  }
}
