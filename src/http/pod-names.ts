import { createHmac } from 'node:crypto';

const LENGTH = 10;
/** Two base32 characters for each ten bits. */
const HEX_DIGITS = 16;

/** Stable names in place of addresses (api.names), which only the holder of the key can make. */
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

  /** The pod_id of a name that was made; null for anything else, and for a pod_id. */
  podIdOf(name: string): string | null {
    return this.#known.get(name) ?? null;
  }
}
